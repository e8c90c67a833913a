import { rulebookOf } from '../../../games/rulebooks.ts';
import { language } from '../../shared/text/language.ts';
import { currentOverlay } from '../app/overlay.ts';
import { type HelpProps } from './helpProps.ts';
import { rulebookDateText } from './dateText.ts';
import { helpStrings } from './strings.ts';

/** Help page about the game: its rulebook, what decides a round, and why roads cannot predict the next round. */
export function AboutGame({ game, view }: HelpProps) {
  const t = helpStrings();
  const book = rulebookOf(game);
  // A rulebook without a version number is identified by its date. [READING 47]
  const version = /^\d+$/.test(book.version) ? t.version(book.version) : t.noVersion;
  return (
    <div class="help-text">
      <section data-testid="book">
        <h3>{t.bookTitle}</h3>
        <p>
          {t.bookText(book.id, version, rulebookDateText(game.effective, language.value))}{' '}
          <code>{view.game.version}</code>
        </p>
        <p class={book.felt ? 'help-warning' : undefined}>{book.felt ? t.notApproved : t.approved}</p>
      </section>
      <section>
        <h3>{t.cardsDecide}</h3>
        <p>
          {t.cardsDecideText} <span class="clause">{book.clauses.correction}</span>
        </p>
      </section>
      <section>
        <h3>{t.past}</h3>
        <p>{t.pastText}</p>
      </section>
      {(view.shoe?.root ?? null) !== null && (
        <section>
          <h3>{t.commitment}</h3>
          <p>{t.commitmentText}</p>
        </section>
      )}
      <section>
        <h3>{t.sessionLimits}</h3>
        <p>{t.sessionLimitsText}</p>
        <button type="button" class="key" onClick={() => (currentOverlay.value = 'limits')}>
          {t.myLimits}
        </button>
      </section>
    </div>
  );
}
