/** A ticket's validation number has so many digits, the last of which checks the others. */
const digits = 18;

/** Damm's table: no wrong digit, and no two digits that changed places, lead to the same end. */
const table = [
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

const endOf = (number: string): number =>
  Array.from(number).reduce((end, digit) => Number(table[end]![Number(digit)]), 0);

/** A number with the digit that checks it. */
export const withCheckDigit = (number: string): string => `${number}${endOf(number)}`;

/** Whether a validation number was read as it was printed. */
export const isValidationNumber = (number: string): boolean =>
  number.length === digits && /^[0-9]+$/.test(number) && endOf(number) === 0;

/** As it is printed and typed: in groups of four, with two at the end. */
export const formatValidationNumber = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');
