import { expect, test } from 'vitest';
import { type CommandOf } from '../../../src/table/schema/commands.ts';
import { type CardSlot, nextSlot, slots } from '../../../src/rules/play.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import { metersOf } from '../meters.ts';
import {
  type TableScenario,
  cardsIn,
  defaultSettings,
  gameOf,
  managers,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// A fault of the shoe can come to light at any time from the opening call until the round is settled.

const stakes = { T1: { player: 5000, tie: 100 }, T2: { banker: 2000 } } as const;
/** Six cards, a natural of neither hand. The Banker wins. */
const sixCards = { french: '2C 3D 2H KS 6D 9H', elements: '21 32 23 F4 62 93' } as const;

type Moment = 'bets are open' | 'bets are closing' | CardSlot | 'the deal is complete';
const draws: readonly Moment[] = slots;
const wholeRound: readonly Moment[] = ['bets are open', 'bets are closing', ...draws, 'the deal is complete'];

const cardsOfRound = (name: string): readonly string[] => sixCards[gameOf(name).deck].split(' ');

/** A round with stakes, up to this moment; a slot stands for the time before its card. */
function roundAt(name: string, moment: Moment): TableScenario {
  const scenario = readyTable(name).bets(stakes);
  if (moment === 'bets are open') return scenario;
  if (moment === 'bets are closing') {
    scenario.wait(20_000).do('CallClose', {});
    return scenario;
  }
  const cards = cardsOfRound(name);
  const count = moment === 'the deal is complete' ? cards.length : slots.indexOf(moment);
  scenario.close().deal(cards.slice(0, count).join(' '));
  expect(scenario.table!.phase).toBe(count === cards.length ? 'result' : 'dealing');
  return scenario;
}

/** Plays the round on from any moment until it is settled. */
function finishRound(scenario: TableScenario, name: string): void {
  if (scenario.table!.phase === 'betting') scenario.close();
  if (scenario.table!.phase === 'closing') scenario.wait(500).do('CloseBets', {});
  scenario.deal(cardsOfRound(name).slice(scenario.table!.round!.cards.length).join(' ')).settle();
}

/** Voids the round, by two persons where the table asks for the second. */
function voidRound(scenario: TableScenario): void {
  const [first] = scenario.do('VoidRound', { reason: 'the shoe is at fault' });
  if (first!.type !== 'Proposed') return;
  const { id: proposal, hash } = scenario.table!.proposal!;
  scenario.do('Approve', { proposal, hash }, supervisor);
}

const live = [
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
] as const;

type Fault = readonly [
  row: string,
  game: string,
  kind: CommandOf<'ReportIrregularity'>['kind'],
  by: string,
  moments: readonly Moment[],
];
const faults: readonly Fault[] = [
  ...live.flatMap(([book, game]): readonly Fault[] => [
    [`${book} 5.1.1`, game, 'foreign-card', `${book} 5.1.1`, wholeRound],
    [`${book} 5.4`, game, 'order-altered', `${book} 5.4`, wholeRound],
    [`${book} 5.5`, game, 'too-few-cards', `${book} 5.5`, draws],
  ]),
  ['ETG 5.1.1', 'tiger', 'foreign-card', 'ETG 5.1.1', wholeRound],
  ['ETG 5.1.extra', 'tiger', 'extra-card', 'ETG 5.1.1', wholeRound],
  ['ETG 5.1.foreign', 'tiger', 'foreign-card', 'ETG 5.1.1', wholeRound],
  ['ETG 5.1.missing', 'tiger', 'missing-card', 'ETG 5.1.1', wholeRound],
  ['ETG 5.1.unshuffled', 'tiger', 'unshuffled-cards', 'ETG 5.1.1', wholeRound],
  ['ETG 5.2', 'tiger', 'order-altered', 'ETG 5.2', wholeRound],
  ['ETG 5.3', 'tiger', 'too-few-cards', 'ETG 5.3', draws],
];

test.each(faults)(
  '[%s] at %s a report of %s voids the round by %s whenever it comes, returns every stake once and locks the shoe',
  (_, game, kind, by, moments) => {
    for (const moment of moments) {
      const scenario = roundAt(game, moment);
      expect([scenario.balance('T1'), scenario.balance('T2')], moment).toEqual([-5100, -2000]);
      const { cards } = scenario.table!.round!;
      scenario.do('ReportIrregularity', { kind });
      voidRound(scenario);
      expect(scenario.events('RoundVoided'), moment).toMatchObject([{ by }]);
      expect(scenario.events('RoundSettled'), moment).toEqual([]);
      expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')], moment).toEqual([0, 0, 0]);
      expect(scenario.table, moment).toMatchObject({ phase: 'idle', shoe: { lockedBy: by }, openIrregularities: [] });
      expect(scenario.refusal('OpenBets', {}), moment).toMatchObject({ refused: 'shoe-locked', by });
      // The cards that are out remain on record, and no result or road comes of them.
      expect(publicView(scenario.table!), moment).toMatchObject({
        round: { cards: cards.map((card) => ({ card })), results: null, voidBy: by },
        roads: { bead: [] },
        statistics: { rounds: 0 },
      });
      const { terminals } = metersOf(scenario.entries.map(({ event }) => event));
      for (const [terminal, slip] of Object.entries(stakes)) {
        const stake = Object.values<number>(slip).reduce((sum, one) => sum + one, 0);
        const meter = { coinIn: stake, voided: stake, roundsVoid: 1, coinOut: 0, won: 0, played: 0 };
        expect(terminals[terminal], moment).toMatchObject(meter);
        expect(terminalView(scenario.table!, terminal).paid, moment).toMatchObject(
          Object.entries(slip).map(([wager, one]) => ({ wager, result: 'void', won: 0, returned: one, by })),
        );
      }
      // The stakes are back for good: nothing voids the round again, and a further find moves no money.
      const entries = scenario.entries.length;
      for (const who of [supervisor, shiftManager]) {
        expect(scenario.refusal('VoidRound', { reason: 'x' }, who), moment).toMatchObject({
          refused: 'no-such-ruling',
        });
      }
      if (kind === 'foreign-card') scenario.do('ReportIrregularity', { kind });
      expect(
        scenario.entries.slice(entries).flatMap(({ postings }) => postings),
        moment,
      ).toEqual([]);
    }
  },
);

test.each([...live.map(([book, game]) => [`${book} 5.4`, game] as const), ['ETG 5.2', 'tiger'] as const])(
  '[%s] at %s an order that is restored at any time lets round and shoe go on, to the result without the fault',
  (by, game) => {
    const twin = roundAt(game, 'P1');
    finishRound(twin, game);
    for (const moment of wholeRound) {
      const scenario = roundAt(game, moment);
      const { phase } = scenario.table!;
      scenario.do('ReportIrregularity', { kind: 'order-altered' });
      expect(scenario.doByTwo('RestoreOrder', { reason: 'the order is on video' })[1]).toMatchObject({ by });
      expect(scenario.table, moment).toMatchObject({ phase, openIrregularities: [], shoe: { lockedBy: null } });
      finishRound(scenario, game);
      expect(scenario.events('RoundSettled')[0]!.results, moment).toEqual(twin.events('RoundSettled')[0]!.results);
      expect([...scenario.balances], moment).toEqual([...twin.balances]);
      expect(scenario.balance('T1'), moment).toBe(-5100);
      expect(scenario.do('OpenBets', {}), moment).toHaveLength(1);
    }
  },
);

const extraCards = [
  ...live.map(([book, game]) => [`${book} 5.1.1`, game, 'HOUSE 7', 'HOUSE 7'] as const),
  ['ETG 5.1.extra', 'tiger', 'ETG 5.1', 'ETG 5.1.1'] as const,
];

test.each(extraCards)(
  '[%s] at %s the first card beyond the number of decks stops the deal by %s, whatever its slot, until it is corrected or the round is void',
  (_, game, by, voidBy) => {
    const [king, queen] = gameOf(game).deck === 'french' ? ['KS', 'QS'] : ['F4', 'L4'];
    /** Rounds of six kings against each other, up to the first king too many. */
    const stoppedWith = (decks: number): TableScenario => {
      const scenario = readyTable(game, { decks });
      for (let kings = 0; kings <= decks; kings++) {
        expect(scenario.table!.openIrregularities, `${kings} of ${decks}`).toEqual([]);
        if (kings % 6 === 0) scenario.bets(stakes).close();
        scenario.deal(king);
        if (kings % 6 === 5 && kings < decks) scenario.settle();
      }
      return scenario;
    };
    const found = new Set<string>();
    for (let decks = 4; decks <= 10; decks++) {
      const scenario = stoppedWith(decks);
      found.add(slots[decks % 6]!);
      const left = [...publicView(scenario.table!).roads.bead];
      expect(scenario.table!.openIrregularities, `${decks} decks`).toMatchObject([{ kind: 'extra-card', by }]);
      const slot = nextSlot(scenario.table!.round!.cards);
      const refusal =
        slot === undefined
          ? scenario.wait(2_000).refusal('Settle', {})
          : scenario.refusal('DealCard', { slot, card: cardsIn(queen)[0]! });
      expect(refusal, `${decks} decks`).toMatchObject({ refused: 'awaiting-ruling', by });

      const place = scenario.table!.round!.cards.length;
      const fix = { round: scenario.round, place, card: cardsIn(queen)[0]!, reason: 'misread' };
      scenario.doByTwo('CorrectCard', fix);
      while (scenario.table!.phase === 'dealing') scenario.deal(queen);
      scenario.settle();
      expect(publicView(scenario.table!).roads.bead, `${decks} decks`).toHaveLength(left.length + 1);

      const other = stoppedWith(decks);
      const balances = ['T1', 'T2'].map((terminal) => other.balance(terminal));
      other.doByTwo('VoidRound', { reason: 'a card too many' });
      expect(other.table, `${decks} decks`).toMatchObject({
        round: { ending: { voidBy } },
        shoe: { lockedBy: voidBy },
      });
      expect(['T1', 'T2'].map((terminal) => other.balance(terminal))).toEqual([
        balances[0]! + 5100,
        balances[1]! + 2000,
      ]);
      expect(publicView(other.table!).roads.bead, `${decks} decks`).toEqual(left);
    }
    expect([...found].toSorted()).toEqual([...slots].toSorted());
  },
);

test.each(extraCards)(
  '[%s] at %s no act but a correction or a void ends the stop by %s, however the card too many came to the table',
  (_, game, by) => {
    const [king, queen] = gameOf(game).deck === 'french' ? ['KS', 'QS'] : ['F4', 'L4'];
    const kings = (count: number): readonly string[] => Array.from({ length: count }, () => king);
    const dealt = (...cards: readonly string[]): TableScenario =>
      readyTable(game, { decks: 4 }).bets(stakes).close().deal(cards.join(' '));
    const reason = 'x';

    const corrected = dealt(...kings(4), queen);
    corrected.doByTwo('CorrectCard', { round: corrected.round, place: 5, card: cardsIn(king)[0]!, reason });
    const rebuilt = dealt(...kings(4));
    rebuilt.do('ReportIrregularity', { kind: 'wrong-number' });
    rebuilt.doByTwo('ReconstructRound', { cards: cardsIn(kings(5).join(' ')), unseen: false, reason });
    const entered = dealt(...kings(4));
    entered.do('ReportIrregularity', { kind: 'unreadable-card' });
    entered.doByTwo('EnterCard', { slot: 'P3', card: cardsIn(king)[0]!, reason });

    for (const scenario of [dealt(...kings(5)), corrected, rebuilt, entered]) {
      expect(scenario.table!.openIrregularities).toMatchObject([{ kind: 'extra-card', by }]);
      const expectStop = (): void => {
        const card = cardsIn(queen)[0]!;
        const refusals = [
          scenario.refusal('DealCard', { slot: 'B3', card }),
          scenario.refusal('TakeBackCard', {}),
          scenario.refusal('Settle', {}),
          scenario.refusal('OpenBets', {}),
          scenario.refusal('DismissReport', { reason }, supervisor),
          scenario.refusal('RestoreOrder', { reason }, supervisor),
          scenario.refusal('EnterCard', { slot: 'B3', card, reason }, supervisor),
          scenario.refusal('ReconstructRound', { cards: cardsIn(kings(5).join(' ')), unseen: false, reason }),
        ];
        for (const refusal of refusals) expect(refusal).toMatchObject({ by });
        expect(new Set(refusals.map(({ refused }) => refused))).toEqual(new Set(['awaiting-ruling', 'no-such-ruling']));
      };
      expectStop();
      // Nor does a decision: the result of such a round does not stand, and to continue leaves the stop.
      scenario.do('Refer', { reason });
      expect(scenario.refusal('DecideReferral', { decision: 'stand', reason }, shiftManager)).toMatchObject({
        refused: 'void-commanded',
        by,
      });
      scenario.do('DecideReferral', { decision: 'continue', reason }, shiftManager);
      expectStop();
      const fix = { round: scenario.round, place: 5, card: cardsIn(queen)[0]!, reason: 'misread' };
      scenario.doByTwo('CorrectCard', fix);
      scenario.deal(queen).settle();
      expect(scenario.events('RoundSettled')).toHaveLength(1);
    }
  },
);

test.each([...live.map(([book, game]) => [`${book} 5.4`, game] as const), ['ETG 5.2', 'tiger'] as const])(
  '[%s] at %s a shoe whose order is lost stays locked, whatever is done, until another shoe is ready',
  (by, game) => {
    for (const moment of wholeRound) {
      const scenario = roundAt(game, moment);
      scenario.do('ReportIrregularity', { kind: 'order-altered', note: 'cards were seen' });
      voidRound(scenario);
      const expectLock = (): void => {
        expect(scenario.table, moment).toMatchObject({ shoe: { id: 'S1', lockedBy: by } });
        expect(scenario.refusal('OpenBets', {}), moment).toMatchObject({ refused: 'shoe-locked', by });
      };
      scenario.doByTwo('CorrectCut', { behind: 20, reason: 'recounted' });
      expectLock();
      for (const refused of [
        scenario.refusal('ShuffleShoe', { method: 'by hand' }),
        scenario.refusal('CutShoe', { behind: 14 }),
        scenario.refusal('VerifyShoe', {}),
        scenario.refusal('RestoreOrder', { reason: 'x' }, supervisor),
      ]) {
        expect(['not-now', 'no-such-ruling'], moment).toContain(refused.refused);
      }
      scenario.do('Refer', { reason: 'may it be used again?' });
      scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
      expectLock();
      scenario.doByTwo('CloseTable', { reason: 'x' }, managers);
      scenario.doByTwo('ReopenTable', { reason: 'x' }, managers);
      scenario.doByTwo('ChangeSettings', { settings: defaultSettings(game) }, managers);
      scenario.wait(24 * 3_600_000);
      expectLock();
      scenario.doByTwo('SealShoe', { seal: 'seal 18' });
      expect(scenario.refusal('OpenBets', {}), moment).toMatchObject({ refused: 'shoe-not-ready' });
      scenario.shoe('S2').playRound(cardsOfRound(game).join(' '), stakes);
      expect(scenario.events('RoundSettled'), moment).toHaveLength(1);
    }
  },
);

test.each([...live.map(([book, game]) => [`${book} 5.5`, game] as const), ['ETG 5.3', 'tiger'] as const])(
  '[%s] at %s a shoe gives no card beyond its last, and the round that needs one is void',
  (by, game) => {
    for (const slot of slots) {
      const scenario = roundAt(game, slot);
      const { shoe, round } = scenario.table!;
      shoe!.drawn = shoe!.size;
      const card = cardsIn(cardsOfRound(game).join(' '))[round!.cards.length]!;
      expect(scenario.refusal('DealCard', { slot, card }), slot).toMatchObject({ refused: 'shoe-over', by });
      scenario.do('ReportIrregularity', { kind: 'too-few-cards' });
      // The result of a round without all its cards does not stand by decision either.
      scenario.do('Refer', { reason: 'x' });
      expect(scenario.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager), slot).toMatchObject({
        refused: 'void-commanded',
        by,
      });
      scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
      expect(scenario.refusal('DealCard', { slot, card }), slot).toMatchObject({ refused: 'awaiting-ruling', by });
      voidRound(scenario);
      expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')], slot).toEqual([0, 0, 0]);
      expect(scenario.table!.round, slot).toMatchObject({ cards: round!.cards, ending: { voidBy: by } });
      expect(scenario.events('CardDealt').map((event) => event.card)).toEqual(round!.cards);
    }
  },
);

test.each(live.map(([book, game]) => [`${book} 5.1.1`, game]))(
  '[%s] at %s a notation that is no card of the deck is refused as an entry at every draw, and changes nothing',
  (_, game) => {
    const foreign = gameOf(game).deck === 'french' ? ['F4', 'L1', '25'] : ['KS', 'QH', '2S'];
    for (const slot of slots) {
      const scenario = roundAt(game, slot);
      const before = structuredClone({ ...scenario.table, settings: null });
      const entries = scenario.entries.length;
      for (const card of [...foreign, 'JOKER', 'KS-blue', '1S', '26', '??', ' ', '']) {
        const refusal = scenario.refusal('DealCard', { slot, card });
        expect(refusal, `${slot} ${card}`).toMatchObject({
          refused: foreign.includes(card) ? 'wrong-deck' : 'unknown-card',
          by: null,
        });
      }
      expect({ ...scenario.table, settings: null }).toEqual(before);
      expect(scenario.entries).toHaveLength(entries);
      finishRound(scenario, game);
    }
  },
);
