import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { CardText, rankText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { type Also, AlsoKeys, Go } from '../../kit/components/nextAction.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { decks } from '../../../../rules/card.ts';
import { language } from '../../../shared/text/language.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { now } from '../../app/state.ts';
import { viewClauses } from '../sidePanel.tsx';
import { sendCard } from '../dealCard.ts';
import { FeltInstructions } from '../stage/feltInstructions.tsx';
import { NextPanel } from '../actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { send } from '../../kit/sendCommand.ts';
import { afterwards, asked, refuseWith, typed } from '../state.ts';
import { beginEnd } from '../shoe/endShoe.tsx';
import { dealerStrings } from '../strings.ts';

/** The clause by which the game pays its main wagers. */
const settleClause = (view: DealerView): string => viewClauses(view).settle;

const none = (text: string): Also => ({ text, keyName: 'Bksp' });

/** Why the table of play wants what it wants. */
function whyOf(view: DealerView): string {
  const t = dealerStrings();
  const { code, with: given } = view.says;
  const lies = given['carried'] === undefined ? '' : ` · ${t.carried}`;
  switch (code) {
    case 'ready':
      return given['last'] === undefined || given['last'] === 'none'
        ? ''
        : t.lastWas(given['number'] ?? '', promptText({ code: 'last', with: given, by: null }));
    case 'bets-open':
      return view.bets === 'chips' ? t.chipsLie : t.slips(given['slips'] ?? String(view.slips));
    case 'closing':
      return t.mayArrive;
    case 'player-draws':
      return `${t.has(given['player'] ?? '', given['banker'] ?? '')}${language.value === 'zh' ? '，' : ', '}${t.noNatural}${lies}`;
    case 'player-stands':
      return t.stood(t.sides.player, given['player'] ?? '') + lies;
    case 'banker-draws':
      return t.against(given['banker'] ?? '', given['third'] ?? '') + lies;
    case 'result-player':
    case 'result-banker':
    case 'result-tie':
      return wonText(view) || ((given['natural'] ?? '') === '' ? '' : t.natural);
    default:
      return lies === '' ? '' : t.carried;
  }
}

/** The wagers that win beside the hands. */
function wonText({ says, offered }: DealerView): string {
  const won = (says.with['won'] ?? '').split(' ').filter((wager) => !['', 'player', 'banker', 'tie'].includes(wager));
  return won
    .map((wager) => wagerName(wager, offered.find((one) => one.wager === wager)?.name ?? wager))
    .slice(0, 4)
    .join(language.value === 'zh' ? '、' : ', ');
}

function takeBack(view: DealerView): Also {
  const t = dealerStrings();
  const last = view.round?.cards.at(-1);
  if (last === undefined || !view.round!.mayTakeBack) return none(t.nothing);
  return {
    text: (
      <>
        {t.takeBack} <CardText card={last.card} /> {t.from(last.slot)}
      </>
    ),
    keyName: 'Bksp',
    act: () => void send({ type: 'TakeBackCard' }),
  };
}

const idleScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const isLast = view.shoe?.roundsLeft === 1;
  const open = (): void => void send({ type: 'OpenBets' });
  const change = (): void => beginEnd(view);
  return {
    say: { title: promptText(view.says), why: whyOf(view), by: view.says.by },
    ...(view.felt !== null && { left: <FeltInstructions view={view} /> }),
    lockedBy: { text: t.locked, by: viewClauses(view).close },
    right: (
      <NextPanel>
        <Go
          kind="act"
          {...(isLast && { cap: t.lastRound })}
          big={t.open}
          sub={t.openSub}
          by={isLast ? viewClauses(view).cut : viewClauses(view).open}
          act={open}
        />
        <AlsoKeys all={[{ text: t.change, keyName: 'N', act: change, name: 'change-shoe' }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: open, orders: { shoe: change } },
  };
};

const bettingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const isChips = view.bets === 'chips';
  const call = (): void => void send({ type: 'CallClose' });
  const extend = (): void => void send({ type: 'ExtendBets', time: 10_000 });
  return {
    say: { title: promptText(view.says), why: whyOf(view), by: view.says.by },
    lockedBy: { text: t.locked, by: viewClauses(view).close },
    right: (
      <NextPanel>
        <Go kind="act" big={t.call} sub={isChips ? t.callChips : t.callSub} by={viewClauses(view).close} act={call} />
        <AlsoKeys all={[{ text: t.extend, keyName: 'E', act: isChips ? undefined : extend, name: 'extend' }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: call, orders: isChips ? {} : { extend } },
  };
};

const closingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const { close: by } = viewClauses(view);
  const until = (view.round?.deadline ?? view.round?.closesAt ?? 0) + view.grace;
  const close = (): void => {
    const left = until - now.peek();
    if (left > 0) refuseWith(t.closeEarly((left / 1000).toFixed(1)), by);
    else void send({ type: 'CloseBets' });
  };
  const isDue = now.value >= until;
  return {
    say: { title: promptText(view.says), why: whyOf(view), by: view.says.by },
    lockedBy: { text: t.locked, by },
    right: (
      <NextPanel>
        <Go kind={isDue ? 'act' : 'wait'} big={t.close} sub={t.closeSub} by={by} act={close} />
        <AlsoKeys all={[none(t.nothing)]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: close },
  };
};

/** The two boxes that a card is keyed into. */
export function Boxes({ deck }: { readonly deck: DealerView['deck'] }) {
  const rank = typed.value;
  return (
    <span class="boxes" aria-hidden="true">
      <span class={rank === '' ? 'cur' : 'full'}>
        {rank === '' ? '' : rankText(rank, deck === 'elements' ? '1' : '')}
      </span>
      <span class={rank === '' ? '' : 'cur'} />
    </span>
  );
}

/** What may be keyed next. */
export function CardHint({ deck }: { readonly deck: DealerView['deck'] }) {
  const { suits } = decks[deck];
  if (typed.value === '') {
    return (
      <span class="grow">
        {dealerStrings().rankSuit} <Kbd>8</Kbd> <Kbd>{suits[2]}</Kbd>
      </span>
    );
  }
  return (
    <span class="grow">
      {suits.map((suit) => (
        <Kbd key={suit}>{suit}</Kbd>
      ))}
    </span>
  );
}

const dealingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const slot = view.due ?? 'P1';
  const side = slot.startsWith('P') ? 'player' : 'banker';
  const back = takeBack(view);
  const name = language.value === 'zh' ? t.sides[side] : `${side === 'player' ? '闲' : '庄'} ${t.sides[side]}`;
  const isLate = view.round !== null && afterwards.value === view.round.id;
  return {
    say: { title: promptText(view.says), why: whyOf(view), by: view.says.by },
    right: (
      <NextPanel>
        <div class={`go ${side[0]}`} data-testid="next">
          <span class="cap">{isLate ? t.afterwards : t.keyOrScan}</span>
          <span class="key">
            <span>
              <span class="slotno">{slot}</span>
              <b class="which">{t.card(name, t.nth[slot[1]!]!)}</b>
            </span>
            <Boxes deck={view.deck} />
          </span>
          <span class="sub">
            <CardHint deck={view.deck} />
            <ClauseTag by={view.says.by} />
          </span>
        </div>
        <AlsoKeys all={[back]} />
      </NextPanel>
    ),
    keys: {
      takes: 'card',
      back: () => {
        if (typed.value === '') back.act?.();
        else typed.value = '';
      },
      escape: () => (typed.value = ''),
      // Whoever presses Enter too early is told what is still due.
      next: () => refuseWith(promptText(view.says), view.says.by),
    },
    card: sendCard,
  };
};

const resultScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const isChips = view.bets === 'chips';
  const from = (view.round?.resultAt ?? 0) + view.pause;
  const left = Math.ceil((from - now.value) / 1000);
  const settle = (): void => {
    if (asked.value > 0) return;
    const seconds = Math.ceil((from - now.peek()) / 1000);
    if (seconds > 0) refuseWith(t.settleEarly(seconds));
    else void send({ type: 'Settle' });
  };
  const sub = left > 0 ? t.settleSoon(left) : isChips ? t.settleChips : t.settleSub;
  return {
    say: { title: promptText(view.says), why: whyOf(view), by: view.says.by },
    ...(view.felt !== null && { left: <FeltInstructions view={view} /> }),
    lockedBy: { text: t.complete, by: viewClauses(view).play },
    right: (
      <NextPanel>
        <Go kind={left > 0 ? 'wait' : 'act'} big={t.settle} sub={sub} by={settleClause(view)} act={settle} />
        <AlsoKeys all={[{ text: t.tooLate }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: settle },
  };
};

const payingScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  const { posted, slips } = view.paying ?? { posted: 0, slips: 1 };
  const figure = (count: number): string => count.toLocaleString('en');
  return {
    say: { title: `${t.paying}, ${t.paid(figure(posted), figure(slips))}`, by: view.says.by },
    lockedBy: { text: t.complete, by: viewClauses(view).play },
    right: (
      <NextPanel>
        <Go
          kind="wait"
          big={
            <>
              {t.paying}
              <small class="paid">
                <b>{t.paid(figure(posted), figure(slips))}</b>
                <span class="bar-m">
                  <i style={{ width: `${(100 * posted) / Math.max(1, slips)}%` }} />
                </span>
              </small>
            </>
          }
          sub={t.payingSub}
          by={settleClause(view)}
        />
        <AlsoKeys all={[{ text: t.wait }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing' },
  };
};

const closedScene = (view: DealerView): ConsoleScene => {
  const t = dealerStrings();
  return {
    say: { title: promptText(view.says), why: t.closedSub, by: view.says.by },
    lockedBy: { text: t.noShoe },
    right: (
      <NextPanel>
        <Go kind="wait" cap={t.noAct} big={promptText(view.says)} sub={t.closedSub} />
        <AlsoKeys all={[none(t.nothing)]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing' },
  };
};

/** A plain round, phase by phase. */
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
