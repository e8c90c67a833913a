/** For CSV: 4_998_398. Spreadsheets keep it as text; a plain integer is rounded after 15 digits. */
export const groupDigits = (value: bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, '_');
