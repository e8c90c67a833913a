import { expect, test } from 'vitest';
import {
  type Definitions,
  type Kind,
  byTag,
  either,
  flag,
  fully,
  listOf,
  named,
  number,
  object,
  oneOf,
  optional,
  orNull,
  paired,
  partly,
  read,
  recordOf,
  refined,
  tagged,
  text,
  texts,
  textLike,
  tuple,
  whole,
  wholeFrom,
} from './schema.ts';

const form = { name: text, tags: optional(texts), size: optional(number) };
const thing = object('a thing', form);

const told = (value: unknown, kind: Kind, within?: string) => {
  const answer = read(value, kind, within);
  return typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : 'fits';
};

test('a message that fits its kind is given back as it is', () => {
  const message = { name: 'x', tags: ['a', 'b'] };
  expect(read(message, thing)).toBe(message);
  expect(thing.fits(message)).toBe(true);
  expect(thing.fits({ ...message, size: undefined })).toBe(true);
  expect(thing.fits({ name: undefined })).toBe(false);
});

test('a field that is unknown, missing or of another kind is refused, with what it should be', () => {
  expect(read({ name: 'x', colour: 'red' }, thing)).toEqual({
    refused: 'unknown-field',
    message: 'The field "colour" is not known here; use name, tags, size.',
  });
  expect(told({ x: 1 }, object('nothing', {}))).toBe('The field "x" is not known here; use no field.');
  expect(read({}, thing)).toEqual({ refused: 'bad-request', message: 'The field "name" is missing; give a text.' });
  expect(told(Object.create({ name: 'x' }), thing)).toContain('missing');
  expect(told({ name: 'x', tags: 'a' }, thing)).toBe('The field "tags" is "a"; give a list of texts, or leave it out.');
  expect(told({ name: 'x', size: '1' }, thing)).toBe('The field "size" is "1"; give a number, or leave it out.');
  expect(told(5, thing)).toBe('The message is 5; give a thing.');
  expect(told([], thing, 'thing')).toBe('The field "thing" is []; give a thing.');
});

test('what is wrong deep inside is named by its place', () => {
  const range = tuple('[least, most]', whole, whole);
  const limits = recordOf(textLike('a small name', /^[a-z]+$/), range, 'a range for each', 2);
  const box = object('a box', { things: optional(listOf(thing, 'things', { least: 1, most: 2 })), limits });
  expect(told({ limits: { tie: [1, 2] }, things: [{ name: 'x' }] }, box)).toBe('fits');
  expect(told({ limits: { tie: [100] } }, box)).toBe('The field "limits.tie" is [100]; give [least, most].');
  expect(told({ limits: { tie: [100, -1] } }, box, 'box')).toBe(
    'The field "box.limits.tie[1]" is -1; give a whole number.',
  );
  expect(told({ limits: { tie: [1, 2, 3, 4, 5, 6] } }, box)).toContain('is a list;');
  expect(told({ limits: { T7: [1, 2] } }, box)).toBe('The field "limits" has an entry "T7"; name it by a small name.');
  expect(told({ limits: { a: [1, 2], b: [1, 2], c: [1, 2] } }, box)).toBe(
    'The field "limits" has 3 entries; give 2 at most.',
  );
  expect(told({ limits: 1 }, box)).toBe('The field "limits" is 1; give a range for each.');
  expect(told({ limits: {}, things: [] }, box)).toBe('The field "things" is []; give things, or leave it out.');
  expect(told({ limits: {}, things: [{ name: 'x' }, { name: 5 }] }, box)).toBe(
    'The field "things[1].name" is 5; give a text.',
  );
  expect(told({ limits: {}, things: [{ name: 'x', colour: 1 }] }, box)).toBe(
    'The field "things[0].colour" is not known here; use name, tags, size.',
  );
});

test('one kind or another: the problem is told from the side of the one that was meant', () => {
  const who = either(
    'a person or a machine',
    object('a person', { person: text, age: whole }),
    object('a machine', { machine: text }),
  );
  expect(told({ machine: 'x' }, who)).toBe('fits');
  expect(told({ person: 'x', age: -1 }, who)).toBe('The field "age" is -1; give a whole number.');
  expect(told({ person: 'x' }, who, 'who')).toBe('The field "who.age" is missing; give a whole number.');
  expect(told({}, who, 'who')).toBe('The field "who" is an object; give a person or a machine.');
  for (const more of [{}, { door: 1 }]) {
    const stray = 'The field "who.luck" is not known here; use';
    expect(told({ luck: 7, machine: 'x', ...more }, who, 'who')).toBe(`${stray} machine.`);
    expect(told({ luck: 7, person: 'x', age: 1, ...more }, who, 'who')).toBe(`${stray} person, age.`);
  }
  expect(told({ luck: 7 }, who, 'who')).toBe('The field "who" is an object; give a person or a machine.');
  expect(told(null, orNull(who))).toBe('fits');
  expect(orNull(flag).wanted).toBe('true or false, or null');
});

test('objects that tell themselves apart by a field are held to the form that it names', () => {
  const declared = { Open: { fields: { door: text } }, Shut: { fields: {} } };
  const act = byTag('type', 'an act', tagged('type', 'the act', declared, { at: whole }));
  expect(told({ type: 'Open', at: 1, door: 'front' }, act)).toBe('fits');
  expect(told({ type: 'Shut', at: 1, door: 'front' }, act)).toBe('The field "door" is not known here; use type, at.');
  expect(told({ type: 'Knock' }, act)).toBe('The field "type" is "Knock"; give the name of an act.');
  expect(told({}, act)).toBe('The field "type" is missing; give the name of an act.');
  expect(told('Open', act)).toBe('The message is "Open"; give an act.');
});

test('a kind can be held to one thing more, after all that it is', () => {
  const even = refined(whole, 'an even number', (value) => value % 2 === 0, { multipleOf: 2 });
  expect([told(2, even), told(3, even), told(-2, even)]).toEqual([
    'fits',
    'The message is 3; give an even number.',
    'The message is -2; give a whole number.',
  ]);
});

test('of two fields that go together the one that is missing is named', () => {
  const ends = object('a span', { from: optional(whole), to: optional(whole) });
  const span = paired(ends, 'a span, or nothing', ['from', 'to']);
  expect([told({}, span), told({ from: 1, to: 2 }, span)]).toEqual(['fits', 'fits']);
  expect(told({ from: 1 }, span, 'span')).toBe(
    'The field "span.to" is missing; give it with "from", or leave both out.',
  );
  expect(told({ to: 1 }, span)).toBe('The field "from" is missing; give it with "to", or leave both out.');
  expect(told({ from: -1 }, span)).toBe('The field "from" is -1; give a whole number, or leave it out.');
  expect(span.schema({})).toMatchObject({ type: 'object', dependentRequired: { from: ['to'], to: ['from'] } });
});

test('fields can all be made optional, or none', () => {
  expect(told({}, object('a part', partly(form)))).toBe('fits');
  expect(told({ name: 'x' }, object('a whole', fully(form)))).toBe(
    'The field "tags" is missing; give a list of texts.',
  );
  expect(optional(whole).fits(undefined)).toBe(true);
  expect(optional(whole).fits(-1)).toBe(false);
});

test('every kind has a schema, and a named one is referred to', () => {
  const definitions: Definitions = {};
  const small = named('small', wholeFrom('a small number', 0, 9));
  const schema = object('a box', {
    small,
    flag: optional(flag),
    pair: tuple('two', small, text),
    list: listOf(oneOf(['a', 'b']), 'a list', { least: 1, most: 3 }),
    map: recordOf(textLike('letters', /^[a-z]+$/), orNull(number), 'numbers', 5),
    any: recordOf(text, either('this or that', text, whole), 'anything'),
  }).schema(definitions);
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

test('what JSON cannot say again is refused at the door: halves of pairs, and numbers that are too large', () => {
  for (const said of [
    String.raw`{"name":"\ud83d"}`,
    String.raw`{"name":"x","tags":["\ude00"]}`,
    '{"name":"x","size":1e999}',
  ]) {
    expect(read(JSON.parse(said), thing), said).toMatchObject({ refused: 'bad-request' });
  }
});
