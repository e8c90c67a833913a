import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { root } from '../architecture/sources.ts';
import { temporaryFolder } from '../temporary.ts';
import { answersIn, punto } from './punto.ts';

const folder = temporaryFolder('anchored');
const data = join(folder, 'data');
const older = join(folder, 'older');

/** Whether every table that deals by itself has a shoe by now, as far as the anchor knows. */
const haveShoes = (): boolean => {
  const tables = [...readAnchor(`${data}.anchor`)!.heads].filter(([stream]) => /\/table\/(?!L)/.test(stream));
  return tables.length === 10 && tables.every(([, { sequence }]) => sequence >= 2);
};

/** Runs the demo floor until its tables have shoes, and ends it as told. */
async function served(ending: 'SIGTERM' | 'SIGKILL', ...words: readonly string[]): Promise<void> {
  const main = join(root, 'src/cli/main.ts');
  const program: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    [main, 'serve', '--data', data, ...words],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [said] = (await Promise.race([once(program.stdout, 'data'), once(program, 'exit')])) as [unknown];
  expect(String(said)).toContain('http');
  while (!haveShoes()) {
    if (program.exitCode !== null || program.signalCode !== null)
      throw new Error('It has ended before its tables had shoes.');
    await setTimeout(50);
  }
  program.kill(ending);
  await once(program, 'exit');
}

/** Puts a copy of the record in its place. */
function putBack(copy: string): void {
  rmSync(data, { recursive: true });
  cpSync(copy, data, { recursive: true });
}

test('an older copy of the record is refused, and goes on by two words with every shoe given up', async () => {
  await served('SIGTERM');
  cpSync(data, older, { recursive: true });
  await served('SIGTERM');
  const newer = join(folder, 'newer');
  cpSync(data, newer, { recursive: true });

  putBack(older);
  const refused = await punto(['serve', '--data', data]);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^punto: The record ends too early: \d+ entries .* \(behind-anchor\)\n$/);
  const [, words] = /--go-on "([^"]+)"/.exec(refused.stderr)!;
  expect(words).toMatch(/^\S+ \S+$/);
  const looked = await punto(['verify', '--data', data]);
  expect(looked).toMatchObject({ status: 1 });
  expect(looked.stdout).toMatch(/demo\/floor\/main reaches entry 2, and its anchor knows of entry 4\./);
  for (const wrong of ['go on', words!.split(' ').toReversed().join(' ')]) {
    expect((await punto(['serve', '--data', data, '--go-on', wrong])).stderr).toContain('(behind-anchor)');
  }

  putBack(newer);
  expect((await punto(['verify', '--data', data])).status).toBe(0);
  putBack(older);
  await served('SIGTERM', '--go-on', words!);
  expect((await punto(['verify', '--data', data])).status).toBe(0);
  const journal = answersIn(await punto(['export', '--data', data, '--stream', 'demo/floor/main'])) as {
    readonly body: { readonly event: { readonly [field: string]: unknown } };
  }[];
  const retired = journal.map(({ body: { event } }) => event).find(({ type }) => type === 'ShoesRetired')!;
  expect(retired).toMatchObject({ reason: 'behind-anchor', confirmation: words });
  expect(retired['shoes']).toHaveLength(10);
  expect(readdirSync(folder).filter((name) => name.startsWith('data.anchor.before-'))).toHaveLength(1);
});

test('a log that is gone after a power cut is known by the anchor; a record that is gone as well', async () => {
  await served('SIGKILL');
  rmSync(join(data, 'record.sqlite-wal'));
  rmSync(join(data, 'record.sqlite-shm'), { force: true });
  expect((await punto(['serve', '--data', data])).stderr).toContain('(behind-anchor)');
  truncateSync(join(data, 'record.sqlite'), 0);
  const empty = await punto(['serve', '--data', data]);
  expect(empty.stderr).toMatch(
    /has no bytes; put the record back, .* Its anchor knows of \d+ entries in 15 streams, .* \(missing-record\)\n$/,
  );
  rmSync(data, { recursive: true });
  renameSync(`${data}.key`, `${data}.key.away`);
  const gone = await punto(['serve', '--data', data]);
  expect(gone.stderr).toMatch(/^punto: There is no record .* Its anchor knows of .* \(missing-record\)\n$/);
});
