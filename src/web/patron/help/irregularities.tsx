import { rulebookOf } from '../../../games/rulebooks.ts';
import { language } from '../../shared/text/language.ts';
import { type HelpProps } from './helpProps.ts';
import { helpStrings } from './strings.ts';
import { irregularityTextsOf } from '../../shared/text/irregularityText.ts';

/**
 * Help page about irregularities: first failures of the screen, its connection or the table, then every irregularity of
 * the rulebook. [READING 13, 29]
 */
export function IrregularityHelp({ game }: HelpProps) {
  const t = helpStrings();
  const book = rulebookOf(game);
  return (
    <div class="help-text">
      <section class="help-notice" data-testid="recovery">
        <h3>{t.recovery}</h3>
        <p>{t.recoveryText}</p>
        <ul>
          {(['closedAccepted', 'openNotAccepted', 'closedNotAccepted', 'openAccepted'] as const).map((one) => (
            <li key={one}>
              {t.terminals[one]} <span class="clause">{book.terminals[one]}</span>
            </li>
          ))}
        </ul>
      </section>
      <table class="paytable">
        <thead>
          <tr>
            <th scope="col">{t.happened}</th>
            <th scope="col">{t.follows}</th>
            <th scope="col">{t.clause}</th>
          </tr>
        </thead>
        {irregularityTextsOf(book, language.value).map(({ kind, happened, rulings }) => (
          <tbody key={kind} data-wrong={kind}>
            {rulings.map(({ text, by }, n) => (
              <tr key={text} class={n === 0 ? 'is-first' : undefined}>
                {n === 0 && (
                  <th scope="rowgroup" rowSpan={rulings.length}>
                    {happened}
                  </th>
                )}
                <td>{text}</td>
                <td class="pay-by">{by}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      <section>
        <h3>{t.malfunction}</h3>
        <p>{t.malfunctionText}</p>
      </section>
      <section>
        <h3>{t.complaint}</h3>
        <p>
          {t.complaintText} <span class="clause">{book.clauses.refer}</span>
        </p>
      </section>
    </div>
  );
}
