import { expect, test } from 'vitest';
import { formatValidationNumber, isValidationNumber, withCheckDigit } from './validationNumber.ts';

const number = withCheckDigit('12345678901234567');

test('the check digit is that of Damm', () => {
  expect(withCheckDigit('572')).toBe('5724');
  expect(number).toHaveLength(18);
  expect(isValidationNumber(number)).toBe(true);
});

test('one wrong digit, or two neighbours that changed places, are noticed wherever they stand', () => {
  for (let place = 0; place < number.length; place++) {
    for (const digit of '0123456789') {
      const other = `${number.slice(0, place)}${digit}${number.slice(place + 1)}`;
      expect(isValidationNumber(other), other).toBe(digit === number[place]);
    }
    const swapped = `${number.slice(0, place)}${number[place + 1] ?? ''}${number[place]}${number.slice(place + 2)}`;
    expect(isValidationNumber(swapped), swapped).toBe(swapped === number);
  }
});

test('a validation number of wrong length or with letters is invalid', () => {
  for (const other of ['', withCheckDigit('1'), `${number}0`, `x${number.slice(1)}`, `${number.slice(0, 17)} `]) {
    expect(isValidationNumber(other), other).toBe(false);
  }
});

test('a validation number is printed in groups', () =>
  expect(formatValidationNumber('123456789012345678')).toBe('1234 5678 9012 3456 78'));
