import { expect, test } from 'vitest';
import { postingsOf } from '../../src/ledger/postings.ts';
import { canonicalOf, hashOf } from '../../src/rules/hash.ts';
import { isWholeShoe } from '../../src/rules/commitment.ts';
import { type TableEvent } from '../../src/table/declare/events.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { type Table } from '../../src/table/table.ts';
import {
  Sitting,
  at,
  dealer,
  floor,
  pitManager,
  ready,
  saltOf,
  shiftManager,
  shuffler,
  supervisor,
  usual,
} from './sitting.ts';

// Small things that a record or a patron would notice: exact events, exact sentences, exact order of postings.

const late = [supervisor, shiftManager] as const;
const natural = '9S 2C 9H 4D';

/** The postings of the last chunk, from and to without property and currency. */
const posted = (sit: Sitting): readonly (readonly [string, string, number])[] =>
  sit.entries
    .findLast(({ event }) => event.type === 'SettlementPosted')!
    .postings.map(({ from, to, amount }) => [from.slice(8), to.slice(8), amount] as const);

test('what a patron gets comes before what is taken back, so that the credit never dips', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000, tie: 100, banker: 1000 } });
  sit.two('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, late, { T1: 50 });
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
  const sit = ready('tiger').played('9S QC 9H 2D', { T1: { 'tiger-pair': 100 } });
  sit.two('CorrectCard', { round: sit.round, place: 4, card: 'QD', reason: 'a queen' }, late, { T1: 0 });
  expect(posted(sit)).toEqual([
    ['house/B1', 'terminal/T1', 2000],
    ['terminal/T1', 'house/B1', 400],
  ]);
  const less = ready('tiger').played('9S QC 9H QD', { T1: { 'tiger-pair': 100 } });
  less.two('CorrectCard', { round: less.round, place: 4, card: 'KD', reason: 'a king' }, late, { T1: 0 });
  expect(posted(less)).toEqual([
    ['shortfall', 'terminal/T1', 1600],
    ['house/B1', 'terminal/T1', 400],
    ['terminal/T1', 'house/B1', 2000],
  ]);
});

test('commission goes back with the win it was taken from', () => {
  const sit = ready('tiger').played('2C 9S 4D TD', { T1: { banker: 1000 } });
  // Six against nine becomes nine against nine.
  sit.two('CorrectCard', { round: sit.round, place: 1, card: '5C', reason: 'a five' }, late, { T1: 1950 });
  expect(posted(sit)).toEqual([
    ['commission/B1', 'terminal/T1', 50],
    ['terminal/T1', 'house/B1', 1000],
  ]);
});

test('a payout of half the stake is exact', () => {
  const sit = ready('super-six').played('2C TS 3D 6D TH', { T1: { banker: 1000 } });
  expect(sit.balance('T1')).toBe(500);
});

test('a patron whose payment stays the same gives no credit and gets no posting', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000 }, T2: { tie: 100 } });
  sit.two('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, late, { T1: 5000 });
  expect(posted(sit).some(([from, to]) => `${from}${to}`.includes('T2'))).toBe(false);
});

test('a chunk of another settlement than the one in turn is a defect', () => {
  const sit = ready('tiger')
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
  };
  expect(() => postingsOf(event, { ...sit.table!, jobs: [job] })).toThrow(/one settlement after another/);
  expect(() => postingsOf(sit.events('SlipSet')[0]!, undefined)).toThrow(/at a table that is open/);
});

test('a slip that names a settled round comes too late, whatever it holds', () => {
  const sit = ready('tiger').played(natural, { T1: { tie: 100 } });
  for (const slip of [{ tie: 100, player: 100 }, { tie: 100 }, {}]) {
    expect(sit.refusal('SetSlip', { round: sit.round, slip, credit: 500 }, { terminal: 'T1' })).toMatchObject({
      refused: 'bets-closed',
      by: 'ETG 3.2',
    });
  }
});

test('refusals say what is wrong and what to do', () => {
  const sit = ready('tiger').bets({ T1: { tie: 100 } });
  const says = (type: never, fields: object, who: object = dealer): string =>
    sit.refusal(type, fields as never, who as never).message;
  const slip = (stakes: object) => ({ round: sit.round, slip: stakes, credit: 500 });
  const t9 = { terminal: 'T9' };
  expect(says('SetSlip' as never, slip({ lion: 100 }), t9)).toBe(
    'This table does not offer "lion"; it has player, banker, tie, tiger, small-tiger, big-tiger, tiger-tie, tiger-pair.',
  );
  expect(says('SetSlip' as never, slip({ tie: 100 }), dealer)).toBe(
    'SetSlip is for a patron at a terminal; let them do it.',
  );
  expect(says('OpenBets' as never, {}, t9)).toBe('OpenBets is for a dealer or a higher post; let them do it.');
  expect(says('OpenBets' as never, {})).toBe('That cannot be now: bets are open; finish the round first.');
  sit.wait(20_000).do('CallClose', {});
  expect(says('CallClose' as never, {})).toBe(
    'That cannot be now: the close is called; a close is called once, while bets are open.',
  );
  sit.wait(500).do('CloseBets', {});
  expect(says('OpenBets' as never, {})).toBe('That cannot be now: cards are being dealt; finish the round first.');
  expect(says('ReportWager' as never, { kind: 'late-wager', place: 'x', wager: 'lion', amount: 1 })).toMatch(
    /^This table does not offer "lion"; it has player, banker,/,
  );
  expect(says('RestoreOrder' as never, { reason: 'x' })).toBe(
    'Nothing that was reported leads there; report what is wrong first, or refer it.',
  );
  sit.deal('9S');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(says('RestoreOrder' as never, { reason: 'x' })).toBe(
    'Nothing that was reported leads there; the ways out are reconstruct, void.',
  );
  expect(says('Settle' as never, {})).toBe(
    'The table waits for a ruling on wrong-order; the ways out are reconstruct, void.',
  );
  const cards = (list: readonly string[]) => ({ cards: list, unseen: false, reason: 'x' });
  expect(says('ReconstructRound' as never, cards(['2C']))).toMatch(/^9S is on record and not in the list; /);
  const nine = ['9S', '2C', '2C', '2C', '2C', '2C', '2C', '2C', '2C'];
  expect(says('ReconstructRound' as never, cards(nine))).toMatch(/^A round does not draw 9 cards; /);
  expect(sit.do('ReconstructRound', cards(nine.slice(1).with(0, '9S')))[0]).toMatchObject({ type: 'Proposed' });
  sit.two('DismissReport', { reason: 'x' });
  sit.deal('2C 9H 4D');
  expect(says('OpenBets' as never, {})).toBe('That cannot be now: the deal is complete; finish the round first.');
  const fix = (place: number, card: string) => ({ round: sit.round, place, card, reason: 'x' });
  expect(says('CorrectCard' as never, fix(5, 'KD'))).toBe('The round has no card 5; it has 4.');
  expect(says('CorrectCard' as never, fix(1, '9S'))).toBe(
    'Card 1 is 9S on record already; nothing is to be corrected.',
  );
  sit.settle();
  expect(says('Settle' as never, {})).toMatch(/^That cannot be now: no round is being played; /);
});

test('events name their round where there is one, and carry the note as it was given', () => {
  const idle = ready('tiger');
  const stamp = { v: 1, at: idle.at, who: dealer };
  expect(idle.do('ReportIrregularity', { kind: 'foreign-card' })).toEqual([
    { type: 'IrregularityFound', ...stamp, kind: 'foreign-card', by: 'ETG 5.1', rulings: ['void'], stops: false },
    { type: 'ShoeLocked', ...stamp, by: 'ETG 5.1', reason: 'foreign-card' },
  ]);
  expect(idle.do('ReportIrregularity', { kind: 'missing-card', note: 'counted' })[1]).toEqual({
    type: 'ShoeLocked',
    ...stamp,
    by: 'ETG 5.1',
    reason: 'counted',
  });
  expect(idle.do('Refer', { reason: 'a doubt' })).toEqual([
    { type: 'Referred', ...stamp, by: 'ETG 6.1', reason: 'a doubt' },
  ]);
  const manager = { v: 1, at: idle.at, who: shiftManager };
  expect(idle.do('DecideReferral', { decision: 'stand', reason: 'none' }, shiftManager)).toEqual([
    { type: 'ReferralDecided', ...manager, decision: 'stand', by: 'ETG 6.1', reason: 'none', paused: 0 },
  ]);
  expect(idle.do('ReportTerminals', { terminals: ['T1'], lost: true })).toEqual([
    { type: 'TerminalsLost', ...stamp, terminals: ['T1'], closed: false, by: 'ETG 5.10' },
  ]);
  const sit = ready('tiger').bets();
  const { round } = sit;
  const now = { v: 1, at: sit.at, who: dealer, round };
  expect(sit.do('ReportTerminals', { terminals: ['T1'], lost: false })).toEqual([
    { type: 'TerminalsBack', ...now, terminals: ['T1'] },
  ]);
  expect(sit.do('ReportCuttingCard', {})).toEqual([{ type: 'CuttingCardOut', ...now, by: 'ETG 3.10', roundsLeft: 0 }]);
  expect(sit.do('ReportIrregularity', { kind: 'face-up-card' })).toEqual([
    {
      type: 'IrregularityFound',
      ...now,
      kind: 'face-up-before',
      by: 'ETG 6.1',
      rulings: ['refer', 'burn'],
      stops: false,
    },
    {
      type: 'Referred',
      ...now,
      by: 'ETG 6.1',
      reason: 'A card lay face up before the first card of the round.',
      proposed: 'burn',
    },
  ]);
  expect(sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager)[0]).toHaveProperty(
    'round',
    round,
  );
  expect(sit.do('Refer', { reason: 'x' })[0]).toHaveProperty('round', round);
  const shut = ready('tiger').bets().close().deal(natural);
  expect(shut.do('ReportTerminals', { terminals: ['T1'], lost: true })[0]).toMatchObject({ closed: true });
  expect(shut.do('ReportWager', { kind: 'late-wager', place: 'x', wager: 'tie', amount: 1 })).toHaveLength(1);
  const voided = ready('tiger').bets();
  voided.do('ReportInterruption', { since: 0, stateLost: true });
  expect(voided.do('ConfirmRuling', {}, supervisor)[0]).toMatchObject({
    reason: 'No outcome was established before the interruption.',
  });
  const open = at('tiger').entries[0]!.event;
  expect(open).toMatchObject({ who: pitManager, second: shiftManager });
  const alone = new Sitting();
  expect(
    alone.do('OpenTable', { setting: usual('tiger', { attended: false, dealing: 'virtual' }) }, floor)[0],
  ).not.toHaveProperty('second');
});

test('an interruption while the table is held is only logged; while it is frozen, only if no state was lost', () => {
  const sit = ready('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('Refer', { reason: 'x' });
  const logged = [{ type: 'InterruptionLogged', round: sit.round }];
  expect(sit.wait(60_000).do('ReportInterruption', { since: sit.at - 60_000, stateLost: false }, floor)).toMatchObject(
    logged,
  );
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted', ruling: 'void' },
  ]);
  expect(sit.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'awaiting-decision' });
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject(logged);
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  sit.do('ConfirmRuling', {}, supervisor);
  expect(sit.balance('T1')).toBe(0);
});

test('a consent is bound to the act, to all it would do, and to the round as it stands', () => {
  const sit = ready('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S 2C');
  const [event] = sit.do('CorrectCard', { round: sit.round, place: 2, card: '3C', reason: 'misread' }) as unknown as [
    { [field: string]: unknown },
  ];
  const round = { id: sit.round, cards: ['9S', '2C'], totals: { tie: { stake: 100, bettors: 1 } }, terminals: 1 };
  expect(event['hash']).toBe(
    hashOf({ proposal: event['proposal'], act: event['act'], effects: event['effects'], round }),
  );
  expect(event['effects']).toEqual([
    {
      type: 'CardCorrected',
      round: sit.round,
      by: 'ETG 6.3',
      place: 2,
      was: '2C',
      card: '3C',
      after: ['9S', '3C'],
      burned: [],
      phase: 'dealing',
      reason: 'misread',
    },
  ]);
});

test('who may correct or replay depends on the round that is meant', () => {
  const sit = ready('tiger').played(natural);
  const first = sit.round;
  expect(sit.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' })).toMatchObject({
    refused: 'not-your-post',
  });
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(sit.refusal('ReconstructRound', { cards: [], unseen: false, reason: 'x' })).toMatchObject({
    refused: 'not-your-post',
  });
  sit.two('DismissReport', { reason: 'x' });
  sit.bets();
  expect(sit.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' })).toMatchObject({
    refused: 'not-your-post',
  });
  const unknown = at('tiger');
  expect(unknown.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' }, supervisor)).toMatchObject(
    { refused: 'no-such-round' },
  );
  expect(unknown.refusal('WithdrawProposal', { proposal: 'P1' })).toMatchObject({ refused: 'unknown-proposal' });
});

test('the entry that is taken back is the last one, whichever slot it filled', () => {
  const sit = ready('tiger').bets().close().deal('9S 2C 9H');
  expect(sit.do('TakeBackCard', {})[0]).toMatchObject({ slot: 'P2', card: '9H' });
});

test('two equal cards on record are both accounted for when a round is replayed', () => {
  const sit = ready('tiger').bets().close().deal('9S 9S 2C');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  const replay = (cards: readonly string[]) => ({ cards, unseen: false, reason: 'x' });
  expect(sit.refusal('ReconstructRound', replay(['2C', '9S', '4D']))).toMatchObject({ refused: 'wrong-cards' });
  sit.two('ReconstructRound', replay(['2C', '9S', '9S']));
  expect(sit.table!.round!.cards).toEqual(['2C', '9S', '9S']);
});

test('a report of an extra card can be dismissed unless the count shows one', () => {
  const sit = ready('baccarat').played('KS KS KS KS 9S 9H').played('KS KS KS KS 9D 9C').bets().close().deal('2C');
  sit.do('ReportIrregularity', { kind: 'extra-card', note: 'thought so' });
  sit.two('DismissReport', { reason: 'eight are eight' });
  sit.do('DealCard', { slot: 'B1', card: 'KS' });
  expect(sit.table!.held).toMatchObject({ kind: 'extra-card', note: 'KS was seen more often than the decks hold.' });
});

test('an earlier round is found by its own id, and its slips are as many as its patrons', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 500 } });
  const first = sit.round;
  sit.played('TD TC 9H 8D', { T2: { banker: 300 } }).bets();
  const fix = { round: first, place: 4, card: '7D', reason: 'x' };
  const refused = { refused: 'slips-differ' };
  expect(sit.refusal('CorrectCard', { ...fix, slips: { T2: { banker: 300 } } }, supervisor)).toMatchObject(refused);
  expect(sit.refusal('CorrectCard', { ...fix, slips: { T1: { player: 500 }, T9: {} } }, supervisor)).toMatchObject(
    refused,
  );
  expect(sit.do('CorrectCard', { ...fix, slips: { T1: { player: 500 } } }, supervisor)[0]).toMatchObject({
    effects: [{ was: '4D' }, { type: 'RoundResettled', round: first }, {}],
  });
  const both = ready('tiger').played(natural, { T1: { player: 500 }, T2: { player: 500, tie: 100 } });
  const other = { ...fix, round: both.round, slips: { T1: { player: 1000, tie: 100 }, T2: { banker: 0 } } };
  expect(both.bets().refusal('CorrectCard', other as never, supervisor)).toMatchObject(refused);
});

test('a round of yesterday that is still played is corrected today', () => {
  const sit = ready('tiger');
  sit.at = Date.parse('2023-11-16T05:59:00+08:00');
  sit.bets().close().deal('9S 2C').wait(120_000);
  sit.two('CorrectCard', { round: sit.round, place: 2, card: '3C', reason: 'misread' });
  expect(sit.table!.round!.cards).toEqual(['9S', '3C']);
});

test('settling again asks for credits only where there are slips', () => {
  const sit = ready('tiger').played(natural);
  sit.two('CorrectCard', { round: sit.round, place: 3, card: '3H', reason: 'x' }, late);
  sit.deal('5D').wait(2_000);
  expect(sit.do('Settle', {})).toMatchObject([{ type: 'RoundResettled' }]);
});

test('a setting does not change while a settlement is being posted', () => {
  const sit = ready('tiger').played(natural, { T1: { tie: 100 } });
  sit.table!.jobs.push({
    settlement: 'x',
    round: sit.round,
    before: null,
    after: { voidBy: 'x' },
    slips: {},
    order: ['T1'],
    done: 0,
  });
  expect(sit.refusal('ChangeSetting', { setting: usual('tiger') }, pitManager)).toMatchObject({
    refused: 'not-now',
    by: 'HOUSE 10',
  });
});

test('six cards behind the cutting card are enough; the count of a shoe names what it should be', () => {
  const sit = at('tiger');
  sit.do('BringShoe', { shoe: 'S1', seal: 'x' });
  expect(sit.do('CutShoe', { behind: 6 })).toHaveLength(1);
  expect(sit.refusal('CutShoe', { behind: 416 })).toMatchObject({ refused: 'wrong-count', expected: 416 });
  expect(sit.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count', expected: 416 });
});

test('salt and proof are both needed, and for a live shoe neither', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const shoe = sit.virtualShoe(natural);
  sit.do('OpenBets', {}, floor);
  sit.wait(20_000).do('CallClose', {}, floor);
  sit.wait(500).do('CloseBets', {}, floor);
  const { card, salt, proof } = shoe.at(0);
  expect(sit.refusal('DealCard', { slot: 'P1', card, salt }, floor)).toMatchObject({ refused: 'wrong-proof' });
  expect(sit.refusal('DealCard', { slot: 'P1', card, proof }, floor)).toMatchObject({ refused: 'wrong-proof' });
  const live = ready('tiger').bets().close();
  expect(live.refusal('DealCard', { slot: 'P1', card, proof })).toMatchObject({ refused: 'not-here' });
  expect(live.refusal('DealCard', { slot: 'P1', card, salt })).toMatchObject({ refused: 'not-here' });
});

test('a live shoe ends by its count alone, a virtual one by its cards and salts alone', () => {
  const live = ready('tiger');
  expect(live.refusal('EndShoe', { seen: {}, cards: [] })).toMatchObject({ refused: 'not-here' });
  expect(live.refusal('EndShoe', { seen: {}, salts: [] })).toMatchObject({ refused: 'not-here' });
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = sit.virtualShoe(natural);
  expect(sit.refusal('EndShoe', { cards }, floor)).toMatchObject({ refused: 'not-here' });
  expect(sit.refusal('EndShoe', { salts }, floor)).toMatchObject({ refused: 'not-here' });
  expect(isWholeShoe({ shoe: 'V1', size: 416, root: sit.table!.shoe!.root! }, cards, salts)).toBe(true);
  expect(sit.do('EndShoe', { cards, salts }, floor)[0]).toMatchObject({ extra: {}, missing: {} });
  sit.do('CommitShoe', { shoe: 'V2', root: saltOf(1) }, shuffler);
  expect(sit.refusal('ChooseTurn', { turn: 1 }, shuffler)).toMatchObject({ refused: 'same-person' });
});

test('a virtual shoe is reported for too few cards once its last card is out', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  sit.virtualShoe(natural);
  sit.do('OpenBets', {}, floor);
  sit.wait(20_000).do('CallClose', {}, floor);
  sit.wait(500).do('CloseBets', {}, floor);
  sit.table!.shoe!.drawn = 416;
  expect(sit.do('ReportIrregularity', { kind: 'too-few-cards' }, floor)[0]).toMatchObject({
    by: 'ETG 5.3',
    rulings: ['void'],
  });
  expect(sit.do('VoidRound', { reason: 'empty' }, floor)[0]).toMatchObject({ type: 'RoundVoided', by: 'ETG 5.3' });
});

test('a record that keeps no order of names replays to the same postings', () => {
  const sit = ready('tiger')
    .bets({ T9: { tie: 100, banker: 200 }, T10: { player: 300, 'tiger-pair': 100 } })
    .close();
  sit.deal(natural).settle();
  let table: Table | undefined;
  for (const { event, postings } of sit.entries) {
    const sorted = JSON.parse(canonicalOf(event)) as TableEvent;
    expect(postingsOf(sorted, table)).toEqual(postings);
    table = evolve(table, sorted);
  }
});
