import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { nextSlot } from '../../../../rules/play.ts';
import { type Card } from '../../../../rules/card.ts';
import { CardText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { AlsoKeys, Go } from '../../kit/components/nextAction.tsx';
import { viewClauses } from '../sidePanel.tsx';
import { NextPanel } from '../actionPanel.tsx';
import { CardRow, ReplayOutcome, CardReplay, slotsOfCards } from '../stage/cardReplay.tsx';
import { Boxes, CardHint } from './roundScenes.tsx';
import { type ConsoleScene } from '../scene.ts';
import { send } from '../../kit/sendCommand.ts';
import { draft, dropDraft, preview, typed } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { reasonOf } from './reportSheet.tsx';

// What is done with cards that were dealt wrongly: their order, one of them, or one that no reader has seen.

/** A place that waits for a card, at the place of the next act. */
function CardGo({
  view,
  slot,
  text,
  by,
}: {
  readonly view: DealerView;
  readonly slot: string;
  readonly text: string;
  readonly by: string | null;
}) {
  const side = slot.startsWith('P') ? 'p' : slot.startsWith('B') ? 'b' : 'burn';
  return (
    <div class={`go ${side}`} data-testid="next">
      <span class="cap">{dealerStrings().keyOrScan}</span>
      <span class="key">
        <span>
          <span class="slotno">{slot}</span>
          <b class="which">{text}</b>
        </span>
        <Boxes deck={view.deck} />
      </span>
      <span class="sub">
        <CardHint deck={view.deck} />
        <ClauseTag by={by} />
      </span>
    </div>
  );
}

type Rebuild = Extract<NonNullable<typeof draft.value>, { what: 'rebuild' }>;

/** All cards of the round in the order in which they left the shoe. */
export function rebuildScene(view: DealerView, now: Rebuild): ConsoleScene {
  const t = dealerStrings();
  const laid = (view.round?.cards ?? []).map(({ card }) => card);
  const { cards, at, unseen } = now;
  const by = view.stopped?.by ?? view.says.by;
  const isFull = cards.length >= laid.length && cards.length > 0;
  const set = (more: Partial<Rebuild>): void => {
    typed.value = '';
    draft.value = { ...now, ...more };
  };
  const propose = (): void => {
    if (!isFull || view.round === null) return;
    preview.value = { round: view.round.id, cards };
    const reason = reasonOf(view.stopped?.kind ?? 'wrong-order');
    void send({ type: 'ReconstructRound', cards, unseen, reason }).then((taken) => taken && dropDraft());
  };
  const take = (card: string): void => {
    const list = [...cards];
    list[at] = card;
    set({ cards: list, at: Math.min(at + 1, list.length) });
  };
  const back = (): void => {
    if (typed.value !== '') typed.value = '';
    else if (cards.length === 0) set({ cards: laid, at: 0 });
    else set({ cards: cards.slice(0, -1), at: cards.length - 1 });
  };
  const move = (to: 1 | -1, carry: boolean): void => {
    if (cards.length === 0) {
      set({ cards: laid, at: carry ? 0 : Math.max(0, to) });
      return;
    }
    const next = Math.max(0, Math.min(cards.length - 1, at + to));
    if (!carry || at >= cards.length) {
      set({ at: next });
      return;
    }
    const list = [...cards];
    [list[at], list[next]] = [list[next]!, list[at]!];
    set({ cards: list, at: next });
  };
  const isOpen = at < Math.max(laid.length, cards.length) && !isFull;
  const slot = slotsOfCards([...cards.slice(0, at), 'AC']).at(-1) ?? 'P1';
  const toKey = laid.length - cards.length;
  const surplus = nextSlot(cards.slice(0, -1) as Card[]) === undefined && cards.length > 4;
  return {
    say: { title: t.rebuild.title, why: t.rebuild.why(cards.length, laid.length), by, stop: true },
    stage: (
      <CardReplay
        view={view}
        cards={cards}
        of={laid}
        at={isOpen ? at : undefined}
        note={toKey > 0 ? t.rebuild.toKey(toKey) : surplus ? t.rebuild.surplus : undefined}
      />
    ),
    right: (
      <NextPanel>
        {isFull ? (
          <Go
            kind="act"
            big={t.rebuild.ready}
            sub={unseen ? t.rebuild.unseenOn : t.ways.thenTwo}
            by={by}
            act={propose}
          />
        ) : (
          <CardGo view={view} slot={slot} text={t.rebuild.arrows} by={by} />
        )}
        <AlsoKeys
          all={[
            cards.length === 0
              ? { text: t.rebuild.laidStart, keyName: 'Bksp', act: back }
              : {
                  text: (
                    <>
                      {t.takeBack} <CardText card={cards.at(-1)!} />
                    </>
                  ),
                  keyName: 'Bksp',
                  act: back,
                },
            {
              text: unseen ? t.rebuild.unseenOn : t.rebuild.unseen,
              keyName: 'U',
              act: () => set({ unseen: !unseen }),
            },
          ]}
        />
      </NextPanel>
    ),
    keys: {
      takes: 'card',
      next: propose,
      back,
      move,
      escape: () => {
        if (typed.value === '') dropDraft();
        else typed.value = '';
      },
      orders: { other: () => set({ unseen: !unseen }) },
    },
    card: take,
  };
}

type Fix = Extract<NonNullable<typeof draft.value>, { what: 'fix' }>;

/** One card of the round was read or keyed wrongly. */
export function fixScene(view: DealerView, now: Fix): ConsoleScene {
  const t = dealerStrings();
  const cards = (view.round?.cards ?? []).map(({ card }) => card);
  const { place, card } = now;
  const by = viewClauses(view).correction;
  const names = slotsOfCards(cards);
  const willBe = place === null || card === null ? cards : cards.with(place, card);
  const choose = (n: number): void => {
    if (n < cards.length) draft.value = { what: 'fix', place: n, card: null };
  };
  const propose = (): void => {
    if (place === null || card === null || view.round === null) return;
    preview.value = { round: view.round.id, cards: willBe };
    void send({ type: 'CorrectCard', round: view.round.id, place: place + 1, card, reason: reasonOf('mis-scan') }).then(
      (taken) => taken && dropDraft(),
    );
  };
  const back = (): void => {
    if (typed.value !== '') typed.value = '';
    else if (card !== null) draft.value = { ...now, card: null };
    else if (place !== null) draft.value = { what: 'fix', place: null, card: null };
    else dropDraft();
  };
  return {
    say: { title: t.fix.title, why: t.fix.why(cards.length), by },
    stage: (
      <div class="replay">
        <div>
          <h2>{t.fix.record}</h2>
          <CardRow cards={cards} deck={view.deck} picked={place ?? undefined} numbered press={choose} />
          <ReplayOutcome cards={cards} />
        </div>
        <div class="now">
          <h2>{t.fix.willBe}</h2>
          <CardRow
            cards={willBe}
            than={cards}
            deck={view.deck}
            at={place !== null && card === null ? place : undefined}
          />
          <ReplayOutcome cards={willBe} />
        </div>
      </div>
    ),
    ...(place === null && { lockedBy: { text: t.fix.choose } }),
    right: (
      <NextPanel>
        {place === null ? (
          <Go kind="wait" big={t.fix.choose} sub={t.fix.chooseSub} by={by} />
        ) : card === null ? (
          <CardGo view={view} slot={names[place] ?? ''} text={t.fix.title} by={by} />
        ) : (
          <Go kind="act" big={t.fix.propose} sub={t.ways.thenTwo} by={by} act={propose} />
        )}
        <AlsoKeys
          all={[{ text: place === null ? t.notNow : t.fix.other, keyName: place === null ? 'Esc' : 'Bksp', act: back }]}
        />
      </NextPanel>
    ),
    keys: {
      takes: place === null ? 'list' : card === null ? 'card' : 'nothing',
      next: propose,
      back,
      escape: dropDraft,
      digit: (digit) => choose(digit - 1),
    },
    ...(place !== null &&
      card === null && {
        card: (given: string) => {
          typed.value = '';
          draft.value = { what: 'fix', place, card: given };
        },
      }),
  };
}

/** A card by eye: one that no reader can read, one that lies face up, or those on the felt after an interruption. */
export function byEyeScene(view: DealerView, why: 'enter' | 'burn'): ConsoleScene {
  const t = dealerStrings();
  const isFelt = view.stopped?.kind === 'interruption';
  const by = view.stopped?.by ?? null;
  const reason = reasonOf(view.stopped?.kind ?? 'unreadable-card');
  const slot = nextSlot((view.round?.cards ?? []).map(({ card }) => card) as Card[]);
  const agree = (unseen: boolean): void => void send({ type: 'ConfirmFelt', ...(unseen && { unseen }) });
  const take = (card: string): void => {
    typed.value = '';
    if (why === 'burn') void send({ type: 'BurnCard', card, reason });
    else if (slot !== undefined) void send({ type: 'EnterCard', slot, card, reason });
  };
  const title = why === 'burn' ? t.byEye.burn : isFelt ? t.byEye.felt : t.byEye.title;
  return {
    say: { title, why: isFelt ? t.byEye.feltWhy(view.round?.cards.length ?? 0) : t.ways.thenTwo, by, stop: true },
    right: (
      <NextPanel>
        <CardGo view={view} slot={why === 'burn' ? '↓' : (slot ?? '–')} text={title} by={by} />
        <AlsoKeys
          all={
            isFelt
              ? [
                  { text: t.byEye.agree, keyName: 'Enter', act: () => agree(false), yes: true, name: 'agree' },
                  { text: t.byEye.unseen, keyName: 'U', act: () => agree(true) },
                ]
              : [{ text: t.back, keyName: 'Esc', act: dropDraft }]
          }
        />
      </NextPanel>
    ),
    keys: {
      takes: 'card',
      next: isFelt ? () => agree(false) : undefined,
      back: () => (typed.value === '' ? undefined : (typed.value = '')),
      escape: () => {
        if (typed.value === '') dropDraft();
        else typed.value = '';
      },
      orders: isFelt ? { other: () => agree(true) } : {},
    },
    card: take,
  };
}

/** Two cards that came within a moment: one after the other, or at once? */
export function togetherScene(view: DealerView, card: string): ConsoleScene {
  const t = dealerStrings();
  const cards = view.round?.cards.length ?? 0;
  const no = (): void => {
    dropDraft();
    if (view.due !== null) void send({ type: 'DealCard', slot: view.due, card });
  };
  const yes = (): void => {
    dropDraft();
    void send({ type: 'ReportIrregularity', kind: 'drawn-together', place: Math.max(1, cards) });
  };
  return {
    say: { title: t.together, by: view.says.by },
    lockedBy: { text: t.together },
    right: (
      <NextPanel>
        <Go kind="act" big={t.togetherNo} sub={<CardText card={card} />} act={no} />
        <AlsoKeys all={[{ text: t.togetherYes, keyName: 'Esc', act: yes }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: no, escape: yes },
  };
}

/** The first of the cards that came out together. */
export function whichScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const cards = (view.round?.cards ?? []).map(({ card }) => card);
  const tell = (place?: number): void => {
    dropDraft();
    void send({ type: 'ReportIrregularity', kind: 'drawn-together', ...(place !== undefined && { place: place + 1 }) });
  };
  const isDue = view.phase === 'dealing';
  return {
    say: {
      title: t.which.title,
      why: t.which.why,
      by: view.reports.find(({ kind }) => kind === 'drawn-together')?.by ?? null,
    },
    stage: (
      <div class="replay whole">
        <div>
          <h2>{t.fix.record}</h2>
          <CardRow cards={cards} deck={view.deck} numbered press={(n) => tell(n)} />
          <p />
        </div>
      </div>
    ),
    lockedBy: { text: t.which.why },
    right: (
      <NextPanel>
        {isDue ? (
          <Go kind="act" big={t.which.next} sub={t.which.why} act={() => tell()} />
        ) : (
          <Go kind="wait" big={t.fix.choose} sub={t.fix.chooseSub} />
        )}
        <AlsoKeys all={[{ text: t.notNow, keyName: 'Esc', act: dropDraft }]} />
      </NextPanel>
    ),
    keys: {
      takes: 'list',
      next: isDue ? () => tell() : undefined,
      escape: dropDraft,
      digit: (digit) => {
        if (digit <= cards.length) tell(digit - 1);
      },
    },
  };
}
