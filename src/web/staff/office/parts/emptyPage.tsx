import { Frame } from './pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { go } from '../../app/router.ts';
import { usePageKeys } from './usePageKeys.ts';

/** Page without content: shows a text, and a link to the table where there is one. */
export function Plain({ text, table }: { readonly text: string; readonly table?: string }) {
  const at = table === undefined ? undefined : `/floor/${encodeURIComponent(table)}`;
  usePageKeys((key) => {
    if (key !== 'Escape' || at === undefined) return false;
    go(at);
    return true;
  });
  return (
    <Frame name="soon">
      <section class="panel pad-in">
        <p class="q">{text}</p>
        {at !== undefined && (
          <p>
            <a class="go2" href={at}>
              {kitStrings().toTable} <Kbd>Esc</Kbd>
            </a>
          </p>
        )}
      </section>
    </Frame>
  );
}
