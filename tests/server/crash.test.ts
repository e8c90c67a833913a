import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { Auditor } from '../chaos/auditor.ts';
import { seededChance } from '../../src/floor/chance.ts';
import { demoCredit, demoSettings } from '../floor/demo.ts';
import { verify } from '../../src/verify/verify.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';
import { seed } from '../seed.ts';
import { isSoak, times } from '../times.ts';
import { Bettor } from './bettor.ts';

const root = mkdtempSync(join(tmpdir(), 'punto-crash-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const program = fileURLToPath(new URL('program.ts', import.meta.url));
const terminals = 100;

const crashes = times(5);
/** So many slips are accepted at least in each life that opens. */
const least = 100;

const chance = seededChance(`${seed}`);

const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** Lets a server live under load until it has done enough and pulls the plug, or before it has opened. */
async function life(folder: string, bettors: readonly Bettor[], isEnough?: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [program, folder, root], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'compiled') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = once(child, 'close');
  if (isEnough) {
    while (!told.includes('\n') && child.exitCode === null) await sleep(10);
    for (const bettor of bettors) bettor.connect(told.trim());
    while (!isEnough() && child.exitCode === null) await sleep(20);
    await sleep(chance.below(30));
  } else await sleep(50 + chance.below(600));
  child.kill('SIGKILL');
  await ended;
  await Promise.all(bettors.map((bettor) => bettor.alone()));
  expect(complaint).toBe('');
}

/** One record, and a server on it that is killed so often: how many slips were accepted, and how many only when they came again. */
async function killed(often: number, name: string): Promise<{ accepted: number; late: number }> {
  const folder = join(root, name);
  const auditor = new Auditor(() => demoCredit);
  const bettors = Array.from(
    { length: terminals },
    (_, n) => new Bettor(demoSettings[n % demoSettings.length]!.table, chance, auditor),
  );
  for (let n = 0; n < often; n++) {
    const enough = auditor.count().accepted + least + chance.below(500);
    await life(folder, bettors, n % 5 === 4 ? undefined : () => auditor.count().accepted >= enough);
    auditor.gone();
    const store = await sqliteStore(folder);
    const { problem } = await verify(store);
    const wrong = await auditor.audit(store);
    await store.close();
    expect([problem, wrong]).toEqual([undefined, []]);
  }
  for (const bettor of bettors) bettor.leave();
  return { accepted: auditor.count().accepted, late: bettors.reduce((sum, one) => sum + one.late, 0) };
}

test(`a server killed ${crashes} times under load: no acknowledged slip is lost or doubled, every round ends once, the record verifies`, async () => {
  let late = 0;
  // A new record now and then, since all of it is checked after each kill.
  for (let n = 0; n < crashes; n += 20) {
    const often = Math.min(20, crashes - n);
    const done = await killed(often, `data-${n}`);
    expect(done.accepted).toBeGreaterThanOrEqual(0.8 * often * least);
    late += done.late;
  }
  // Some were written without being answered in time, and were known when they came again: a few of them in every life,
  // by chance, so that a short run may have none.
  if (isSoak) expect(late).toBeGreaterThan(0);
});
