import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { databasePath } from '../../../src/store/sqlite/dataFolder.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto, puntoUntilOutput } from '../support/punto.ts';

const root = temporaryFolder('side-tables');

test('verify names heartbeats and secrets that were deleted from a closed floor', async () => {
  const data = join(root, 'data');
  expect((await puntoUntilOutput(['serve', '--data', data])).status).toBe(0);
  expect((await punto(['verify', '--data', data])).status).toBe(0);
  for (const [name, sql, problem] of [
    ['heartbeats', 'DELETE FROM heartbeats', 'The floor was closed, but its heartbeat is missing.'],
    ['secrets', "DELETE FROM key_values WHERE kind = 'secret'", 'The hash of the pin of staff member D-1 is missing.'],
    [
      'secret',
      "DELETE FROM key_values WHERE kind = 'secret' AND id LIKE 'p11/%'",
      'The hash of the pin of staff member N-1 is missing.',
    ],
  ] as const) {
    const copy = join(root, name);
    cpSync(data, copy, { recursive: true });
    for (const extension of ['key', 'signer', 'anchor']) cpSync(`${data}.${extension}`, `${copy}.${extension}`);
    const database = new DatabaseSync(databasePath(copy));
    database.exec(sql);
    database.close();
    const { status, stderr } = await punto(['verify', '--data', copy]);
    expect([status, stderr.split(' The check stopped')[0]]).toEqual([1, `punto: ${problem}`]);
  }
});
