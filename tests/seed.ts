// All random tests of a run follow from one seed: PUNTO_SEED, by default random. A failing test prints it, so that the
// run can be repeated.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeAll, closeSince, openResources } from './closing.ts';
import { deferFolders, makeFolders } from './temporary.ts';

export const seed = Number(process.env['PUNTO_SEED']);

fc.configureGlobal({ seed });

deferFolders();
beforeAll(() => makeFolders());

let before = openResources();
beforeEach(() => {
  before = openResources();
});
afterEach(() => closeSince(before));
afterAll(() => closeAll());

afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(`PUNTO_SEED=${seed} repeats the random tests of this run.`);
});
