import { kitStrings } from '../text/strings.ts';
import { language } from '../../../shared/text/language.ts';

const signs = { player: ['p', '闲'], banker: ['b', '庄'], tie: ['t', '和'] } as const;
export type HandOrTie = keyof typeof signs;

/**
 * Symbol of Player, Banker or Tie, and a text. Without `children` the text is the English name; in Chinese there is no
 * text, since the symbol is the name.
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
