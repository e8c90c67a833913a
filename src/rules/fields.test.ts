import { expect, test } from 'vitest';
import { plainKinds, readFields } from './fields.ts';

const form = { name: 'text', tags: 'texts?', size: 'number?' } as const;
const read = (message: { readonly [field: string]: unknown }) => readFields(message, form, plainKinds);

test('a message that fits its form is given back as it is', () => {
  const message = { name: 'x', tags: ['a', 'b'] };
  expect(read(message)).toBe(message);
});

test('a field that is unknown, missing or of another kind is refused, with what it should be', () => {
  expect(read({ name: 'x', colour: 'red' })).toEqual({
    refused: 'unknown-field',
    message: 'The field "colour" is not known here; use name, tags, size.',
  });
  expect(read({})).toMatchObject({ refused: 'bad-request', message: 'The field "name" is missing; give a text.' });
  expect(read(Object.create({ name: 'x' }) as { [field: string]: unknown })).toMatchObject({ refused: 'bad-request' });
  expect(read({ name: 'x', tags: 'a' })).toMatchObject({
    message: 'The field "tags" is "a"; give a list of texts, or leave it out.',
  });
  expect(read({ name: 'x', tags: [1] })).toMatchObject({ refused: 'bad-request' });
  expect(read({ name: 'x', size: '1' })).toMatchObject({ refused: 'bad-request' });
});

test('what JSON cannot say again is refused at the door: halves of pairs, and numbers that are too large', () => {
  for (const text of [
    String.raw`{"name":"\ud83d"}`,
    String.raw`{"name":"x","tags":["\ude00"]}`,
    '{"name":"x","size":1e999}',
  ]) {
    expect(read(JSON.parse(text) as { [field: string]: unknown }), text).toMatchObject({ refused: 'bad-request' });
  }
});
