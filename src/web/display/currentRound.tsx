import { type PublicTableView } from '../../wire/tableView.ts';
import { BilingualText } from '../shared/text/bilingualText.tsx';
import { MiniCardFace } from '../shared/cards/cards.tsx';
import { voidReasonText, wagerName } from '../shared/text/gameNames.ts';
import { CountdownRing } from '../shared/widgets/countdownRing.tsx';
import { displayServerTimeMs, displayState } from './state.ts';
import { type PublicTableStatus, isOpenUntilDealerCall } from '../shared/text/tableStatus.ts';
import { tableStatusOnDisplay } from './tableStatusOnDisplay.ts';
import { displayStringsByLanguage, displayStrings } from './strings.ts';

function callOf(status: PublicTableStatus): { readonly en: string; readonly zh: string } {
  const { en, zh } = displayStringsByLanguage;
  switch (status.kind) {
    case 'open':
      return { en: en.placeBets, zh: zh.placeBets };
    case 'shut':
      return { en: en.noMoreBets, zh: zh.noMoreBets };
    case 'won':
      return { en: en.wins[status.winner], zh: zh.wins[status.winner] };
    case 'void':
      return { en: en.isVoid, zh: zh.isVoid };
    case 'shoe':
      return { en: en.newShoe, zh: zh.newShoe };
    case 'soon':
      return { en: en.soon, zh: zh.soon };
    case 'dealer':
      return { en: en.dealer, zh: zh.dealer };
    case 'closed':
      return { en: en.closed, zh: zh.closed };
    case 'stopped':
      return { en: en.stopped, zh: zh.stopped };
    case 'cannot-record':
      return { en: en.cannotRecord, zh: zh.cannotRecord };
  }
}

type Hands = Pick<NonNullable<PublicTableView['last']>, 'player' | 'banker' | 'winner'>;

function Hand({ side, of, isOver }: { side: 'player' | 'banker'; of: Hands; isOver: boolean }) {
  const { cards, total } = of[side];
  const end = !isOver || of.winner === null || of.winner === 'tie' ? '' : of.winner === side ? ' is-won' : ' is-beaten';
  return (
    <div class={`d-hand d-hand-${side}${end}`}>
      <p>
        <BilingualText en={displayStringsByLanguage.en[side]} zh={displayStringsByLanguage.zh[side]} />
      </p>
      <span class="d-total">{cards.length === 0 ? '' : total}</span>
      <div class="d-cards">
        {cards.map((card, place) => (
          <MiniCardFace key={place} card={card} />
        ))}
      </div>
    </div>
  );
}

/** Names of the wagers that have won, three at most. Player, Banker and Tie are left out. */
function Badges({ view }: { view: PublicTableView }) {
  const { round, layout } = view;
  const won = layout.filter(({ wager }) => round?.won?.includes(wager) && wager !== round.winner);
  if (won.length === 0) return null;
  return (
    <ul class="d-badges">
      {won.slice(0, 3).map(({ wager, name }) => (
        <li key={wager}>{wagerName(wager, name)}</li>
      ))}
    </ul>
  );
}

/** Shows the totals of both hands in the previous round. */
function LastHand({ last }: { last: PublicTableView['last'] }) {
  const t = displayStrings();
  if (last === null || last.voidBy !== null || last.winner === null) return null;
  return (
    <p class="d-last">
      {t.lastHand} <b class={last.winner === 'player' ? 'is-player is-won' : 'is-player'}>{last.player.total}</b>{' '}
      <b class={last.winner === 'banker' ? 'is-banker is-won' : 'is-banker'}>{last.banker.total}</b>
    </p>
  );
}

/**
 * Notice of a void, corrected or resumed round, with its clause. At a stopped table, only the clause by which the table
 * was stopped is shown.
 */
function Notice({ view }: { view: PublicTableView }) {
  const t = displayStrings();
  const { notice, stopped } = view;
  if (stopped?.by) return <p class="d-notice">{stopped.by}</p>;
  if (notice === null) return null;
  const text = { void: t.voided, corrected: t.corrected, resumed: t.resumed }[notice.kind];
  return (
    <p class="d-notice" data-testid="notice">
      {text(notice.number)} {voidReasonText(notice.reason)} <b>{notice.by}</b>
    </p>
  );
}

/**
 * Warning that replaces the round while the connection is lost. The display then no longer knows what happens at the
 * table.
 */
function NoConnection() {
  return (
    <section class="d-now" role="alert" data-testid="connection">
      <p class="d-phase is-warn">
        <i class="lamp" />
        <BilingualText en={displayStringsByLanguage.en.noConnection} zh={displayStringsByLanguage.zh.noConnection} />
      </p>
      <p class="d-notice">{displayStrings().lost}</p>
    </section>
  );
}

export function CurrentRound({ view }: { view: PublicTableView }) {
  const { connection } = displayState.value;
  if (connection !== 'open') return <NoConnection />;
  const t = displayStrings();
  const status = tableStatusOnDisplay(view, displayServerTimeMs.value);
  const waitsForCall = isOpenUntilDealerCall(view, status);
  const { round, opensAt } = view;
  const hasCards =
    status.kind !== 'open' &&
    status.kind !== 'shoe' &&
    status.kind !== 'dealer' &&
    round !== null &&
    round.player.cards.length > 0;
  return (
    <section class={view.notice !== null || view.stopped?.by ? 'd-now has-notice' : 'd-now'}>
      <p class={`d-phase is-${status.kind}${status.kind === 'won' ? ` winner-${status.winner}` : ''}`} role="status">
        {status.kind !== 'won' && <i class="lamp" />}
        <BilingualText {...callOf(status)} />
      </p>
      {waitsForCall ? (
        <p class="d-opens" data-testid="until-called">
          {t.untilCalled}
        </p>
      ) : (
        status.kind === 'open' && <CountdownRing left={status.left} total={view.bettingTime} size="ring-display" />
      )}
      {hasCards && (
        <div class="d-hands">
          <Hand side="player" of={round} isOver={status.kind === 'won'} />
          <Hand side="banker" of={round} isOver={status.kind === 'won'} />
        </div>
      )}
      {status.kind === 'won' && <Badges view={view} />}
      {status.kind === 'open' && view.notice === null && <LastHand last={view.last} />}
      <Notice view={view} />
      {opensAt !== null && hasCards && status.kind !== 'shut' && (
        <p class="d-opens">{t.opensIn(Math.max(0, Math.ceil((opensAt - displayServerTimeMs.value) / 1000)))}</p>
      )}
    </section>
  );
}
