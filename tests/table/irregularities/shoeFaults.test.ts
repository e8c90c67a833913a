import { expect, test } from 'vitest';
import { type CommandOf } from '../../../src/table/schema/commands.ts';
import { type CardSlot, slots } from '../../../src/rules/play.ts';
import { type TableScenario, gameOf, readyTable, supervisor } from '../tableScenario.ts';

// A fault of the shoe can come to light at any time from the opening call until the round is settled.

const stakes = { T1: { player: 5000, tie: 100 }, T2: { banker: 2000 } } as const;
/** Six cards, a natural of neither hand. The Banker wins. */
const sixCards = { french: '2C 3D 2H KS 6D 9H', elements: '21 32 23 F4 62 93' } as const;

type Moment = 'bets are open' | 'bets are closing' | CardSlot | 'the deal is complete';
const draws: readonly Moment[] = slots;
const wholeRound: readonly Moment[] = ['bets are open', 'bets are closing', ...draws, 'the deal is complete'];

/** A round with stakes, up to this moment; a slot stands for the time before its card. */
function roundAt(name: string, moment: Moment): TableScenario {
  const scenario = readyTable(name).bets(stakes);
  if (moment === 'bets are open') return scenario;
  if (moment === 'bets are closing') {
    scenario.wait(20_000).do('CallClose', {});
    return scenario;
  }
  const cards = sixCards[gameOf(name).deck].split(' ');
  const count = moment === 'the deal is complete' ? cards.length : slots.indexOf(moment);
  scenario.close().deal(cards.slice(0, count).join(' '));
  expect(scenario.table!.phase).toBe(count === cards.length ? 'result' : 'dealing');
  return scenario;
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
      scenario.do('ReportIrregularity', { kind });
      voidRound(scenario);
      expect(scenario.events('RoundVoided'), moment).toMatchObject([{ by }]);
      expect(scenario.events('RoundSettled'), moment).toEqual([]);
      expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')], moment).toEqual([0, 0, 0]);
      expect(scenario.table, moment).toMatchObject({ phase: 'idle', shoe: { lockedBy: by }, openIrregularities: [] });
      expect(scenario.refusal('OpenBets', {}), moment).toMatchObject({ refused: 'shoe-locked', by });
    }
  },
);
