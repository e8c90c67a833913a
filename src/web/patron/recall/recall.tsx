import { useEffect, useState } from 'preact/hooks';
import { money } from '../../../rules/money.ts';
import { type RecalledRound } from '../../../wire/recalled.ts';
import { CardMini } from '../../shared/cards.tsx';
import { Icon } from '../../shared/icons.tsx';
import { Dialog } from '../dialog.tsx';
import { patron } from '../link.ts';
import { overlay } from '../overlay.ts';
import { terminal } from '../state.ts';
import { Replay } from './replay.tsx';
import { handsAfter, netOf, signed, stakeOf } from './round.ts';
import { recallWords, words } from './words.ts';
import { language } from '../../shared/language.ts';

/** What has come so far, and whether more is on its way; `next` is where the next page goes on. */
type Got = {
  readonly rounds: readonly RecalledRound[];
  readonly next: string | null;
  readonly state: 'asking' | 'there' | 'failed';
};

const nothing: Got = { rounds: [], next: null, state: 'asking' };

/** The rounds of the session, asked for page by page; none is asked for twice at once. */
function useRounds(): { readonly got: Got; readonly ask: () => void } {
  const [got, setGot] = useState(nothing);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isWanted = true;
    const { rounds, next } = got;
    setGot({ rounds, next, state: 'asking' });
    const get = async (): Promise<void> => {
      const answer = await patron.recall(next ?? undefined);
      if (!isWanted) return;
      setGot(
        answer.type === 'recalled'
          ? { rounds: [...rounds, ...answer.rounds], next: answer.next, state: 'there' }
          : { rounds, next, state: 'failed' },
      );
    };
    void get();
    return () => {
      isWanted = false;
    };
  }, [turn]);
  return { got, ask: () => setTurn(turn + 1) };
}

/** The rounds of this session, each to be played again. It is said that this is no play. */
export function Recall() {
  const t = words();
  const { got, ask } = useRounds();
  const [chosen, choose] = useState(0);
  const close = (): void => void (overlay.value = null);
  const round = got.rounds[chosen];
  return (
    <Dialog name="recall" close={close}>
      <div class="recall-body">
        <header class="recall-head">
          <h2 id="recall-title">
            {t.title} {language.value === 'en' && <span lang="zh-Hans">{recallWords.zh.title}</span>}
          </h2>
          <span class="recall-tag">{t.tag}</span>
          <button type="button" class="key key-icon" aria-label={t.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {round !== undefined && <Replay key={round.id} round={round} />}
        <ul class="recall-list" tabIndex={0} aria-label={t.title}>
          {got.rounds.map((one, place) => (
            <li key={one.id}>
              <Row round={one} isOpen={place === chosen} open={() => choose(place)} />
            </li>
          ))}
          <li class="recall-more">
            <More got={got} ask={ask} />
          </li>
        </ul>
        <footer class="recall-foot">
          {t.foot} · TID {terminal.value ?? '–'}
        </footer>
      </div>
    </Dialog>
  );
}

function More({ got, ask }: { readonly got: Got; readonly ask: () => void }) {
  const t = words();
  const { rounds, next, state } = got;
  if (state === 'asking') return <p role="status">{t.asking}</p>;
  if (state === 'failed') {
    return (
      <>
        <p role="alert">{t.failed}</p>
        <button type="button" class="key" onClick={ask}>
          {t.again}
        </button>
      </>
    );
  }
  if (next === null) return rounds.length === 0 ? <p data-testid="recall-none">{t.none}</p> : null;
  return (
    <button type="button" class="key" data-testid="recall-older" onClick={ask}>
      {t.older}
    </button>
  );
}

type RowOf = { readonly round: RecalledRound; readonly isOpen: boolean; readonly open: () => void };

function Row({ round, isOpen, open }: RowOf) {
  const t = words();
  const { number, at, table, winner, voidBy, cards } = round;
  const hands = handsAfter(round, cards.length);
  const kind = voidBy === null ? winner : null;
  return (
    <button
      type="button"
      class={isOpen ? 'recall-row is-open' : 'recall-row'}
      aria-pressed={isOpen}
      data-testid="recall-row"
      data-round={round.id}
      onClick={open}
    >
      <span class="recall-id">
        <b>#{number}</b>
        <small>
          {new Date(at).toTimeString().slice(0, 5)} · {table}
        </small>
      </span>
      <span class={`recall-bead is-${kind ?? 'none'}`}>{kind === null ? '–' : t.letters[kind]}</span>
      {(['player', 'banker'] as const).map((side) => (
        <span key={side} class="recall-cards">
          {hands[side].cards.map((card, place) => (
            <CardMini key={place} card={card} />
          ))}
          <em>{hands[side].cards.length === 0 ? '–' : hands[side].total}</em>
        </span>
      ))}
      <Net round={round} />
    </button>
  );
}

function Net({ round }: { readonly round: RecalledRound }) {
  const t = words();
  const { voidBy, corrected, settled } = round;
  const last = settled.at(-1);
  const net = last === undefined ? 0 : netOf(last);
  const text = voidBy !== null ? t.void : last === undefined ? t.inPlay : signed(net);
  return (
    <span class="recall-net">
      <b class={net > 0 ? 'is-up' : ''}>{text}</b>
      <small>
        {corrected && `${t.corrected} · `}
        {voidBy ?? `${t.bet} ${money(stakeOf(round))}`}
      </small>
    </span>
  );
}
