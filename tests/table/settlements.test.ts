import { expect, test } from 'vitest';
import { tablePostings } from '../../src/ledger/tablePostings.ts';
import { canonicalJson } from '../../src/base/canonicalJson.ts';
import { type TableEvent } from '../../src/table/schema/events.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { type Table } from '../../src/table/state.ts';
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
} from './tableScenario.ts';

/** The postings of the last chunk, from and to without property and currency. */
const posted = (sit: TableScenario): readonly (readonly [string, string, number])[] =>
  sit.entries
    .findLast(({ event }) => event.type === 'SettlementPosted')!
    .postings.map(({ from, to, amount }) => [from.slice(8), to.slice(8), amount] as const);

test('a win that a correction does not touch is neither paid again nor taken back', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { 'tiger-pair': 100 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {});
  expect(sit.entries.at(-1)).toMatchObject({ event: { type: 'SettlementPosted' }, postings: [] });
});

test('a gain comes before a loss, in whatever order their names stand', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000, player: 1000 } });
  // Six against nine becomes nine against four: the Player wins instead of the Banker.
  sit.doByTwo('CorrectCard', { round: sit.round, place: 1, card: '5C', reason: 'a five' }, afterSettlement, {
    T1: 5000,
  });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 2, card: '4S', reason: 'a four' }, afterSettlement, { T1: 0 });
  expect(sit.entries.at(-1)!.postings.map(({ from, to }) => [from.slice(8), to.slice(8)])).toEqual([
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

test('what a patron gets comes before what is taken back, so that the credit never dips', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000, tie: 100, banker: 1000 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {
    T1: 50,
  });
  expect(posted(sit)).toEqual([
    ['house/B1', 'stakes/B1', 1000],
    ['stakes/B1', 'terminal/T1', 1000],
    ['house/B1', 'terminal/T1', 1000],
    ['terminal/T1', 'commission/B1', 50],
    ['terminal/T1', 'house/B1', 1000],
    ['terminal/T1', 'stakes/B1', 1000],
    ['stakes/B1', 'house/B1', 1000],
  ]);
});

test('a win at other odds is paid anew before the old one is taken back; the stake stays where it is', () => {
  // Nines against a Queen and a Two, then against two Queens: one hand paired, then both. The Player has a natural.
  const sit = readyTable('tiger').playRound('9S QC 9H 2D', { T1: { 'tiger-pair': 100 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: 'QD', reason: 'a queen' }, afterSettlement, { T1: 0 });
  expect(posted(sit)).toEqual([
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

test('commission goes back with the win it was taken from', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  // Six against nine becomes nine against nine.
  sit.doByTwo('CorrectCard', { round: sit.round, place: 1, card: '5C', reason: 'a five' }, afterSettlement, {
    T1: 1950,
  });
  expect(posted(sit)).toEqual([
    ['commission/B1', 'terminal/T1', 50],
    ['terminal/T1', 'house/B1', 1000],
  ]);
});

test('a payout of half the stake is exact', () => {
  const sit = readyTable('super-six').playRound('2C TS 3D 6D TH', { T1: { banker: 1000 } });
  expect(sit.balance('T1')).toBe(500);
});

test('a patron whose payment stays the same gives no credit and gets no posting', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 }, T2: { tie: 100 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {
    T1: 5000,
  });
  expect(posted(sit).some(([from, to]) => `${from}${to}`.includes('T2'))).toBe(false);
});

test('a chunk of an unknown settlement is a defect', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal(natural)
    .wait(2_000);
  sit.do('Settle', {});
  const event = sit.events('SettlementPosted')[0]!;
  const job = {
    settlement: 'other',
    round: sit.round,
    before: null,
    after: { voidBy: 'x' },
    slips: {},
    order: [],
    done: 0,
    behind: {},
  };
  expect(() => tablePostings(event, { ...sit.table!, pendingSettlements: [job] })).toThrow(
    /of a settlement that waits/,
  );
  expect(() => tablePostings(sit.events('SlipSet')[0]!, undefined)).toThrow(/at a table that is open/);
});

test('an event log without key order replays to the same postings', () => {
  const sit = readyTable('tiger')
    .bets({ T9: { tie: 100, banker: 200 }, T10: { player: 300, 'tiger-pair': 100 } })
    .close();
  sit.deal(natural).settle();
  let table: Table | undefined;
  for (const { event, postings } of sit.entries) {
    const sorted = JSON.parse(canonicalJson(event)) as TableEvent;
    expect(tablePostings(sorted, table)).toEqual(postings);
    table = evolve(table, sorted);
  }
});

test('a resettlement needs credits only with slips', () => {
  const sit = readyTable('tiger').playRound(natural);
  sit.doByTwo('CorrectCard', { round: sit.round, place: 3, card: '3H', reason: 'x' }, afterSettlement);
  sit.deal('5D').wait(2_000);
  expect(sit.do('Settle', {})).toMatchObject([{ type: 'RoundResettled' }]);
});

test('[READING 16] shortfalls are found chunk by chunk, with the credit at that time', () => {
  const sit = readyTable('tiger', { chunk: 1 }).bets({
    T1: { player: 1000 },
    T2: { player: 1000 },
    T3: { banker: 1000 },
  });
  sit.close().deal(natural).wait(2_000);
  sit.do('Settle', {});
  sit.do('PostSettlement', {});
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  // The first settlement is paid to T1 and T2; the rest is posted with the void.
  expect(sit.doByTwo('VoidRound', { reason: 'not to be restored' }, afterSettlement).map(({ type }) => type)).toEqual([
    'Approved',
    'RoundResettled',
    'ShoeLocked',
  ]);
  expect([sit.balance('T1'), sit.balance('T2'), sit.balance('T3')]).toEqual([1000, 1000, -1000]);
  expect(sit.table!.pendingSettlements).toHaveLength(1);
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'missing-credits', terminal: 'T1' });
  expect(sit.do('PostSettlement', { credits: { T1: 1000 } })).toMatchObject([{ count: 1 }]);
  expect(sit.do('PostSettlement', { credits: { T2: 300 } })).toMatchObject([
    { shortfalls: { T2: 700 } },
    { type: 'Referred' },
  ]);
  expect(sit.do('PostSettlement', { credits: {} })).toMatchObject([{ last: true }]);
  expect([sit.balance('T1'), sit.balance('T2'), sit.balance('T3'), sit.account('house')]).toEqual([0, 700, 0, 0]);
});

test('[READING 59] a shortfall found during a referral is queued as another referral', () => {
  const sit = readyTable('tiger', { chunk: 1 })
    .bets({ T1: { player: 1000 }, T2: { player: 1000 } })
    .close()
    .deal(natural)
    .wait(2_000);
  sit.do('Settle', {});
  sit.do('PostSettlement', {});
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  const none = { T1: 0, T2: 0 };
  expect(sit.doByTwo('VoidRound', { reason: 'x' }, afterSettlement, none).map(({ type }) => type)).toContain(
    'Referred',
  );
  expect(sit.do('PostSettlement', { credits: none })).toMatchObject([
    { shortfalls: { T2: 1000 } },
    { type: 'Referred', referral: 'R2', terminals: ['T2'] },
  ]);
  expect(sit.table!.referrals.map(({ id, terminals }) => [id, terminals])).toEqual([
    ['R1', ['T1']],
    ['R2', ['T2']],
  ]);
});

test('with the credits given, a proposal shows what would fall short; the consent is bound to all but that', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const fix = { round: sit.round, place: 4, card: '7D', reason: 'a seven' };
  sit.do('CorrectCard', fix, supervisor);
  const { hash } = sit.table!.proposal!;
  const [event] = sit.do('CorrectCard', { ...fix, credits: { T1: 500 } }, supervisor);
  expect(event).toMatchObject({
    effects: [
      { type: 'CardCorrected' },
      { type: 'RoundResettled' },
      { shortfalls: { T1: 1500 } },
      { type: 'Referred' },
    ],
  });
  expect(sit.table!.proposal!.hash).not.toBe(hash);
  expect(sit.refusal('CorrectCard', { ...fix, credits: {} }, supervisor)).toMatchObject({ refused: 'missing-credits' });
  const open = sit.table!.proposal!;
  expect(sit.do('Approve', { proposal: open.id, hash: open.hash, credits: { T1: 2000 } }, shiftManager)).toHaveLength(
    4,
  );
});

test('a shortfall is referred with its reason', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, { T1: 0 });
  expect(sit.table!.referrals[0]).toMatchObject({ reason: 'Credit to be taken back is missing.' });
});

test('a reopened round is settled again by the clause that reopened it', () => {
  const sit = readyTable('baccarat').playRound('6C 3D AH KS 7D', { T1: { player: 2000 } });
  sit.do('ReportIrregularity', { kind: 'wrong-order' }, supervisor);
  const cards = cardsIn('3D 6C AH KS 7D');
  sit.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'swapped' }, [supervisor, shiftManager]);
  sit
    .deal('AS')
    .wait(2000)
    .do('Settle', { credits: { T1: 4000 } });
  expect(sit.events('RoundResettled')).toMatchObject([{ by: 'HOUSE 5' }]);
  expect(sit.balance('T1')).toBe(-2000);
});

test('a void that locks the shoe and lacks a credit does nothing at all', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.do('VoidRound', { reason: 'x' }, supervisor);
  const { id, hash } = sit.table!.proposal!;
  expect(sit.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({ refused: 'missing-credits' });
  expect(sit.table).toMatchObject({ shoe: { lockedBy: null }, openIrregularities: [{ kind: 'wrong-number' }] });
});

test('a setting does not change while a settlement is being posted', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { tie: 100 } });
  sit.table!.pendingSettlements.push({
    settlement: 'x',
    round: sit.round,
    before: null,
    after: { voidBy: 'x' },
    slips: {},
    order: ['T1'],
    done: 0,
    behind: {},
  });
  expect(sit.refusal('ChangeSettings', { settings: defaultSettings('tiger') }, pitManager)).toMatchObject({
    refused: 'not-now',
    by: 'HOUSE 10',
  });
});
