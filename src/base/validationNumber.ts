/** Length of the validation number of a ticket. The last digit is a check digit. */
const digitCount = 18;

/** Damm table for check digits: it detects every single wrong digit and every swap of two neighbouring digits. */
const dammTable = [
  '0317598642',
  '7092154863',
  '4206871359',
  '1750983426',
  '6123045978',
  '3674209581',
  '5869720134',
  '8945362017',
  '9438617205',
  '2581436790',
];

const dammDigit = (number: string): number =>
  Array.from(number).reduce((interim, digit) => Number(dammTable[interim]![Number(digit)]), 0);

export const withCheckDigit = (number: string): string => `${number}${dammDigit(number)}`;

/** True for 18 digits with a correct check digit. */
export const isValidationNumber = (number: string): boolean =>
  number.length === digitCount && /^[0-9]+$/.test(number) && dammDigit(number) === 0;

/** Formats a validation number as printed on a ticket: groups of four digits and a last group of two. */
export const formatValidationNumber = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');
