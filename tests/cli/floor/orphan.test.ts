import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary.ts';
import { punto, stoppingLine } from '../support/punto.ts';
import { asOlder, projectForOlder } from '../../architecture/olderNode.ts';
import { started } from '../support/serverProcess.ts';

const folder = temporaryFolder('orphan');

/** An older Node on this machine that cannot run the project; without one, this Node that reports an older version. */
function olderNode(): { readonly node: string; readonly start: readonly string[] } {
  const bin = projectForOlder(join(folder, 'project'));
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(directory, 'node');
    const version = /^v(\d+)\./.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
    if (version !== undefined && Number(version) < 24) return { node, start: [bin] };
  }
  return { node: process.execPath, start: [...asOlder, bin] };
}

test('a server started by an older Node closes cleanly when that parent is killed', async () => {
  const data = join(folder, 'data');
  const { program, output } = await started(['--data', data], olderNode());
  expect(output()).toContain('http');
  const silent = once(program.stdout, 'close');
  program.kill('SIGKILL');
  expect(await once(program, 'exit')).toEqual([null, 'SIGKILL']);
  // Only the server holds the other end of this pipe.
  await silent;
  expect(output().match(/^punto: .*\n/gm)).toEqual([stoppingLine]);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
});
