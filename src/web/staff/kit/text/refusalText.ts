import { preloadChineseFont, language } from '../../../shared/text/language.ts';
import { refusalStrings } from './refusalStrings.ts';

preloadChineseFont(refusalStrings.zh, () => language.value === 'zh');

/** Text of a refusal in the current language. For a code without a text it is the server's message. */
export const staffRefusalText = (code: string, message: string): string =>
  refusalStrings[language.value][code] ?? message;
