import { expect, test } from 'vitest';
import { parseDeal } from '../rules/deal.ts';
import { noStatistics, statisticsOf, addRoundToStatistics } from './statistics.ts';

const factsFrom = (cards: string) => {
  const deal = parseDeal(cards.split(' '), { deck: 'french', decks: 8 });
  if ('refused' in deal) throw new Error(deal.message);
  return deal.facts;
};

const rounds = {
  natural: factsFrom('9S 2C 9H 4D'),
  twoCardSix: factsFrom('4C TD 6D 6C 5C'),
  threeCardSix: factsFrom('4C KH 7D JH AD 6C'),
  tieAtSix: factsFrom('QD 9D AS 7S 5D'),
  twoNaturals: factsFrom('8H 3C KD 5D'),
  bankerPair: factsFrom('2S QC 4H QD 5S'),
};

test('an empty shoe has no statistics, and one more round leaves the old ones as they were', () => {
  expect(statisticsOf([])).toEqual(noStatistics);
  expect(addRoundToStatistics(noStatistics, rounds.natural)).toEqual(statisticsOf([rounds.natural]));
  expect(noStatistics.rounds).toBe(0);
});

test('[READING 38] a shoe is counted round by round, a round with two naturals once', () => {
  const { natural, twoCardSix, threeCardSix, tieAtSix, twoNaturals, bankerPair } = rounds;
  expect(
    statisticsOf([natural, twoCardSix, threeCardSix, tieAtSix, twoCardSix, twoNaturals, bankerPair, natural]),
  ).toEqual({
    rounds: 8,
    banker: 3,
    player: 3,
    tie: 2,
    naturals: 3,
    playerPairs: 2,
    bankerPairs: 1,
    bankerSixOnTwo: 2,
    bankerSixOnThree: 1,
    tieAtSix: 1,
    tigerPairs: 3,
    longestBanker: 3,
    longestPlayer: 2,
    run: { winner: 'player', length: 2 },
  });
});
