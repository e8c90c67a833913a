// Every random test of a run follows from one seed: PUNTO_SEED where it is given, else one by chance. A test that fails
// says it, so that the run can be had again.
import fc from 'fast-check';
import { afterEach } from 'vitest';

export const seed = Number(process.env['PUNTO_SEED']);

fc.configureGlobal({ seed });

afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(`PUNTO_SEED=${seed} has the random tests do the same again.`);
});
