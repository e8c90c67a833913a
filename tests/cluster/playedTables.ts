import { demoSettings } from '../runtime/support/demo.ts';
import { sampleOf } from '../times.ts';

/** Tables of a floor of several nodes. Each deals all the time, so few tables leave CPU time to the rest. */
export const playedTables = sampleOf('tables', demoSettings, 4).map(({ table }) => table);
