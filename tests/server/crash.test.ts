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
import { Bettor } from './bettor.ts';

const root = mkdtempSync(join(tmpdir(), 'punto-crash-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const program = fileURLToPath(new URL('program.ts', import.meta.url));
const terminals = 100;

/** In `npm test` twenty times; PUNTO_CRASHES asks for more. */
const crashes = Number(process.env['PUNTO_CRASHES'] ?? 20);

const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** Lets a server live under load for a while and pulls the plug, now and then before it has opened. */
async function life(folder: string, bettors: readonly Bettor[], time: number, early: boolean): Promise<void> {
  const child = spawn(process.execPath, [program, folder, root], { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = once(child, 'close');
  if (!early) {
    while (!told.includes('\n') && child.exitCode === null) await sleep(10);
    for (const bettor of bettors) bettor.connect(told.trim());
  }
  await sleep(time);
  child.kill('SIGKILL');
  await ended;
  await Promise.all(bettors.map((bettor) => bettor.alone()));
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
    const early = n % 5 === 4;
    await life(folder, bettors, early ? 200 + systemChance.below(600) : 150 + systemChance.below(1_000), early);
    auditor.gone();
    const store = await sqliteStore(folder);
    const { problem } = await verify(store);
    const wrong = await auditor.audit(store);
    await store.close();
    expect([problem, wrong]).toEqual([undefined, []]);
  }
  for (const bettor of bettors) bettor.leave();
  expect(auditor.count().accepted).toBeGreaterThan(crashes * 25);
  // Some were written without being answered in time, and were known when they came again.
  expect(bettors.reduce((sum, { late }) => sum + late, 0)).toBeGreaterThan(0);
});
