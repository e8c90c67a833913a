import { type PromptView } from '../../../../wire/staff/views.ts';
import { haveLetters, language } from '../../../shared/text/language.ts';
import { personText } from '../components/topBar.tsx';
import { sentenceWords } from './promptStrings.ts';

haveLetters(sentenceWords.zh, () => language.value === 'zh');

/** Text of a prompt in the current language; a code without text is shown as it is. */
export function promptText({ code, with: given }: PromptView, from: Parameters<typeof personText>[0] = null): string {
  const words = sentenceWords[language.value][code];
  const who = from === null ? '' : personText(from);
  return words === undefined ? code.replaceAll('-', ' ') : words({ who, ...given });
}
