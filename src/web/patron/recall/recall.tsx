import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../../base/formatMoney.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { MiniCardFace } from '../../shared/cards/cards.tsx';
import { Icon } from '../../shared/widgets/icons.tsx';
import { Dialog } from '../table/dialog.tsx';
import { patronClient } from '../app/connection.ts';
import { currentOverlay } from '../app/overlay.ts';
import { terminalMoneyState, terminalId } from '../app/state.ts';
import { type RecallState, emptyRecall, withNewestPage, withOlderPage } from './recallPages.ts';
import { RoundReplay } from './replay.tsx';
import { handsAfterCards, netOfSettlement, signedAmountText, recalledTotalStake } from './recalledRound.ts';
import { recallStringsByLanguage, recallStrings } from './strings.ts';
import { language } from '../../shared/text/language.ts';

/** The rounds of the session, loaded page by page. The newest page is loaded again whenever the balance changes. */
function useRounds(): { readonly recall: RecallState; readonly loadMore: () => void } {
  const [recall, setRecall] = useState(emptyRecall);
  const [request, setRequest] = useState(0);
  const { credit, openStakes } = terminalMoneyState.value ?? {};
  const moneyState = JSON.stringify([credit, openStakes]);
  const first = useRef(moneyState);
  useEffect(() => {
    let isWanted = true;
    const { next } = recall;
    setRecall((now) => ({ ...now, state: 'loading' }));
    const get = async (): Promise<void> => {
      const reply = await patronClient.recall(next ?? undefined);
      if (!isWanted) return;
      setRecall((now) => (reply.type === 'recalled' ? withOlderPage(now, next, reply) : { ...now, state: 'failed' }));
    };
    void get();
    return () => {
      isWanted = false;
    };
  }, [request]);
  useEffect(() => {
    if (moneyState === first.current) return undefined;
    first.current = '';
    let isWanted = true;
    const get = async (): Promise<void> => {
      const reply = await patronClient.recall();
      // If the newest page of rounds cannot be loaded, the list stays as it is until the balance changes again.
      if (isWanted && reply.type === 'recalled') setRecall((now) => withNewestPage(now, reply));
    };
    void get();
    return () => {
      isWanted = false;
    };
  }, [moneyState]);
  return { recall, loadMore: () => setRequest(request + 1) };
}

/** Drawer with the rounds of this session. Each round has a replay that is labelled as a replay. */
export function RecallDrawer() {
  const t = recallStrings();
  const { recall, loadMore } = useRounds();
  const [chosen, choose] = useState<string | null>(null);
  const close = (): void => void (currentOverlay.value = null);
  const newest = recall.rounds[0];
  // The selected round stays open when newer rounds arrive.
  useEffect(() => {
    if (chosen === null && newest !== undefined) choose(newest.id);
  }, [newest?.id]);
  const round = recall.rounds.find(({ id }) => id === chosen) ?? newest;
  return (
    <Dialog name="recall" close={close}>
      <div class="recall-body">
        <header class="recall-head">
          <h2 id="recall-title">
            {t.title} {language.value === 'en' && <span lang="zh-Hans">{recallStringsByLanguage.zh.title}</span>}
          </h2>
          <span class="recall-tag">{t.tag}</span>
          <button type="button" class="key key-icon" aria-label={t.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {round !== undefined && <RoundReplay key={round.id} round={round} />}
        <ul class="recall-list" tabIndex={0} aria-label={t.title}>
          {recall.rounds.map((one) => (
            <li key={one.id}>
              <Row round={one} isOpen={one === round} open={() => choose(one.id)} />
            </li>
          ))}
          <li class="recall-more">
            <More recall={recall} loadMore={loadMore} />
          </li>
        </ul>
        <footer class="recall-foot">
          {t.foot} · TID {terminalId.value ?? '–'}
        </footer>
      </div>
    </Dialog>
  );
}

function More({ recall, loadMore }: { readonly recall: RecallState; readonly loadMore: () => void }) {
  const t = recallStrings();
  const { rounds, next, state } = recall;
  if (state === 'loading') return <p role="status">{t.loading}</p>;
  if (state === 'failed') {
    return (
      <>
        <p role="alert">{t.failed}</p>
        <button type="button" class="key" onClick={loadMore}>
          {t.again}
        </button>
      </>
    );
  }
  if (next === null) return rounds.length === 0 ? <p data-testid="recall-none">{t.none}</p> : null;
  return (
    <button type="button" class="key" data-testid="recall-older" onClick={loadMore}>
      {t.older}
    </button>
  );
}

type RowProps = { readonly round: RecalledRound; readonly isOpen: boolean; readonly open: () => void };

function Row({ round, isOpen, open }: RowProps) {
  const t = recallStrings();
  const { number, at, table, winner, voidBy, cards } = round;
  const hands = handsAfterCards(round, cards.length);
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
            <MiniCardFace key={place} card={card} />
          ))}
          <em>{hands[side].cards.length === 0 ? '–' : hands[side].total}</em>
        </span>
      ))}
      <Net round={round} />
    </button>
  );
}

function Net({ round }: { readonly round: RecalledRound }) {
  const t = recallStrings();
  const { voidBy, corrected, settled } = round;
  const last = settled.at(-1);
  const net = last === undefined ? 0 : netOfSettlement(last);
  const text = voidBy !== null ? t.void : last === undefined ? t.inPlay : signedAmountText(net);
  return (
    <span class="recall-net">
      <b class={net > 0 ? 'is-up' : ''}>{text}</b>
      <small>
        {corrected && `${t.corrected} · `}
        {voidBy ?? `${t.bet} ${formatMoney(recalledTotalStake(round))}`}
      </small>
    </span>
  );
}
