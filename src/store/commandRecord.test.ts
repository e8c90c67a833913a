import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../base/canonicalJson.ts';
import { decodeCommand, requestHash, compactRequest, expandRequest } from './commandRecord.ts';
import { type StoredRequest, type RecordedEvent } from './store.ts';

const who = { terminal: 'T1.1' };
const slip = { player: 100 };
const asked: StoredRequest = { type: 'SetSlip', who, round: 'r1', slip, note: 'x' };
const event: RecordedEvent = { type: 'SlipSet', v: 1, at: 5, who, round: 'r1', slip, hold: 100, note: 'y' };

test('compactRequest names fields of the event instead of repeating them', () => {
  expect(compactRequest(asked, event)).toEqual({ type: 'SetSlip', note: 'x', same: ['round', 'slip', 'who'] });
  expect(expandRequest(compactRequest(asked, event), event)).toEqual(asked);
});

test('compactRequest never replaces the type of the command by that of its event', () => {
  const same = { ...event, type: 'SetSlip' };
  expect(compactRequest(asked, same).type).toBe('SetSlip');
  expect(expandRequest(compactRequest(asked, same), { ...same, type: 'Other' }).type).toBe('SetSlip');
});

test('compactRequest asserts that no command has a field "same"', () => {
  expect(() => compactRequest({ ...asked, same: 1 }, event)).toThrow('no command has a field "same"');
});

test('expandRequest inverts compactRequest, also after serialisation', () => {
  const name = fc.constantFrom('round', 'slip', 'who', 'card', 'reason', '__proto__x', 'v');
  const value = fc.jsonValue({ maxDepth: 2 });
  const fields = fc.dictionary(name, value, { noNullPrototype: true });
  fc.assert(
    fc.property(fields, fields, fc.array(name), (asks, happens, shared) => {
      const both = Object.fromEntries(shared.map((field) => [field, [field, 1]]));
      const whole = { who, ...asks, ...both, type: 'Ask' } as unknown as StoredRequest;
      const happened = { ...happens, ...both, type: 'Happened', at: 1 } as unknown as RecordedEvent;
      const short = compactRequest(whole, happened);
      expect(expandRequest(short, happened)).toEqual(whole);
      const [readShort, readEvent] = JSON.parse(canonicalJson([short, happened])) as [StoredRequest, RecordedEvent];
      expect(requestHash(expandRequest(readShort, readEvent))).toBe(requestHash(whole));
    }),
  );
});

test('decodeCommand joins payload, context and time, and adds the role to the person', () => {
  const by = { type: 'Refer', who: { person: 'd1' }, reason: 'Look.' };
  expect(decodeCommand({ asked: by, brought: { credits: { 'T1.1': 5 }, post: { post: 'dealer' } } }, 7)).toEqual({
    type: 'Refer',
    who: { person: 'd1', post: 'dealer' },
    reason: 'Look.',
    credits: { 'T1.1': 5 },
    at: 7,
  });
  expect(decodeCommand({ asked, brought: { credit: 5 } }, 7)).toEqual({ ...asked, credit: 5, at: 7 });
});

test('decodeCommand leaves out the entries that grant roles, but not a ticket that is held', () => {
  const by = { type: 'PayByHand', who: { person: 'p1' }, second: { person: 'p2' } };
  const brought = { post: { post: 'supervisor' }, held: 7, secondPost: { post: 'pit-manager' }, secondHeld: 9 };
  expect(decodeCommand({ asked: by, brought }, 7)).toEqual({
    type: 'PayByHand',
    who: { person: 'p1', post: 'supervisor' },
    second: { person: 'p2', post: 'pit-manager' },
    at: 7,
  });
  expect(decodeCommand({ asked, brought: { held: true } }, 7)).toEqual({ ...asked, held: true, at: 7 });
});

test('requestHash covers the payload in any order of fields and not the context', () => {
  const { type, ...rest } = asked;
  expect(requestHash({ ...rest, type })).toBe(requestHash(asked));
  expect(requestHash({ ...asked, round: 'r2' })).not.toBe(requestHash(asked));
});
