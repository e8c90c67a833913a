import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAnchor } from '../../../src/checkpoint/anchorFile.ts';
import { root } from '../../architecture/sources.ts';
import { temporaryFolder } from '../../temporary.ts';
import { answersIn, punto } from '../support/punto.ts';

const folder = temporaryFolder('anchored');
const data = join(folder, 'data');
const older = join(folder, 'older');

/** True if the anchor shows a shoe at every unattended table. */
const haveShoes = (): boolean => {
  const tables = [...readAnchor(`${data}.anchor`)!.heads].filter(([stream]) => /\/table\/(?!L)/.test(stream));
  return tables.length === 10 && tables.every(([, { sequence }]) => sequence >= 2);
};

/** Runs the demo floor until its tables have shoes, and ends it by the signal. */
async function serveUntilShoes(signal: 'SIGTERM' | 'SIGKILL', ...args: readonly string[]): Promise<void> {
  const main = join(root, 'src/cli/main.ts');
  const program: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    [main, 'serve', '--data', data, ...args],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [firstOutput] = (await Promise.race([once(program.stdout, 'data'), once(program, 'exit')])) as [unknown];
  expect(String(firstOutput)).toContain('http');
  while (!haveShoes()) {
    if (program.exitCode !== null || program.signalCode !== null)
      throw new Error('It has ended before its tables had shoes.');
    await setTimeout(50);
  }
  program.kill(signal);
  await once(program, 'exit');
}

/** Replaces the store by a copy. */
function restoreCopy(copy: string): void {
  rmSync(data, { recursive: true });
  cpSync(copy, data, { recursive: true });
}

test('serve refuses an older copy of the store, and --go-on accepts it with every shoe given up', async () => {
  await serveUntilShoes('SIGTERM');
  cpSync(data, older, { recursive: true });
  await serveUntilShoes('SIGTERM');
  const newer = join(folder, 'newer');
  cpSync(data, newer, { recursive: true });

  restoreCopy(older);
  const refused = await punto(['serve', '--data', data]);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^punto: The event store ends too early: its anchor lists \d+ more entries .* \(behind-anchor\)\n$/,
  );
  const [, confirmation] = /--go-on "([^"]+)"/.exec(refused.stderr)!;
  expect(confirmation).toMatch(/^\S+ \S+$/);
  const verified = await punto(['verify', '--data', data]);
  expect(verified).toMatchObject({ status: 1 });
  expect(verified.stdout).toMatch(/The stream demo\/floor\/main has only 2 entries, but the anchor lists entry 4\./);
  for (const wrong of ['go on', confirmation!.split(' ').toReversed().join(' ')]) {
    expect((await punto(['serve', '--data', data, '--go-on', wrong])).stderr).toContain('(behind-anchor)');
  }

  restoreCopy(newer);
  expect((await punto(['verify', '--data', data])).status).toBe(0);
  restoreCopy(older);
  await serveUntilShoes('SIGTERM', '--go-on', confirmation!);
  expect((await punto(['verify', '--data', data])).status).toBe(0);
  const floorEntries = answersIn(await punto(['export', '--data', data, '--stream', 'demo/floor/main'])) as {
    readonly body: { readonly event: { readonly [field: string]: unknown } };
  }[];
  const retired = floorEntries.map(({ body: { event } }) => event).find(({ type }) => type === 'ShoesRetired')!;
  expect(retired).toMatchObject({ reason: 'behind-anchor', confirmation });
  expect(retired['shoes']).toHaveLength(10);
  expect(readdirSync(folder).filter((name) => name.startsWith('data.anchor.before-'))).toHaveLength(1);
});

test('serve refuses a store whose log or database file is lost, by its anchor', async () => {
  await serveUntilShoes('SIGKILL');
  rmSync(join(data, 'record.sqlite-wal'));
  rmSync(join(data, 'record.sqlite-shm'), { force: true });
  expect((await punto(['serve', '--data', data])).stderr).toContain('(behind-anchor)');
  truncateSync(join(data, 'record.sqlite'), 0);
  const empty = await punto(['serve', '--data', data]);
  expect(empty.stderr).toMatch(
    /is empty; put the event log back, .* Its anchor lists \d+ entries in 15 streams, .* \(missing-record\)\n$/,
  );
  rmSync(data, { recursive: true });
  renameSync(`${data}.key`, `${data}.key.away`);
  const missing = await punto(['serve', '--data', data]);
  expect(missing.stderr).toMatch(/^punto: There is no event store .* Its anchor lists .* \(missing-record\)\n$/);
});
