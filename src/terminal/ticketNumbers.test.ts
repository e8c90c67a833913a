import { describe, expect, test } from 'vitest';
import { isTicketNumber } from '../base/validationNumber.ts';
import { numberBehind, numberFor, ticketOf } from './ticketNumbers.ts';

describe('the number of a ticket', () => {
  const [key, other] = ['0f'.repeat(32), 'f0'.repeat(32)];

  test('is the same for the same command, has a check digit, and leads to the ticket under its key alone', () => {
    const number = numberFor(key, 'T7', 'c1', 0);
    expect(number).toBe(numberFor(key, 'T7', 'c1', 0));
    expect(isTicketNumber(number)).toBe(true);
    const all = [number, numberFor(key, 'T7', 'c1', 1), numberFor(key, 'T8', 'c1', 0), numberFor(key, 'T7', 'c2', 0)];
    expect(new Set([...all, numberFor(other, 'T7', 'c1', 0)]).size).toBe(5);
    expect(ticketOf(key, number)).toMatch(/^[0-9a-f]{32}$/);
    expect(ticketOf(key, number)).not.toBe(ticketOf(other, number));
  });

  test('is found again by the keys and its salt, whichever key gave it; those from before have a turn in its place', () => {
    const salt = '7e'.repeat(16);
    for (const [drawn, told] of [...[0, 1, 2, 3].map((turn) => [turn, undefined] as const), [salt, salt] as const]) {
      const number = numberFor(key, 'T7', 'c1', drawn);
      const ticket = ticketOf(key, number);
      expect(numberBehind(ticket, [other, key], 'T7', 'c1', told)).toBe(number);
      expect(numberBehind(ticket, [other], 'T7', 'c1', told)).toBeUndefined();
      expect(numberBehind(ticket, [key], 'T8', 'c1', told)).toBeUndefined();
      expect(numberBehind(ticket, [key], 'T7', 'c1', 'e7'.repeat(16))).toBeUndefined();
    }
  });
});
