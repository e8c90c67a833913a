import { kitStrings } from '../text/strings.ts';
import { language } from '../../../shared/text/language.ts';

const signs = { player: ['p', '闲'], banker: ['b', '庄'], tie: ['t', '和'] } as const;
export type SideName = keyof typeof signs;

/** A hand or a tie with its round sign; the sign alone where the name would say the same. */
export function HandSign({ side, children }: { readonly side: SideName; readonly children?: string }) {
  const [mark, sign] = signs[side];
  const text = children ?? (language.value === 'zh' ? '' : kitStrings()[side]);
  return (
    <span class={`side ${mark}`}>
      <i aria-hidden={text !== ''}>{sign}</i>
      {text}
    </span>
  );
}
