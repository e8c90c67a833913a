import { type PromptView } from '../../../../wire/staff/viewParts.ts';
import { preloadChineseFont, language } from '../../../shared/text/language.ts';
import { roleAndNumberText } from '../components/topBar.tsx';
import { promptStringsByLanguage } from './promptStrings.ts';

preloadChineseFont(promptStringsByLanguage.zh, () => language.value === 'zh');

/** Text of a prompt in the language of the screen. A code without a text is shown with spaces for hyphens. */
export function promptText(
  { code, with: fields }: PromptView,
  from: Parameters<typeof roleAndNumberText>[0] = null,
): string {
  const text = promptStringsByLanguage[language.value][code];
  const actor = from === null ? '' : roleAndNumberText(from);
  return text === undefined ? code.replaceAll('-', ' ') : text({ actor, ...fields });
}
