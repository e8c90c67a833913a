import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { screens } from '../../src/server/assets.ts';

test('a page takes the types of the messages alone: their declarations stay with the server', async () => {
  const folder = join(await screens(), 'assets');
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const text = scripts.map((script) => readFileSync(join(folder, script), 'utf8')).join('\n');
  expect(text).toContain('hello');
  for (const word of ['additionalProperties', 'minor units', 'typebox']) expect(text).not.toContain(word);
});
