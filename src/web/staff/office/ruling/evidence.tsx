import { type ComponentChildren } from 'preact';
import { language } from '../../../shared/text/language.ts';
import { proposalStrings } from '../../kit/text/proposalStrings.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { SmallCard } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { clauseSummaries } from '../../kit/text/clauseText.ts';
import { eventTextOfPrompt } from '../../kit/text/eventText.ts';
import { timeWithTenthsText } from '../../kit/text/timeText.ts';
import { irregularityNamesByLanguage } from '../../kit/text/irregularityStrings.ts';
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

/** Events that the list leaves out, since they explain no irregularity. */
const routineEvents: ReadonlySet<string> = new Set(['CardDealt', 'SlipSet', 'SettlementPosted', 'CardTakenBack']);
const urgentEvents: ReadonlySet<string> = new Set([
  'IrregularityFound',
  'Interrupted',
  'Referred',
  'TerminalsDisconnected',
  'ShoeLocked',
]);

/** The last events since the round opened, oldest first. */
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
          const [text, detail] = eventTextOfPrompt(prompt, at, language.value);
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

/** Evidence for a ruling. While a proposal is open, the `effects` of the proposal replace the cards on record. */
export function EvidencePanel({
  view,
  marked = [],
  effects,
}: {
  readonly view: SupervisorView;
  readonly marked?: readonly number[];
  readonly effects?: ComponentChildren;
}) {
  const { stopped } = view;
  return (
    <div
      class={`evi${effects === undefined ? '' : ' scrolls'}`}
      {...(effects !== undefined && { tabIndex: 0, role: 'group', 'aria-label': proposalStrings().effects })}
    >
      {effects === undefined ? (
        <CardsOnRecord view={view} marked={marked} />
      ) : (
        <section class="panel">{effects}</section>
      )}
      <RoundEventList view={view} maxEvents={6} />
      <ClauseList
        clauses={[stopped?.by ?? view.prompt.by, ...(stopped?.options.map(({ by }) => by) ?? [])]}
        kind={stopped?.kind}
      />
    </div>
  );
}

export const irregularityName = (kind: string): string =>
  irregularityNamesByLanguage[language.value].short[kind] ?? kind;
