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

/** The form of the files: a change that a program would stumble over brings another number. */
const form = 1;

/** The games themselves, so that a program can be made from their data. */
function* gameVectors(): Generator<object> {
  for (const game of games) yield { game: fullNameOf(game), text: canonicalJson(game), hash: hashOf(game), data: game };
}

/** The families, in the order in which a program is best made to run them. */
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

/** The text of a file: a line that says what it is, then a vector a line. */
export function vectorFile(family: string): string {
  const lines = [...vectorFamilies[family]!()].map((vector) => JSON.stringify(vector));
  return `${[JSON.stringify({ family, form, seed, vectors: lines.length }), ...lines].join('\n')}\n`;
}
