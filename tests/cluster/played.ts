import { demoSettings } from '../runtime/demo.ts';
import { sampleOf } from '../times.ts';

/** The tables of a floor of several nodes. Each deals all the time, so that few leave more of the machine to the rest. */
export const playedTables = sampleOf('tables', demoSettings, 4).map(({ table }) => table);
