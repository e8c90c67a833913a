import { describe, expect, test } from 'vitest';
import { isValidationNumber } from '../base/validationNumber.ts';
import { findValidationNumber, validationNumberFor, ticketId } from './ticketNumbers.ts';

describe('the number of a ticket', () => {
  const [key, other] = ['0f'.repeat(32), 'f0'.repeat(32)];

  test('is the same for the same command, has a check digit, and leads to the ticket under its key alone', () => {
    const number = validationNumberFor(key, 'T7', 'c1', 0);
    expect(number).toBe(validationNumberFor(key, 'T7', 'c1', 0));
    expect(isValidationNumber(number)).toBe(true);
    const all = [
      number,
      validationNumberFor(key, 'T7', 'c1', 1),
      validationNumberFor(key, 'T8', 'c1', 0),
      validationNumberFor(key, 'T7', 'c2', 0),
    ];
    expect(new Set([...all, validationNumberFor(other, 'T7', 'c1', 0)]).size).toBe(5);
    expect(ticketId(key, number)).toMatch(/^[0-9a-f]{32}$/);
    expect(ticketId(key, number)).not.toBe(ticketId(other, number));
  });

  test('is found again by the keys and its salt, whichever key gave it; those from before have a turn in its place', () => {
    const salt = '7e'.repeat(16);
    for (const [drawn, message] of [...[0, 1, 2, 3].map((turn) => [turn, undefined] as const), [salt, salt] as const]) {
      const number = validationNumberFor(key, 'T7', 'c1', drawn);
      const ticket = ticketId(key, number);
      expect(findValidationNumber(ticket, [other, key], 'T7', 'c1', message)).toBe(number);
      expect(findValidationNumber(ticket, [other], 'T7', 'c1', message)).toBeUndefined();
      expect(findValidationNumber(ticket, [key], 'T8', 'c1', message)).toBeUndefined();
      expect(findValidationNumber(ticket, [key], 'T7', 'c1', 'e7'.repeat(16))).toBeUndefined();
    }
  });
});
