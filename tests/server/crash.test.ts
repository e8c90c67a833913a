import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { Auditor } from '../chaos/auditor.ts';
import { systemChance } from '../../src/floor/chance.ts';
import { demoCredit, demoSettings } from '../../src/floor/demo.ts';
import { verify } from '../../src/floor/verify.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';
import { isSoak, times } from '../times.ts';
import { Bettor } from './bettor.ts';

const root = mkdtempSync(join(tmpdir(), 'punto-crash-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const program = fileURLToPath(new URL('program.ts', import.meta.url));
const terminals = 100;

const crashes = times(5);
/** So many slips are accepted at least in each life that opens. */
const least = 100;

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
    await sleep(systemChance.below(30));
  } else await sleep(50 + systemChance.below(600));
  child.kill('SIGKILL');
  await ended;
  for (const bettor of bettors) bettor.leave();
  expect(complaint).toBe('');
}

test(`a server killed ${crashes} times under load: no acknowledged slip is lost or doubled, every round ends once, the record verifies`, async () => {
  const folder = join(root, 'data');
  const auditor = new Auditor(() => demoCredit);
  const bettors = Array.from(
    { length: terminals },
    (_, n) => new Bettor(demoSettings[n % demoSettings.length]!.table, systemChance, auditor),
  );
  for (let n = 0; n < crashes; n++) {
    const enough = auditor.count().accepted + least + systemChance.below(500);
    await life(folder, bettors, n % 5 === 4 ? undefined : () => auditor.count().accepted >= enough);
    auditor.gone();
    const store = await sqliteStore(folder);
    const { problem } = await verify(store);
    const wrong = await auditor.audit(store);
    await store.close();
    expect([problem, wrong]).toEqual([undefined, []]);
  }
  expect(auditor.count().accepted).toBeGreaterThanOrEqual(0.8 * crashes * least);
  // Some were written without being answered in time, and were known when they came again: a few of them in every life,
  // by chance, so that a short run may have none.
  if (isSoak) expect(bettors.reduce((sum, { late }) => sum + late, 0)).toBeGreaterThan(0);
});
