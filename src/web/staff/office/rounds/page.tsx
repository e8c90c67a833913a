import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { handsOf } from '../../../../rules/play.ts';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type Card } from '../../../../rules/card.ts';
import { type RoundPage, type ListedRound, type RoundCursor } from '../../../../wire/staff/roundTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { CardText, Face } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Frame } from '../parts/pageFrame.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { dayText } from '../../kit/text/timeText.ts';
import { HandSign } from '../../kit/components/handSign.tsx';
import { go } from '../../app/router.ts';
import { session } from '../../app/state.ts';
import { SearchForm, isBehind, isLookedThrough, newer, older, only, sought, storyAt } from './searchForm.tsx';
import { roundsStrings } from './strings.ts';

const chosen = signal<string | null>(null);

/** Whether somebody may correct a settled round. */
const mayCorrect = (): boolean =>
  ['supervisor', 'pit-manager', 'gaming-shift-manager'].includes(session.value?.acting ?? session.value?.post ?? '');

/** Rounds of the gaming day at all tables, the newest first, to be found by what is known of them. */
export function Page() {
  const t = roundsStrings();
  const input = useRef<HTMLInputElement>(null);
  const found = useQuery<RoundPage>('rounds', sought(), 3_000);
  const rounds = found.state === 'there' ? found.data.rounds : [];
  const one = rounds.find(({ id }) => id === chosen.value) ?? rounds[0];
  const next = found.state === 'there' ? found.data.next : null;
  useRoundKeys(rounds, one, next, input);
  return (
    <Frame name="rounds">
      <h1 class="spoken">{kitWords().nav['rounds']}</h1>
      <SearchForm input={input} />
      <section class="panel list" tabIndex={0} aria-label={t.list}>
        <table class="g">
          <thead>
            <tr>
              <th>{t.ended}</th>
              <th>{t.table}</th>
              <th class="num">{t.round}</th>
              <th>
                <HandSign side="player" />
              </th>
              <th>
                <HandSign side="banker" />
              </th>
              <th>{t.result}</th>
              <th class="num">{t.staked}</th>
              <th class="num">{t.back}</th>
              <th>{t.ending}</th>
            </tr>
          </thead>
          <tbody>
            {rounds.map((round) => (
              <Row key={round.id} round={round} isChosen={round === one} />
            ))}
          </tbody>
        </table>
        {found.state === 'there' && rounds.length === 0 && <p class="q pad-in">{t.none}</p>}
      </section>
      <section class="panel row foot" aria-label={t.searched}>
        <p class="q grow">
          {t.searched} {found.state === 'there' && isLookedThrough() && <Looked found={found.data} />}
        </p>
        <button type="button" class="btn" disabled={!isBehind()} onClick={newer}>
          {t.newer} <Kbd>N</Kbd>
        </button>
        <button type="button" class="btn" disabled={next === null} onClick={() => next && older(next)}>
          {t.older} <Kbd>O</Kbd>
        </button>
      </section>
      <section class="panel pv" aria-label={t.round}>
        {one === undefined ? <p class="q">{t.choose}</p> : <Preview round={one} />}
      </section>
    </Frame>
  );
}

/** How far a page has looked for what only the record knows. */
function Looked({ found: { looked, back } }: { readonly found: RoundPage }) {
  const t = roundsStrings();
  return <>{back === null ? t.looked(looked) : t.lookedTo(looked, dayText(back))}</>;
}

function useRoundKeys(
  rounds: readonly ListedRound[],
  one: ListedRound | undefined,
  next: RoundCursor | null,
  input: { readonly current: HTMLInputElement | null },
): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, select, button, a') !== null) return;
    const key = event.key.toUpperCase();
    const step = (by: number): void => {
      const place = rounds.findIndex((round) => round === one) + by;
      chosen.value = rounds[Math.max(0, Math.min(place, rounds.length - 1))]?.id ?? null;
    };
    if (key === '/') input.current?.focus();
    else if (key === 'J' || key === 'ARROWDOWN') step(1);
    else if (key === 'K' && event.shiftKey && one && mayCorrect()) go(`${storyAt(one.id)}/correct`);
    else if (key === 'K' || key === 'ARROWUP') step(-1);
    else if (key === 'O' && next) older(next);
    else if (key === 'N' && isBehind()) newer();
    else if (key === 'E' || key === 'V' || key === 'C') {
      const which = key === 'E' ? 'settled' : key === 'V' ? 'void' : 'corrected';
      only.value = only.value === which ? 'all' : which;
    } else if (key === 'ENTER' && one) go(storyAt(one.id));
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
      onClick={() => (chosen.value = id)}
      onDblClick={() => go(storyAt(id))}
      {...(isChosen && { 'aria-current': 'true' })}
    >
      <td class="tn">{at === null ? '–' : dayText(at)}</td>
      <td>
        <b>{round.table}</b>
      </td>
      <td class="num">
        <a href={storyAt(id)}>{number}</a>
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
  const t = roundsStrings();
  if (isVoid) return <span class="q">–</span>;
  if (winner === null || playing) return <span class="q">{t.playing}</span>;
  const said = winner === 'tie' ? t.tied(player) : t.wins(Math.max(player, banker), Math.min(player, banker));
  return (
    <b>
      <HandSign side={winner} /> {said}
    </b>
  );
}

function Marks({ round: { isVoid, by, corrected, playing } }: { readonly round: ListedRound }) {
  const t = roundsStrings();
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
  const t = roundsStrings();
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
              <HandSign side={side} /> {round[side]}
            </b>
            <div class="cardsrow">
              {(side === 'player' ? player : banker).map((card, place) => (
                <Face key={place} card={card} size="sm" />
              ))}
            </div>
          </div>
        ))}
      </div>
      <p class="q long">{round.id}</p>
      <div class="row">
        <button type="button" class="btn act grow" onClick={() => go(storyAt(round.id))}>
          {t.story} <Kbd>Enter</Kbd>
        </button>
        {mayCorrect() && (
          <button type="button" class="btn" onClick={() => go(`${storyAt(round.id)}/correct`)}>
            {t.correct} <Kbd>⇧K</Kbd>
          </button>
        )}
      </div>
    </>
  );
}
