import { useState } from 'preact/hooks';
import { formatMoney, formatShortMoney } from '../../../base/formatMoney.ts';
import { demoBillDenominations } from '../../../wire/billDenominations.ts';
import { patronClient } from '../app/connection.ts';
import { connectionState, terminalMoneyState } from '../app/state.ts';
import { takeFromTicketTray, ticketTray } from './ticketTray.ts';
import { collectStrings } from './strings.ts';

type Reply = Awaited<ReturnType<typeof patronClient.load>>;

/** Inputs that load money into the terminal: demo bills and tickets. */
export function MoneySlots({ isDemo }: { readonly isDemo: boolean }) {
  const t = collectStrings();
  const [reply, setReply] = useState<Reply | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [number, setNumber] = useState('');
  const send = async (request: Promise<Reply>): Promise<Reply> => {
    setBusy(true);
    setReply(null);
    const result = await request;
    setReply(result);
    setBusy(false);
    return result;
  };
  const insert = async (digits: string): Promise<void> => {
    const result = await send(patronClient.redeem(digits));
    const isUsed = result.type === 'loaded' || (result.type === 'refused' && result.code === 'ticket-paid');
    if (isUsed) takeFromTicketTray(digits);
    if (result.type === 'loaded') setNumber('');
  };
  const isDisabled = isBusy || connectionState.value !== 'open' || (terminalMoneyState.value?.locked ?? null) !== null;
  const digits = number.replaceAll(/\D/g, '');
  return (
    <div class="inlets">
      {isDemo && (
        <div class="inlet" role="group" aria-label={t.notes}>
          <span>{t.notes}</span>
          {demoBillDenominations.map((bill) => (
            <button
              key={bill}
              type="button"
              class="key"
              disabled={isDisabled}
              aria-label={t.noteLabel(formatMoney(bill))}
              data-note={bill}
              onClick={() => void send(patronClient.load(bill))}
            >
              {formatShortMoney(bill)}
            </button>
          ))}
        </div>
      )}
      <form
        class="inlet"
        onSubmit={(event) => {
          event.preventDefault();
          void insert(digits);
        }}
      >
        <label>
          <span>{t.slot}</span>
          <input
            inputMode="numeric"
            autocomplete="off"
            placeholder={t.number}
            aria-label={t.number}
            maxLength={24}
            value={number}
            data-testid="slot"
            onInput={({ currentTarget }) => setNumber(currentTarget.value)}
          />
        </label>
        <button type="submit" class="key" disabled={isDisabled || digits.length !== 18} data-testid="insert">
          {t.insert}
        </button>
      </form>
      {isDemo && ticketTray.value.length > 0 && (
        <div class="inlet" role="group" aria-label={t.tray}>
          <span>{t.tray}</span>
          {ticketTray.value.map((ticket) => (
            <button
              key={ticket.number}
              type="button"
              class="key"
              disabled={isDisabled}
              aria-label={t.trayLabel(formatMoney(ticket.amount))}
              data-ticket={ticket.number}
              onClick={() => void insert(ticket.number)}
            >
              {formatShortMoney(ticket.amount)}
            </button>
          ))}
        </div>
      )}
      <p class="inlets-status" role="status" data-testid="slots-status">
        {reply && replyText(reply)}
      </p>
    </div>
  );
}

function replyText(reply: Reply): string {
  const t = collectStrings();
  if (reply.type === 'loaded') return t.loaded(formatMoney(reply.amount));
  if (reply.type === 'refused') return t.reasons[reply.code] ?? t.failed;
  return t.unanswered;
}
