/** So many failures in a row are got over unseen; what fails oftener is an outage, or a defect. */
export const maxRetries = 5;

/** So many milliseconds of them are, however few they were: a database that does not answer is waited for each time. */
const longestUnseen = 5_000;

/** Before the second try, in milliseconds; each further one waits twice as long, up to the longest. */
const firstWait = 50;
const longestWait = 3_000;

/** So many milliseconds are waited after so many failures in a row. */
export const backoffMs = (failures: number): number => Math.min(firstWait * 2 ** (failures - 1), longestWait);

/** Whether so many failures, the first of them so many milliseconds ago, are not got over unseen; a defect is by their number alone. */
export const isOutage = (failures: number, span: number, isBroken: boolean): boolean =>
  failures >= maxRetries || (failures > 0 && span > longestUnseen && !isBroken);
