import { ensureScreens as build } from '../../src/assets/ensureScreens.ts';

let built: Promise<string> | undefined;

/** The folder of the built screens, looked for once: it is named after the content of hundreds of files. */
export const screens = (): Promise<string> => (built ??= build());
