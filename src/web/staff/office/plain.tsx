import { Frame } from '../kit/frame.tsx';
import { words } from '../kit/words.ts';

/** A page about a table that has nothing to show, with the way back to the table. */
export function Plain({ text, table }: { readonly text: string; readonly table?: string }) {
  return (
    <Frame name="soon">
      <section class="panel pad-in">
        <p class="q">{text}</p>
        {table !== undefined && (
          <p>
            <a class="go2" href={`/floor/${encodeURIComponent(table)}`}>
              {words().toTable}
            </a>
          </p>
        )}
      </section>
    </Frame>
  );
}
