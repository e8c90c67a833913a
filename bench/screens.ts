import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BenchSize } from './support/bench.ts';

/** The bytes that a terminal loads, and the frame times of a deal, in a real Chromium. */
export async function* screensBench(size: BenchSize): AsyncGenerator<string> {
  yield 'screens (a terminal in Chromium, beside an empty page on the same machine)';
  const script = fileURLToPath(new URL('../tests/browser/build/screenBench.ts', import.meta.url));
  const child = spawn(process.execPath, [script, size], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) yield line;
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`The process that measures the screens ended with ${code}.`);
}
