import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { language } from '../../../shared/text/language.ts';
import { clauseWords } from '../text/clauseText.ts';
import { kitStrings } from '../text/strings.ts';

/** The clauses whose words are shown. */
export const openClauses = signal<readonly string[]>([]);

/** A clause, always as the same tag. Inside a control it is plain, since a key within a key cannot be pressed. */
export function ClauseTag({ by, plain = false }: { readonly by: string | null | undefined; readonly plain?: boolean }) {
  if (by === null || by === undefined || by === '') return null;
  if (plain) return <cite>{by}</cite>;
  return (
    <button type="button" class="cite" data-clause={by} onClick={() => (openClauses.value = [by])}>
      {by}
    </button>
  );
}

/** All clauses that the screen cites, told with `?`. */
export function openAllClauses(): void {
  const cited = [...document.querySelectorAll('#page cite, #page .cite')].map((one) => one.textContent);
  openClauses.value = [...new Set(cited)].filter((by) => /\d/.test(by));
}

/** The words of what was pressed, over the page until it is closed. */
export function ClauseWords() {
  const close = useRef<HTMLButtonElement>(null);
  const shown = openClauses.value;
  useEffect(() => close.current?.focus(), [shown]);
  if (shown.length === 0) return null;
  const t = kitStrings();
  return (
    <section class="clauses" role="dialog" aria-label={t.clauses}>
      <div class="clauses-head">
        <h2>{shown.length > 1 ? t.clausesHere : t.clauses}</h2>
        <button ref={close} type="button" class="btn quiet" onClick={() => (openClauses.value = [])}>
          {t.close} <kbd aria-hidden="true">Esc</kbd>
        </button>
      </div>
      <dl>
        {shown.map((by) => {
          const said = clauseWords(by, language.value);
          return (
            <div key={by}>
              <dt>
                <cite>{by}</cite>
              </dt>
              <dd>{said.length === 0 ? <p>{t.noWords}</p> : said.map((text) => <p key={text}>{text}</p>)}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
