import { games } from '../../games/registry.ts';
import { versionedGameId } from '../../rules/game.ts';
import { canonicalJson, hashOf } from '../../base/canonicalJson.ts';
import { canonicalJsonVectors, hashChainVectors } from './chains.ts';
import { oddsCountVectors } from './counts.ts';
import { dealVectors } from './deals.ts';
import { partialDealVectors } from './partial.ts';
import { vectorSeed } from './seededShoes.ts';
import { roadVectors } from './roads.ts';
import { committedShoeVectors } from './shoes.ts';

/** Format version of the vector files. A breaking change raises it. */
const formatVersion = 1;

/** Vectors of the games as data, so that a program can read the games instead of coding them. */
function* gameVectors(): Generator<object> {
  for (const game of games)
    yield { game: versionedGameId(game), text: canonicalJson(game), hash: hashOf(game), data: game };
}

/** The families of vectors, in the best order to build an implementation. */
export const vectorFamilies: { readonly [family: string]: () => Generator<object> } = {
  canonical: canonicalJsonVectors,
  games: gameVectors,
  deals: dealVectors,
  partial: partialDealVectors,
  counts: oddsCountVectors,
  roads: roadVectors,
  chains: hashChainVectors,
  shoes: committedShoeVectors,
};

/** Text of a vector file: a header line, then one vector per line as JSON. */
export function vectorFileText(family: string): string {
  const lines = [...vectorFamilies[family]!()].map((vector) => JSON.stringify(vector));
  return `${[JSON.stringify({ family, version: formatVersion, seed: vectorSeed, vectors: lines.length }), ...lines].join('\n')}\n`;
}
