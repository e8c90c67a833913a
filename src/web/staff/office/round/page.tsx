import { useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type RoundActor, type RoundTimeline, type RoundTimelineStep } from '../../../../wire/staff/roundTypes.ts';
import { language } from '../../../shared/text/language.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { PostingsTable } from '../../kit/components/postingsTable.tsx';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { SmallCard } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { eventText } from '../../kit/text/eventText.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { formatSignedMoney, formatMoneyWithMinus } from '../../kit/text/formatSignedMoney.ts';
import { shortHashText, timeWithTenthsText } from '../../kit/text/timeText.ts';
import { navigate } from '../../app/router.ts';
import { usePageKeys } from '../components/usePageKeys.ts';
import { type PathParameters } from '../pages.ts';
import { mayActAs } from '../components/useSupervisorView.ts';
import { roundTimelineStrings } from './strings.ts';

export function Page({ params }: { readonly params: PathParameters }) {
  const t = roundTimelineStrings();
  const result = useQuery<RoundTimeline>('round', { round: params['round'] }, 5_000);
  if (result.state !== 'loaded') {
    return (
      <PageFrame name="soon">
        <p class="panel q">{result.state === 'loading' ? t.loading : t.unknown}</p>
      </PageFrame>
    );
  }
  return <Timeline timeline={result.data} />;
}

function toggle(all: ReadonlySet<number>, one: number): ReadonlySet<number> {
  const others = new Set(all);
  if (!others.delete(one)) others.add(one);
  return others;
}

function Timeline({ timeline }: { readonly timeline: RoundTimeline }) {
  const t = roundTimelineStrings();
  const { rows } = timeline;
  const steps = groupCards(timeline.steps);
  const correction = `/rounds/${encodeURIComponent(timeline.round)}/correct`;
  const mayCorrect = mayActAs('supervisor') && steps.some(({ event }) => event.type === 'RoundSettled');
  const [selected, setSelected] = useState(0);
  const [openSteps, setOpenSteps] = useState<ReadonlySet<number>>(new Set());
  usePageKeys((key) => {
    if (key === 'J') setSelected(Math.min(selected + 1, steps.length - 1));
    else if (key === 'K') setSelected(Math.max(0, selected - 1));
    else if (key === 'Enter') setOpenSteps(toggle(openSteps, steps[selected]!.sequence));
    else if (key === 'P') print();
    else if (key === 'C' && mayCorrect) navigate(correction);
    else return false;
    return true;
  });
  const staked = rows.reduce((sum, row) => sum + row.staked, 0);
  const back = rows.every(({ returned }) => returned !== null)
    ? rows.reduce((sum, row) => sum + row.returned!, 0)
    : null;
  const settled = steps.filter(({ event }) => event.type === 'RoundSettled' || event.type === 'RoundResettled');
  const slipsAfter = steps.findIndex(({ event }) => event.type === 'BetsOpened');
  return (
    <PageFrame name="round-timeline" title={t.title(timeline.number, timeline.table)}>
      <section class="band calm">
        <h1>{t.title(timeline.number, timeline.table)}</h1>
        {settled.length > 1 && <span class="tag attn">{t.corrected}</span>}
        <span class="q">
          {timeline.day} · {timeline.game}
        </span>
        <span class="grow" />
        {(
          [
            [t.staked, formatMoney(staked)],
            [t.back, back === null ? '–' : formatMoney(back)],
            [t.house, back === null ? '–' : formatMoneyWithMinus(staked - back)],
          ] as const
        ).map(([name, value]) => (
          <div key={name} class="fact">
            <small>{name}</small>
            <b>{value}</b>
          </div>
        ))}
        {mayCorrect && (
          <a class="btn small" href={correction} data-testid="correct">
            {t.correct} <KeyCap>C</KeyCap>
          </a>
        )}
        <button type="button" class="btn small" onClick={() => print()}>
          {t.print} <KeyCap>P</KeyCap>
        </button>
      </section>
      <section class="panel timeline-panel">
        <header>
          <h2>{t.what}</h2>
          <span class="grow" />
          <span class="q" aria-hidden="true">
            <kbd>J</kbd> <kbd>K</kbd> {t.step} · <kbd>Enter</kbd> {t.postings}
          </span>
        </header>
        <ol class="ev" tabIndex={0} aria-label={t.what}>
          {steps.map((step, n) => (
            <>
              <Step
                key={step.sequence}
                step={step}
                game={timeline.game}
                isSelected={n === selected}
                isOpen={openSteps.has(step.sequence)}
              />
              {n === slipsAfter && timeline.slips.count > 0 && (
                <li>
                  <time>{timeWithTenthsText(timeline.slips.first!)}</time>
                  <span class="pt" />
                  <div class="t">
                    {t.slips(timeline.slips.count, formatMoney(staked))}
                    <small>{t.lastSlip(timeWithTenthsText(timeline.slips.last!))}</small>
                  </div>
                  <span class="whoo">{t.terminals}</span>
                </li>
              )}
            </>
          ))}
        </ol>
      </section>
      <div class="stack">
        <section class="panel list" tabIndex={0} aria-label={t.by}>
          <header>
            <h2>{t.by}</h2>
          </header>
          <table class="g">
            <thead>
              <tr>
                <th>{t.terminal}</th>
                <th class="num">{t.staked}</th>
                <th class="num">{t.back}</th>
                <th class="num">{t.net}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ session, staked: stake, returned }) => (
                <tr key={session}>
                  <td>
                    <b>{session}</b>
                  </td>
                  <td class="num q">{formatMoney(stake)}</td>
                  <td class="num">{returned === null ? '–' : formatMoney(returned)}</td>
                  <td class="num">
                    <b>{returned === null ? '–' : formatSignedMoney(returned - stake)}</b>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <section class="panel">
          <header>
            <h2>{t.proof}</h2>
          </header>
          <dl class="kv">
            <dt>{t.entries}</dt>
            <dd>{t.from(String(timeline.entries[0]), String(timeline.entries[1]))}</dd>
            <dt>{t.head}</dt>
            <dd title={timeline.head}>{shortHashText(timeline.head)}</dd>
            <dt>{t.version}</dt>
            <dd title={timeline.gameHash}>{shortHashText(timeline.gameHash)}</dd>
          </dl>
        </section>
      </div>
    </PageFrame>
  );
}

/**
 * Step of the timeline on screen. Consecutive cards of the same actor are merged into one step, whose `dealt` lists the
 * single cards.
 */
type GroupedStep = RoundTimelineStep & { readonly dealt?: readonly RoundTimelineStep[] };

function groupCards(steps: readonly RoundTimelineStep[]): readonly GroupedStep[] {
  const all: GroupedStep[] = [];
  for (const step of steps) {
    const last = all.at(-1);
    const isNext =
      step.event.type === 'CardDealt' &&
      last?.dealt !== undefined &&
      JSON.stringify([last.actor, last.second]) === JSON.stringify([step.actor, step.second]);
    if (isNext) all[all.length - 1] = { ...last, dealt: [...last.dealt, step] };
    else all.push(step.event.type === 'CardDealt' ? { ...step, dealt: [step] } : step);
  }
  return all;
}

/** CSS class of a step: `attn` for urgent events, `two` for four eyes, `act` for settlements. */
const stepClass = ({ event, second }: RoundTimelineStep): string => {
  const urgentEvents = [
    'IrregularityFound',
    'Interrupted',
    'Referred',
    'RoundVoided',
    'TerminalsDisconnected',
    'ShoeLocked',
  ];
  if (urgentEvents.includes(event.type)) return 'attn';
  if (event.type === 'Proposed' || event.type === 'Approved' || second !== null) return 'two';
  return event.type === 'RoundSettled' || event.type === 'RoundResettled' ? 'act' : '';
};

type StepProps = {
  readonly step: GroupedStep;
  readonly game: string;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
};

function Step({ step, game, isSelected, isOpen }: StepProps) {
  const t = roundTimelineStrings();
  const { event, at, postings, allPostings, dealt = [] } = step;
  const durationMs = (dealt.at(-1)?.at ?? at) - at;
  const [text, detail] =
    dealt.length > 1
      ? [t.cards(dealt.length, (durationMs / 1000).toFixed(1))]
      : eventText(event.type, { ...event, ...decidedWagers(event, game), at }, language.value);
  const cards = dealt.length > 0 ? dealt.map((one) => String(one.event['card'])) : newCards(event);
  const by = typeof event['by'] === 'string' ? event['by'] : null;
  return (
    <li class={`${stepClass(step)}${isSelected ? ' at' : ''}`} {...(isSelected && { 'aria-current': 'step' })}>
      <time>{timeWithTenthsText(at)}</time>
      <span class="pt" />
      <div class="t">
        {stepClass(step) === 'attn' || stepClass(step) === 'act' ? <b>{text}</b> : text}
        {cards.length > 0 && (
          <div class="cardsrow">
            {cards.map((card, n) => (
              <span key={n}>
                <SmallCard card={card} size="sm" />
                {dealt[n] && String(dealt[n].event['slot'])}
              </span>
            ))}
          </div>
        )}
        {detail !== undefined && detail !== '' && <small>{detail}</small>}
        <WinningWagers event={event} game={game} />
        {isOpen && allPostings > 0 && <PostingsTable postings={postings} />}
        {isOpen && allPostings > postings.length && <small>{t.more(allPostings - postings.length)}</small>}
      </div>
      <span class="whoo">
        {actorText(step.actor)}
        {step.second !== null && ` ${t.with(actorText(step.second))}`}
        <ClauseTag by={by} />
      </span>
    </li>
  );
}

/** All cards of the round after an event that replaces or confirms the cards; empty for any other event. */
function newCards(event: RoundTimelineStep['event']): readonly string[] {
  const { type, after, cards } = event;
  if (type === 'RoundReconstructed' || type === 'CardCorrected') return after as readonly string[];
  return type === 'RoundResettled' || type === 'FeltConfirmed' ? (cards as readonly string[]) : [];
}

/** Fields `won` and `lost` of a resumed round, with display names instead of wager ids. Empty for any other event. */
function decidedWagers({ type, won, lost }: RoundTimelineStep['event'], game: string): object {
  if (type !== 'RoundResumed') return {};
  const definition = gameByVersionedId(game);
  const wagerNames = (wagers: unknown): readonly string[] =>
    (wagers as readonly string[]).map((wager) => wagerName(wager, definition?.wagers[wager]?.name ?? wager));
  return { won: wagerNames(won), lost: wagerNames(lost) };
}

type Result = { readonly result: string; readonly pays: readonly [number, number]; readonly by: string };

function WinningWagers({ event, game }: { readonly event: RoundTimelineStep['event']; readonly game: string }) {
  const t = roundTimelineStrings();
  const results = event['results'] as { readonly [wager: string]: Result } | undefined;
  if (results === undefined) return null;
  const definition = gameByVersionedId(game);
  const won = Object.entries(results).filter(([, { result }]) => result === 'win');
  return (
    <small>
      {won
        .map(([wager, { pays }]) =>
          t.pays(wagerName(wager, definition?.wagers[wager]?.name ?? wager), String(pays[0] / pays[1])),
        )
        .join(' · ')}
    </small>
  );
}

const actorText = (actor: RoundActor): string => {
  if ('terminal' in actor) return actor.terminal;
  return 'system' in actor ? roundTimelineStrings().system : roleAndNumberText(actor);
};
