import { ensureScreens as build } from '../../../src/assets/ensureScreens.ts';

let built: Promise<string> | undefined;

/** The folder of the built screens, determined once: its name is a hash of hundreds of files. */
export const screens = (): Promise<string> => (built ??= build());
