import { expect, test } from 'vitest';
import { timeAndDayTexts } from './clockParts.ts';

test('the day is formatted in both languages as a browser formats it', () => {
  for (let day = 1; day <= 28; day++) {
    const at = new Date(2026, 10, day, 9, 5).getTime();
    for (const [language, tongue] of [
      ['en', 'en-GB'],
      ['zh', 'zh-CN'],
    ] as const) {
      const { time, day: text } = timeAndDayTexts(at, language);
      const parts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
      const due = new Date(at).toLocaleDateString(tongue, parts);
      expect([time, text.replace(' ', '')]).toEqual(['09:05', due.replace(' ', '')]);
    }
  }
});
