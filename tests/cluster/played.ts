import { demoSettings } from '../runtime/demo.ts';
import { isSoak } from '../times.ts';

/** The tables of a floor of several nodes. Each deals all the time, so that few leave more of the machine to the rest. */
export const playedTables = (isSoak ? demoSettings : demoSettings.slice(0, 4)).map(({ table }) => table);
