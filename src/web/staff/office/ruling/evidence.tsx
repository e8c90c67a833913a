import { language } from '../../../shared/text/language.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { personText } from '../../kit/components/topBar.tsx';
import { Face } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { clauseWords } from '../../kit/text/clauseText.ts';
import { toldIn } from '../../kit/text/eventText.ts';
import { tenthsText } from '../../kit/text/timeText.ts';
import { wrongWords } from '../../kit/text/irregularityStrings.ts';
import { rulingStrings } from './strings.ts';

/** Cards as they are on record: where each lies, which draw it was, when and how it came. */
export function CardsOnRecord({
  view,
  title,
  marked = [],
}: {
  readonly view: SupervisorView;
  readonly title?: string;
  readonly marked?: readonly number[];
}) {
  const t = rulingStrings();
  const cards = view.round?.cards ?? [];
  const hows = [...new Set(cards.map(({ how }) => how))];
  return (
    <section class="panel">
      <h2>
        {title ?? t.cards} <span class="grow" />
        {hows.length === 1 && <span class="tag">{t.how[hows[0]!] ?? hows[0]}</span>}
      </h2>
      {cards.length === 0 && <p class="q">{t.noCards}</p>}
      <div class="drawn">
        {cards.map(({ card, slot, at, how }, n) => (
          <span key={n} class={marked.includes(n) ? 'sw' : ''}>
            <Face card={card} />
            <b class="sl">{slot}</b>
            <small>
              {t.draw(n + 1)}
              {at !== null && (
                <>
                  <br />
                  {tenthsText(at).slice(5)}
                </>
              )}
              {hows.length > 1 && (
                <>
                  <br />
                  {t.how[how] ?? how}
                </>
              )}
            </small>
          </span>
        ))}
      </div>
    </section>
  );
}

/** What patrons and readers do all the time says nothing of a matter. */
const passed: ReadonlySet<string> = new Set(['CardDealt', 'SlipSet', 'SettlementPosted', 'CardTakenBack']);
const loud: ReadonlySet<string> = new Set([
  'IrregularityFound',
  'Interrupted',
  'Referred',
  'TerminalsLost',
  'ShoeLocked',
]);

/** What happened since the round was opened, as the record has it. */
export function ClockOf({ view, most = 6 }: { readonly view: SupervisorView; readonly most?: number }) {
  const t = rulingStrings();
  const since = Math.min(view.round?.openedAt ?? 0, view.stopped?.since ?? Infinity);
  const told = view.events.filter(({ at, says }) => at >= since && !passed.has(says.code)).slice(0, most);
  return (
    <section class="panel">
      <h2>{t.clock}</h2>
      <ol class="tl">
        {told.toReversed().map(({ sequence, at, says, from }) => {
          const [said, more] = toldIn(says, at, language.value);
          return (
            <li key={sequence} class={loud.has(says.code) ? 'attn' : ''}>
              <time>{tenthsText(at)}</time>
              <span>
                {from !== null && loud.has(says.code) ? `${personText(from)}: ${said}` : said}
                {more !== undefined && more !== '' && ` ${more}`}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Clauses in words, those that are spoken of first. */
export function ClauseList({
  all,
  kind,
}: {
  readonly all: readonly (string | null)[];
  readonly kind?: string | undefined;
}) {
  const t = rulingStrings();
  const cited = [...new Set(all.filter((by): by is string => by !== null && by !== ''))];
  return (
    <section class="panel words grow scrolls" tabIndex={0} aria-label={t.clauses}>
      <h2>{t.clauses}</h2>
      {cited.map((by) => (
        <p key={by}>
          <ClauseTag by={by} />
          {clauseWords(by, language.value, kind).slice(0, 2).join(' ')}
        </p>
      ))}
    </section>
  );
}

/** The cards of a proposal, where it gives others than those on record. */
function ProposedCards({ cards, laid }: { readonly cards: readonly string[]; readonly laid: readonly string[] }) {
  return (
    <section class="panel" data-testid="proposed-cards">
      <h2>{rulingStrings().asProposed}</h2>
      <div class="drawn">
        {cards.map((card, n) => (
          <span key={n} class={laid[n] === card ? '' : 'sw'}>
            <Face card={card} />
            <b class="sl">{n + 1}</b>
          </span>
        ))}
      </div>
    </section>
  );
}

/** The cards that a round would have if the proposal were approved. */
function proposedOf({ effects }: SupervisorView): readonly string[] | undefined {
  const event = effects?.events.find(({ type }) => type === 'RoundReconstructed' || type === 'CardCorrected');
  return Array.isArray(event?.['after']) ? (event['after'] as string[]) : undefined;
}

/** What a person can look at before ruling. */
export function EvidencePanel({
  view,
  marked = [],
}: {
  readonly view: SupervisorView;
  readonly marked?: readonly number[];
}) {
  const { stopped } = view;
  const after = proposedOf(view);
  return (
    <div class="evi">
      <CardsOnRecord view={view} marked={marked} />
      {after !== undefined && <ProposedCards cards={after} laid={(view.round?.cards ?? []).map(({ card }) => card)} />}
      <ClockOf view={view} most={after === undefined ? 6 : 3} />
      <ClauseList
        all={[stopped?.by ?? view.says.by, ...(stopped?.ways.map(({ by }) => by) ?? [])]}
        kind={stopped?.kind}
      />
    </div>
  );
}

/** What stopped the table, in a few words. */
export const kindText = (kind: string): string => wrongWords[language.value].short[kind] ?? kind;
