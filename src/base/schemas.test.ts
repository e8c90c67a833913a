import { expect, test } from 'vitest';
import * as s from './schemas.ts';
import { type JsonSchemaDefinitions, type Schema, parse } from './schema.ts';

const form = { name: s.string, tags: s.optional(s.strings), size: s.optional(s.number) };
const thing = s.object('a thing', form);

const messageFor = (value: unknown, schema: Schema, within?: string) => {
  const answer = parse(value, schema, within);
  return typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : 'fits';
};

test('parse returns a valid message unchanged', () => {
  const message = { name: 'x', tags: ['a', 'b'] };
  expect(parse(message, thing)).toBe(message);
  expect(thing.fits(message)).toBe(true);
  expect(thing.fits({ ...message, size: undefined })).toBe(true);
  expect(thing.fits({ name: undefined })).toBe(false);
});

test('parse refuses an unknown, missing or mismatched field and says what is expected', () => {
  expect(parse({ name: 'x', colour: 'red' }, thing)).toEqual({
    refused: 'unknown-field',
    message: 'The field "colour" is not known here; use name, tags, size.',
  });
  expect(messageFor({ x: 1 }, s.object('nothing', {}))).toBe('The field "x" is not known here; use no field.');
  expect(parse({}, thing)).toEqual({ refused: 'bad-request', message: 'The field "name" is missing; give a text.' });
  expect(messageFor(Object.create({ name: 'x' }), thing)).toContain('missing');
  expect(messageFor({ name: 'x', tags: 'a' }, thing)).toBe(
    'The field "tags" is "a"; give a list of texts, or leave it out.',
  );
  expect(messageFor({ name: 'x', size: '1' }, thing)).toBe('The field "size" is "1"; give a number, or leave it out.');
  expect(messageFor(5, thing)).toBe('The message is 5; give a thing.');
  expect(messageFor([], thing, 'thing')).toBe('The field "thing" is []; give a thing.');
});

test('parse names the path of a nested issue', () => {
  const range = s.tuple('[least, most]', s.nonNegativeInteger, s.nonNegativeInteger);
  const limits = s.record(s.stringMatching('a small name', /^[a-z]+$/), range, 'a range for each', 2);
  const box = s.object('a box', { things: s.optional(s.array(thing, 'things', { min: 1, max: 2 })), limits });
  expect(messageFor({ limits: { tie: [1, 2] }, things: [{ name: 'x' }] }, box)).toBe('fits');
  expect(messageFor({ limits: { tie: [100] } }, box)).toBe('The field "limits.tie" is [100]; give [least, most].');
  expect(messageFor({ limits: { tie: [100, -1] } }, box, 'box')).toBe(
    'The field "box.limits.tie[1]" is -1; give a whole number.',
  );
  expect(messageFor({ limits: { tie: [1, 2, 3, 4, 5, 6] } }, box)).toContain('is a list;');
  expect(messageFor({ limits: { T7: [1, 2] } }, box)).toBe(
    'The field "limits" has an entry "T7"; use a small name as its name.',
  );
  expect(messageFor({ limits: { a: [1, 2], b: [1, 2], c: [1, 2] } }, box)).toBe(
    'The field "limits" has 3 entries; give at most 2.',
  );
  expect(messageFor({ limits: 1 }, box)).toBe('The field "limits" is 1; give a range for each.');
  expect(messageFor({ limits: {}, things: [] }, box)).toBe('The field "things" is []; give things, or leave it out.');
  expect(messageFor({ limits: {}, things: [{ name: 'x' }, { name: 5 }] }, box)).toBe(
    'The field "things[1].name" is 5; give a text.',
  );
  expect(messageFor({ limits: {}, things: [{ name: 'x', colour: 1 }] }, box)).toBe(
    'The field "things[0].colour" is not known here; use name, tags, size.',
  );
});

test('union reports the issue of the member that was meant', () => {
  const who = s.union(
    'a person or a machine',
    s.object('a person', { person: s.string, age: s.nonNegativeInteger }),
    s.object('a machine', { machine: s.string }),
  );
  expect(messageFor({ machine: 'x' }, who)).toBe('fits');
  expect(messageFor({ person: 'x', age: -1 }, who)).toBe('The field "age" is -1; give a whole number.');
  expect(messageFor({ person: 'x' }, who, 'who')).toBe('The field "who.age" is missing; give a whole number.');
  expect(messageFor({}, who, 'who')).toBe('The field "who" is an object; give a person or a machine.');
  for (const more of [{}, { gate: 1 }]) {
    const stray = 'The field "who.luck" is not known here; use';
    expect(messageFor({ luck: 7, machine: 'x', ...more }, who, 'who')).toBe(`${stray} machine.`);
    expect(messageFor({ luck: 7, person: 'x', age: 1, ...more }, who, 'who')).toBe(`${stray} person, age.`);
  }
  expect(messageFor({ luck: 7 }, who, 'who')).toBe('The field "who" is an object; give a person or a machine.');
  expect(messageFor(null, s.nullable(who))).toBe('fits');
  expect(s.nullable(s.boolean).expected).toBe('true or false, or null');
});

test('taggedUnion checks the member that the tag names', () => {
  const declared = { Open: { fields: { gate: s.string } }, Shut: { fields: {} } };
  const act = s.taggedUnion(
    'type',
    'an act',
    s.variantSchemas('type', 'the act', declared, { at: s.nonNegativeInteger }),
  );
  expect(messageFor({ type: 'Open', at: 1, gate: 'front' }, act)).toBe('fits');
  expect(messageFor({ type: 'Shut', at: 1, gate: 'front' }, act)).toBe(
    'The field "gate" is not known here; use type, at.',
  );
  expect(messageFor({ type: 'Knock' }, act)).toBe('The field "type" is "Knock"; give the name of an act.');
  expect(messageFor({}, act)).toBe('The field "type" is missing; give the name of an act.');
  expect(messageFor('Open', act)).toBe('The message is "Open"; give an act.');
});

test('refine adds a condition after the base schema', () => {
  const even = s.refine(s.nonNegativeInteger, 'an even number', (value) => value % 2 === 0, { multipleOf: 2 });
  expect([messageFor(2, even), messageFor(3, even), messageFor(-2, even)]).toEqual([
    'fits',
    'The message is 3; give an even number.',
    'The message is -2; give a whole number.',
  ]);
});

test('requiredTogether names the missing field', () => {
  const ends = s.object('a span', { from: s.optional(s.nonNegativeInteger), to: s.optional(s.nonNegativeInteger) });
  const span = s.requiredTogether(ends, 'a span, or nothing', ['from', 'to']);
  expect([messageFor({}, span), messageFor({ from: 1, to: 2 }, span)]).toEqual(['fits', 'fits']);
  expect(messageFor({ from: 1 }, span, 'span')).toBe(
    'The field "span.to" is missing; give it with "from", or leave both out.',
  );
  expect(messageFor({ to: 1 }, span)).toBe('The field "from" is missing; give it with "to", or leave both out.');
  expect(messageFor({ from: -1 }, span)).toBe('The field "from" is -1; give a whole number, or leave it out.');
  expect(span.toJsonSchema({})).toMatchObject({ type: 'object', dependentRequired: { from: ['to'], to: ['from'] } });
});

test('partial and required change every field', () => {
  expect(messageFor({}, s.object('a part', s.partial(form)))).toBe('fits');
  expect(messageFor({ name: 'x' }, s.object('a whole', s.required(form)))).toBe(
    'The field "tags" is missing; give a list of texts.',
  );
  expect(s.optional(s.nonNegativeInteger).fits(undefined)).toBe(true);
  expect(s.optional(s.nonNegativeInteger).fits(-1)).toBe(false);
});

test('every schema has a JSON Schema, and a named one is a reference', () => {
  const definitions: JsonSchemaDefinitions = {};
  const small = s.named('small', s.integer('a small number', 0, 9));
  const schema = s
    .object('a box', {
      small,
      flag: s.optional(s.boolean),
      pair: s.tuple('two', small, s.string),
      list: s.array(s.literals(['a', 'b']), 'a list', { min: 1, max: 3 }),
      map: s.record(s.stringMatching('letters', /^[a-z]+$/), s.nullable(s.number), 'numbers', 5),
      any: s.record(s.string, s.union('this or that', s.string, s.nonNegativeInteger), 'anything'),
    })
    .toJsonSchema(definitions);
  expect(schema).toEqual({
    type: 'object',
    properties: {
      small: { $ref: '#/$defs/small' },
      flag: { type: 'boolean' },
      pair: { type: 'array', prefixItems: [{ $ref: '#/$defs/small' }, { type: 'string' }], minItems: 2, maxItems: 2 },
      list: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 },
      map: {
        type: 'object',
        propertyNames: { type: 'string', pattern: '^[a-z]+$' },
        additionalProperties: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        maxProperties: 5,
      },
      any: {
        type: 'object',
        additionalProperties: {
          anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
        },
      },
    },
    required: ['small', 'pair', 'list', 'map', 'any'],
    additionalProperties: false,
  });
  expect(definitions).toEqual({ small: { type: 'integer', minimum: 0, maximum: 9 } });
});

test('schemas refuse lone surrogates and numbers that JSON cannot hold', () => {
  for (const text of [
    String.raw`{"name":"\ud83d"}`,
    String.raw`{"name":"x","tags":["\ude00"]}`,
    '{"name":"x","size":1e999}',
  ]) {
    expect(parse(JSON.parse(text), thing), text).toMatchObject({ refused: 'bad-request' });
  }
});
