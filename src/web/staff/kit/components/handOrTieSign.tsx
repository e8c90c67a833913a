import { kitStrings } from '../text/strings.ts';
import { language } from '../../../shared/text/language.ts';

const signs = { player: ['p', '闲'], banker: ['b', '庄'], tie: ['t', '和'] } as const;
export type HandOrTie = keyof typeof signs;

/**
 * Chinese character of Player, Banker or Tie, followed by the text `children`. Without `children` the text is the
 * English name; in Chinese it is empty, since the character is the name.
 */
export function HandOrTieSign({ side, children }: { readonly side: HandOrTie; readonly children?: string }) {
  const [mark, sign] = signs[side];
  const text = children ?? (language.value === 'zh' ? '' : kitStrings()[side]);
  return (
    <span class={`side ${mark}`}>
      <i aria-hidden={text !== ''}>{sign}</i>
      {text}
    </span>
  );
}
