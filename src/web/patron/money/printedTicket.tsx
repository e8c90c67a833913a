import { useEffect, useState } from 'preact/hooks';
import { formatMoney } from '../../../base/formatMoney.ts';
import { formatValidationNumber } from '../../../base/validationNumber.ts';
import { type Ticket } from '../../../wire/terminalMoneyState.ts';
import { language } from '../../shared/text/language.ts';
import { terminalId, tableView } from '../app/state.ts';
import { spelledOutAmount } from './amountInWords.ts';
import { collectStrings } from './strings.ts';

/** The modules (cells) of a QR code, row by row; null until the QR library is loaded. */
function useCode(number: string): readonly (readonly boolean[])[] | null {
  const [rows, setRows] = useState<readonly (readonly boolean[])[] | null>(null);
  useEffect(() => {
    let isShown = true;
    const draw = async (): Promise<void> => {
      const { encodeQR } = await import('qr');
      if (isShown) setRows(encodeQR(number, 'raw', { ecc: 'medium', border: 2 }));
    };
    // Without the library the ticket has no QR code; its validation number is enough to redeem it.
    draw().catch(() => setRows(null));
    return () => {
      isShown = false;
    };
  }, [number]);
  return rows;
}

function Code({ number }: { readonly number: string }) {
  const rows = useCode(number);
  const size = rows?.length ?? 25;
  const squares = (rows ?? []).flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="ticket-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={collectStrings().code(formatValidationNumber(number))}
      shape-rendering="crispEdges"
      data-testid="ticket-code"
    >
      <path d={squares.join('')} />
    </svg>
  );
}

type TicketProps = {
  readonly amount: number;
  readonly ticket: Ticket | null;
  /** True when staff pay the amount by hand, so that no ticket is printed. */
  readonly isByHand: boolean;
  readonly isEmpty: boolean;
  readonly isDemo: boolean;
};

/** A printed ticket or, before it is issued, its draft. */
export function PrintedTicket({ amount, ticket, isByHand, isEmpty, isDemo }: TicketProps) {
  const t = collectStrings();
  const hasNoTicket = isByHand || isEmpty;
  return (
    <div class={ticket ? 'ticket is-issued' : 'ticket is-draft'} data-testid="ticket">
      <header>
        <b>PUNTO</b>
        <span>{ticket ? t.ticket : hasNoTicket ? t.hand : t.draft}</span>
      </header>
      <p class="ticket-amount">{formatMoney(amount)}</p>
      <p class="ticket-words">{spelledOutAmount(amount, language.value)}</p>
      {ticket === null ? (
        <p class="ticket-blank">{isByHand ? t.handBlank : isEmpty ? t.emptyBlank : t.blank}</p>
      ) : (
        <>
          <Code number={ticket.number} />
          <p class="ticket-number">
            <small>{t.validation}</small>{' '}
            <span data-testid="ticket-number">{formatValidationNumber(ticket.number)}</span>
          </p>
        </>
      )}
      <dl>
        <div>
          <dt>{t.tid}</dt>
          <dd>{terminalId.value ?? '–'}</dd>
        </div>
        <div>
          <dt>{t.game}</dt>
          <dd>{tableView.value?.round ? `#${tableView.value.round.number}` : '–'}</dd>
        </div>
        <div>
          <dt>{t.time}</dt>
          <dd>{ticket ? timeText(ticket.at) : '–'}</dd>
        </div>
      </dl>
      {isDemo && <p class="ticket-demo">{t.demo}</p>}
    </div>
  );
}

function timeText(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${date.toTimeString().slice(0, 8)}`;
}
