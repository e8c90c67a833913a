import { Frame } from '../kit/frame.tsx';
import { Kbd } from '../kit/kbd.tsx';
import { go } from '../path.ts';
import { useKeys } from './keys.ts';

type Form = { readonly text: string; readonly table: string; readonly toTable: string };

/** A page of a table where nothing is to be done: it says so, and leads back to the table. */
export function Plain({ text, table, toTable }: Form) {
  const at = `/floor/${encodeURIComponent(table)}`;
  useKeys((key) => {
    if (key !== 'Escape') return false;
    go(at);
    return true;
  });
  return (
    <Frame name="soon">
      <section class="panel pad-in">
        <p class="q">{text}</p>
        <p>
          <a class="go2" href={at}>
            {toTable} <Kbd>Esc</Kbd>
          </a>
        </p>
      </section>
    </Frame>
  );
}
