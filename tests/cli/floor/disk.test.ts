import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../architecture/sources.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { type ServerProcess, demoOf, started } from '../support/serverProcess.ts';

const folder = temporaryFolder('disk');

/** Maximum page counts: unlimited, and none left. */
const [unlimitedPages, noPages] = ['4294967294', '1'];

/** A demo table with ten minutes of betting time, on a disk limited by the control file. */
async function startFloor(
  name: string,
  first = unlimitedPages,
): Promise<ServerProcess & { readonly data: string; readonly setDisk: (state: string) => void }> {
  const [data, file, property] = ['data', 'room', 'jsonc'].map((end) => join(folder, `${name}.${end}`)) as [
    string,
    string,
    string,
  ];
  const demo = demoOf('B01').replace('"bettingTime": 15000', '"bettingTime": 600000, "interruption": 600000');
  writeFileSync(property, demo);
  writeFileSync(file, first);
  const start = ['--import', join(root, 'tests/cli/support/diskFaults.ts'), join(root, 'src/cli/main.ts')];
  const program = await started(['--data', data, '--property', property], {
    start,
    env: { DISK_FILE: file },
  });
  return { ...program, data, setDisk: (state) => writeFileSync(file, state) };
}

/** Changes a bet until it is not accepted; returns the error code. */
async function betUntilRefused(guest: PatronSocket, round: string, name: string): Promise<string> {
  for (let n = 1; ; n++) {
    const id = `${name}-${String(n).padStart(6, '0')}`;
    const from = guest.received.length;
    guest.send({ type: 'slip', id, table: 'B01', round, slip: { tie: 100 * (1 + (n % 2)) } });
    const answer = await Promise.any([
      guest.receive('accepted', (one) => one.id === id, from),
      guest.receive('refused', (one) => one.id === id, from),
    ]);
    if (answer.type === 'refused') return answer.code;
    // No page is quicker than a message may be.
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
}

test('a server refuses bets while its disk is full, continues when there is room, and stops on a signal', async () => {
  const { address, output, waitForOutput, program, setDisk, data } = await startFloor('full');
  const guest = await PatronSocket.join({ address }, secretOf('1'), 'B01');
  const round = await guest.bettingRound();
  setDisk(noPages);
  // What fits into pages that are begun is still written.
  expect(await betUntilRefused(guest, round, 'slip')).toMatch(/result-unknown|cannot-record/);
  await guest.receive('table', ({ view }) => view.stopped?.kind === 'cannot-record');
  expect(await betUntilRefused(guest, round, 'late')).toBe('cannot-record');
  // Who it fails first, the table or the heartbeat, is chance.
  expect(output().match(/punto: writing fails for .+; Punto retries until it works: /g)).toHaveLength(1);
  expect(output()).toContain('database or disk is full');
  const from = guest.received.length;
  setDisk(unlimitedPages);
  await guest.receive('table', ({ view }) => view.stopped === null, from);
  await waitForOutput(/punto: writing works again after \d+\.\d s; before that it failed \d+ times/);
  const after = guest.received.length;
  guest.send({ type: 'slip', id: 'after-000001', table: 'B01', round, slip: { tie: 300 } });
  await guest.receive('accepted', () => true, after);
  // Full again, also for the short entry of the close, which could fit into a page that was begun.
  setDisk('full');
  expect(await betUntilRefused(guest, round, 'more')).toMatch(/result-unknown|cannot-record/);
  guest.terminate();
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([1, null]);
  // The close of the floor is not stored.
  expect(output()).toMatch(/\npunto: The data folder .+ accepts no writes .+; free disk space .+ \(cannot-record\)\n$/);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
});

test('a server ends with the reason when its store can no longer be written', async () => {
  const { address, program, setDisk, output, data } = await startFloor('gone');
  const guest = await PatronSocket.join({ address }, secretOf('1'), 'B01');
  const round = await guest.bettingRound();
  const ended = once(program, 'exit');
  setDisk('gone');
  guest.send({ type: 'slip', id: 'last-000001', table: 'B01', round, slip: { tie: 100 } });
  expect(await ended).toEqual([1, null]);
  expect(output()).toMatch(
    /\npunto: The writer thread of the event store has ended; find the cause and start again\. \(record-lost\)\n$/,
  );
  expect(await guest.waitForClose()).toEqual({ code: 1001, reason: 'server-closing' });
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
});

test('a server does not start when it can write nothing, and prints the reason', async () => {
  const { program, output } = await startFloor('start', 'failing');
  expect(program.exitCode).toBe(1);
  expect(output()).toMatch(
    /^punto: The data folder .+ accepts no writes .+disk I\/O error.+; free disk space .+ \(cannot-record\)\n$/,
  );
});
