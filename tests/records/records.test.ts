import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { sqliteStore } from '../../src/store/sqlite.ts';
import { verify } from '../../src/verify/verify.ts';

// Records made when their form was new are kept for ever: whatever the program becomes, it reads them, and they verify.

const here = fileURLToPath(new URL('./', import.meta.url));
const copies = mkdtempSync(join(tmpdir(), 'punto-records-'));
afterAll(() => rmSync(copies, { recursive: true, force: true }));

const kept: { readonly [form: string]: object } = {
  'form-2': { streams: 7, entries: 263, rounds: 14, voids: 5, shoes: 2, accounts: 17, amended: new Map() },
};

test('every kept record is listed here', () => {
  const folders = readdirSync(here, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name)).toEqual(Object.keys(kept));
});

test.each(Object.entries(kept))('the record of %s verifies, and holds what it held', async (form, found) => {
  const folder = join(copies, form);
  cpSync(join(here, form), folder, { recursive: true });
  const store = await sqliteStore(folder);
  expect(await verify(store)).toMatchObject({ ...found, problem: undefined });
  await store.close();
});
