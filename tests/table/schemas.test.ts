import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { description } from '../../src/cli/describe.ts';
import { type Kind } from '../../src/rules/fields.ts';
import { commandKinds } from '../../src/table/declare/commands.ts';
import { eventKinds } from '../../src/table/declare/events.ts';
import { refusalKinds } from '../../src/table/declare/refusals.ts';
import { setting, settingAsked } from '../../src/table/declare/setting.ts';
import { linesOf, scenarioRows } from '../scenarios/scenarios.ts';
import { driver } from '../../src/cli/table.ts';

const { $defs } = description();
/** What a program that knows JSON Schema alone makes of a value. */
const judgeOf = (name: string) => Compile({ $ref: `#/$defs/${name}`, $defs });
const judges = new Map(Object.keys($defs).map((name) => [name, judgeOf(name)]));

const kinds: { readonly [name: string]: Kind } = {
  ...commandKinds,
  ...eventKinds,
  ...refusalKinds,
  setting,
  'setting-asked': settingAsked,
};

test('every command, event, refusal and setting has a schema of its own, and no name stands for two', () => {
  const names = [commandKinds, eventKinds, refusalKinds, { setting, 'setting-asked': settingAsked }].flatMap(
    Object.keys,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys($defs)).toEqual(expect.arrayContaining(names));
});

test('no schema leaves open what an object holds', () => {
  const open: string[] = [];
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, additionalProperties, items, prefixItems } = value as { readonly [keyword: string]: unknown };
    if (type === 'object' && additionalProperties === undefined) open.push(place);
    if (type === 'array' && items === undefined && prefixItems === undefined) open.push(place);
    if (Object.keys(value).length === 0 && !place.endsWith('properties')) open.push(place);
    for (const [name, one] of Object.entries(value)) look(one, `${place}.${name}`);
  };
  look($defs, '$defs');
  expect(open).toEqual([]);
});

/** Each command of the scenarios that a table took, with all that it answered. */
const played = scenarioRows().map((row) => {
  const answer = driver();
  return [
    row,
    linesOf(row).map((line) => [line, answer(line) as { readonly [field: string]: unknown }] as const),
  ] as const;
});

describe('the schemas describe what goes in and out', () => {
  test.each(played)('%s', (_row, lines) => {
    let seen = 0;
    for (const [line, told] of lines) {
      const judge = judges.get(String(line['type']));
      if (judge === undefined || told['refused'] === 'bad-request' || told['refused'] === 'unknown-field') continue;
      const { hash, proposal, ...rest } = line;
      const asked =
        hash === 'proposed' || proposal === 'proposed'
          ? null
          : { ...rest, ...(hash !== undefined && { hash }), ...(proposal !== undefined && { proposal }) };
      if (asked !== null) expect(judge.Check(asked), JSON.stringify([line, judge.Errors(asked)])).toBe(true);
      for (const { postings: _, ...event } of (told['events'] ?? []) as readonly {
        readonly [field: string]: unknown;
      }[]) {
        expect(judges.get(String(event['type']))!.Check(event), JSON.stringify(event)).toBe(true);
      }
      if (typeof told['refused'] === 'string' && Object.hasOwn(refusalKinds, told['refused'])) {
        const { refused: code, ...fields } = told;
        expect(judges.get(told['refused'])!.Check({ code, ...fields }), JSON.stringify(told)).toBe(true);
      }
      seen++;
    }
    expect(seen).toBeGreaterThan(0);
  });
});

/** The same value with something changed somewhere inside. */
function bent(value: unknown, at: number, into: unknown): unknown {
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

test('whatever is bent in whatever way, check and schema say the same', () => {
  const samples = played.flatMap(([, lines]) =>
    lines.flatMap(([line, told]) => [
      line,
      ...((told['events'] ?? []) as readonly { readonly [field: string]: unknown }[]),
    ]),
  );
  const known = samples.filter((sample) => Object.hasOwn(kinds, String(sample['type'])));
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
    fc.property(fc.constantFrom(...known), fc.nat(60), values, (sample, at, into) => {
      const value = JSON.parse(JSON.stringify(bent(sample, at, into))) as { readonly [field: string]: unknown };
      const kind = kinds[String(sample['type'])]!;
      const fits = kind.fits(value);
      if (!fits) refused++;
      expect(judges.get(String(sample['type']))!.Check(value), JSON.stringify(value)).toBe(fits);
    }),
    { numRuns: 3000 },
  );
  expect(refused).toBeGreaterThan(100);
});
