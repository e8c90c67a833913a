import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type TicketStatus } from '../../../../wire/staff/cageTypes.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { timeTextWithDateUnlessToday } from '../../kit/text/timeText.ts';
import { staffClient } from '../../app/connection.ts';
import { propertyCurrency } from '../../app/state.ts';
import { useFormCommands } from '../forms/useFormCommands.tsx';
import { FactList, TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { patronNameRequirementText } from './buyIn.tsx';
import { CagePanel, useTwoPressPayment } from './cagePanel.tsx';
import { cageStrings } from './strings.ts';

/** Validation number in groups of four digits, as printed on the ticket. */
const formatTicketNumber = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

export function TicketPaymentPanel({ nameFrom }: { readonly nameFrom: number | null }) {
  const t = cageStrings();
  const commands = useFormCommands();
  const input = useRef<HTMLInputElement>(null);
  const [digits, setDigits] = useState('');
  const [ticket, setTicket] = useState<TicketStatus | null>(null);
  const [paidText, setPaidText] = useState<string | null>(null);
  const set = (text: string): void => {
    setDigits(text.replaceAll(/\D/g, '').slice(0, 18));
    setTicket(null);
    setPaidText(null);
    commands.setRefusal(null);
  };
  const loadTicket = async (): Promise<void> => {
    const reply = await commands.send(() => staffClient.query('ticket', { ticket: digits }));
    if (reply?.type === 'answer') setTicket(reply.data as TicketStatus);
  };
  useEffect(() => {
    if (digits.length === 18) void loadTicket();
  }, [digits]);
  const payment = useTwoPressPayment(
    `ticket ${digits}`,
    commands.isDisabled || ticket === null || ticket.not !== null,
    async () => {
      if (await commands.send(() => staffClient.pay(digits))) setPaidText(t.paid(formatMoney(ticket!.amount)));
      const paidTicket = await staffClient.query('ticket', { ticket: digits });
      if (paidTicket.type === 'answer') setTicket(paidTicket.data as TicketStatus);
    },
  );
  useFormKeys({ R: () => (ticket === null ? input.current?.focus() : payment.onPress()) });
  return (
    <CagePanel
      title={t.ticket}
      tag={t.cage}
      commands={commands}
      payment={payment}
      text={ticket === null ? t.payNone : t.pay(formatMoney(ticket.amount))}
      amount={formatMoney(ticket?.amount ?? 0)}
      keyName="R"
      hasFields
    >
      <TextField
        label={t.scan}
        value={formatTicketNumber(digits)}
        set={set}
        kind="digits"
        big
        maxLength={22}
        input={input}
      />
      {ticket !== null && <TicketFacts ticket={ticket} nameFrom={nameFrom} />}
      {paidText !== null && <p role="status">{paidText}</p>}
      <p class="q">{t.once}</p>
    </CagePanel>
  );
}

function TicketFacts({ ticket, nameFrom }: { readonly ticket: TicketStatus; readonly nameFrom: number | null }) {
  const t = cageStrings();
  const { amount, issued, paid, not } = ticket;
  const state =
    paid !== null ? (
      <span class="tag attn" data-testid="paid">
        {paid.terminal === null
          ? t.paidBy(paid.number ?? '', timeTextWithDateUnlessToday(paid.at))
          : t.paidAt(paid.terminal, timeTextWithDateUnlessToday(paid.at))}
      </span>
    ) : not === null ? (
      <span class="tag">{t.open}</span>
    ) : (
      <span class="tag attn">{staffRefusalText(not, not)}</span>
    );
  return (
    <FactList
      facts={[
        [
          t.worth,
          <b key="worth" class="bignum">
            {propertyCurrency.value} {formatMoney(amount)}
          </b>,
        ],
        [t.printed, issued === null ? '–' : `${issued.terminal}, ${timeTextWithDateUnlessToday(issued.at)}`],
        [t.state, state],
        [t.nameFrom, patronNameRequirementText(nameFrom, amount)],
      ]}
    />
  );
}
