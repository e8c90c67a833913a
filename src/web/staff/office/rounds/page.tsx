import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { handsOf } from '../../../../rules/play.ts';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type Card } from '../../../../rules/card.ts';
import { type RoundPage, type ListedRound, type RoundCursor } from '../../../../wire/staff/roundTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { CardText, SmallCard } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { PageFrame } from '../components/pageFrame.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { timeTextWithDateUnlessToday } from '../../kit/text/timeText.ts';
import { HandOrTieSign } from '../../kit/components/handOrTieSign.tsx';
import { navigate } from '../../app/router.ts';
import { staffSession } from '../../app/state.ts';
import {
  RoundSearchForm,
  hasNewerPage,
  isSearchByEntries,
  showNewerRounds,
  showOlderRounds,
  roundEndingFilter,
  roundsQuery,
  roundTimelinePath,
} from './searchForm.tsx';
import { roundSearchStrings } from './strings.ts';

const selectedId = signal<string | null>(null);

const mayCorrect = (): boolean =>
  ['supervisor', 'pit-manager', 'gaming-shift-manager'].includes(
    staffSession.value?.acting ?? staffSession.value?.role ?? '',
  );

export function Page() {
  const t = roundSearchStrings();
  const input = useRef<HTMLInputElement>(null);
  const result = useQuery<RoundPage>('rounds', roundsQuery(), 3_000);
  const rounds = result.state === 'loaded' ? result.data.rounds : [];
  const selected = rounds.find(({ id }) => id === selectedId.value) ?? rounds[0];
  const next = result.state === 'loaded' ? result.data.next : null;
  useRoundKeys(rounds, selected, next, input);
  return (
    <PageFrame name="rounds">
      <h1 class="spoken">{kitStrings().nav['rounds']}</h1>
      <RoundSearchForm input={input} />
      <section class="panel list" tabIndex={0} aria-label={t.list}>
        <table class="g">
          <thead>
            <tr>
              <th>{t.ended}</th>
              <th>{t.table}</th>
              <th class="num">{t.round}</th>
              <th>
                <HandOrTieSign side="player" />
              </th>
              <th>
                <HandOrTieSign side="banker" />
              </th>
              <th>{t.result}</th>
              <th class="num">{t.staked}</th>
              <th class="num">{t.back}</th>
              <th>{t.ending}</th>
            </tr>
          </thead>
          <tbody>
            {rounds.map((round) => (
              <Row key={round.id} round={round} isChosen={round === selected} />
            ))}
          </tbody>
        </table>
        {result.state === 'loaded' && rounds.length === 0 && <p class="q pad-in">{t.none}</p>}
      </section>
      <section class="panel row foot" aria-label={t.searched}>
        <p class="q grow">
          {t.searched} {result.state === 'loaded' && isSearchByEntries() && <ScanProgress result={result.data} />}
        </p>
        <button type="button" class="btn" disabled={!hasNewerPage()} onClick={showNewerRounds}>
          {t.newer} <KeyCap>N</KeyCap>
        </button>
        <button type="button" class="btn" disabled={next === null} onClick={() => next && showOlderRounds(next)}>
          {t.older} <KeyCap>O</KeyCap>
        </button>
      </section>
      <section class="panel pv" aria-label={t.round}>
        {selected === undefined ? <p class="q">{t.choose}</p> : <Preview round={selected} />}
      </section>
    </PageFrame>
  );
}

/** Number of rounds that the search has examined, and the time of the oldest of them. */
function ScanProgress({ result: { examined, back } }: { readonly result: RoundPage }) {
  const t = roundSearchStrings();
  return <>{back === null ? t.scanned(examined) : t.scannedTo(examined, timeTextWithDateUnlessToday(back))}</>;
}

function useRoundKeys(
  rounds: readonly ListedRound[],
  selected: ListedRound | undefined,
  next: RoundCursor | null,
  input: { readonly current: HTMLInputElement | null },
): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, select, button, a') !== null) return;
    const key = event.key.toUpperCase();
    const moveBy = (by: number): void => {
      const place = rounds.findIndex((round) => round === selected) + by;
      selectedId.value = rounds[Math.max(0, Math.min(place, rounds.length - 1))]?.id ?? null;
    };
    if (key === '/') input.current?.focus();
    else if (key === 'J' || key === 'ARROWDOWN') moveBy(1);
    else if (key === 'K' && event.shiftKey && selected && mayCorrect())
      navigate(`${roundTimelinePath(selected.id)}/correct`);
    else if (key === 'K' || key === 'ARROWUP') moveBy(-1);
    else if (key === 'O' && next) showOlderRounds(next);
    else if (key === 'N' && hasNewerPage()) showNewerRounds();
    else if (key === 'E' || key === 'V' || key === 'C') {
      const ending = key === 'E' ? 'settled' : key === 'V' ? 'void' : 'corrected';
      roundEndingFilter.value = roundEndingFilter.value === ending ? 'all' : ending;
    } else if (key === 'ENTER' && selected) navigate(roundTimelinePath(selected.id));
    else return;
    event.preventDefault();
  });
}

function Row({ round, isChosen }: { readonly round: ListedRound; readonly isChosen: boolean }) {
  const { id, number, at, cards, staked, returned } = round;
  const { player, banker } = handsOf(cards as readonly Card[]);
  return (
    <tr
      class={isChosen ? 'sel' : ''}
      onClick={() => (selectedId.value = id)}
      onDblClick={() => navigate(roundTimelinePath(id))}
      {...(isChosen && { 'aria-current': 'true' })}
    >
      <td class="tn">{at === null ? '–' : timeTextWithDateUnlessToday(at)}</td>
      <td>
        <b>{round.table}</b>
      </td>
      <td class="num">
        <a href={roundTimelinePath(id)}>{number}</a>
      </td>
      {[player, banker].map((hand, n) => (
        <td key={n}>
          {hand.map((card, place) => (
            <span key={place}>
              <CardText card={card} />{' '}
            </span>
          ))}
        </td>
      ))}
      <td>
        <Result round={round} />
      </td>
      <td class="num">{formatMoney(staked)}</td>
      <td class="num">{returned === null ? '–' : formatMoney(returned)}</td>
      <td>
        <Marks round={round} />
      </td>
    </tr>
  );
}

function Result({ round: { winner, player, banker, playing, isVoid } }: { readonly round: ListedRound }) {
  const t = roundSearchStrings();
  if (isVoid) return <span class="q">–</span>;
  if (winner === null || playing) return <span class="q">{t.playing}</span>;
  const text = winner === 'tie' ? t.tied(player) : t.wins(Math.max(player, banker), Math.min(player, banker));
  return (
    <b>
      <HandOrTieSign side={winner} /> {text}
    </b>
  );
}

function Marks({ round: { isVoid, by, corrected, playing } }: { readonly round: ListedRound }) {
  const t = roundSearchStrings();
  return (
    <span class="row">
      {!corrected && !isVoid && !playing && <span class="q">{t.settled}</span>}
      {isVoid && <span class="tag">{t.void}</span>}
      {corrected && <span class="tag attn">{t.corrected}</span>}
      <ClauseTag by={by} />
    </span>
  );
}

function Preview({ round }: { readonly round: ListedRound }) {
  const t = roundSearchStrings();
  const { player, banker } = handsOf(round.cards as readonly Card[]);
  return (
    <>
      <div class="row">
        <h2>
          {t.round} {round.number}
        </h2>
        <span class="q">
          {round.table} · {t.shoe(round.shoe)} · {t.slips(round.slips)}
        </span>
        <span class="grow" />
        <Marks round={round} />
      </div>
      <Result round={round} />
      <div class="hand2">
        {(['player', 'banker'] as const).map((side) => (
          <div key={side}>
            <b>
              <HandOrTieSign side={side} /> {round[side]}
            </b>
            <div class="cardsrow">
              {(side === 'player' ? player : banker).map((card, place) => (
                <SmallCard key={place} card={card} size="sm" />
              ))}
            </div>
          </div>
        ))}
      </div>
      <p class="q long">{round.id}</p>
      <div class="row">
        <button type="button" class="btn act grow" onClick={() => navigate(roundTimelinePath(round.id))}>
          {t.timeline} <KeyCap>Enter</KeyCap>
        </button>
        {mayCorrect() && (
          <button type="button" class="btn" onClick={() => navigate(`${roundTimelinePath(round.id)}/correct`)}>
            {t.correct} <KeyCap>⇧K</KeyCap>
          </button>
        )}
      </div>
    </>
  );
}
