import { type PromptView } from '../../../../wire/staff/viewParts.ts';
import { preloadChineseFont, language } from '../../../shared/text/language.ts';
import { roleAndNumberText } from '../components/topBar.tsx';
import { promptStrings } from './promptStrings.ts';

preloadChineseFont(promptStrings.zh, () => language.value === 'zh');

/** Text of a prompt in the current language; a code without text is shown as it is. */
export function promptText(
  { code, with: fields }: PromptView,
  from: Parameters<typeof roleAndNumberText>[0] = null,
): string {
  const text = promptStrings[language.value][code];
  const actor = from === null ? '' : roleAndNumberText(from);
  return text === undefined ? code.replaceAll('-', ' ') : text({ actor, ...fields });
}
