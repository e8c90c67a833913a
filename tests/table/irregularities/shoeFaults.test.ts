import { expect, test } from 'vitest';
import { type CommandOf } from '../../../src/table/schema/commands.ts';
import { type CardSlot, nextSlot, slots } from '../../../src/rules/play.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import { metersOf } from '../meters.ts';
import { type TableScenario, cardsIn, gameOf, readyTable, supervisor } from '../tableScenario.ts';

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
