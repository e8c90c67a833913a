import type { Language } from '../../shared/text/language.ts';

/** The local time of day and the date, as texts. */
export function timeAndDayTexts(at: number, language: Language): { readonly time: string; readonly day: string } {
  const date = new Date(at);
  const twoDigits = (part: number): string => String(part).padStart(2, '0');
  // The Chinese names of weekdays are written here and do not come from the browser, since the fonts contain only
  // characters that occur in the source.
  const day =
    language === 'en'
      ? date.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
      : `${date.getMonth() + 1}月${date.getDate()}日 周${'日一二三四五六'.charAt(date.getDay())}`;
  return { time: `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`, day };
}
