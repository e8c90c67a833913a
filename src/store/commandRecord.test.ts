import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../base/canonicalJson.ts';
import { decodeCommand, requestHash, compactRequest, expandRequest } from './commandRecord.ts';
import { type StoredRequest, type RecordedEvent } from './store.ts';

const actor = { terminal: 'T1.1' };
const slip = { player: 100 };
const request: StoredRequest = { type: 'SetSlip', actor, round: 'r1', slip, note: 'x' };
const event: RecordedEvent = { type: 'SlipSet', v: 1, at: 5, actor, round: 'r1', slip, debit: 100, note: 'y' };

test('compactRequest names fields of the event instead of repeating them', () => {
  expect(compactRequest(request, event)).toEqual({ type: 'SetSlip', note: 'x', same: ['actor', 'round', 'slip'] });
  expect(expandRequest(compactRequest(request, event), event)).toEqual(request);
});

test('compactRequest never replaces the type of the command by that of its event', () => {
  const same = { ...event, type: 'SetSlip' };
  expect(compactRequest(request, same).type).toBe('SetSlip');
  expect(expandRequest(compactRequest(request, same), { ...same, type: 'Other' }).type).toBe('SetSlip');
});

test('compactRequest asserts that no command has a field "same"', () => {
  expect(() => compactRequest({ ...request, same: 1 }, event)).toThrow('no command has a field "same"');
});

test('expandRequest inverts compactRequest, also after serialisation', () => {
  const name = fc.constantFrom('round', 'slip', 'actor', 'card', 'reason', '__proto__x', 'v');
  const value = fc.jsonValue({ maxDepth: 2 });
  const fields = fc.dictionary(name, value, { noNullPrototype: true });
  fc.assert(
    fc.property(fields, fields, fc.array(name), (asks, happens, shared) => {
      const both = Object.fromEntries(shared.map((field) => [field, [field, 1]]));
      const whole = { actor, ...asks, ...both, type: 'Ask' } as unknown as StoredRequest;
      const happened = { ...happens, ...both, type: 'Happened', at: 1 } as unknown as RecordedEvent;
      const short = compactRequest(whole, happened);
      expect(expandRequest(short, happened)).toEqual(whole);
      const [readShort, readEvent] = JSON.parse(canonicalJson([short, happened])) as [StoredRequest, RecordedEvent];
      expect(requestHash(expandRequest(readShort, readEvent))).toBe(requestHash(whole));
    }),
  );
});

test('decodeCommand joins payload, context and time, and adds the role to the person', () => {
  const by = { type: 'Refer', actor: { person: 'd1' }, reason: 'Look.' };
  expect(decodeCommand({ request: by, context: { credits: { 'T1.1': 5 }, authority: { role: 'dealer' } } }, 7)).toEqual(
    {
      type: 'Refer',
      actor: { person: 'd1', role: 'dealer' },
      reason: 'Look.',
      credits: { 'T1.1': 5 },
      at: 7,
    },
  );
  expect(decodeCommand({ request, context: { credit: 5 } }, 7)).toEqual({ ...request, credit: 5, at: 7 });
});

test('decodeCommand leaves out the entries that grant roles, but not a ticket that is held', () => {
  const by = { type: 'PayByHand', actor: { person: 'p1' }, second: { person: 'p2' } };
  const context = {
    authority: { role: 'supervisor' },
    grant: 7,
    secondAuthority: { role: 'pit-manager' },
    secondGrant: 9,
  };
  expect(decodeCommand({ request: by, context }, 7)).toEqual({
    type: 'PayByHand',
    actor: { person: 'p1', role: 'supervisor' },
    second: { person: 'p2', role: 'pit-manager' },
    at: 7,
  });
  expect(decodeCommand({ request, context: { keyRetired: true } }, 7)).toEqual({ ...request, keyRetired: true, at: 7 });
});

test('requestHash covers the payload in any order of fields and not the context', () => {
  const { type, ...rest } = request;
  expect(requestHash({ ...rest, type })).toBe(requestHash(request));
  expect(requestHash({ ...request, round: 'r2' })).not.toBe(requestHash(request));
});
