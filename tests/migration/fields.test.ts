import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/cli/support/errorCodes.ts';
import {
  type JsonSchemaDefinitions,
  type JsonSchema,
  type Schema,
  type Shape,
  isObject,
} from '../../src/base/schema.ts';
import { floorCommandSchemas } from '../../src/floor/commands.ts';
import { floorEvents } from '../../src/floor/events.ts';
import { parseProperty } from '../../src/property/property.ts';
import { staffRegisterCommands } from '../../src/staff/commands.ts';
import { staffRegisterEvents } from '../../src/staff/events.ts';
import { tableCommands } from '../../src/table/schema/commands.ts';
import { tableEvents } from '../../src/table/schema/events.ts';
import { terminalCommands } from '../../src/terminal/commands.ts';
import { terminalEvents } from '../../src/terminal/events.ts';
import { clientMessageSchemas, serverMessageSchemas } from '../../src/wire/messages.ts';
import { staffClientMessageSchemas, staffServerMessageSchemas } from '../../src/wire/staff/messages.ts';
import { staffBrowserStateSchema, staffHttpRequestShapes } from '../../src/wire/staff/signInRequests.ts';
import { punto } from '../cli/support/punto.ts';
import { migrate, migrationRows } from './migrate.ts';

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8').trimEnd();

/**
 * Each message, command and event that 0.2 declared, with all its fields. A field with a closed list of values has them
 * all; any other is null or has its own fields.
 */
type OldValue = { readonly surfaces: readonly string[]; readonly group: string; readonly value: object };
const oldValues = fixture('fields.jsonl')
  .split('\n')
  .map((line) => JSON.parse(line) as OldValue);

/** Fields that 0.3 gives in another place or form, which no rename can state. */
const moved: { readonly [path: string]: string } = {
  'dealer.view.proposal.seal': 'the effects of a proposal are within it',
  'dealer.view.proposal.to': 'as above',
  'supervisor.view.proposal.seal': 'as above',
  'supervisor.view.proposal.to': 'as above',
  'dealer.view.stopped.mayDismiss': '`dismiss` has the roles that may dismiss',
  'supervisor.view.stopped.mayDismiss': 'as above',
  'supervisor.view.effects': 'the effects of a proposal are within it',
  'supervisor.view.effects.not': 'as above',
  'supervisor.view.effects.events': 'as above',
};

/** Paths of the fields of a value, and those of its texts as `path=text`. A type is before its fields. */
function* pathsOf(value: unknown, path: readonly string[] = []): Generator<string> {
  if (typeof value === 'string') yield `${path.join('.')}=${value}`;
  else if (Array.isArray(value)) for (const one of value) yield* pathsOf(one, path);
  else if (isObject(value)) {
    const typed = typeof value['type'] === 'string' ? [...path, value['type']] : path;
    for (const [field, inner] of Object.entries(value)) {
      yield [...typed, field].join('.');
      yield* pathsOf(inner, [...typed, field]);
    }
  }
}

/** As `pathsOf`, of all values that a JSON Schema describes. */
function* pathsIn(
  schema: JsonSchema,
  definitions: JsonSchemaDefinitions,
  path: readonly string[] = [],
): Generator<string> {
  const {
    $ref,
    properties,
    additionalProperties,
    items,
    prefixItems,
    anyOf,
    oneOf,
    const: only,
    enum: values,
  } = schema;
  if (typeof $ref === 'string') return yield* pathsIn(definitions[$ref.replace('#/$defs/', '')]!, definitions, path);
  for (const one of [anyOf, oneOf, prefixItems].flat()) {
    if (isObject(one)) yield* pathsIn(one, definitions, path);
  }
  for (const text of [only, values].flat()) if (typeof text === 'string') yield `${path.join('.')}=${text}`;
  if (isObject(items)) yield* pathsIn(items, definitions, path);
  if (isObject(additionalProperties)) {
    yield [...path, '*'].join('.');
    yield* pathsIn(additionalProperties, definitions, [...path, '*']);
  }
  if (!isObject(properties)) return;
  const { type } = properties as { readonly type?: { readonly const?: string; readonly enum?: readonly string[] } };
  const name = type?.const ?? (type?.enum?.length === 1 ? type.enum[0] : undefined);
  const typed = name === undefined ? path : [...path, name];
  for (const [field, inner] of Object.entries(properties)) {
    yield [...typed, field].join('.');
    yield* pathsIn(inner as JsonSchema, definitions, [...typed, field]);
  }
}

function pathsOfSchemas(schemas: Iterable<Schema>): ReadonlySet<string> {
  const definitions: JsonSchemaDefinitions = {};
  const all = Array.from(schemas, (schema) => schema.toJsonSchema(definitions));
  return new Set(all.flatMap((schema) => Array.from(pathsIn(schema, definitions))));
}

/** Paths of declarations, whose type is their name. */
function pathsOfShapes(shapes: { readonly [name: string]: Shape }): ReadonlySet<string> {
  const definitions: JsonSchemaDefinitions = {};
  return new Set(
    Object.entries(shapes).flatMap(([name, shape]) => [
      `${name}.type`,
      `${name}.type=${name}`,
      ...Object.entries(shape).flatMap(([field, schema]) => [
        `${name}.${field}`,
        ...pathsIn(schema.toJsonSchema(definitions), definitions, [name, field]),
      ]),
    ]),
  );
}

const shapesOf = (declarations: { readonly [name: string]: { readonly fields: Shape } }) =>
  pathsOfShapes(Object.fromEntries(Object.entries(declarations).map(([name, { fields }]) => [name, fields])));

const today: { readonly [group: string]: ReadonlySet<string> } = {
  'table commands': shapesOf(tableCommands),
  'table events': shapesOf(tableEvents),
  'terminal commands': shapesOf(terminalCommands),
  'terminal events': shapesOf(terminalEvents),
  'staff commands': shapesOf(staffRegisterCommands),
  'staff events': shapesOf(staffRegisterEvents),
  'floor commands': pathsOfSchemas(Object.values(floorCommandSchemas)),
  'floor events': shapesOf(floorEvents),
  'patron socket client': pathsOfSchemas(Object.values(clientMessageSchemas)),
  'patron socket server': pathsOfSchemas(Object.values(serverMessageSchemas)),
  'staff socket client': pathsOfSchemas(Object.values(staffClientMessageSchemas)),
  'staff socket server': pathsOfSchemas(Object.values(staffServerMessageSchemas)),
  'staff http requests': pathsOfShapes(staffHttpRequestShapes),
  'staff http state': pathsOfSchemas([staffBrowserStateSchema]),
};

describe('a message, command or event of 0.2, translated by the migration list alone', () => {
  test.each(Object.keys(today))('has fields and values of today: %s', (group) => {
    const known = today[group]!;
    const closed = new Set(Array.from(known, (path) => path.split('=')[0]!).filter((path) => known.has(path)));
    const ofGroup = oldValues.filter((one) => one.group === group);
    expect(ofGroup.length).toBeGreaterThan(0);
    for (const surface of ofGroup[0]!.surfaces) {
      const translated = ofGroup.flatMap(({ value }) => {
        const paths = [...pathsOf(migrate(value, surface))];
        // Two fields of one name would be one.
        expect(paths.length, JSON.stringify(value)).toBe([...pathsOf(value)].length);
        return paths;
      });
      const unknown = translated.filter((path) => !known.has(path) && !(path in moved));
      expect(unknown.filter((path) => !path.includes('=') || closed.has(path.split('=')[0]!))).toEqual([]);
    }
  });
});

test('a property file of 0.2, translated by the migration list alone, is read without mistakes', () => {
  for (const line of fixture('properties.jsonl').split('\n')) {
    expect(parseProperty(migrate(JSON.parse(line), 'property file'), Date.UTC(2026, 0, 1))).toHaveProperty('tables');
  }
});

test('every error code of 0.2 is a code of today, by its own name or by that of the list', () => {
  const removed = ['superseded'];
  const newCode = (code: string): string => migrationRows.find(({ old }) => old === code)?.new ?? code;
  const known = new Set<string>(errorCodes);
  const codes = JSON.parse(fixture('codes.json')) as readonly string[];
  expect(codes.map(newCode).filter((code) => !known.has(code))).toEqual(removed);
});

test('every command and option of 0.2 is one of today, by its own name or by that of the list', async () => {
  const commands = JSON.parse(fixture('commands.json')) as { readonly [command: string]: readonly string[] };
  const newName = (path: string, old: string): string =>
    migrationRows.find((row) => row.surface === 'commands' && row.path === path && row.old === old)?.new ?? old;
  for (const [command, options] of Object.entries(commands)) {
    const { status, stdout } = await punto([newName('command', command), '--help']);
    expect(status, command).toBe(0);
    for (const option of options) {
      expect(stdout, command).toMatch(new RegExp(`${newName(command, `--${option}`)}\\b`));
    }
  }
});
