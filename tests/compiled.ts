import { join } from 'node:path';
import { root } from './architecture/sources.ts';

/**
 * Where started programs keep what they have compiled, as `npm test` does for itself. One folder for all: a program that is
 * killed writes nothing there, and a new folder would make every start compile anew, which is most of it.
 */
export const compileCache = join(root, 'node_modules', '.cache', 'compiled');
