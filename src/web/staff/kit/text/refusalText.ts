import { haveLetters, language } from '../../../shared/text/language.ts';
import { refusalWords } from './refusalStrings.ts';

haveLetters(refusalWords.zh, () => language.value === 'zh');

/** A code without text shows the server's message. */
export const staffRefusalText = (code: string, message: string): string =>
  refusalWords[language.value][code] ?? message;
