/** A ticket's validation number has so many digits, the last of which checks the others. */
const digitCount = 18;

/** Damm's table: no wrong digit, and no two digits that changed places, lead to the same end. */
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

/** A number with the digit that checks it. */
export const withCheckDigit = (number: string): string => `${number}${dammDigit(number)}`;

/** Whether a validation number was read as it was printed. */
export const isValidationNumber = (number: string): boolean =>
  number.length === digitCount && /^[0-9]+$/.test(number) && dammDigit(number) === 0;

/** As it is printed and typed: in groups of four, with two at the end. */
export const formatValidationNumber = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');
