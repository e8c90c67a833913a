import { type PromptView } from '../../../../wire/staff/viewParts.ts';
import { haveLetters, language } from '../../../shared/text/language.ts';
import { personText } from '../components/topBar.tsx';
import { sentenceWords } from './promptStrings.ts';

haveLetters(sentenceWords.zh, () => language.value === 'zh');

/** A sentence of the table in the language in use; one without words of its own is told by its code. */
export function promptText({ code, with: given }: PromptView, from: Parameters<typeof personText>[0] = null): string {
  const words = sentenceWords[language.value][code];
  const who = from === null ? '' : personText(from);
  return words === undefined ? code.replaceAll('-', ' ') : words({ who, ...given });
}
