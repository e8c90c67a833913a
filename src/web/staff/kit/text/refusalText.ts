import { preloadChineseFont, language } from '../../../shared/text/language.ts';
import { refusalStrings } from './refusalStrings.ts';

preloadChineseFont(refusalStrings.zh, () => language.value === 'zh');

/** Text of a refusal in the language of the screen. A code without a text shows the message of the server. */
export const staffRefusalText = (code: string, message: string): string =>
  refusalStrings[language.value][code] ?? message;
