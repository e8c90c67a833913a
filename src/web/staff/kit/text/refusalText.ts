import { preloadChineseFont, language } from '../../../shared/text/language.ts';
import { refusalStringsByLanguage } from './refusalStrings.ts';

preloadChineseFont(refusalStringsByLanguage.zh, () => language.value === 'zh');

/** Text of a refusal in the language of the screen. A code without a text shows the message of the server. */
export const staffRefusalText = (code: string, message: string): string =>
  refusalStringsByLanguage[language.value][code] ?? message;
