import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { handsOf } from '../../../../rules/play.ts';
import { type Card } from '../../../../rules/card.ts';
import { type ListedRound } from '../../../../wire/staff/past.ts';
import { useAsked } from '../../kit/asked.ts';
import { CardText, Face } from '../../kit/card.tsx';
import { Clause } from '../../kit/clause.tsx';
import { Frame } from '../../kit/frame.tsx';
import { words as kitWords } from '../../kit/words.ts';
import { Kbd } from '../../kit/kbd.tsx';
import { Side } from '../../kit/side.tsx';
import { go } from '../../path.ts';
import { session } from '../../state.ts';
import { Only, Search } from '../query.tsx';
import { words } from './words.ts';

const text = signal('');
const only = signal<'all' | 'void' | 'corrected'>('all');
const table = signal('');
const chosen = signal<string | null>(null);

const storyAt = (round: string): string => `/rounds/${encodeURIComponent(round)}`;

/** Whether somebody may correct a settled round. */
const mayCorrect = (): boolean =>
  ['supervisor', 'pit-manager', 'gaming-shift-manager'].includes(session.value?.acting ?? session.value?.post ?? '');

/** Rounds of the gaming day, to be found by table, number and what became of them. */
export function Page() {
  const t = words();
  const input = useRef<HTMLInputElement>(null);
  const found = useAsked<{ readonly rounds: readonly ListedRound[] }>(
    'rounds',
    {
      ...(text.value !== '' && { text: text.value }),
      ...(only.value !== 'all' && { only: only.value }),
      ...(table.value !== '' && { table: table.value }),
    },
    3_000,
  );
  const tables = useAsked<{ readonly tables: readonly { readonly table: string }[] }>('tables', {});
  const rounds = found.state === 'there' ? found.data.rounds : [];
  const one = rounds.find(({ id }) => id === chosen.value) ?? rounds[0];
  useRoundKeys(rounds, one, input);
  return (
    <Frame name="rounds">
      <h1 class="spoken">{kitWords().nav['rounds']}</h1>
      <section class="panel query" aria-label={t.find}>
        <Search
          label={t.find}
          text={text}
          input={input}
          enter={() => text.value.includes('/') && go(storyAt(text.value))}
        />
        <select
          class="fchip"
          aria-label={t.table}
          value={table.value}
          onChange={({ currentTarget }) => (table.value = currentTarget.value)}
        >
          <option value="">{t.allTables}</option>
          {tables.state === 'there' &&
            tables.data.tables.map(({ table: name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </select>
        <Only
          chosen={only}
          of={[
            { which: 'all', text: <b>{t.all}</b> },
            { which: 'void', text: <b>{t.void}</b>, keyName: 'V' },
            { which: 'corrected', text: <b>{t.corrected}</b>, keyName: 'C' },
          ]}
        />
      </section>
      <section class="panel list" tabIndex={0} aria-label={t.list}>
        <table class="g">
          <thead>
            <tr>
              <th>{t.table}</th>
              <th class="num">{t.round}</th>
              <th>{t.day}</th>
              <th>
                <Side side="player" />
              </th>
              <th>
                <Side side="banker" />
              </th>
              <th>{t.result}</th>
              <th>{t.clause}</th>
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
      <section class="panel pv" aria-label={t.round}>
        {one === undefined ? <p class="q">{t.choose}</p> : <Preview round={one} />}
      </section>
    </Frame>
  );
}

function useRoundKeys(
  rounds: readonly ListedRound[],
  one: ListedRound | undefined,
  input: { readonly current: HTMLInputElement | null },
): void {
  useEffect(() => {
    const take = (event: KeyboardEvent): void => {
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
      else if (key === 'V' || key === 'C') {
        const which = key === 'V' ? 'void' : 'corrected';
        only.value = only.value === which ? 'all' : which;
      } else if (key === 'ENTER' && one) go(storyAt(one.id));
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', take);
    return () => removeEventListener('keydown', take);
  }, [rounds, one]);
}

function Row({ round, isChosen }: { readonly round: ListedRound; readonly isChosen: boolean }) {
  const { id, number, day, cards } = round;
  const { player, banker } = handsOf(cards as readonly Card[]);
  return (
    <tr
      class={isChosen ? 'sel' : ''}
      onClick={() => (chosen.value = id)}
      onDblClick={() => go(storyAt(id))}
      {...(isChosen && { 'aria-current': 'true' })}
    >
      <td>
        <b>{round.table}</b>
      </td>
      <td class="num">
        <a href={storyAt(id)}>{number}</a>
      </td>
      <td class="q">{day}</td>
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
      <td>
        <Marks round={round} />
      </td>
    </tr>
  );
}

function Result({ round: { winner, player, banker, playing, voidBy } }: { readonly round: ListedRound }) {
  const t = words();
  if (voidBy !== null) return <span class="tag">{t.void}</span>;
  if (winner === null || playing) return <span class="q">{t.playing}</span>;
  const said = winner === 'tie' ? t.tied(player) : t.wins(Math.max(player, banker), Math.min(player, banker));
  return (
    <b>
      <Side side={winner} /> {said}
    </b>
  );
}

function Marks({ round: { voidBy, corrected } }: { readonly round: ListedRound }) {
  const t = words();
  return (
    <span class="row">
      {corrected && <span class="tag attn">{t.corrected}</span>}
      <Clause by={voidBy} />
    </span>
  );
}

function Preview({ round }: { readonly round: ListedRound }) {
  const t = words();
  const { player, banker } = handsOf(round.cards as readonly Card[]);
  return (
    <>
      <div class="row">
        <h2>
          {t.round} {round.number}
        </h2>
        <span class="q">
          {round.table} · {t.shoe(round.shoe)}
        </span>
        <span class="grow" />
        <Marks round={round} />
      </div>
      <Result round={round} />
      <div class="hand2">
        {(['player', 'banker'] as const).map((side) => (
          <div key={side}>
            <b>
              <Side side={side} /> {round[side]}
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
