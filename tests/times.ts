import { appendFileSync } from 'node:fs';

/** How much longer than in `npm test` a test goes on: `npm run soak` sets it. */
const factor = Number(process.env['PUNTO_SOAK'] ?? 1);

/** So many in `npm test`, and many times as many in a soak. */
export const times = (usual: number): number => usual * factor;

/** Whether there is time for everything. */
export const isSoak = factor > 1;

/** Tells a soak what was done. */
export function tell(what: string): void {
  const file = process.env['PUNTO_SAID'];
  if (file !== undefined) appendFileSync(file, `${what}\n`);
}
