/**
 * A whole number of any length for CSV: 4_998_398. Spreadsheets keep it as text; a plain one they would round after 15
 * digits.
 */
export const groupDigits = (value: bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, '_');
