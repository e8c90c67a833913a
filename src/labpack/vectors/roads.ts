import { derivedRoadNames } from '../../roads/derived.ts';
import { type NextMarks, type RoadResult, roadsOf } from '../../roads/roads.ts';
import { parseDeal } from '../../rules/deal.ts';
import { isRefused } from '../../base/refusal.ts';
import { firstDealOfSeededShoe } from './seededShoes.ts';

/**
 * Results of chosen shoes with leading ties, columns that turn and meet, and regular patterns. B*9 stands for nine
 * Banker wins.
 */
const chosenShoes = [
  '',
  'T',
  'TTT',
  'TTB',
  'B',
  'P',
  'BP',
  'BBPPB',
  'TTBBTPPTTB',
  'BPBPBPBP',
  'BBPBBPBBPBB',
  'BBBPPPBBBPPPB',
  'B*8 PB',
  'B*9 P*7 B*6 PB',
  'B*6 P',
  'B*7 P',
  'B*20 P*20 B*20',
  'P*7 B*6 P*5 B*4 P*3 B*2 PBPB',
  'B*8 P*8 B*8 P*8 B*8 P*8 B*8',
  'TB*7 TTP*6 TB*5 P*9',
  'PBBPPPBPBBBBPPBPBBPPPPPPPPBBPB',
  'BPPBPPBPPBPP',
] as const;

const lettersOf = (text: string): string =>
  text
    .replaceAll(/([BPT])\*(\d+) ?/g, (_, letter: string, times: string) => letter.repeat(Number(times)))
    .replaceAll(' ', '');

const winners = { B: 'banker', P: 'player', T: 'tie' } as const;
const letters = { banker: 'B', player: 'P', tie: 'T' } as const;

/** Signs for pairs: `-` for no pair, `B` for a pair of the Banker hand, `P` of the Player hand, `D` of both hands. */
const signs = '-BPD';

const resultOf = (letter: string, sign: string): RoadResult => ({
  winner: winners[letter as keyof typeof winners],
  bankerPair: sign === 'B' || sign === 'D',
  playerPair: sign === 'P' || sign === 'D',
});

const signOf = ({ bankerPair, playerPair }: Omit<RoadResult, 'winner'>): string =>
  signs[Number(bankerPair) + 2 * Number(playerPair)]!;

const nextMarks = (ask: NextMarks): object =>
  Object.fromEntries(derivedRoadNames.map((road) => [road, ask[road] ?? null]));

/** Vector of roads: the results of a shoe, with each mark of each road and its cell. */
function roadVector(results: string, pairs: string): object {
  const roads = roadsOf(results.split('').map((letter, index) => resultOf(letter, pairs[index]!)));
  return {
    results,
    pairs,
    beadPlate: roads.beads.map((bead) => [bead.column, bead.row, letters[bead.winner], signOf(bead)]),
    bigRoad: roads.bigRoad.map((cell) => [cell.column, cell.row, letters[cell.winner], cell.ties, signOf(cell)]),
    leadingTies: roads.leadingTies,
    ...Object.fromEntries(
      derivedRoadNames.map((road) => [road, roads.cellsOf(road).map(({ column, row, mark }) => [column, row, mark])]),
    ),
    ask: { banker: nextMarks(roads.ask('banker')), player: nextMarks(roads.ask('player')) },
  };
}

const randomShoes = 40;
/** Maximum number of rounds in a shoe with random results. */
const maxRounds = 80;

/** Winner and pairs of the first round of shoe `n`, as letters. */
function roundOf(n: number): readonly [letter: string, sign: string] {
  const deal = parseDeal(firstDealOfSeededShoe('french', n), { deck: 'french', decks: 8 });
  if (isRefused(deal)) throw new Error(deal.message);
  return [letters[deal.facts.winner], signOf(deal.facts)];
}

export function* roadVectors(): Generator<object> {
  let next = 0;
  for (const text of chosenShoes) {
    const results = lettersOf(text);
    yield roadVector(
      results,
      results.replaceAll(/./g, () => signs[next++ % 7] ?? '-'),
    );
  }
  let from = 1000;
  for (let shoe = 0; shoe < randomShoes; shoe++) {
    const count = 10 + ((shoe * 37) % (maxRounds - 9));
    const rounds = Array.from({ length: count }, () => roundOf(from++));
    yield roadVector(rounds.map(([letter]) => letter).join(''), rounds.map(([, sign]) => sign).join(''));
  }
}
