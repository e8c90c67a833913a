import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';
import { temporaryFolder } from '../temporary.ts';
import { started } from './support/serverProcess.ts';

const checkout = temporaryFolder('ignored');

const main = join(root, 'src/cli/main.ts');

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const ran = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  return ran.stdout;
}

test.each(['.', 'sites/one'])('git ignores what the commands write in the folder %s of a checkout', async (folder) => {
  run(checkout, 'git', 'init', '--quiet');
  copyFileSync(join(root, '.gitignore'), join(checkout, '.gitignore'));
  run(checkout, 'git', 'add', '.gitignore');
  const cwd = join(checkout, folder);
  mkdirSync(cwd, { recursive: true });
  const { program } = await started([], { cwd });
  program.kill('SIGTERM');
  await once(program, 'exit');
  run(cwd, process.execPath, main, 'rotate');
  run(cwd, process.execPath, main, 'init');
  run(cwd, process.execPath, main, 'backup', '--out', 'floor.backup');
  expect(readdirSync(cwd)).toEqual(
    expect.arrayContaining(['data.anchor', 'data.key', 'data.key.former-1', 'data.signer', 'data.signer.former-1']),
  );
  expect(run(checkout, 'git', 'status', '--porcelain', '--untracked-files=all')).toBe('A  .gitignore\n');
});
