import { formatMoney } from '../../../../base/formatMoney.ts';
import { PostingsTable } from '../../kit/components/postingsTable.tsx';
import { formatSignedMoney } from '../../kit/text/formatSignedMoney.ts';
import { type CreditSessionDifference } from './creditSessionDifferences.ts';
import { correctionStrings } from './strings.ts';

type Props = {
  readonly entries: readonly CreditSessionDifference[];
  readonly hasPreview: boolean;
  readonly status: string;
  /**
   * The first postings of the correction, as a sample. `allPostings` is the number of all postings of the correction.
   */
  readonly postings: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  readonly allPostings: number;
};

/** Table of what each credit session was paid, what is due now, and the shortfall. */
export function CreditSessionDifferencesTable({ entries, hasPreview, status, postings, allPostings }: Props) {
  const t = correctionStrings();
  return (
    <section class="panel" tabIndex={0} aria-label={t.entries} data-testid="entries">
      <header>
        <h2>{t.entries}</h2>
        <span class="grow" />
        <span class="q" role="status">
          {status}
        </span>
      </header>
      {entries.length === 0 ? (
        <p class="pad-in q">{hasPreview ? t.none : t.first}</p>
      ) : (
        <table class="g">
          <thead>
            <tr>
              <th>{t.session}</th>
              <th class="num">{t.paid}</th>
              <th class="num">{t.due}</th>
              <th class="num">{t.difference}</th>
              <th class="num">{t.credit}</th>
              <th class="num">{t.shortOf}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ session, paid, due, credit, open, short }) => (
              <tr key={session} class={short > 0 ? 'on' : ''} data-session={session}>
                <td>
                  <b>{session}</b> {open && <small class="q">{t.open}</small>}
                </td>
                <td class="num">{formatMoney(paid)}</td>
                <td class="num">{formatMoney(due)}</td>
                <td class="num">
                  <b>{formatSignedMoney(due - paid)}</b>
                </td>
                <td class="num">
                  {short > 0 && !open ? (
                    <span class="tag attn">{t.closed}</span>
                  ) : (
                    <span class="q">{credit === null ? '–' : formatMoney(credit)}</span>
                  )}
                </td>
                <td class={`num ${short > 0 ? 'short' : 'qq'}`}>{formatMoney(short)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {postings.length > 0 && (
        <div class="pad-in">
          <span class="cap">{t.postings}</span>
          <PostingsTable postings={postings} />
          {allPostings > postings.length && <small class="q">{t.more(allPostings - postings.length)}</small>}
        </div>
      )}
      <p class="pad-in q">{t.only}</p>
    </section>
  );
}
