import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { games } from '../games/registry.ts';
import { versionedGameId } from '../rules/game.ts';
import { settingsShape } from '../table/schema/settings.ts';
import { type Property, parseProperty } from './property.ts';

const at = 1_794_816_000_000;
const textOf = (name: string): string =>
  readFileSync(new URL(`../../properties/${name}.jsonc`, import.meta.url), 'utf8');
const fileOf = (name: string): { [field: string]: unknown } =>
  parse(textOf(name), [], { allowTrailingComma: true }) as { [field: string]: unknown };
const propertyOf = (file: unknown): Property => {
  const property = parseProperty(file, at);
  if ('mistakes' in property) throw new Error(JSON.stringify(property.mistakes));
  return property;
};

const owner = { property: 'sg1', currency: 'SGD' };
const plain = {
  owner,
  timeZone: 'Asia/Singapore',
  dayStartHour: 6,
  profile: { name: 'sg', version: '1', approved: games.map(versionedGameId) },
  tables: [{ table: 'A1', game: 'tiger', dealing: 'virtual', attended: false, limits: { '*': [100, 1000] } }],
};
const mistakesIn = (file: unknown): readonly string[] => {
  const property = parseProperty(file, at);
  return 'mistakes' in property ? property.mistakes.map(({ path, message }) => `${path.join('.')} ${message}`) : [];
};

test('patrons are reminded every hour and helped in neutral words, unless the file says otherwise', () => {
  const file = fileOf('example') as object;
  expect(propertyOf(file).responsibleGaming).toEqual({ realityCheckMs: 3_600_000, help: null });
  const help = { en: 'Call at any hour.', zh: '请随时致电。' };
  expect(propertyOf({ ...file, responsibleGaming: { help } }).responsibleGaming).toEqual({
    realityCheckMs: 3_600_000,
    help,
  });
  expect(propertyOf({ ...file, responsibleGaming: { realityCheckMs: 1_800_000 } }).responsibleGaming).toEqual({
    realityCheckMs: 1_800_000,
    help: null,
  });
});

test('the demo is a property with a table for each game, and table names are not game ids', () => {
  const { tables: all, demo, owner: whose } = propertyOf(fileOf('demo'));
  const tables = all.slice(0, games.length);
  expect(whose).toEqual({ property: 'demo', currency: 'XTS' });
  expect(demo).toEqual({ credit: 100_000 });
  expect(tables.map(({ settings }) => settings.game)).toEqual(games.map(versionedGameId));
  for (const [n, { settings, pace }] of tables.entries()) {
    expect(games.map(({ id }) => id)).not.toContain(settings.table);
    expect(settings).toMatchObject({
      attended: false,
      dealing: 'virtual',
      profile: { timeZone: 'UTC', dayStartHour: 6 },
    });
    expect(settings.limits['player']).toEqual([100, 50_000]);
    expect(settings.limits['tie']).toEqual([100, 10_000]);
    expect(pace).toEqual({ betweenRounds: 3_000, betweenCards: 1_200, turn: { cycle: 30_000, after: n * 3_000 } });
  }
});

test('beside them the demo has three tables where people deal, which have no turn', () => {
  const { tables } = propertyOf(fileOf('demo'));
  expect(
    tables
      .slice(games.length)
      .map(({ settings, pace }) => [
        settings.table,
        settings.game,
        settings.dealing,
        settings.bets,
        settings.burn,
        settings.attended,
        pace.turn,
      ]),
  ).toEqual([
    ['L11', 'tiger@2021-10-28', 'scanned', 'terminals', 'first-card', true, undefined],
    ['L12', 'baccarat@7', 'keyed', 'chips', 'none', true, undefined],
    ['L13', 'sands-elements@2', 'keyed', 'terminals', 'none', true, undefined],
  ]);
});

test('broken links are reported after three seconds, and scans are spelled like cards, unless the file says otherwise', () => {
  expect(propertyOf(plain)).toMatchObject({ disconnectDelay: 3_000, scanner: { pattern: 'RS', cut: 'CUT' } });
  const scanner = { pattern: 'S-R', cut: '#', cards: { '0113': 'KS' } };
  expect(propertyOf({ ...plain, disconnectDelay: 500, scanner })).toMatchObject({ disconnectDelay: 500, scanner });
  expect(mistakesIn({ ...plain, disconnectDelay: 1 })).toEqual([
    'disconnectDelay is 1; give a number of milliseconds, from half a second to a minute, or leave it out.',
  ]);
  expect(mistakesIn({ ...plain, scanner: { ...scanner, cards: { '0113': 'XX' } } })).toEqual([
    'scanner.cards.0113 is not a card; give one such as KS, or L3 of the Elements deck.',
  ]);
});

test('the example is a property, and speaks of everything that can be said of a table', () => {
  const { tables, demo } = propertyOf(fileOf('example'));
  expect(demo).toBeNull();
  expect(tables.map(({ settings }) => [settings.table, settings.attended, settings.dealing])).toEqual([
    ['E01', false, 'virtual'],
    ['B02', true, 'keyed'],
  ]);
  expect(tables.map(({ theme }) => theme)).toEqual([
    { felt: 'emerald', emblem: 'Harbour' },
    { felt: 'emerald', emblem: '' },
  ]);
  for (const field of Object.keys(settingsShape)) expect(textOf('example'), field).toContain(`"${field}"`);
});

test('a cycle is shared out evenly among the tables, in the order of the file', () => {
  const pace = { betweenRounds: 1, betweenCards: 2, cycle: 10_000 };
  const tables = ['A1', 'A2', 'A3'].map((table) => ({ ...plain.tables[0], table, pace }));
  expect(propertyOf({ ...plain, tables }).tables.map((one) => one.pace.turn?.after)).toEqual([0, 3_333, 6_666]);
  expect(propertyOf(plain).tables[0]!.pace).toEqual({ betweenRounds: 3_000, betweenCards: 1_200 });
  const wrong = { ...plain.tables[0], pace: { ...pace, cycle: 999 } };
  expect(mistakesIn({ ...plain, tables: [wrong] })).toEqual([
    'tables.0.pace.cycle is 999; give a number of milliseconds, from a second to an hour, or leave it out.',
  ]);
});

test('the limit for payments by hand is a whole number of minor units, or there is none', () => {
  expect(propertyOf(plain).handPay).toBeNull();
  expect(propertyOf({ ...plain, handPay: 500_000 }).handPay).toBe(500_000);
  expect(mistakesIn({ ...plain, handPay: 0 })).toEqual([
    'handPay is 0; give a whole number of cents, at least 1, or leave it out.',
  ]);
});

test('the limit from which a name is asked for is a whole number of minor units, or there is none', () => {
  expect(propertyOf(plain).nameFrom).toBeNull();
  expect(propertyOf({ ...plain, nameFrom: 1_000_000 }).nameFrom).toBe(1_000_000);
});

test('two versions or two tables of a game stand side by side', () => {
  const tables = ['A1', 'A2'].map((table) => ({ ...plain.tables[0], table }));
  expect(propertyOf({ ...plain, tables }).tables.map(({ settings }) => [settings.table, settings.game])).toEqual([
    ['A1', 'tiger@2021-10-28'],
    ['A2', 'tiger@2021-10-28'],
  ]);
});

test('limits of a table precede those of "usual", and in each a named wager precedes "*"', () => {
  const defaults = { limits: { tie: [200, 400], '*': [100, 300] }, bettingTime: 5_000, grace: 1 };
  const one = { table: 'A1', game: 'baccarat', dealing: 'virtual', attended: false, bettingTime: 7_000 };
  const tables = [one, { ...one, table: 'A2', limits: { player: [700, 900], '*': [800, 900] } }];
  const [first, second] = propertyOf({ ...plain, defaults, tables }).tables.map(({ settings }) => settings);
  expect(first).toMatchObject({ bettingTime: 7_000, grace: 1 });
  expect(first!.limits).toEqual({
    player: [100, 300],
    banker: [100, 300],
    tie: [200, 400],
    'player-pair': [100, 300],
    'banker-pair': [100, 300],
  });
  expect(second!.limits).toMatchObject({ player: [700, 900], banker: [800, 900], tie: [800, 900] });
});

test('every mistake is named with its place, all at once', () => {
  expect(mistakesIn('nothing')).toEqual([
    ' is "nothing"; give an object with owner, timeZone, dayStartHour, profile, demo, handPay, nameFrom, responsibleGaming, disconnectDelay, scanner, defaults, tables.',
  ]);
  const wrong = {
    ...plain,
    owner: { property: 'sg1', currency: 'sgd' },
    dayStartHour: 24,
    colour: 'red',
    defaults: { pause: -1, colour: 1 },
    tables: [
      { table: 'A 1', game: 7, limits: { player: [100] } },
      'A2',
      { table: 'A3', pace: { betweenCards: 1 }, step: 0 },
      { table: 'A3' },
    ],
  };
  expect(mistakesIn(wrong).map((mistake) => mistake.split(' ', 1)[0])).toEqual([
    'colour',
    'owner.currency',
    'dayStartHour',
    'defaults.colour',
    'defaults.pause',
    'tables.0.table',
    'tables.0.game',
    'tables.0.limits.player',
    'tables.1',
    'tables.2.step',
    'tables.2.pace.betweenRounds',
    'tables.3.table',
  ]);
});

test('an issue in "defaults" is reported once there, and an issue of a table at the table', () => {
  const tables = ['A1', 'A2', 'A3'].map((name) => ({ ...plain.tables[0], table: name }));
  const bare = tables.map(({ game: _game, ...rest }) => rest);
  expect(mistakesIn({ ...plain, tables, timeZone: 'Mars/Olympus' })).toHaveLength(1);
  expect(mistakesIn({ ...plain, defaults: { game: 'lion' }, tables: bare })).toEqual([
    expect.stringMatching(/^defaults.game is not valid: There is no game "lion"/),
  ]);
  const steps = tables.map((one, n) => (n === 0 ? { ...one, step: 70 } : one));
  expect(mistakesIn({ ...plain, defaults: { step: 30 }, tables: steps })).toEqual([
    expect.stringMatching(/^tables.0.step is not valid: /),
    expect.stringMatching(/^defaults.step is not valid: /),
  ]);
  // With a step of 200, table 0 has another mistake than tables 1 and 2. So their mistake is not reported under
  // `defaults`.
  const coarse = tables.map((one, n) => (n === 0 ? { ...one, step: 200 } : one));
  expect(mistakesIn({ ...plain, defaults: { behind: 3 }, tables: coarse })).toEqual([
    expect.stringMatching(/^tables.0.limits is not valid: /),
    expect.stringMatching(/^tables.1.behind is not valid: /),
    expect.stringMatching(/^tables.2.behind is not valid: /),
  ]);
  expect(mistakesIn({ ...plain, defaults: { behind: 3 }, tables })).toEqual([
    'defaults.behind is not valid: Too few cards are behind the cutting card (3); leave at least 6.',
  ]);
  expect(mistakesIn({ ...plain, tables: [{ ...plain.tables[0], game: 7 }] })).toEqual([
    'tables.0.game is 7; give a text, or leave it out.',
  ]);
  expect(mistakesIn({ ...plain, tables: [{ ...plain.tables[0], decks: 'x' }] }).join()).not.toMatch(/out, or leave/);
});

const [table] = plain.tables;
test.each([
  ['no tables', { ...plain, tables: [] }, 'tables is []; give a list of at least one table.'],
  ['no such zone', { ...plain, timeZone: 'Mars/Olympus' }, /^timeZone is "Mars\/Olympus", which is not a time zone/],
  [
    'no such game',
    { ...plain, tables: [{ ...table, game: 'lion' }] },
    /^tables.0.game is not valid: There is no game "lion"/,
  ],
  [
    'a table without a game',
    { ...plain, tables: [{ ...table, game: undefined }] },
    'tables.0.game is missing here and in "defaults"; give a text.',
  ],
  [
    'a table that does not say how it deals',
    { ...plain, tables: [{ ...table, dealing: undefined }] },
    /^tables.0.dealing is missing/,
  ],
  [
    'a limit for what is not there',
    { ...plain, tables: [{ ...table, limits: { '*': [100, 200], lion: [1, 2] } }] },
    /^tables.0.limits is not valid: .*"lion"/,
  ],
  [
    'a usual limit for what no table has',
    { ...plain, defaults: { limits: { playr: [1, 2], '*': [100, 200] } } },
    'defaults.limits.playr is not a wager of any table; remove it.',
  ],
  [
    'an approved game that is none',
    { ...plain, profile: { ...plain.profile, approved: ['tiger@2021-10-28', 'tiger'] } },
    /^profile.approved.1 is "tiger", which is not a game version/,
  ],
  ['no limits at all', { ...plain, tables: [{ ...table, limits: undefined }] }, /^tables.0.limits is not valid/],
  ['too many decks', { ...plain, tables: [{ ...table, decks: 99 }] }, /^tables.0 cannot be opened: /],
  [
    'a reminder at every moment',
    { ...plain, responsibleGaming: { realityCheckMs: 5 } },
    /^responsibleGaming.realityCheckMs is 5; give a number of milliseconds, from a minute to a day/,
  ],
  [
    'help in one language',
    { ...plain, responsibleGaming: { help: { en: 'Call.' } } },
    /^responsibleGaming.help.zh is missing/,
  ],
  [
    'a demo under another profile',
    { ...plain, demo: { credit: 5 } },
    /^profile.name must be "demo", since the field "demo" is given/,
  ],
] as const)('%s is told', (_, file, message) => {
  const [mistake, ...more] = mistakesIn(JSON.parse(JSON.stringify(file)));
  expect(mistake).toMatch(message);
  expect(more).toEqual([]);
});
