import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How much a terminal loads, and how smoothly it deals, in a real Chromium. */
export async function* screensBench(): AsyncGenerator<string> {
  yield 'screens (a terminal in Chromium)';
  const script = fileURLToPath(new URL('../tests/browser/measured.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) yield line;
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error('The screens could not be measured.');
}
