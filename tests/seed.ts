// Every random test of a run follows from one seed: PUNTO_SEED where it is given, else one by chance. A test that fails
// says it, so that the run can be had again.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeAll, closeSince, opened } from './closing.ts';
import { awaitTests, makeFolders } from './temporary.ts';

export const seed = Number(process.env['PUNTO_SEED']);

fc.configureGlobal({ seed });

awaitTests();
beforeAll(() => makeFolders());

let before = opened();
beforeEach(() => {
  before = opened();
});
afterEach(() => closeSince(before));
afterAll(() => closeAll());

afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(`PUNTO_SEED=${seed} has the random tests do the same again.`);
});
