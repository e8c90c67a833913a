import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../base/canonicalJson.ts';
import { commandFromRecord, payloadHash, compactPayload, expandPayload } from './commandRecord.ts';
import { type StoredPayload, type RecordedEvent } from './store.ts';

const actor = { terminal: 'T1.1' };
const slip = { player: 100 };
const request: StoredPayload = { type: 'SetSlip', actor, round: 'r1', slip, note: 'x' };
const event: RecordedEvent = { type: 'SlipSet', v: 1, at: 5, actor, round: 'r1', slip, debit: 100, note: 'y' };

test('compactPayload names fields of the event instead of repeating them', () => {
  expect(compactPayload(request, event)).toEqual({ type: 'SetSlip', note: 'x', same: ['actor', 'round', 'slip'] });
  expect(expandPayload(compactPayload(request, event), event)).toEqual(request);
});

test('compactPayload never replaces the type of the command by that of its event', () => {
  const same = { ...event, type: 'SetSlip' };
  expect(compactPayload(request, same).type).toBe('SetSlip');
  expect(expandPayload(compactPayload(request, same), { ...same, type: 'Other' }).type).toBe('SetSlip');
});

test('compactPayload asserts that no command has a field "same"', () => {
  expect(() => compactPayload({ ...request, same: 1 }, event)).toThrow('no command has a field "same"');
});

test('expandPayload inverts compactPayload, also after serialisation', () => {
  const name = fc.constantFrom('round', 'slip', 'actor', 'card', 'reason', '__proto__x', 'v');
  const value = fc.jsonValue({ maxDepth: 2 });
  const fields = fc.dictionary(name, value, { noNullPrototype: true });
  fc.assert(
    fc.property(fields, fields, fc.array(name), (payload, eventFields, shared) => {
      const both = Object.fromEntries(shared.map((field) => [field, [field, 1]]));
      const whole = { actor, ...payload, ...both, type: 'Ask' } as unknown as StoredPayload;
      const happened = { ...eventFields, ...both, type: 'Happened', at: 1 } as unknown as RecordedEvent;
      const short = compactPayload(whole, happened);
      expect(expandPayload(short, happened)).toEqual(whole);
      const [readShort, readEvent] = JSON.parse(canonicalJson([short, happened])) as [StoredPayload, RecordedEvent];
      expect(payloadHash(expandPayload(readShort, readEvent))).toBe(payloadHash(whole));
    }),
  );
});

test('commandFromRecord joins payload, context and time, and adds the role to the person', () => {
  const by = { type: 'Refer', actor: { person: 'd1' }, reason: 'Look.' };
  expect(
    commandFromRecord({ request: by, context: { credits: { 'T1.1': 5 }, authority: { role: 'dealer' } } }, 7),
  ).toEqual({
    type: 'Refer',
    actor: { person: 'd1', role: 'dealer' },
    reason: 'Look.',
    credits: { 'T1.1': 5 },
    at: 7,
  });
  expect(commandFromRecord({ request, context: { credit: 5 } }, 7)).toEqual({ ...request, credit: 5, at: 7 });
});

test('commandFromRecord leaves out the entries that grant roles, but not a ticket that is held', () => {
  const by = { type: 'PayByHand', actor: { person: 'p1' }, second: { person: 'p2' } };
  const context = {
    authority: { role: 'supervisor' },
    grant: 7,
    secondAuthority: { role: 'pit-manager' },
    secondGrant: 9,
  };
  expect(commandFromRecord({ request: by, context }, 7)).toEqual({
    type: 'PayByHand',
    actor: { person: 'p1', role: 'supervisor' },
    second: { person: 'p2', role: 'pit-manager' },
    at: 7,
  });
  expect(commandFromRecord({ request, context: { keyRetired: true } }, 7)).toEqual({
    ...request,
    keyRetired: true,
    at: 7,
  });
});

test('payloadHash covers the payload in any order of fields and not the context', () => {
  const { type, ...rest } = request;
  expect(payloadHash({ ...rest, type })).toBe(payloadHash(request));
  expect(payloadHash({ ...request, round: 'r2' })).not.toBe(payloadHash(request));
});
