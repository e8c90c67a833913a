import { preloadChineseFont, language } from '../../../shared/text/language.ts';
import { refusalStrings } from './refusalStrings.ts';

preloadChineseFont(refusalStrings.zh, () => language.value === 'zh');

/** Text of a refusal in the current language. A code without a text shows the server's message. */
export const staffRefusalText = (code: string, message: string): string =>
  refusalStrings[language.value][code] ?? message;
