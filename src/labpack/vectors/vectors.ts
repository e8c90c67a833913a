import { games } from '../../games/registry.ts';
import { fullNameOf } from '../../rules/game.ts';
import { canonicalJson, hashOf } from '../../base/canonicalJson.ts';
import { canonicalVectors, chainVectors } from './chains.ts';
import { countVectors } from './counts.ts';
import { dealVectors } from './deals.ts';
import { partialVectors } from './partial.ts';
import { seed } from './random.ts';
import { roadVectors } from './roads.ts';
import { shoeVectors } from './shoes.ts';

/** Format version of the files; a breaking change raises it. */
const formatVersion = 1;

/** The games as data, so that a program can read them instead of coding them. */
function* gameVectors(): Generator<object> {
  for (const game of games) yield { game: fullNameOf(game), text: canonicalJson(game), hash: hashOf(game), data: game };
}

/** Families of vectors, in the order in which an implementation is best built. */
export const vectorFamilies: { readonly [family: string]: () => Generator<object> } = {
  canonical: canonicalVectors,
  games: gameVectors,
  deals: dealVectors,
  partial: partialVectors,
  counts: countVectors,
  roads: roadVectors,
  chains: chainVectors,
  shoes: shoeVectors,
};

/** Text of a vector file: a header line, then one vector per line. */
export function vectorFile(family: string): string {
  const lines = [...vectorFamilies[family]!()].map((vector) => JSON.stringify(vector));
  return `${[JSON.stringify({ family, form: formatVersion, seed, vectors: lines.length }), ...lines].join('\n')}\n`;
}
