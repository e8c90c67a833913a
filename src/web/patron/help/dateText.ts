import type { Language } from '../../shared/text/language.ts';

/** The date of a rulebook as text, such as 28 October 2021, with the hour if the date has one. */
export function rulebookDateText(effective: string, language: Language): string {
  const [day, hour] = effective.split('T');
  const [year, month, date] = day!.split('-').map(Number);
  const months = 'January February March April May June July August September October November December'.split(' ');
  const text = language === 'en' ? `${date} ${months[month! - 1]} ${year}` : `${year}年${month}月${date}日`;
  return hour === undefined ? text : language === 'en' ? `${text}, ${hour}` : `${text} ${hour}`;
}
