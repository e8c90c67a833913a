import { language } from '../../../shared/text/language.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { SmallCard } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { clauseSummaries } from '../../kit/text/clauseText.ts';
import { promptEventText } from '../../kit/text/eventText.ts';
import { timeWithTenthsText } from '../../kit/text/timeText.ts';
import { irregularityNames } from '../../kit/text/irregularityStrings.ts';
import { rulingStrings } from './strings.ts';

/** Recorded cards, each with slot, number of the draw, time and input method. */
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
  const inputMethods = [...new Set(cards.map(({ how }) => how))];
  return (
    <section class="panel">
      <h2>
        {title ?? t.cards} <span class="grow" />
        {inputMethods.length === 1 && <span class="tag">{t.how[inputMethods[0]!] ?? inputMethods[0]}</span>}
      </h2>
      {cards.length === 0 && <p class="q">{t.noCards}</p>}
      <div class="drawn">
        {cards.map(({ card, slot, at, how }, n) => (
          <span key={n} class={marked.includes(n) ? 'sw' : ''}>
            <SmallCard card={card} />
            <b class="sl">{slot}</b>
            <small>
              {t.draw(n + 1)}
              {at !== null && (
                <>
                  <br />
                  {timeWithTenthsText(at).slice(5)}
                </>
              )}
              {inputMethods.length > 1 && (
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

/** Routine events; the list leaves them out, since they explain no irregularity. */
const routineEvents: ReadonlySet<string> = new Set(['CardDealt', 'SlipSet', 'SettlementPosted', 'CardTakenBack']);
const urgentEvents: ReadonlySet<string> = new Set([
  'IrregularityFound',
  'Interrupted',
  'Referred',
  'TerminalsDisconnected',
  'ShoeLocked',
]);

/** Events since the round was opened, with their times. */
export function RoundEventList({
  view,
  maxEvents = 6,
}: {
  readonly view: SupervisorView;
  readonly maxEvents?: number;
}) {
  const t = rulingStrings();
  const since = Math.min(view.round?.openedAt ?? 0, view.stopped?.since ?? Infinity);
  const events = view.events
    .filter(({ at, prompt }) => at >= since && !routineEvents.has(prompt.code))
    .slice(0, maxEvents);
  return (
    <section class="panel">
      <h2>{t.clock}</h2>
      <ol class="tl">
        {events.toReversed().map(({ sequence, at, prompt, from }) => {
          const [text, detail] = promptEventText(prompt, at, language.value);
          return (
            <li key={sequence} class={urgentEvents.has(prompt.code) ? 'attn' : ''}>
              <time>{timeWithTenthsText(at)}</time>
              <span>
                {from !== null && urgentEvents.has(prompt.code) ? `${roleAndNumberText(from)}: ${text}` : text}
                {detail !== undefined && detail !== '' && ` ${detail}`}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

export function ClauseList({
  clauses,
  kind,
}: {
  readonly clauses: readonly (string | null)[];
  readonly kind?: string | undefined;
}) {
  const t = rulingStrings();
  const cited = [...new Set(clauses.filter((by): by is string => by !== null && by !== ''))];
  return (
    <section class="panel words grow scrolls" tabIndex={0} aria-label={t.clauses}>
      <h2>{t.clauses}</h2>
      {cited.map((by) => (
        <p key={by}>
          <ClauseTag by={by} />
          {clauseSummaries(by, language.value, kind).slice(0, 2).join(' ')}
        </p>
      ))}
    </section>
  );
}

/** Cards as proposed; those that differ from the recorded cards are marked. */
function ProposedCards({ cards, laid }: { readonly cards: readonly string[]; readonly laid: readonly string[] }) {
  return (
    <section class="panel" data-testid="proposed-cards">
      <h2>{rulingStrings().asProposed}</h2>
      <div class="drawn">
        {cards.map((card, n) => (
          <span key={n} class={laid[n] === card ? '' : 'sw'}>
            <SmallCard card={card} />
            <b class="sl">{n + 1}</b>
          </span>
        ))}
      </div>
    </section>
  );
}

/** Cards of the round after an approval; undefined when the proposal does not change them. */
function cardsAfterApproval({ effects }: SupervisorView): readonly string[] | undefined {
  const event = effects?.events.find(({ type }) => type === 'RoundReconstructed' || type === 'CardCorrected');
  return Array.isArray(event?.['after']) ? (event['after'] as string[]) : undefined;
}

/** Evidence for a ruling: recorded and proposed cards, events and clauses. */
export function EvidencePanel({
  view,
  marked = [],
}: {
  readonly view: SupervisorView;
  readonly marked?: readonly number[];
}) {
  const { stopped } = view;
  const cardsAfter = cardsAfterApproval(view);
  return (
    <div class="evi">
      <CardsOnRecord view={view} marked={marked} />
      {cardsAfter !== undefined && (
        <ProposedCards cards={cardsAfter} laid={(view.round?.cards ?? []).map(({ card }) => card)} />
      )}
      <RoundEventList view={view} maxEvents={cardsAfter === undefined ? 6 : 3} />
      <ClauseList
        clauses={[stopped?.by ?? view.prompt.by, ...(stopped?.options.map(({ by }) => by) ?? [])]}
        kind={stopped?.kind}
      />
    </div>
  );
}

export const irregularityName = (kind: string): string => irregularityNames[language.value].short[kind] ?? kind;
