import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Schema } from '../../../src/base/schema.ts';
import { clientMessageSchemas, serverMessageSchemas } from '../../../src/wire/messages.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { staffBrowserStateSchema, staffHttpRequestSchemas } from '../../../src/wire/staff/signInRequests.ts';
import { staffServerMessageSchemas, staffClientMessageSchemas } from '../../../src/wire/staff/messages.ts';
import { staffProtocolVersion } from '../../../src/wire/staff/protocolVersion.ts';

const page = readFileSync(new URL('../../../docs/protocol.md', import.meta.url), 'utf8');
const [, patrons = '', requests = '', staff = ''] = page.split(/^## /m);

/** Table rows by first cell, with the fields in the second cell; optional fields have a question mark. */
function rowsIn(section: string, head: string): { readonly [name: string]: readonly string[] } {
  const [, table = ''] = section.split(`| ${head} | fields |`);
  const lines = table.split('\n').slice(2);
  const rows = lines.slice(0, lines.indexOf('')).map((line) => line.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(
    rows.map(([, name = '', fields = '']) => [
      name.replaceAll('`', ''),
      [...fields.matchAll(/`([A-Za-z]+)`(\??)/g)].map(([, field, mark]) => `${field}${mark}`),
    ]),
  );
}

/** The same from the schemas. */
function fieldsOf(schemas: { readonly [name: string]: Schema }): { readonly [name: string]: readonly string[] } {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties, required } = schema.toJsonSchema({}) as { properties: object; required: readonly string[] };
      const fields = Object.keys(properties).filter((field) => field !== 'type');
      return [name, fields.map((field) => `${field}${required.includes(field) ? '' : '?'}`)];
    }),
  );
}

test.each([
  ['client messages of patrons', patrons, 'from the page', clientMessageSchemas],
  ['server messages to patrons', patrons, 'from the server', serverMessageSchemas],
  ['sign-in requests of staff', requests, 'request', staffHttpRequestSchemas],
  ['client messages of staff', staff, 'from the page', staffClientMessageSchemas],
  ['server messages to staff', staff, 'from the server', staffServerMessageSchemas],
] as const)('docs/protocol.md lists %s with exactly their fields', (_, section, head, schemas) => {
  expect(rowsIn(section, head)).toEqual(fieldsOf(schemas as { readonly [name: string]: Schema }));
});

test('docs/protocol.md states the versions and the state of a browser', () => {
  expect(patrons).toContain(`the version of all its messages is ${protocolVersion}.`);
  expect(staff).toContain(`the version of all its messages is ${staffProtocolVersion}.`);
  for (const field of fieldsOf({ me: staffBrowserStateSchema })['me']!) expect(requests).toContain(`\`${field}\``);
});
