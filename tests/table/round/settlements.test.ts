import { expect, test } from 'vitest';
import { tablePostings } from '../../../src/ledger/tablePostings.ts';
import { canonicalJson } from '../../../src/base/canonicalJson.ts';
import { type TableEvent } from '../../../src/table/schema/events.ts';
import { evolve } from '../../../src/table/evolve/evolve.ts';
import { type Table } from '../../../src/table/state.ts';
import {
  type TableScenario,
  cardsIn,
  afterSettlement,
  natural,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from '../tableScenario.ts';

/** The postings of the last chunk, from and to without property and currency. */
const posted = (scenario: TableScenario): readonly (readonly [string, string, number])[] =>
  scenario.entries
    .findLast(({ event }) => event.type === 'SettlementPosted')!
    .postings.map(({ from, to, amount }) => [from.slice(8), to.slice(8), amount] as const);

test('a win that a correction does not change is neither paid again nor reversed', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { 'tiger-pair': 100 } });
  scenario.doByTwo(
    'CorrectCard',
    { round: scenario.round, place: 4, card: '7D', reason: 'a seven' },
    afterSettlement,
    {},
  );
  expect(scenario.entries.at(-1)).toMatchObject({ event: { type: 'SettlementPosted' }, postings: [] });
});

test('a payment is posted before a reversal, in whatever order the terminals sort', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000, player: 1000 } });
  // Six against nine becomes nine against four: the Player wins instead of the Banker.
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 1, card: '5C', reason: 'a five' }, afterSettlement, {
    T1: 5000,
  });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 2, card: '4S', reason: 'a four' }, afterSettlement, {
    T1: 0,
  });
  expect(scenario.entries.at(-1)!.postings.map(({ from, to }) => [from.slice(8), to.slice(8)])).toEqual([
    ['house/B1', 'terminal/T1'],
    ['terminal/T1', 'stakes/B1'],
    ['stakes/B1', 'house/B1'],
  ]);
  const other = readyTable('tiger').playRound('TC 9S 8D TD', { T1: { banker: 1000, player: 1000 } });
  other.doByTwo('CorrectCard', { round: other.round, place: 2, card: '4S', reason: 'a four' }, afterSettlement, {
    T1: 950,
  });
  expect(other.entries.at(-1)!.postings.map(({ from, to, amount }) => [from.slice(8), to.slice(8), amount])).toEqual([
    ['house/B1', 'stakes/B1', 1000],
    ['stakes/B1', 'terminal/T1', 1000],
    ['house/B1', 'terminal/T1', 1000],
    ['commission/B1', 'terminal/T1', 50],
    ['terminal/T1', 'house/B1', 1000],
    ['terminal/T1', 'stakes/B1', 1000],
    ['stakes/B1', 'house/B1', 1000],
  ]);
});

test('payments to a patron are posted before reversals, so that the credit is never lower in between', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000, tie: 100, banker: 1000 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {
    T1: 50,
  });
  expect(posted(scenario)).toEqual([
    ['house/B1', 'stakes/B1', 1000],
    ['stakes/B1', 'terminal/T1', 1000],
    ['house/B1', 'terminal/T1', 1000],
    ['terminal/T1', 'commission/B1', 50],
    ['terminal/T1', 'house/B1', 1000],
    ['terminal/T1', 'stakes/B1', 1000],
    ['stakes/B1', 'house/B1', 1000],
  ]);
});

test('a win at other odds is paid again before the old one is reversed; the stake is not posted', () => {
  // Nines against a Queen and a Two, then against two Queens: one hand paired, then both. The Player has a natural.
  const scenario = readyTable('tiger').playRound('9S QC 9H 2D', { T1: { 'tiger-pair': 100 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: 'QD', reason: 'a queen' }, afterSettlement, {
    T1: 0,
  });
  expect(posted(scenario)).toEqual([
    ['house/B1', 'terminal/T1', 2000],
    ['terminal/T1', 'house/B1', 400],
  ]);
  const less = readyTable('tiger').playRound('9S QC 9H QD', { T1: { 'tiger-pair': 100 } });
  less.doByTwo('CorrectCard', { round: less.round, place: 4, card: 'KD', reason: 'a king' }, afterSettlement, {
    T1: 0,
  });
  expect(posted(less)).toEqual([
    ['shortfall/T1', 'terminal/T1', 1600],
    ['house/B1', 'terminal/T1', 400],
    ['terminal/T1', 'house/B1', 2000],
  ]);
});

test('a win of the same amount with another commission is paid again, and the old one with its commission reversed', () => {
  const scenario = readyTable('tiger', { chunk: 1 })
    .bets({ T1: { banker: 1000, player: 1000 }, T2: { tie: 100 } })
    .close()
    .deal(natural)
    .wait(2_000);
  scenario.do('Settle', {});
  const event = scenario.events('SettlementPosted')[0]!;
  const [job] = scenario.table!.pendingSettlements;
  const win = (commission: readonly [number, number], pays: readonly [number, number]) =>
    ({ result: 'win', pays, commission, by: 'x' }) as const;
  const lost = { result: 'lose', pays: [0, 1], commission: [0, 1], by: 'x' } as const;
  const before = { results: { banker: win([1, 20], [1, 1]), player: lost } };
  const after = { results: { banker: win([0, 1], [19, 20]), player: win([0, 1], [1, 1]) } };
  const pendingSettlements = [{ ...job!, before, after }];
  const postings = tablePostings(event, { ...scenario.table!, pendingSettlements });
  expect(postings.map(({ from, to, amount }) => [from.slice(8), to.slice(8), amount])).toEqual([
    ['house/B1', 'terminal/T1', 950],
    ['commission/B1', 'terminal/T1', 50],
    ['terminal/T1', 'house/B1', 1000],
    ['house/B1', 'stakes/B1', 1000],
    ['stakes/B1', 'terminal/T1', 1000],
    ['house/B1', 'terminal/T1', 1000],
  ]);
});

test('commission is reversed with its win', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  // Six against nine becomes nine against nine.
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 1, card: '5C', reason: 'a five' }, afterSettlement, {
    T1: 1950,
  });
  expect(posted(scenario)).toEqual([
    ['commission/B1', 'terminal/T1', 50],
    ['terminal/T1', 'house/B1', 1000],
  ]);
});

test('a payout of half the stake is exact', () => {
  const scenario = readyTable('super-six').playRound('2C TS 3D 6D TH', { T1: { banker: 1000 } });
  expect(scenario.balance('T1')).toBe(500);
});

test('a patron whose payment is unchanged needs no credit and gets no posting', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 }, T2: { tie: 100 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {
    T1: 5000,
  });
  expect(posted(scenario).some(([from, to]) => `${from}${to}`.includes('T2'))).toBe(false);
});

test('a chunk of an unknown settlement is a defect', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal(natural)
    .wait(2_000);
  scenario.do('Settle', {});
  const event = scenario.events('SettlementPosted')[0]!;
  const job = {
    settlement: 'other',
    round: scenario.round,
    before: null,
    after: { voidBy: 'x' },
    slips: {},
    order: [],
    done: 0,
    behind: {},
  };
  expect(() => tablePostings(event, { ...scenario.table!, pendingSettlements: [job] })).toThrow(
    /belongs to a pending settlement/,
  );
  expect(() => tablePostings(scenario.events('SlipSet')[0]!, undefined)).toThrow(/a table is open when money moves/);
});

test('an event log without key order replays to the same postings', () => {
  const scenario = readyTable('tiger')
    .bets({ T9: { tie: 100, banker: 200 }, T10: { player: 300, 'tiger-pair': 100 } })
    .close();
  scenario.deal(natural).settle();
  let table: Table | undefined;
  for (const { event, postings } of scenario.entries) {
    const sorted = JSON.parse(canonicalJson(event)) as TableEvent;
    expect(tablePostings(sorted, table)).toEqual(postings);
    table = evolve(table, sorted);
  }
});

test('a credit that covers exactly what is taken back leaves no shortfall', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const fix = { round: scenario.round, place: 4, card: '7D', reason: 'a seven' };
  const posting = scenario.doByTwo('CorrectCard', fix, afterSettlement, { T1: 2000 }).at(-1);
  expect(posting).toMatchObject({ type: 'SettlementPosted', last: true });
  expect(posting).not.toHaveProperty('shortfalls');
});

test('a resettlement needs credits only with slips', () => {
  const scenario = readyTable('tiger').playRound(natural);
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 3, card: '3H', reason: 'x' }, afterSettlement);
  scenario.deal('5D').wait(2_000);
  expect(scenario.do('Settle', {})).toMatchObject([{ type: 'RoundResettled' }]);
});

test('[READING 16] shortfalls are found chunk by chunk, with the credit at that time', () => {
  const scenario = readyTable('tiger', { chunk: 1 }).bets({
    T1: { player: 1000 },
    T2: { player: 1000 },
    T3: { banker: 1000 },
  });
  scenario.close().deal(natural).wait(2_000);
  scenario.do('Settle', {});
  scenario.do('PostSettlement', {});
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  // The first settlement is paid to T1 and T2; the rest is posted with the void.
  expect(
    scenario.doByTwo('VoidRound', { reason: 'not to be restored' }, afterSettlement).map(({ type }) => type),
  ).toEqual(['Approved', 'RoundResettled', 'ShoeLocked']);
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.balance('T3')]).toEqual([1000, 1000, -1000]);
  expect(scenario.table!.pendingSettlements).toHaveLength(1);
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'missing-credits', terminal: 'T1' });
  expect(scenario.do('PostSettlement', { credits: { T1: 1000 } })).toMatchObject([{ count: 1 }]);
  expect(scenario.do('PostSettlement', { credits: { T2: 300 } })).toMatchObject([{ shortfalls: { T2: 700 } }]);
  expect(scenario.do('PostSettlement', { credits: {} })).toMatchObject([{ last: true }]);
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.balance('T3'), scenario.account('house')]).toEqual([
    0, 700, 0, 0,
  ]);
});

test('[READING 63] shortfalls of several chunks are all kept, and none is referred', () => {
  const scenario = readyTable('tiger', { chunk: 1 })
    .bets({ T1: { player: 1000 }, T2: { player: 1000 } })
    .close()
    .deal(natural)
    .wait(2_000);
  scenario.do('Settle', {});
  scenario.do('PostSettlement', {});
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  const none = { T1: 0, T2: 0 };
  scenario.doByTwo('VoidRound', { reason: 'x' }, afterSettlement, none);
  expect(scenario.do('PostSettlement', { credits: none })).toMatchObject([{ shortfalls: { T2: 1000 }, last: true }]);
  expect(scenario.table).toMatchObject({
    referrals: [],
    shortfalls: { T1: { [scenario.round]: 1000 }, T2: { [scenario.round]: 1000 } },
  });
});

test('with credits a proposal shows the shortfalls; the hash of the approval excludes them', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const fix = { round: scenario.round, place: 4, card: '7D', reason: 'a seven' };
  scenario.do('CorrectCard', fix, supervisor);
  const { hash } = scenario.table!.proposal!;
  const [event] = scenario.do('CorrectCard', { ...fix, credits: { T1: 500 } }, supervisor);
  expect(event).toMatchObject({
    effects: [{ type: 'CardCorrected' }, { type: 'RoundResettled' }, { shortfalls: { T1: 1500 } }],
  });
  expect(scenario.table!.proposal!.hash).not.toBe(hash);
  expect(scenario.refusal('CorrectCard', { ...fix, credits: {} }, supervisor)).toMatchObject({
    refused: 'missing-credits',
  });
  const open = scenario.table!.proposal!;
  expect(
    scenario.do('Approve', { proposal: open.id, hash: open.hash, credits: { T1: 2000 } }, shiftManager),
  ).toHaveLength(4);
});

test('a reopened round is settled again by the clause that reopened it', () => {
  const scenario = readyTable('baccarat').playRound('6C 3D AH KS 7D', { T1: { player: 2000 } });
  scenario.do('ReportIrregularity', { kind: 'wrong-order' }, supervisor);
  const cards = cardsIn('3D 6C AH KS 7D');
  scenario.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'swapped' }, [supervisor, shiftManager]);
  scenario
    .deal('AS')
    .wait(2000)
    .do('Settle', { credits: { T1: 4000 } });
  expect(scenario.events('RoundResettled')).toMatchObject([{ by: 'HOUSE 5' }]);
  expect(scenario.balance('T1')).toBe(-2000);
});

test('a void that locks the shoe without a required credit changes nothing', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('VoidRound', { reason: 'x' }, supervisor);
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({
    refused: 'missing-credits',
  });
  const unchanged = { shoe: { lockedBy: null }, openIrregularities: [{ kind: 'wrong-number' }] };
  expect(scenario.table).toMatchObject(unchanged);
  // Nor does the same void by a decision of the shift manager.
  scenario.do('Refer', { reason: 'x' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, supervisor);
  const { id: proposal, hash: decided } = scenario.table!.proposal!;
  expect(scenario.refusal('Approve', { proposal, hash: decided }, shiftManager)).toMatchObject({
    refused: 'missing-credits',
  });
  expect(scenario.table).toMatchObject({ ...unchanged, referrals: [{}] });
});

test('settings do not change while a settlement is being posted', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { tie: 100 } });
  scenario.table!.pendingSettlements.push({
    settlement: 'x',
    round: scenario.round,
    before: null,
    after: { voidBy: 'x' },
    slips: {},
    order: ['T1'],
    done: 0,
    behind: {},
  });
  expect(scenario.refusal('ChangeSettings', { settings: defaultSettings('tiger') }, pitManager)).toMatchObject({
    refused: 'not-now',
    by: 'HOUSE 10',
  });
});
