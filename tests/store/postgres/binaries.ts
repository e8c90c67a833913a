import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Programs of PostgreSQL that are installed on this machine, for tests on another version than that of the npm package.

/** Variable that names the folder of `postgres` and `initdb`. Without it, tests use those of the npm package. */
export const binVariable = 'PUNTO_POSTGRES_BIN';

/** Where Debian puts the oldest version that Punto supports. */
export const oldestPostgresBin = '/usr/lib/postgresql/15/bin';

/** Test files that `npm test` runs once more on that version. */
export const testsOnOldestPostgres = [
  'tests/store/postgres/membership.test.ts',
  'tests/store/postgres/postgresStore.test.ts',
  'tests/store/postgres/session.test.ts',
  'tests/cluster/floors.test.ts',
  'tests/cli/floor/database.test.ts',
  'tests/cli/eventLog/backup.test.ts',
];

export const hasPostgres = (folder: string): boolean =>
  ['postgres', 'initdb'].every((name) => existsSync(join(folder, name)));

export const noPostgresText = (folder: string): string =>
  `no PostgreSQL found at ${folder}; install postgresql-15, or name a folder in ${binVariable}`;

/** Name and version, such as "PostgreSQL 15.20". */
export const postgresVersion = (folder: string): string =>
  `PostgreSQL ${/\d+(?:\.\d+)*/.exec(spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout)?.[0]}`;
