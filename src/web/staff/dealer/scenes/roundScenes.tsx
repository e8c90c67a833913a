import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { CardText, rankText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { type SecondaryAction, SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { decks } from '../../../../rules/card.ts';
import { language } from '../../../shared/text/language.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { staffServerTimeMs } from '../../app/state.ts';
import { clausesByTopic, nextCardClause } from '../panels/sidePanel.tsx';
import { queueCard } from '../dealCard.ts';
import { FeltInstructions } from '../stage/feltInstructions.tsx';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { isCommandPending, sendCommand, showRefusal } from '../../kit/sendCommand.ts';
import { manuallyFinishedRoundId, typedRank } from '../state.ts';
import { startOldShoeCount } from '../shoe/endShoe.tsx';
import { dealerStrings } from '../strings.ts';

const settleClause = (view: DealerView): string => clausesByTopic(view).settle;

const noAction = (text: string): SecondaryAction => ({ text, keyName: 'Bksp' });

/**
 * Text that explains the prompt, such as the totals that make a hand draw; empty if the prompt needs no explanation.
 */
function promptReason(view: DealerView): string {
  const t = dealerStrings();
  const { code, with: fields } = view.prompt;
  const carriedText = fields['carried'] === undefined ? '' : ` · ${t.carried}`;
  switch (code) {
    case 'ready':
      // A shoe with no recorded shuffle voids a round in which it is found out. [ETG 5.1, HOUSE 7]
      if (view.warnings.includes('not-shuffled')) return t.notShuffled;
      return fields['last'] === undefined || fields['last'] === 'none'
        ? ''
        : t.lastWas(fields['number'] ?? '', promptText({ code: 'last', with: fields, by: null }));
    case 'bets-open':
      return view.bets === 'chips' ? t.chipsLie : t.slips(fields['slips'] ?? String(view.slips));
    case 'closing':
      return t.mayArrive;
    case 'player-draws':
      return `${t.has(fields['player'] ?? '', fields['banker'] ?? '')}${language.value === 'zh' ? '，' : ', '}${t.noNatural}${carriedText}`;
    case 'player-stands':
      return t.standsOn(t.sides.player, fields['player'] ?? '') + carriedText;
    case 'banker-draws':
      return t.against(fields['banker'] ?? '', fields['third'] ?? '') + carriedText;
    case 'result-player':
    case 'result-banker':
    case 'result-tie':
      return winningSideBets(view) || ((fields['natural'] ?? '') === '' ? '' : t.natural);
    default:
      return carriedText === '' ? '' : t.carried;
  }
}

/** Names of the side bets that have won, four at most. */
function winningSideBets({ prompt, offered }: DealerView): string {
  const won = (prompt.with['won'] ?? '').split(' ').filter((wager) => !['', 'player', 'banker', 'tie'].includes(wager));
  return won
    .map((wager) => wagerName(wager, offered.find((one) => one.wager === wager)?.name ?? wager))
    .slice(0, 4)
    .join(language.value === 'zh' ? '、' : ', ');
}

function takeBackAction(view: DealerView): SecondaryAction {
  const t = dealerStrings();
  const last = view.round?.cards.at(-1);
  if (last === undefined || !view.round!.mayTakeBack) return noAction(t.nothing);
  return {
    text: (
      <>
        {t.takeBack} <CardText card={last.card} /> {t.from(last.slot)}
      </>
    ),
    keyName: 'Bksp',
    run: () => void sendCommand({ type: 'TakeBackCard' }),
  };
}

const idleScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const isLast = view.shoe?.roundsLeft === 1;
  const open = (): void => void sendCommand({ type: 'OpenBets' });
  const change = (): void => startOldShoeCount(view);
  return {
    prompt: { title: promptText(view.prompt), reason: promptReason(view), by: view.prompt.by },
    ...(view.felt !== null && { left: <FeltInstructions view={view} /> }),
    lockedBy: { text: t.locked, by: clausesByTopic(view).close },
    right: (
      <ActionPanel>
        <NextAction
          kind="act"
          {...(isLast && { caption: t.lastRound })}
          title={t.open}
          detail={t.openSub}
          by={isLast ? clausesByTopic(view).cut : clausesByTopic(view).open}
          run={open}
        />
        <SecondaryActions actions={[{ text: t.change, keyName: 'N', run: change, testId: 'change-shoe' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: open, shortcuts: { shoe: change } },
  };
};

const bettingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const isChips = view.bets === 'chips';
  const call = (): void => void sendCommand({ type: 'CallClose' });
  const extend = (): void => void sendCommand({ type: 'ExtendBets', time: 10_000 });
  return {
    prompt: { title: promptText(view.prompt), reason: promptReason(view), by: view.prompt.by },
    lockedBy: { text: t.locked, by: clausesByTopic(view).close },
    right: (
      <ActionPanel>
        <NextAction
          kind="act"
          title={t.call}
          detail={isChips ? t.callChips : t.callSub}
          by={clausesByTopic(view).close}
          run={call}
        />
        <SecondaryActions
          actions={[{ text: t.extend, keyName: 'E', run: isChips ? undefined : extend, testId: 'extend' }]}
        />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: call, shortcuts: isChips ? {} : { extend } },
  };
};

const closingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const { close: by } = clausesByTopic(view);
  const until = (view.round?.deadline ?? view.round?.closesAt ?? 0) + view.grace;
  const close = (): void => {
    const left = until - staffServerTimeMs.peek();
    if (left > 0) showRefusal(t.closeEarly((left / 1000).toFixed(1)), by);
    else void sendCommand({ type: 'CloseBets' });
  };
  const isDue = staffServerTimeMs.value >= until;
  return {
    prompt: { title: promptText(view.prompt), reason: promptReason(view), by: view.prompt.by },
    lockedBy: { text: t.locked, by },
    right: (
      <ActionPanel>
        <NextAction kind={isDue ? 'act' : 'wait'} title={t.close} detail={t.closeSub} by={by} run={close} />
        <SecondaryActions actions={[noAction(t.nothing)]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: close },
  };
};

/** Two boxes: one shows the typed rank, the other waits for the suit. */
export function TypedCardBoxes({ deck }: { readonly deck: DealerView['deck'] }) {
  const rank = typedRank.value;
  return (
    <span class="boxes" aria-hidden="true">
      <span class={rank === '' ? 'cur' : 'full'}>
        {rank === '' ? '' : rankText(rank, deck === 'elements' ? '1' : '')}
      </span>
      <span class={rank === '' ? '' : 'cur'} />
    </span>
  );
}

/**
 * Hint which keys enter a card. Before the rank is typed: an example of rank and suit. After it: the keys of the suits.
 */
export function CardKeyHint({ deck }: { readonly deck: DealerView['deck'] }) {
  const { suits } = decks[deck];
  if (typedRank.value === '') {
    return (
      <span class="grow">
        {dealerStrings().rankSuit} <KeyCap>8</KeyCap> <KeyCap>{suits[2]}</KeyCap>
      </span>
    );
  }
  return (
    <span class="grow">
      {suits.map((suit) => (
        <KeyCap key={suit}>{suit}</KeyCap>
      ))}
    </span>
  );
}

const dealingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const slot = view.due ?? 'P1';
  const side = slot.startsWith('P') ? 'player' : 'banker';
  const back = takeBackAction(view);
  const name = language.value === 'zh' ? t.sides[side] : `${side === 'player' ? '闲' : '庄'} ${t.sides[side]}`;
  const isAfterwards = view.round !== null && manuallyFinishedRoundId.value === view.round.id;
  return {
    prompt: { title: promptText(view.prompt), reason: promptReason(view), by: view.prompt.by },
    right: (
      <ActionPanel>
        <div class={`go ${side[0]}`} data-testid="next">
          <span class="cap">{isAfterwards ? t.afterwards : t.keyOrScan}</span>
          <span class="key">
            <span>
              <span class="slotno">{slot}</span>
              <b class="which">{t.card(name, t.nth[slot[1]!]!)}</b>
            </span>
            <TypedCardBoxes deck={view.deck} />
          </span>
          <span class="sub">
            <CardKeyHint deck={view.deck} />
            <ClauseTag by={view.prompt.by} />
          </span>
        </div>
        <SecondaryActions actions={[back]} />
      </ActionPanel>
    ),
    keys: {
      expects: 'card',
      back: () => {
        if (typedRank.value === '') back.run?.();
        else typedRank.value = '';
      },
      escape: () => (typedRank.value = ''),
      // Before the deal is complete, Enter only shows which card is due.
      next: () => showRefusal(promptText(view.prompt), view.prompt.by),
    },
    onCard: queueCard,
  };
};

const resultScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const isChips = view.bets === 'chips';
  const settleFrom = (view.round?.resultAt ?? 0) + view.pause;
  const left = Math.ceil((settleFrom - staffServerTimeMs.value) / 1000);
  const settle = (): void => {
    if (isCommandPending.value) return;
    const seconds = Math.ceil((settleFrom - staffServerTimeMs.peek()) / 1000);
    if (seconds > 0) showRefusal(t.settleEarly(seconds));
    else void sendCommand({ type: 'Settle' });
  };
  const sub = left > 0 ? t.settleSoon(left) : isChips ? t.settleChips : t.settleSub;
  return {
    prompt: { title: promptText(view.prompt), reason: promptReason(view), by: view.prompt.by },
    ...(view.felt !== null && { left: <FeltInstructions view={view} /> }),
    lockedBy: { text: t.complete, by: nextCardClause(view) },
    right: (
      <ActionPanel>
        <NextAction
          kind={left > 0 ? 'wait' : 'act'}
          title={t.settle}
          detail={sub}
          by={settleClause(view)}
          run={settle}
        />
        <SecondaryActions actions={[{ text: t.tooLate }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: settle },
  };
};

const payingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const { posted, slips } = view.paying ?? { posted: 0, slips: 1 };
  const formatCount = (count: number): string => count.toLocaleString('en');
  return {
    prompt: { title: `${t.paying}, ${t.paid(formatCount(posted), formatCount(slips))}`, by: view.prompt.by },
    lockedBy: { text: t.complete, by: nextCardClause(view) },
    right: (
      <ActionPanel>
        <NextAction
          kind="wait"
          title={
            <>
              {t.paying}
              <small class="paid">
                <b>{t.paid(formatCount(posted), formatCount(slips))}</b>
                <span class="bar-m">
                  <i style={{ width: `${(100 * posted) / Math.max(1, slips)}%` }} />
                </span>
              </small>
            </>
          }
          detail={t.payingSub}
          by={settleClause(view)}
        />
        <SecondaryActions actions={[{ text: t.wait }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing' },
  };
};

const closedScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  return {
    prompt: { title: promptText(view.prompt), reason: t.closedSub, by: view.prompt.by },
    lockedBy: { text: t.noShoe },
    right: (
      <ActionPanel>
        <NextAction kind="wait" caption={t.noAct} title={promptText(view.prompt)} detail={t.closedSub} />
        <SecondaryActions actions={[noAction(t.nothing)]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing' },
  };
};

export function roundScene(view: DealerView): ConsoleScene {
  switch (view.phase) {
    case 'idle':
      return idleScene(view);
    case 'betting':
      return bettingScene(view);
    case 'closing':
      return closingScene(view);
    case 'dealing':
      return dealingScene(view);
    case 'result':
      return resultScene(view);
    case 'paying':
      return payingScene(view);
    case 'closed':
      return closedScene(view);
  }
}
