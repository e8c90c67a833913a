import { join } from 'node:path';
import { root } from './architecture/sources.ts';

/**
 * Compile cache of started processes, like that of `npm test` itself. All share one folder: a killed process writes
 * nothing there, and a new folder would make every start compile again, which takes most of its time.
 */
export const compileCache = join(root, 'node_modules', '.cache', 'compiled');
