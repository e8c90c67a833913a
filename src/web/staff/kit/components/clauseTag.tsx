import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { language } from '../../../shared/text/language.ts';
import { clauseSummaries } from '../text/clauseText.ts';
import { kitStrings } from '../text/strings.ts';

/** Clauses whose summaries the clause dialog shows; empty while the dialog is closed. */
export const shownClauses = signal<readonly string[]>([]);

/**
 * Reference to a clause: a button that opens the clause dialog. Inside another button the reference must be `plain`.
 */
export function ClauseTag({ by, plain = false }: { readonly by: string | null | undefined; readonly plain?: boolean }) {
  if (by === null || by === undefined || by === '') return null;
  if (plain) return <cite>{by}</cite>;
  return (
    <button type="button" class="cite" data-clause={by} onClick={() => (shownClauses.value = [by])}>
      {by}
    </button>
  );
}

/** Opens the clause dialog with the summaries of all clauses that the screen cites. The shortcut is `?`. */
export function openCitedClauses(): void {
  const cited = [...document.querySelectorAll('#page cite, #page .cite')].map((one) => one.textContent);
  shownClauses.value = [...new Set(cited)].filter((by) => /\d/.test(by));
}

export function ClauseDialog() {
  const closeButton = useRef<HTMLButtonElement>(null);
  const clauses = shownClauses.value;
  useEffect(() => closeButton.current?.focus(), [clauses]);
  if (clauses.length === 0) return null;
  const t = kitStrings();
  return (
    <section class="clauses" role="dialog" aria-label={t.clauses}>
      <div class="clauses-head">
        <h2>{clauses.length > 1 ? t.clausesHere : t.clauses}</h2>
        <button ref={closeButton} type="button" class="btn quiet" onClick={() => (shownClauses.value = [])}>
          {t.close} <kbd aria-hidden="true">Esc</kbd>
        </button>
      </div>
      <dl>
        {clauses.map((by) => {
          const summaries = clauseSummaries(by, language.value);
          return (
            <div key={by}>
              <dt>
                <cite>{by}</cite>
              </dt>
              <dd>
                {summaries.length === 0 ? <p>{t.noSummary}</p> : summaries.map((text) => <p key={text}>{text}</p>)}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
