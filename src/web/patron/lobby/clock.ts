/** The time of day where this screen is, and the date. */
export function clockText(at: number, language: 'en' | 'zh'): { readonly time: string; readonly day: string } {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const tongue = language === 'en' ? 'en-GB' : 'zh-CN';
  const day = date.toLocaleDateString(tongue, { weekday: 'short', day: 'numeric', month: 'short' });
  return { time: `${two(date.getHours())}:${two(date.getMinutes())}`, day };
}
