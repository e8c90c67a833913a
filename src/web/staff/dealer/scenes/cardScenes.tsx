import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { nextSlot } from '../../../../rules/play.ts';
import { type Card } from '../../../../rules/card.ts';
import { CardText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { clausesByTopic } from '../panels/sidePanel.tsx';
import { ActionPanel } from '../panels/actionPanel.tsx';
import {
  addFeltCard,
  confirmFeltCommand,
  enteredFeltCards,
  nextFeltSlot,
  removeLastFeltCard,
  viewWithEnteredFeltCards,
} from '../stage/feltCards.ts';
import { DealerHands } from '../stage/hands.tsx';
import {
  DrawnCardRow,
  OutcomeOnRecord,
  PreviewedOutcome,
  CardOrderComparison,
  slotsOfCards,
} from '../stage/cardReplay.tsx';
import { TypedCardBoxes, CardKeyHint } from './roundScenes.tsx';
import { type ConsoleScene } from '../scene.ts';
import { sendCommand } from '../../kit/sendCommand.ts';
import { consoleDraft, closeDraft, typedRank } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { defaultRulingReason } from './reportSheet.tsx';

/** Shows the slot that waits for a card, in place of the next action. */
function CardAction({
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
        <TypedCardBoxes deck={view.deck} />
      </span>
      <span class="sub">
        <CardKeyHint deck={view.deck} />
        <ClauseTag by={by} />
      </span>
    </div>
  );
}

type ReconstructionDraft = Extract<NonNullable<typeof consoleDraft.value>, { type: 'reconstruct' }>;

/** Scene to key all cards of the round again, in the order in which they left the shoe. */
export function reconstructRoundScene(view: DealerView, current: ReconstructionDraft): ConsoleScene {
  const t = dealerStrings();
  const laid = (view.round?.cards ?? []).map(({ card }) => card);
  const { cards, at, unseen } = current;
  const by = view.stopped?.by ?? view.prompt.by;
  const isFull = cards.length >= laid.length && cards.length > 0;
  const update = (changes: Partial<ReconstructionDraft>): void => {
    typedRank.value = '';
    consoleDraft.value = { ...current, ...changes };
  };
  const propose = (): void => {
    if (!isFull || view.round === null) return;
    const reason = defaultRulingReason(view.stopped?.kind ?? 'wrong-order');
    void sendCommand({ type: 'ReconstructRound', cards, unseen, reason }).then(
      (isAccepted) => isAccepted && closeDraft(),
    );
  };
  const enterCard = (card: string): void => {
    const list = [...cards];
    list[at] = card;
    update({ cards: list, at: Math.min(at + 1, list.length) });
  };
  const back = (): void => {
    if (typedRank.value !== '') typedRank.value = '';
    else if (cards.length === 0) update({ cards: laid, at: 0 });
    else update({ cards: cards.slice(0, -1), at: cards.length - 1 });
  };
  const move = (step: 1 | -1, carry: boolean): void => {
    if (cards.length === 0) {
      update({ cards: laid, at: carry ? 0 : Math.max(0, step) });
      return;
    }
    const next = Math.max(0, Math.min(cards.length - 1, at + step));
    if (!carry || at >= cards.length) {
      update({ at: next });
      return;
    }
    const list = [...cards];
    [list[at], list[next]] = [list[next]!, list[at]!];
    update({ cards: list, at: next });
  };
  const isSlotOpen = at < Math.max(laid.length, cards.length) && !isFull;
  const slot = slotsOfCards([...cards.slice(0, at), 'AC']).at(-1) ?? 'P1';
  const missing = laid.length - cards.length;
  return {
    prompt: { title: t.rebuild.title, reason: t.rebuild.why(cards.length, laid.length), by, isStopped: true },
    stage: (
      <CardOrderComparison
        view={view}
        cards={cards}
        laid={laid}
        nextIndex={isSlotOpen ? at : undefined}
        note={missing > 0 ? t.rebuild.toKey(missing) : undefined}
        command={isFull ? { type: 'ReconstructRound', cards, unseen, reason: '-' } : null}
      />
    ),
    right: (
      <ActionPanel>
        {isFull ? (
          <NextAction
            kind="act"
            title={t.rebuild.ready}
            detail={unseen ? t.rebuild.unseenOn : t.rulings.thenTwo}
            by={by}
            run={propose}
          />
        ) : (
          <CardAction view={view} slot={slot} text={t.rebuild.arrows} by={by} />
        )}
        <SecondaryActions
          actions={[
            cards.length === 0
              ? { text: t.rebuild.laidStart, keyName: 'Bksp', run: back }
              : {
                  text: (
                    <>
                      {t.takeBack} <CardText card={cards.at(-1)!} />
                    </>
                  ),
                  keyName: 'Bksp',
                  run: back,
                },
            {
              text: unseen ? t.rebuild.unseenOn : t.rebuild.unseen,
              keyName: 'U',
              run: () => update({ unseen: !unseen }),
            },
          ]}
        />
      </ActionPanel>
    ),
    keys: {
      expects: 'card',
      next: propose,
      back,
      move,
      escape: () => {
        if (typedRank.value === '') closeDraft();
        else typedRank.value = '';
      },
      shortcuts: { other: () => update({ unseen: !unseen }) },
    },
    onCard: enterCard,
  };
}

type CorrectionDraft = Extract<NonNullable<typeof consoleDraft.value>, { type: 'fix' }>;

/** Scene to correct one card that was scanned or keyed wrongly. */
export function correctCardScene(view: DealerView, current: CorrectionDraft): ConsoleScene {
  const t = dealerStrings();
  const cards = (view.round?.cards ?? []).map(({ card }) => card);
  const { place, card } = current;
  const by = clausesByTopic(view).correction;
  const slotNames = slotsOfCards(cards);
  const corrected = place === null || card === null ? cards : cards.with(place, card);
  const choose = (n: number): void => {
    if (n < cards.length) consoleDraft.value = { type: 'fix', place: n, card: null };
  };
  const propose = (): void => {
    if (place === null || card === null || view.round === null) return;
    void sendCommand({
      type: 'CorrectCard',
      round: view.round.id,
      place: place + 1,
      card,
      reason: defaultRulingReason('mis-scan'),
    }).then((isAccepted) => isAccepted && closeDraft());
  };
  const back = (): void => {
    if (typedRank.value !== '') typedRank.value = '';
    else if (card !== null) consoleDraft.value = { ...current, card: null };
    else if (place !== null) consoleDraft.value = { type: 'fix', place: null, card: null };
    else closeDraft();
  };
  return {
    prompt: { title: t.fix.title, reason: t.fix.why(cards.length), by },
    stage: (
      <div class="replay">
        <div>
          <h2>{t.fix.record}</h2>
          <DrawnCardRow cards={cards} deck={view.deck} picked={place ?? undefined} numbered onPress={choose} />
          <OutcomeOnRecord view={view} />
        </div>
        <div class="now">
          <h2>{t.fix.willBe}</h2>
          <DrawnCardRow
            cards={corrected}
            comparedTo={cards}
            deck={view.deck}
            nextIndex={place !== null && card === null ? place : undefined}
          />
          <PreviewedOutcome
            table={view.table}
            command={
              place === null || card === null || view.round === null
                ? null
                : { type: 'CorrectCard', round: view.round.id, place: place + 1, card, reason: '-' }
            }
          />
        </div>
      </div>
    ),
    ...(place === null && { lockedBy: { text: t.fix.choose } }),
    right: (
      <ActionPanel>
        {place === null ? (
          <NextAction kind="wait" title={t.fix.choose} detail={t.fix.chooseSub} by={by} />
        ) : card === null ? (
          <CardAction view={view} slot={slotNames[place] ?? ''} text={t.fix.title} by={by} />
        ) : (
          <NextAction kind="act" title={t.fix.propose} detail={t.rulings.thenTwo} by={by} run={propose} />
        )}
        <SecondaryActions
          actions={[
            { text: place === null ? t.notNow : t.fix.other, keyName: place === null ? 'Esc' : 'Bksp', run: back },
          ]}
        />
      </ActionPanel>
    ),
    keys: {
      expects: place === null ? 'list' : card === null ? 'card' : 'nothing',
      next: propose,
      back,
      escape: closeDraft,
      digit: (digit) => choose(digit - 1),
    },
    ...(place !== null &&
      card === null && {
        onCard: (entered: string) => {
          typedRank.value = '';
          consoleDraft.value = { type: 'fix', place, card: entered };
        },
      }),
  };
}

/**
 * Scene to key a card that the dealer sees. After an interruption: each card on the felt. Otherwise: an unreadable or
 * face-up card, which is entered or burned as `purpose` says.
 */
export function enterCardByEyeScene(view: DealerView, purpose: 'enter' | 'burn'): ConsoleScene {
  const t = dealerStrings();
  const isInterruption = view.stopped?.kind === 'interruption';
  const by = view.stopped?.by ?? null;
  const reason = defaultRulingReason(view.stopped?.kind ?? 'unreadable-card');
  const slot = isInterruption
    ? nextFeltSlot(view)
    : nextSlot((view.round?.cards ?? []).map(({ card }) => card) as Card[]);
  const confirmFelt = (unseen: boolean): void => {
    if (typedRank.value === '') void sendCommand(confirmFeltCommand(view, unseen));
  };
  const enterCard = (card: string): void => {
    typedRank.value = '';
    if (isInterruption) addFeltCard(view, card);
    else if (purpose === 'burn') void sendCommand({ type: 'BurnCard', card, reason });
    else if (slot !== undefined) void sendCommand({ type: 'EnterCard', slot, card, reason });
  };
  const title = purpose === 'burn' ? t.byEye.burn : isInterruption ? t.byEye.felt : t.byEye.title;
  return {
    prompt: {
      title,
      reason: isInterruption
        ? t.byEye.feltWhy(view.round?.cards.length ?? 0, enteredFeltCards(view).length)
        : t.rulings.thenTwo,
      by,
      isStopped: true,
    },
    ...(isInterruption && { stage: <DealerHands view={viewWithEnteredFeltCards(view)} /> }),
    right: (
      <ActionPanel>
        <CardAction view={view} slot={purpose === 'burn' ? '↓' : (slot ?? '–')} text={title} by={by} />
        <SecondaryActions
          actions={
            isInterruption
              ? [
                  {
                    text: t.byEye.agree,
                    keyName: 'Enter',
                    run: () => confirmFelt(false),
                    isPrimary: true,
                    testId: 'agree',
                  },
                  { text: t.byEye.unseen, keyName: 'U', run: () => confirmFelt(true) },
                ]
              : [{ text: t.back, keyName: 'Esc', run: closeDraft }]
          }
        />
      </ActionPanel>
    ),
    keys: {
      expects: 'card',
      next: isInterruption ? () => confirmFelt(false) : undefined,
      back: () => {
        if (typedRank.value !== '') typedRank.value = '';
        else if (isInterruption) removeLastFeltCard(view);
      },
      escape: () => {
        if (typedRank.value === '') closeDraft();
        else typedRank.value = '';
      },
      shortcuts: isInterruption ? { other: () => confirmFelt(true) } : {},
    },
    onCard: enterCard,
  };
}

/** Scene after two cards were scanned in quick succession. It asks whether both cards left the shoe together. */
export function scannedTogetherScene(view: DealerView, card: string): ConsoleScene {
  const t = dealerStrings();
  const cards = view.round?.cards.length ?? 0;
  const dealNext = (): void => {
    closeDraft();
    if (view.due !== null) void sendCommand({ type: 'DealCard', slot: view.due, card });
  };
  const reportTogether = (): void => {
    closeDraft();
    void sendCommand({ type: 'ReportIrregularity', kind: 'drawn-together', place: Math.max(1, cards) });
  };
  return {
    prompt: { title: t.together, by: view.prompt.by },
    lockedBy: { text: t.together },
    right: (
      <ActionPanel>
        <NextAction kind="act" title={t.togetherNo} detail={<CardText card={card} />} run={dealNext} />
        <SecondaryActions actions={[{ text: t.togetherYes, keyName: 'Esc', run: reportTogether }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: dealNext, escape: reportTogether },
  };
}

/** Scene to report cards drawn together. It asks for the first of these cards. */
export function reportDrawnTogetherScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const cards = (view.round?.cards ?? []).map(({ card }) => card);
  const report = (place?: number): void => {
    closeDraft();
    void sendCommand({
      type: 'ReportIrregularity',
      kind: 'drawn-together',
      ...(place !== undefined && { place: place + 1 }),
    });
  };
  const isDue = view.phase === 'dealing';
  return {
    prompt: {
      title: t.which.title,
      reason: t.which.why,
      by: view.reports.find(({ kind }) => kind === 'drawn-together')?.by ?? null,
    },
    stage: (
      <div class="replay whole">
        <div>
          <h2>{t.fix.record}</h2>
          <DrawnCardRow cards={cards} deck={view.deck} numbered onPress={(n) => report(n)} />
          <p />
        </div>
      </div>
    ),
    lockedBy: { text: t.which.why },
    right: (
      <ActionPanel>
        {isDue ? (
          <NextAction kind="act" title={t.which.next} detail={t.which.why} run={() => report()} />
        ) : (
          <NextAction kind="wait" title={t.fix.choose} detail={t.fix.chooseSub} />
        )}
        <SecondaryActions actions={[{ text: t.notNow, keyName: 'Esc', run: closeDraft }]} />
      </ActionPanel>
    ),
    keys: {
      expects: 'list',
      next: isDue ? () => report() : undefined,
      escape: closeDraft,
      digit: (digit) => {
        if (digit <= cards.length) report(digit - 1);
      },
    },
  };
}
