import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { propertyTemplatePath } from '../../../src/cli/support/readProperty.ts';
import { run } from '../../../src/cli/run.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { staffRequest } from '../../server/staff/pit.ts';
import { temporaryFolder } from '../../temporary.ts';
import { Kept, punto } from '../support/punto.ts';

const folder = temporaryFolder('staff');
const data = join(folder, 'data');

/** Runs `act` on the floor of a property; returns its output. */
async function withServer(
  act: (at: { readonly address: string }, firstOutput: string) => Promise<void>,
): Promise<string> {
  const [output, errors, signals] = [new Kept(), new Kept(), new EventEmitter()];
  const firstOutput = once(output, 'kept');
  const args = ['serve', '--data', data, '--property', propertyTemplatePath];
  const ended = run(args, { input: Readable.from([]), output, errors, signals });
  await Promise.race([firstOutput, ended]);
  try {
    await act({ address: /http:\S+/.exec(output.text)![0] }, output.text);
  } finally {
    signals.emit('SIGTERM');
    await ended;
  }
  return output.text;
}

const reset = (...args: readonly string[]) => punto(['staff', 'reset', '--data', data, ...args]);
const passwordIn = (text: string): string => /password (?:of N-1 is )?([a-z0-9-]{19})/.exec(text)![1]!;

test('staff reset gives the only administrator a new password once, and never while a floor runs', async () => {
  expect(await reset('N-1')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(missing-record)') as string,
  });
  let first = '';
  await withServer(async (_, firstOutput) => {
    first = passwordIn(firstOutput);
    const running = await reset('N-1');
    expect(running).toMatchObject({ status: 1, stdout: '' });
    expect(running.stderr).toContain('(data-in-use)');
  });
  const done = await reset('n1');
  expect(done).toMatchObject({ status: 0, stderr: '' });
  expect(done.stdout).toMatch(
    /^The password of N-1 is \S{19}\. The password must be changed at the first sign-in and is shown only this once\.\n$/,
  );
  const second = passwordIn(done.stdout);
  await withServer(async (server, firstOutput) => {
    expect(firstOutput).not.toContain('password');
    const signs = async (password: string) => (await staffRequest(server, 'sign-in', { number: 'N-1', password })).body;
    expect(await signs(first)).toMatchObject({ code: 'wrong-secret' });
    expect(await signs(second)).toMatchObject({ code: 'secret-due' });
    const next = 'a longer password';
    const changed = { number: 'N-1', kind: 'password', old: second, new: next };
    expect((await staffRequest(server, 'password', changed)).status).toBe(200);
    expect(await signs(next)).toMatchObject({ session: { number: 'N-1', role: 'administrator' } });
  });
  const store = await openSqliteStore(data);
  const requestTypes: string[] = [];
  const stream = (await store.streams()).find((one) => one.endsWith('/staff/main'));
  for await (const entries of store.read(stream!)) {
    for (const { command } of entries) if ('request' in command) requestTypes.push(command.request.type);
    expect(JSON.stringify(entries)).not.toContain(second);
  }
  await store.close();
  expect(requestTypes.filter((type) => type === 'ResetSecret')).toHaveLength(1);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
});

test('staff reset refuses any role but administrator, and malformed arguments', async () => {
  for (const [args, status, code] of [
    [['N-9'], 1, 'unknown-person'],
    [['nobody'], 1, 'unknown-person'],
    [[], 2, 'missing-argument'],
  ] as const) {
    const ran = await reset(...args);
    expect(ran, args.join(' ')).toMatchObject({ status, stdout: '' });
    expect(ran.stderr).toContain(`(${code})`);
  }
  const other = await punto(['staff', 'list', 'N-1', '--data', data]);
  expect(other).toMatchObject({ status: 2, stderr: expect.stringContaining('(malformed-argument)') as string });
});
