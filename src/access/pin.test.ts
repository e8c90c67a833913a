import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { newPinOrPassword } from '../runtime/staff/credentialStore.ts';
import { pinSchema } from '../wire/staff/session.ts';
import { isPin, pinLength } from './pin.ts';

test('a PIN has six digits, and nothing else is one, wherever it is given', () => {
  expect(pinLength).toBe(6);
  for (const text of ['246810', '000000', newPinOrPassword('pin', randomInt)]) {
    expect([isPin(text), pinSchema.fits(text)], text).toEqual([true, true]);
  }
  for (const text of ['', '24681', '2468101', '24681a', '24 810', '２４６８１０', '246810\n']) {
    expect([isPin(text), pinSchema.fits(text)], text).toEqual([false, false]);
  }
});
