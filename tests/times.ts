import { appendFileSync } from 'node:fs';
import { createSeededRandom } from '../src/runtime/ports/random.ts';

/** Multiple of the counts of `npm test`, from the variable that `npm run soak` sets. */
export function factorFrom(text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`PUNTO_SOAK is "${text}"; give it a whole number of 1 or more.`);
  return Number(text);
}

const factor = factorFrom(process.env['PUNTO_SOAK']);

/** The count of `npm test`, or a multiple of it in a soak. */
export const times = (defaultCount: number): number => defaultCount * factor;

/**
 * `times(defaultCount)` different cases, in their order, or all when there are no more. They follow from the seed of
 * the run and from `name`, so that several runs, and a soak, cover them all.
 */
export function sampleOf<Case>(name: string, cases: readonly Case[], defaultCount: number): readonly Case[] {
  const chance = createSeededRandom(`${process.env['PUNTO_SEED']} ${name}`);
  const left = cases.map((_, index) => index);
  const count = Math.min(times(defaultCount), cases.length);
  const indexes = new Set(Array.from({ length: count }, () => left.splice(chance.below(left.length), 1)[0]!));
  return cases.filter((_, index) => indexes.has(index));
}

/** Reports to the soak what a test did. */
export function reportToSoak(what: string): void {
  const file = process.env['PUNTO_SOAK_PROGRESS'];
  if (file !== undefined) appendFileSync(file, `${what}\n`);
}
