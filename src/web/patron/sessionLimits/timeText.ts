import { language } from '../../shared/text/language.ts';

/** Local time as HH:MM. */
export const formatHourMinute = (at: number): string => new Date(at).toTimeString().slice(0, 5);

/** A local time as HH:MM. If the time is not today, its date is put before it. */
export function timeWithDayUnlessToday(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return formatHourMinute(at);
  const locale = language.value === 'en' ? 'en-GB' : 'zh-CN';
  return `${date.toLocaleDateString(locale, { day: 'numeric', month: 'short' })} ${formatHourMinute(at)}`;
}
