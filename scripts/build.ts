// `npm run build`: builds the screens, for an installation that its server may only read.
import { relative } from 'node:path';
import { ScreensNotBuiltError, ensureScreens } from '../src/assets/ensureScreens.ts';

try {
  console.log(`The screens are in ${relative(process.cwd(), await ensureScreens())}.`);
} catch (error) {
  if (!(error instanceof ScreensNotBuiltError)) throw error;
  console.error(`${error.output}punto: ${error.message} (screens-not-built)`);
  process.exitCode = 1;
}
