import { isSameActor } from '../../../src/access/actor.ts';
import { expect, test } from 'vitest';
import { parse } from '../../../src/base/schema.ts';
import { describeTableProtocol, tableProtocolLines } from '../../../src/cli/rules/describeTableProtocol.ts';
import { rulebooks } from '../../../src/games/rulebooks.ts';
import { irregularityKinds } from '../../../src/games/irregularities.ts';
import { tableCommands } from '../../../src/table/schema/commands.ts';
import { type TableEvent, eventSchemas, tableEvents } from '../../../src/table/schema/events.ts';
import { parseTableCommand } from '../../../src/table/schema/parseCommand.ts';
import { passedOnRefusals, tableRefusals } from '../../../src/table/schema/refusals.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { TableScenario, dealer, floor, readyTable, saltOf, defaultSettings } from '../tableScenario.ts';

const base = { at: 0, actor: dealer };
const terminal = { terminal: 'T7' };
const hash = `sha256:${saltOf(1)}`;

test('a command has all its fields and no others, each by its schema', () => {
  const good = [
    { type: 'OpenBets', ...base },
    { type: 'OpenBets', at: 0, actor: { person: 'd1', role: 'dealer', acting: 'supervisor', until: 5 } },
    { type: 'OpenBets', at: 0, actor: { system: 'floor' } },
    { type: 'SetSlip', at: 0, actor: terminal, round: 'r', slip: { tie: 1.5 }, credit: 0 },
    { type: 'DealCard', ...base, slot: 'P1', card: 'KD', salt: saltOf(1), proof: [saltOf(2)], keyed: false },
    { type: 'Approve', ...base, proposal: 'P1', hash, credits: { T7: 100 } },
    { type: 'ReportTerminals', ...base, terminals: ['T7'], disconnected: true },
    { type: 'CorrectCard', ...base, round: 'r', place: 1, card: 'KD', reason: 'x', slips: { T7: { tie: 100 } } },
    { type: 'EndShoe', ...base, seen: { KD: 8 } },
    { type: 'OpenTable', ...base, settings: defaultSettings('tiger'), second: dealer },
    { type: 'ReportInterruption', ...base, since: 0, stateLost: false },
  ];
  for (const message of good) expect(parseTableCommand(message)).toBe(message);
});

test('a missing field of a person is named at any depth', () => {
  const acting = { person: 'd1', role: 'dealer', acting: 'supervisor' };
  const messageOf = (message: object) =>
    (parseTableCommand({ at: 0, ...message }) as { readonly message: string }).message;
  expect(messageOf({ type: 'OpenBets', actor: acting })).toBe(
    'The field "actor.until" is missing; give it with "acting", or leave both out.',
  );
  expect(messageOf({ type: 'OpenBets', actor: { person: 'd1', role: 'dealer', until: 5 } })).toBe(
    'The field "actor.acting" is missing; give it with "until", or leave both out.',
  );
  expect(messageOf({ type: 'OpenTable', actor: dealer, settings: defaultSettings('tiger'), second: acting })).toContain(
    'The field "second.until" is missing;',
  );
  expect(messageOf({ type: 'OpenBets', actor: { person: 'd1' } })).toContain('The field "actor.role" is missing;');
});

test('a command without its actor asks for a person, a terminal or a system, and one without a second person asks for that', () => {
  const messageOf = (message: object) => (parseTableCommand(message) as { readonly message: string }).message;
  expect(messageOf({ type: 'OpenBets', at: 0 })).toBe(
    'The field "actor" is missing; give a person with a role, a terminal or a system.',
  );
  expect(messageOf({ type: 'OpenTable', ...base, settings: defaultSettings('tiger'), second: 'p1' })).toBe(
    'The field "second" is "p1"; give a person with a role, or leave it out.',
  );
  const { commands, $defs } = describeTableProtocol();
  expect(commands.OpenTable!.fields).toHaveProperty(
    'second',
    'a person with a role, and both "acting" and "until" or neither; may be left out',
  );
  expect($defs['OpenTable']).toMatchObject({
    properties: { actor: { $ref: '#/$defs/actor' }, second: { $ref: '#/$defs/person' } },
  });
});

test('a command with a field of the wrong kind, missing or unknown is refused by name', () => {
  const bad: readonly (readonly [object, string])[] = [
    [{ ...base }, 'bad-request'],
    [{ type: 'Open', ...base }, 'bad-request'],
    [{ type: 'constructor', ...base }, 'bad-request'],
    [{ type: 'OpenBets', at: -1, actor: dealer }, 'bad-request'],
    [{ type: 'OpenBets', at: 0.5, actor: dealer }, 'bad-request'],
    [{ type: 'OpenBets', at: 1e15, actor: dealer }, 'bad-request'],
    [{ type: 'OpenBets', at: 0 }, 'bad-request'],
    [{ type: 'OpenBets', at: 0, actor: { ...dealer, name: 'x' } }, 'unknown-field'],
    [{ type: 'OpenBets', ...base, colour: 'red' }, 'unknown-field'],
    ...[
      null,
      'd1',
      {},
      { person: 'd1' },
      { person: 'd 1', role: 'dealer' },
      { person: 'd1', role: 'king' },
      { person: 'd1', role: 'dealer', acting: 'supervisor' },
      { person: 'd1', role: 'dealer', until: 5 },
      { person: 'd1', role: 'dealer', acting: 'auditor', until: 5 },
      { person: 'd1', role: 'dealer', acting: 'supervisor', until: -5 },
      { terminal: '' },
      { terminal: 'T7', system: 'floor' },
      { system: 'a b' },
      { robot: 'x' },
    ].map((actor) => [{ type: 'OpenBets', at: 0, actor }, 'bad-request'] as const),
    ...[[], { tie: '1' }, 5].map(
      (slip) => [{ type: 'SetSlip', at: 0, actor: terminal, round: 'r', slip, credit: 0 }, 'bad-request'] as const,
    ),
    ...[{ 'a b': 1 }, { T7: -1 }, { T7: 1.5 }].map(
      (credits) => [{ type: 'Approve', ...base, proposal: 'P1', hash, credits }, 'bad-request'] as const,
    ),
    ...['x', 'sha256:00', saltOf(1)].map(
      (other) => [{ type: 'Approve', ...base, proposal: 'P1', hash: other }, 'bad-request'] as const,
    ),
    ...['', ' ', 'x'.repeat(501), 5].map((reason) => [{ type: 'Refer', ...base, reason }, 'bad-request'] as const),
    [{ type: 'DealCard', ...base, slot: 'P4', card: 'KD' }, 'bad-request'],
    [{ type: 'DealCard', ...base, slot: 'P1', card: 'KD', proof: ['x'] }, 'bad-request'],
    [{ type: 'DealCard', ...base, slot: 'P1', card: 'KD', keyed: 'yes' }, 'bad-request'],
    [{ type: 'ReconstructRound', ...base, cards: [5], unseen: false, reason: 'x' }, 'bad-request'],
    [{ type: 'ReportTerminals', ...base, terminals: ['a b'], disconnected: true }, 'bad-request'],
    [{ type: 'ReportIrregularity', ...base, kind: 'mis-scan' }, 'bad-request'],
  ];
  for (const [message, refused] of bad) {
    expect(parseTableCommand(message as never), JSON.stringify(message)).toMatchObject({ refused });
  }
});

test('the description lists every command, event, refusal, role, approval rule and irregularity', () => {
  const { commands: c, events: e, refusals: r, irregularities, settings, approvalRules } = describeTableProtocol();
  expect(Object.keys(c)).toEqual(Object.keys(tableCommands));
  expect(Object.keys(e)).toEqual(Object.keys(tableEvents));
  expect(Object.keys(r)).toEqual([...Object.keys(tableRefusals), ...Object.keys(passedOnRefusals)].toSorted());
  expect(Object.keys(irregularities)).toEqual(rulebooks.map(({ id }) => id));
  expect(settings).toMatchObject({ currency: 'three capital letters such as SGD', decks: 'a number; may be left out' });
  expect(approvalRules).toHaveProperty('refer');
  expect(c.SetSlip).toMatchObject({ also: ['terminal'], fields: { round: 'a text' } });
  const text = tableProtocolLines().join('\n');
  for (const name of [
    ...Object.keys(tableCommands),
    ...Object.keys(tableEvents),
    ...Object.keys(tableRefusals),
    ...irregularityKinds,
  ]) {
    expect(text).toContain(`  ${name}`);
  }
});

test('isSameActor is true for one person, terminal or system', () => {
  expect(isSameActor(dealer, { ...dealer, role: 'supervisor' })).toBe(true);
  expect(isSameActor(dealer, { person: 'd2', role: 'dealer' })).toBe(false);
  expect(isSameActor(dealer, terminal)).toBe(false);
  expect(isSameActor(terminal, terminal)).toBe(true);
  expect(isSameActor(terminal, { terminal: 'T8' })).toBe(false);
  expect(isSameActor(terminal, dealer)).toBe(false);
  expect(isSameActor(floor, floor)).toBe(true);
  expect(isSameActor(floor, { system: 'shuffler' })).toBe(false);
  expect(isSameActor(floor, dealer)).toBe(false);
});

test('a shoe that has given its last card gives no other, and opens no round', () => {
  const scenario = readyTable('tiger').bets().close();
  scenario.table!.shoe!.drawn = 416;
  expect(scenario.refusal('DealCard', { slot: 'P1', card: 'KD' })).toMatchObject({
    refused: 'shoe-over',
    by: 'ETG 5.3',
  });
  scenario.table!.shoe!.carried = true;
  expect(scenario.do('DealCard', { slot: 'P1', card: 'KD' })[0]).toMatchObject({ carried: true });
  const idle = readyTable('tiger');
  idle.table!.shoe!.drawn = 416;
  expect(idle.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over', by: 'ETG 3.10' });
  idle.table!.shoe!.carried = true;
  idle.table!.shoe!.roundsLeft = 1;
  expect(idle.do('OpenBets', {})).toHaveLength(1);
});

test('a proposal stores a command payload and events, field by field', () => {
  const proposed = {
    type: 'Proposed',
    v: 1,
    at: 0,
    actor: dealer,
    proposal: 'P1',
    command: { type: 'BurnCard', card: 'KD', reason: 'x' },
    effects: [{ type: 'CardBurned', card: 'KD', by: 'ETG 5.6', reason: 'x' }],
    hash,
    expires: 5,
  };
  const messageOf = (changes: object) => {
    const result = parse<TableEvent>({ ...proposed, ...changes }, eventSchemas.Proposed);
    return 'refused' in result ? result.message : 'fits';
  };
  expect(messageOf({})).toBe('fits');
  expect(messageOf({ command: { type: 'BurnCard', card: 5, reason: 'x' } })).toBe(
    'The field "command.card" is 5; give a card such as KD or L3.',
  );
  expect(messageOf({ command: {} })).toBe('The field "command.type" is missing; give the name of a command.');
  expect(messageOf({ effects: [{ type: 'Proposed' }] })).toBe(
    'The field "effects[0].type" is "Proposed"; give the name of an event.',
  );
  expect(messageOf({ effects: [{ type: 'CardBurned', card: 'KD', by: 'x', reason: 'x', paused: 5 }] })).toContain(
    '"effects[0].paused" is not known',
  );
});

test('an issue in the settings is named by its path', () => {
  const opened = (changes: object) => {
    const result = parseTableCommand({
      type: 'OpenTable',
      ...base,
      settings: { ...defaultSettings('tiger'), ...changes },
    });
    return 'refused' in result ? result.message : 'fits';
  };
  expect(opened({})).toBe('fits');
  expect(opened({ limits: { banker: [100] } })).toBe(
    'The field "settings.limits.banker" is [100]; give [minimum, maximum] in whole minor units.',
  );
  expect(opened({ profile: { ...defaultSettings('tiger').profile, dayStartHour: 24 } })).toBe(
    'The field "settings.profile.dayStartHour" is 24; give an hour, 0 to 23.',
  );
  expect(opened({ tray: [500, 100] })).toBe(
    'The field "settings.tray" is [500,100]; give a list of one to ten chip values in minor units, in rising order, or leave it out.',
  );
  expect(opened({ colour: 'red' })).toMatch(/^The field "settings.colour" is not known here; use property, table/);
});

test('an empty live shoe is ended, unless a card is carried', () => {
  const scenario = readyTable('tiger');
  scenario.table!.shoe!.drawn = 416;
  expect(buildDealerView(scenario.table!).next).toEqual(['EndShoe', 'SealShoe']);
  scenario.table!.shoe!.carried = true;
  scenario.table!.shoe!.roundsLeft = 1;
  expect(buildDealerView(scenario.table!).next).toEqual(['OpenBets', 'EndShoe', 'SealShoe']);
});

test('a table with a virtual shoe needs a commitment, then a cut position', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  expect(buildDealerView(scenario.table!).next).toEqual(['CommitShoe']);
  scenario.do('CommitShoe', { shoe: 'V1', root: saltOf(1) }, { system: 'shuffler' });
  expect(buildDealerView(scenario.table!).next).toEqual(['ChooseCutPosition']);
});

test('parseTableCommand names a value that is not a command', () => {
  const message = (value: unknown) => (parseTableCommand(value) as { readonly message: string }).message;
  for (const [value, named] of [
    [null, 'null'],
    [undefined, 'undefined'],
    [3, '3'],
    ['OpenBets', '"OpenBets"'],
    [[], '[]'],
  ]) {
    expect(message(value)).toBe(
      `A command must be an object with a type, but this is ${String(named)}; \`punto table --describe\` lists the commands.`,
    );
  }
  expect(message({})).toBe('The command has no type; `punto table --describe` lists the commands.');
  expect(message({ type: 'Deal' })).toBe(
    '"Deal" is not a command of a table; `punto table --describe` lists the commands.',
  );
});
