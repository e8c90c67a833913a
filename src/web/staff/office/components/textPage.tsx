import { PageFrame } from './pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { navigate } from '../../app/router.ts';
import { usePageKeys } from './usePageKeys.ts';

/** Page that shows only a text and, if `table` is given, a link to that table. */
export function TextPage({ text, table }: { readonly text: string; readonly table?: string }) {
  const tablePath = table === undefined ? undefined : `/floor/${encodeURIComponent(table)}`;
  usePageKeys((key) => {
    if (key !== 'Escape' || tablePath === undefined) return false;
    navigate(tablePath);
    return true;
  });
  return (
    <PageFrame name="soon">
      <section class="panel pad-in">
        <p class="q">{text}</p>
        {tablePath !== undefined && (
          <p>
            <a class="go2" href={tablePath}>
              {kitStrings().toTable} <KeyCap>Esc</KeyCap>
            </a>
          </p>
        )}
      </section>
    </PageFrame>
  );
}
