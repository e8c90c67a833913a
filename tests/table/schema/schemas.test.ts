import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { describeTableProtocol } from '../../../src/cli/rules/describeTableProtocol.ts';
import { type Schema } from '../../../src/base/schema.ts';
import { commandSchemas } from '../../../src/table/schema/commands.ts';
import { eventSchemas } from '../../../src/table/schema/events.ts';
import { refusalSchemas } from '../../../src/table/schema/refusals.ts';
import { settingsInputSchema, settingsSchema } from '../../../src/table/schema/settings.ts';
import { linesOf, scenarioRows } from '../../scenarios/scenarios.ts';
import { createScenarioHandler } from '../../../src/cli/rules/table.ts';

const { $defs } = describeTableProtocol();
/** The verdict of a plain JSON Schema validator. */
const validatorFor = (name: string) => Compile({ $ref: `#/$defs/${name}`, $defs });
const validators = new Map(Object.keys($defs).map((name) => [name, validatorFor(name)]));

const kinds: { readonly [name: string]: Schema } = {
  ...commandSchemas,
  ...eventSchemas,
  ...refusalSchemas,
  settings: settingsSchema,
  'settings-input': settingsInputSchema,
};

test('every command, event, refusal and settings schema has a unique name', () => {
  const names = [
    commandSchemas,
    eventSchemas,
    refusalSchemas,
    { settings: settingsSchema, 'settings-input': settingsInputSchema },
  ].flatMap(Object.keys);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys($defs)).toEqual(expect.arrayContaining(names));
});

test('no schema allows additional properties', () => {
  const open: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, additionalProperties, items, prefixItems } = value as { readonly [keyword: string]: unknown };
    if (type === 'object' && additionalProperties === undefined) open.push(path);
    if (type === 'array' && items === undefined && prefixItems === undefined) open.push(path);
    if (Object.keys(value).length === 0 && !path.endsWith('properties')) open.push(path);
    for (const [name, one] of Object.entries(value)) visit(one, `${path}.${name}`);
  };
  visit($defs, '$defs');
  expect(open).toEqual([]);
});

type Fields = { readonly [field: string]: unknown };

/** Each line of the scenarios with the result of the table. */
const played = scenarioRows().map((row) => {
  const handle = createScenarioHandler();
  return [row, linesOf(row).map((line) => [line, handle(line) as Fields] as const)] as const;
});
const eventsIn = (message: Fields): readonly Fields[] =>
  ((message['events'] ?? []) as readonly Fields[]).map((event) =>
    Object.fromEntries(Object.entries(event).filter(([field]) => field !== 'postings')),
  );

/** True when `"proposed"` replaces an id or a hash, which a hand-written file cannot know. */
const isShort = (line: Fields): boolean => line['hash'] === 'proposed' || line['proposal'] === 'proposed';

describe('commands, events and refusals match their schemas', () => {
  test.each(played)('%s', (_row, lines) => {
    let checked = 0;
    const expectFit = (name: string, value: Fields): void => {
      const judge = validators.get(name)!;
      expect(judge.Check(value), JSON.stringify([value, judge.Errors(value)])).toBe(true);
      checked++;
    };
    for (const [line, message] of lines) {
      const { refused: code, ...fields } = message;
      const wrongForm = code === 'bad-request' || code === 'unknown-field';
      if (typeof line['type'] === 'string' && !isShort(line) && !wrongForm) expectFit(line['type'], line);
      for (const event of eventsIn(message)) expectFit(String(event['type']), event);
      if (typeof code === 'string' && Object.hasOwn(refusalSchemas, code)) expectFit(code, { code, ...fields });
    }
    expect(checked).toBeGreaterThan(0);
  });
});

/** The same value with one change somewhere inside. */
function mutated(value: unknown, at: number, into: unknown): unknown {
  let left = at;
  const walk = (one: unknown): unknown => {
    if (left-- === 0) return into;
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    const fields = Object.entries(one).map(([name, field]) => [name, walk(field)] as const);
    return Object.fromEntries(left-- === 0 ? [...fields, ['stray', into]] : left-- === 0 ? fields.slice(1) : fields);
  };
  return walk(value);
}

test('parser and JSON schema agree on every changed value', () => {
  const samples = played.flatMap(([, lines]) => lines.flatMap(([line, message]) => [line, ...eventsIn(message)]));
  const typed = samples.filter((sample) => Object.hasOwn(kinds, String(sample['type'])));
  const values = fc.oneof(
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      1.5,
      1e300,
      '',
      'KD',
      'T7',
      'P1',
      'a b',
      [],
      {},
      [1, 2],
      { T7: 100 },
      { T7: { tie: 1 } },
    ),
    fc.jsonValue(),
  );
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...typed), fc.nat(60), values, (sample, at, into) => {
      const value = JSON.parse(JSON.stringify(mutated(sample, at, into))) as { readonly [field: string]: unknown };
      const kind = kinds[String(sample['type'])]!;
      const problem = kind.check(value);
      if (problem) refused++;
      const isValid = validators.get(String(sample['type']))!.Check(value);
      // Only the ascending order of chips cannot be expressed in a schema.
      if (problem?.path.at(-1) === 'tray' && isValid) return;
      expect(isValid, JSON.stringify(value)).toBe(problem === undefined);
    }),
    { numRuns: 3000 },
  );
  expect(refused).toBeGreaterThan(100);
});
