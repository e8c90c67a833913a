import { language } from '../../../shared/text/language.ts';
import { type SupervisorView } from '../../../../wire/staff/views.ts';
import { personText } from '../../kit/components/topBar.tsx';
import { Face } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { clauseWords } from '../../kit/text/clauseText.ts';
import { toldIn } from '../../kit/text/eventText.ts';
import { tenthsText } from '../../kit/text/timeText.ts';
import { wrongWords } from '../../kit/text/irregularityStrings.ts';
import { rulingStrings } from './strings.ts';

/** Recorded cards: slot, number of the draw, time and input method. */
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

/** Routine events, which explain no irregularity. */
const passed: ReadonlySet<string> = new Set(['CardDealt', 'SlipSet', 'SettlementPosted', 'CardTakenBack']);
const loud: ReadonlySet<string> = new Set([
  'IrregularityFound',
  'Interrupted',
  'Referred',
  'TerminalsLost',
  'ShoeLocked',
]);

/** Events of the event log since the round was opened. */
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

/** Cards of a proposal that differ from the recorded ones. */
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

/** Cards of the round after an approval; undefined when the proposal does not change them. */
function proposedOf({ effects }: SupervisorView): readonly string[] | undefined {
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

export const kindText = (kind: string): string => wrongWords[language.value].short[kind] ?? kind;
