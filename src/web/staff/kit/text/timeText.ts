/** Time of day in the console's time zone: 21:14:07. */
export const formatTimeOfDay = (at: number): string => {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
};

/** Date and time of day, such as 2026-11-18 21:14:07. The date is left out if it is today. */
export function timeTextWithDateUnlessToday(at: number): string {
  const date = new Date(at);
  const isToday = new Date().toDateString() === date.toDateString();
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return isToday ? formatTimeOfDay(at) : `${day.join('-')} ${formatTimeOfDay(at)}`;
}

/** Hours and minutes: 21:14. */
export const hourMinuteText = (at: number): string => formatTimeOfDay(at).slice(0, 5);

/** Duration as text: 0:12, 1:47, 1:02:03. */
export function durationText(durationMs: number): string {
  const totalSeconds = Math.max(0, Math.floor(durationMs / 1000));
  const [hours, minutes, seconds] = [
    Math.floor(totalSeconds / 3600),
    Math.floor(totalSeconds / 60) % 60,
    totalSeconds % 60,
  ];
  const twoDigits = (part: number): string => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`;
}

/** First eight digits of a hash, for comparison by eye: BA1D-8D81. */
export const shortHashText = (hash: string): string => {
  const digits = hash.replace('sha256:', '');
  return `${digits.slice(0, 4)}-${digits.slice(4, 8)}`.toUpperCase();
};

/** Time of day with tenths of a second: 21:14:07.3. */
export const timeWithTenthsText = (at: number): string => `${formatTimeOfDay(at)}.${Math.floor((at % 1000) / 100)}`;
