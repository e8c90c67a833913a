/**
 * Groups the digits of a number for CSV: 4998398 becomes "4_998_398". A spreadsheet keeps the result as text; it would
 * round a plain integer after 15 digits.
 */
export const groupDigitsForCsv = (value: bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, '_');
