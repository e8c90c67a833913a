import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type TicketInfo } from '../../../../wire/staff/cageTypes.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { dayText } from '../../kit/text/timeText.ts';
import { staff } from '../../app/connection.ts';
import { currency } from '../../app/state.ts';
import { useActs } from '../forms/useAction.tsx';
import { FactList, TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { nameText } from './buyIn.tsx';
import { DeskPanel, usePaying } from './cagePanel.tsx';
import { cageStrings } from './strings.ts';

/** In groups of four, as it is printed. */
const grouped = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

/** A ticket is looked up by its number, and paid once. */
export function TicketPayment({ nameFrom }: { readonly nameFrom: number | null }) {
  const t = cageStrings();
  const acts = useActs();
  const input = useRef<HTMLInputElement>(null);
  const [digits, type] = useState('');
  const [ticket, find] = useState<TicketInfo | null>(null);
  const [done, say] = useState<string | null>(null);
  const set = (text: string): void => {
    type(text.replaceAll(/\D/g, '').slice(0, 18));
    find(null);
    say(null);
    acts.tell(null);
  };
  const look = async (): Promise<void> => {
    const answer = await acts.run(() => staff.ask('ticket', { ticket: digits }));
    if (answer?.type === 'answer') find(answer.data as TicketInfo);
  };
  useEffect(() => {
    if (digits.length === 18) void look();
  }, [digits]);
  const paying = usePaying(`ticket ${digits}`, acts.isDead || ticket === null || ticket.not !== null, async () => {
    if (await acts.run(() => staff.pay(digits))) say(t.paid(formatMoney(ticket!.amount)));
    const seen = await staff.ask('ticket', { ticket: digits });
    if (seen.type === 'answer') find(seen.data as TicketInfo);
  });
  useFormKeys({ R: () => (ticket === null ? input.current?.focus() : paying.press()) });
  return (
    <DeskPanel
      title={t.ticket}
      tag={t.cage}
      acts={acts}
      paying={paying}
      text={ticket === null ? t.payNone : t.pay(formatMoney(ticket.amount))}
      amount={formatMoney(ticket?.amount ?? 0)}
      keyName="R"
      typed
    >
      <TextField label={t.scan} value={grouped(digits)} set={set} kind="digits" big most={22} input={input} />
      {ticket !== null && <Seen ticket={ticket} nameFrom={nameFrom} />}
      {done !== null && <p role="status">{done}</p>}
      <p class="q">{t.once}</p>
    </DeskPanel>
  );
}

function Seen({ ticket, nameFrom }: { readonly ticket: TicketInfo; readonly nameFrom: number | null }) {
  const t = cageStrings();
  const { amount, issued, paid, not } = ticket;
  const state =
    paid !== null ? (
      <span class="tag attn" data-testid="paid">
        {paid.terminal === null
          ? t.paidBy(paid.number ?? '', dayText(paid.at))
          : t.paidAt(paid.terminal, dayText(paid.at))}
      </span>
    ) : not === null ? (
      <span class="tag">{t.open}</span>
    ) : (
      <span class="tag attn">{staffRefusalText(not, not)}</span>
    );
  return (
    <FactList
      all={[
        [
          t.worth,
          <b key="worth" class="bignum">
            {currency.value} {formatMoney(amount)}
          </b>,
        ],
        [t.printed, issued === null ? '–' : `${issued.terminal}, ${dayText(issued.at)}`],
        [t.state, state],
        [t.nameFrom, nameText(nameFrom, amount)],
      ]}
    />
  );
}
