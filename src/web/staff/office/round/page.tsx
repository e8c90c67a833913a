import { useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type RoundActor, type RoundTimeline, type RoundTimelineStep } from '../../../../wire/staff/roundTypes.ts';
import { language } from '../../../shared/text/language.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { gameOf } from '../../../shared/text/oddsText.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { Postings } from '../../kit/components/postingsTable.tsx';
import { personText } from '../../kit/components/topBar.tsx';
import { Face } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { eventText } from '../../kit/text/eventText.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { signedMoney, sumMoney } from '../../kit/text/signedMoney.ts';
import { fragmentOf, formatTimeOfDay } from '../../kit/text/timeText.ts';
import { go } from '../../app/router.ts';
import { usePageKeys } from '../parts/usePageKeys.ts';
import { type Params } from '../pages.ts';
import { may } from '../parts/useTable.ts';
import { roundStrings } from './strings.ts';

/** The story of one round, event by event, with time, person, clause and postings. */
export function Page({ params }: { readonly params: Params }) {
  const t = roundStrings();
  const found = useQuery<RoundTimeline>('round', { round: params['round'] }, 5_000);
  if (found.state !== 'there') {
    return (
      <Frame name="soon">
        <p class="panel q">{found.state === 'waiting' ? t.loading : t.unknown}</p>
      </Frame>
    );
  }
  return <Told story={found.data} />;
}

/** Times of a story have tenths: cards come quickly. */
const tenths = (at: number): string => `${formatTimeOfDay(at)}.${Math.floor((at % 1000) / 100)}`;

/** With what was not in it, or without what was. */
function toggled(all: ReadonlySet<number>, one: number): ReadonlySet<number> {
  const others = new Set(all);
  if (!others.delete(one)) others.add(one);
  return others;
}

function Told({ story }: { readonly story: RoundTimeline }) {
  const t = roundStrings();
  const { rows } = story;
  const steps = gathered(story.steps);
  const correction = `/rounds/${encodeURIComponent(story.round)}/correct`;
  const mayCorrect = may('supervisor') && steps.some(({ event }) => event.type === 'RoundSettled');
  const [place, setPlace] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  usePageKeys((key) => {
    if (key === 'J') setPlace(Math.min(place + 1, steps.length - 1));
    else if (key === 'K') setPlace(Math.max(0, place - 1));
    else if (key === 'Enter') setOpen(toggled(open, steps[place]!.sequence));
    else if (key === 'P') print();
    else if (key === 'C' && mayCorrect) go(correction);
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
    <Frame name="story" title={t.title(story.number, story.table)}>
      <section class="band calm">
        <h1>{t.title(story.number, story.table)}</h1>
        {settled.length > 1 && <span class="tag attn">{t.corrected}</span>}
        <span class="q">
          {story.day} · {story.game}
        </span>
        <span class="grow" />
        {(
          [
            [t.staked, formatMoney(staked)],
            [t.back, back === null ? '–' : formatMoney(back)],
            [t.house, back === null ? '–' : sumMoney(staked - back)],
          ] as const
        ).map(([name, value]) => (
          <div key={name} class="fact">
            <small>{name}</small>
            <b>{value}</b>
          </div>
        ))}
        {mayCorrect && (
          <a class="btn small" href={correction} data-testid="correct">
            {t.correct} <Kbd>C</Kbd>
          </a>
        )}
        <button type="button" class="btn small" onClick={() => print()}>
          {t.print} <Kbd>P</Kbd>
        </button>
      </section>
      <section class="panel told">
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
                game={story.game}
                isAt={n === place}
                isOpen={open.has(step.sequence)}
              />
              {n === slipsAfter && story.slips.count > 0 && (
                <li>
                  <time>{tenths(story.slips.first!)}</time>
                  <span class="pt" />
                  <div class="t">
                    {t.slips(story.slips.count, formatMoney(staked))}
                    <small>{t.lastSlip(tenths(story.slips.last!))}</small>
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
                    <b>{returned === null ? '–' : signedMoney(returned - stake)}</b>
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
            <dd>{t.from(String(story.entries[0]), String(story.entries[1]))}</dd>
            <dt>{t.head}</dt>
            <dd title={story.head}>{fragmentOf(story.head)}</dd>
            <dt>{t.version}</dt>
            <dd title={story.gameHash}>{fragmentOf(story.gameHash)}</dd>
          </dl>
        </section>
      </div>
    </Frame>
  );
}

/** Cards that came one after another from one hand are one step. */
type Gathered = RoundTimelineStep & { readonly dealt?: readonly RoundTimelineStep[] };

function gathered(steps: readonly RoundTimelineStep[]): readonly Gathered[] {
  const all: Gathered[] = [];
  for (const step of steps) {
    const last = all.at(-1);
    const isNext =
      step.event.type === 'CardDealt' &&
      last?.dealt !== undefined &&
      JSON.stringify([last.who, last.second]) === JSON.stringify([step.who, step.second]);
    if (isNext) all[all.length - 1] = { ...last, dealt: [...last.dealt, step] };
    else all.push(step.event.type === 'CardDealt' ? { ...step, dealt: [step] } : step);
  }
  return all;
}

/** What needed a person, and what two did. */
const classOf = ({ event, second }: RoundTimelineStep): string => {
  const stops = ['IrregularityFound', 'Interrupted', 'Referred', 'RoundVoided', 'TerminalsLost', 'ShoeLocked'];
  if (stops.includes(event.type)) return 'attn';
  if (event.type === 'Proposed' || event.type === 'Approved' || second !== null) return 'two';
  return event.type === 'RoundSettled' || event.type === 'RoundResettled' ? 'act' : '';
};

type StepForm = {
  readonly step: Gathered;
  readonly game: string;
  readonly isAt: boolean;
  readonly isOpen: boolean;
};

function Step({ step, game, isAt, isOpen }: StepForm) {
  const t = roundStrings();
  const { event, at, postings, allPostings, dealt = [] } = step;
  const took = (dealt.at(-1)?.at ?? at) - at;
  const [said, more] =
    dealt.length > 1
      ? [t.cards(dealt.length, (took / 1000).toFixed(1))]
      : eventText(event.type, { ...event, ...decidedIn(event, game), at }, language.value);
  const cards = dealt.length > 0 ? dealt.map((one) => String(one.event['card'])) : cardsIn(event);
  const by = typeof event['by'] === 'string' ? event['by'] : null;
  return (
    <li class={`${classOf(step)}${isAt ? ' at' : ''}`} {...(isAt && { 'aria-current': 'step' })}>
      <time>{tenths(at)}</time>
      <span class="pt" />
      <div class="t">
        {classOf(step) === 'attn' || classOf(step) === 'act' ? <b>{said}</b> : said}
        {cards.length > 0 && (
          <div class="cardsrow">
            {cards.map((card, n) => (
              <span key={n}>
                <Face card={card} size="sm" />
                {dealt[n] && String(dealt[n].event['slot'])}
              </span>
            ))}
          </div>
        )}
        {more !== undefined && more !== '' && <small>{more}</small>}
        <Paid event={event} game={game} />
        {isOpen && allPostings > 0 && <Postings all={postings} />}
        {isOpen && allPostings > postings.length && <small>{t.more(allPostings - postings.length)}</small>}
      </div>
      <span class="whoo">
        {doerText(step.who)}
        {step.second !== null && ` ${t.with(doerText(step.second))}`}
        <ClauseTag by={by} />
      </span>
    </li>
  );
}

/** The cards of an event that lays them anew. */
function cardsIn(event: RoundTimelineStep['event']): readonly string[] {
  const { type, after, cards } = event;
  if (type === 'RoundReconstructed' || type === 'CardCorrected') return after as readonly string[];
  return type === 'RoundResettled' || type === 'FeltConfirmed' ? (cards as readonly string[]) : [];
}

/** What was decided when a round went on, by the names that wagers have. */
function decidedIn({ type, won, lost }: RoundTimelineStep['event'], game: string): object {
  if (type !== 'RoundResumed') return {};
  const known = gameOf(game);
  const named = (wagers: unknown): readonly string[] =>
    (wagers as readonly string[]).map((wager) => wagerName(wager, known?.wagers[wager]?.name ?? wager));
  return { won: named(won), lost: named(lost) };
}

type Result = { readonly result: string; readonly pays: readonly [number, number]; readonly by: string };

/** The wagers that a settlement pays, with their odds. */
function Paid({ event, game }: { readonly event: RoundTimelineStep['event']; readonly game: string }) {
  const t = roundStrings();
  const results = event['results'] as { readonly [wager: string]: Result } | undefined;
  if (results === undefined) return null;
  const known = gameOf(game);
  const won = Object.entries(results).filter(([, { result }]) => result === 'win');
  return (
    <small>
      {won
        .map(([wager, { pays }]) =>
          t.pays(wagerName(wager, known?.wagers[wager]?.name ?? wager), String(pays[0] / pays[1])),
        )
        .join(' · ')}
    </small>
  );
}

const doerText = (who: RoundActor): string => {
  if ('terminal' in who) return who.terminal;
  return 'system' in who ? roundStrings().system : personText(who);
};
