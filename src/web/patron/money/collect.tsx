import { useEffect, useState } from 'preact/hooks';
import { newUniqueId } from '../../../client/environment.ts';
import { formatMoney } from '../../../base/formatMoney.ts';
import { type TerminalMoneyState } from '../../../wire/terminalMoneyState.ts';
import { Icon } from '../../shared/widgets/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { Dialog } from '../table/dialog.tsx';
import { patronClient } from '../app/connection.ts';
import { currentOverlay } from '../app/overlay.ts';
import { connectionState, openTableId, terminalMoneyState } from '../app/state.ts';
import { MoneySlots } from './moneySlots.tsx';
import { PrintedTicket } from './printedTicket.tsx';
import { pendingCollectId, savePendingCollectId, putInTicketTray } from './ticketTray.ts';
import { collectStringsByLanguage, collectStrings } from './strings.ts';

type Reply = Awaited<ReturnType<typeof patronClient.collect>>;
/** A collected amount: on a ticket, or paid by staff (`hand`). With an `amount` of 0 only the session ended. */
type Collected = Pick<Extract<Reply, { readonly type: 'collected' }>, 'amount' | 'ticket' | 'hand'>;

/**
 * Dialog of COLLECT. It shows a draft of the ticket and, after one confirmation, the ticket. The money slots are beside
 * the ticket. [ETG layout-1]
 */
export function CollectDialog() {
  const balance = terminalMoneyState.value;
  const close = (): void => void (currentOverlay.value = null);
  const [isSending, setSending] = useState(false);
  const [reply, setReply] = useState<Reply | null>(null);
  const send = async (id: string): Promise<void> => {
    savePendingCollectId(id);
    setSending(true);
    const result = await patronClient.collect(id);
    setSending(false);
    setReply(result);
    // If the result is unknown, the server may have issued the ticket. The ID stays stored, and the next attempt with
    // the same ID gets that ticket.
    if (result.type === 'unanswered' || (result.type === 'refused' && result.code === 'result-unknown')) return;
    savePendingCollectId(null);
    if (result.type === 'collected' && result.ticket && terminalMoneyState.value?.demo) {
      putInTicketTray({ number: result.ticket.number, amount: result.amount });
    }
  };
  // An earlier page may have sent a COLLECT and received no result. The ID of that COLLECT is sent again while the
  // credit is 0. If the server never received that COLLECT, nothing is collected now.
  const isNothingLeft = balance?.collect === 'nothing-to-collect' && !isSending && reply === null;
  const lostId = isNothingLeft && connectionState.value === 'open' ? pendingCollectId() : null;
  useEffect(() => {
    if (lostId !== null) void send(lostId);
  }, [lostId]);
  if (balance === null) return null;
  const handPay = balance.owed > 0 ? { amount: balance.owed, hand: true, ticket: null } : null;
  const collected = reply?.type === 'collected' ? reply : handPay;
  return (
    <Dialog name="collect" close={close}>
      <div class="collect-body">
        <PrintedTicket
          amount={collected?.amount ?? balance.credit}
          ticket={collected?.ticket ?? null}
          isByHand={collected?.hand ?? false}
          isEmpty={collected ? collected.amount === 0 : isEmptyAt(balance)}
          isDemo={balance.demo}
        />
        <div class="collect-side">
          {collected ? (
            <Issued collected={collected} close={close} />
          ) : (
            <Draft
              balance={balance}
              reply={reply}
              isSending={isSending}
              send={() => void send(pendingCollectId() ?? newUniqueId())}
              close={close}
            />
          )}
          <MoneySlots isDemo={balance.demo} />
        </div>
      </div>
    </Dialog>
  );
}

/** True when there is nothing to pay out, so that COLLECT only ends the session. [READING 60] */
const isEmptyAt = ({ credit, collect }: TerminalMoneyState): boolean => credit === 0 && collect === null;

function Title({ name }: { readonly name: 'title' | 'issuedTitle' | 'handTitle' | 'emptyTitle' | 'endedTitle' }) {
  return (
    <h2 id="collect-title">
      {collectStrings()[name]}{' '}
      {language.value === 'en' && <span lang="zh-Hans">{collectStringsByLanguage.zh[name]}</span>}
    </h2>
  );
}

type DraftProps = {
  readonly balance: TerminalMoneyState;
  readonly reply: Reply | null;
  readonly isSending: boolean;
  readonly send: () => void;
  readonly close: () => void;
};

function Draft({ balance, reply, isSending, send, close }: DraftProps) {
  const t = collectStrings();
  const { credit, openStakes, collect } = balance;
  const isEmpty = isEmptyAt(balance);
  const reason = collect === null ? null : (t.reasons[collect] ?? t.failed);
  const failure = reply === null ? null : reply.type === 'refused' ? (t.reasons[reply.code] ?? t.failed) : t.unanswered;
  return (
    <>
      <Title name={isEmpty ? 'emptyTitle' : 'title'} />
      <dl class="collect-sums">
        <div>
          <dt>{t.all}</dt>
          <dd>{formatMoney(credit)}</dd>
        </div>
        {openStakes.map(({ table, round, stake }) => (
          <div key={round}>
            <dt>{t.staked(table)}</dt>
            <dd>{formatMoney(stake)}</dd>
          </div>
        ))}
      </dl>
      {reason === null ? (
        <p class="collect-note">{isEmpty ? t.emptyNote : t.note}</p>
      ) : (
        <p class="collect-reason" role="status" data-testid="collect-reason">
          {reason}
        </p>
      )}
      {failure !== null && failure !== reason && (
        <p class="collect-reason" role="alert" data-testid="collect-failure">
          {failure}
        </p>
      )}
      <div class="collect-keys">
        <button
          type="button"
          class="key key-large key-gold"
          disabled={reason !== null || isSending || connectionState.value !== 'open'}
          data-testid="collect-issue"
          onClick={send}
        >
          {!isEmpty && <Icon name="ticket" />}
          {isEmpty ? (isSending ? t.ending : t.end) : isSending ? t.issuing : t.issue}
        </button>
        <button type="button" class="key key-large" data-testid="collect-back" onClick={close}>
          {openTableId.value === null ? t.close : t.back}
        </button>
      </div>
    </>
  );
}

function Issued({ collected: { amount, hand }, close }: { readonly collected: Collected; readonly close: () => void }) {
  const t = collectStrings();
  const isTicket = !hand && amount > 0;
  return (
    <>
      <Title name={hand ? 'handTitle' : isTicket ? 'issuedTitle' : 'endedTitle'} />
      {isTicket && (
        <dl class="collect-sums">
          <div>
            <dt>{t.onTicket}</dt>
            <dd data-testid="collected">{formatMoney(amount)}</dd>
          </div>
        </dl>
      )}
      <p class="collect-note" role="status" data-testid="collect-status">
        {hand ? t.handNote(formatMoney(amount)) : isTicket ? t.issuedNote : t.endedNote}
      </p>
      <div class="collect-keys">
        {isTicket && (
          <button type="button" class="key key-large" data-testid="collect-print" onClick={() => print()}>
            {t.print}
          </button>
        )}
        <button type="button" class="key key-large key-gold" data-testid="collect-done" onClick={close}>
          {t.done}
        </button>
      </div>
    </>
  );
}
