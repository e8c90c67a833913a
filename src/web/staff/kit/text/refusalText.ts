import { haveLetters, language } from '../../../shared/text/language.ts';
import { refusalWords } from './refusalStrings.ts';

haveLetters(refusalWords.zh, () => language.value === 'zh');

/** A refusal as it is read at a console; one without words of its own keeps the server's sentence. */
export const staffRefusalText = (code: string, message: string): string =>
  refusalWords[language.value][code] ?? message;
