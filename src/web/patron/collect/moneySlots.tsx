import { useState } from 'preact/hooks';
import { formatMoney, formatShortMoney } from '../../../base/formatMoney.ts';
import { billDenominations } from '../../../wire/billDenominations.ts';
import { patron } from '../app/connection.ts';
import { link, purse } from '../app/state.ts';
import { takeFromTray, ticketTray } from './ticketTray.ts';
import { collectStrings } from './strings.ts';

type Answer = Awaited<ReturnType<typeof patron.load>>;

/** Inputs for money: bills of the demo, and tickets. */
export function MoneySlots({ isDemo }: { readonly isDemo: boolean }) {
  const t = collectStrings();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [number, setNumber] = useState('');
  const put = async (asked: Promise<Answer>): Promise<Answer> => {
    setBusy(true);
    setAnswer(null);
    const told = await asked;
    setAnswer(told);
    setBusy(false);
    return told;
  };
  const insert = async (digits: string): Promise<void> => {
    const told = await put(patron.redeem(digits));
    const isGone = told.type === 'loaded' || (told.type === 'refused' && told.code === 'ticket-paid');
    if (isGone) takeFromTray(digits);
    if (told.type === 'loaded') setNumber('');
  };
  const isDead = isBusy || link.value !== 'open' || (purse.value?.locked ?? null) !== null;
  const digits = number.replaceAll(/\D/g, '');
  return (
    <div class="inlets">
      {isDemo && (
        <div class="inlet" role="group" aria-label={t.notes}>
          <span>{t.notes}</span>
          {billDenominations.map((note) => (
            <button
              key={note}
              type="button"
              class="key"
              disabled={isDead}
              aria-label={t.noteLabel(formatMoney(note))}
              data-note={note}
              onClick={() => void put(patron.load(note))}
            >
              {formatShortMoney(note)}
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
        <button type="submit" class="key" disabled={isDead || digits.length !== 18} data-testid="insert">
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
              disabled={isDead}
              aria-label={t.trayLabel(formatMoney(ticket.amount))}
              data-ticket={ticket.number}
              onClick={() => void insert(ticket.number)}
            >
              {formatShortMoney(ticket.amount)}
            </button>
          ))}
        </div>
      )}
      <p class="inlets-told" role="status" data-testid="slots-told">
        {answer && toldOf(answer)}
      </p>
    </div>
  );
}

function toldOf(answer: Answer): string {
  const t = collectStrings();
  if (answer.type === 'loaded') return t.loaded(formatMoney(answer.amount));
  if (answer.type === 'refused') return t.reasons[answer.code] ?? t.failed;
  return t.unanswered;
}
