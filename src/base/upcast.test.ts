import { expect, test } from 'vitest';
import {
  type CommandPayloadUpcasters,
  type VersionedEvent,
  UnknownEventVersionError,
  type EventUpcasters,
  upcastCommandPayload,
  upcastEvent,
} from './upcast.ts';

/** Invented upcasters: version 2 counts in cents, and version 3 names the hand. */
const upgrades: EventUpcasters = {
  Paid: [
    (event) => ({ ...event, v: 2, cents: (event as VersionedEvent & { dollars: number }).dollars * 100 }),
    (event) => ({ ...event, v: 3, hand: 'player' }),
  ],
};
/** Frozen: upcasting must not change what is stored. */
const paid = (v: number): VersionedEvent => Object.freeze({ type: 'Paid', v, at: 5, dollars: 7 });

test('upcastEvent applies every step from the stored version', () => {
  expect(upcastEvent(paid(1), upgrades)).toEqual({ type: 'Paid', v: 3, at: 5, dollars: 7, cents: 700, hand: 'player' });
  expect(upcastEvent(paid(2), upgrades)).toEqual({ type: 'Paid', v: 3, at: 5, dollars: 7, hand: 'player' });
});

test('upcastEvent returns an event of the newest version unchanged', () => {
  const today = paid(3);
  expect(upcastEvent(today, upgrades)).toBe(today);
  const other: VersionedEvent = { type: 'constructor', v: 1, at: 5 };
  expect(upcastEvent(other, upgrades)).toBe(other);
});

test('upcastEvent throws for an unknown version and names the newest known', () => {
  const message = (event: VersionedEvent): unknown => {
    try {
      return upcastEvent(event, upgrades);
    } catch (error) {
      return error;
    }
  };
  expect(message(paid(4))).toEqual(
    new UnknownEventVersionError('Paid has version 4; this program reads versions up to 3, so use a newer program'),
  );
  for (const v of [0, -1, 1.5, NaN, '1' as unknown as number])
    expect(message(paid(v))).toBeInstanceOf(UnknownEventVersionError);
  expect(message({ type: 'Other', v: 2, at: 5 })).toBeInstanceOf(UnknownEventVersionError);
});

test('upcastCommandPayload applies the steps after the version of the decider', () => {
  const upcasters: CommandPayloadUpcasters = {
    Pay: [
      { since: 2, step: ({ dollars, ...request }) => ({ ...request, cents: Number(dollars) * 100 }) },
      { since: 4, step: (request) => ({ ...request, type: 'PayOut' }) },
    ],
  };
  const actor = { person: 'p1' };
  expect(upcastCommandPayload({ type: 'Pay', actor, dollars: 7 }, 1, upcasters)).toEqual({
    type: 'PayOut',
    actor,
    cents: 700,
  });
  for (const version of [2, 3]) {
    expect(upcastCommandPayload({ type: 'Pay', actor, cents: 700 }, version, upcasters)).toEqual({
      type: 'PayOut',
      actor,
      cents: 700,
    });
  }
  for (const request of [
    { type: 'Pay', actor },
    { type: 'constructor', actor },
  ])
    expect(upcastCommandPayload(request, 4, upcasters)).toBe(request);
});
