import { terminalAccount, ticketAccount } from '../../ledger/accounts.ts';
import { type StoredPayload } from '../../store/store.ts';
import { type PendingSettlement, type Table, isPlaying, outcomePaidBefore } from '../../table/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { totalReturned, totalStake } from '../../table/payouts.ts';
import { disputedRounds } from '../../table/irregularities.ts';
import { type TerminalState, currentOrNextSessionId, creditSessionId } from '../../terminal/state.ts';
import { type DisputedPayouts } from './disputedPayouts.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type CommandContext } from '../stream/pendingCommand.ts';
import { type PropertyAndCurrency } from '../ports/runtimeDependencies.ts';

// Context of terminal commands, such as credit, open stakes and disputed money. The context is stored with the
// command.

export function terminalCommandContext(
  request: StoredPayload,
  terminal: TerminalState | undefined,
  balances: BalanceCache,
  owner: PropertyAndCurrency,
  tables: Iterable<Table>,
  payouts: Pick<DisputedPayouts, 'paidTo'>,
  handPayLimit?: number,
): CommandContext {
  if (terminal === undefined) return {};
  const available = (holder: string, kind?: 'hand-pay'): number =>
    Math.max(0, balances.available(terminalAccount(owner, holder, kind)));
  const states = [...tables];
  const creditOf = (session: string): { credit: number; disputed: number } => {
    const credit = available(session);
    // If the payouts of a round were not read, the whole credit counts as disputed.
    const paidEarlier = (round: string): number => payouts.paidTo(round, terminalAccount(owner, session)) ?? credit;
    return { credit, disputed: states.reduce((sum, table) => sum + disputedAt(table, session, paidEarlier), 0) };
  };
  switch (request.type) {
    case 'CollectCredit':
    case 'IssueTicket':
    case 'EndSession': {
      const session = currentOrNextSessionId(terminal);
      // Money that is being returned to the credit counts as staked until the return is committed.
      let staked = balances.incoming(terminalAccount(owner, session));
      for (const table of states) for (const { stake } of openStakesOfSession(table, session)) staked += stake;
      const isLimited = request.type === 'IssueTicket' && handPayLimit !== undefined;
      return { ...creditOf(session), staked, ...(isLimited && { handPay: handPayLimit }) };
    }
    case 'RedeemTicket':
      return ticketValueContext(request['ticket'] as string, balances, owner);
    case 'PaySession':
      return creditOf(creditSessionId(terminal.terminal, request['session'] as number));
    case 'PayByHand':
    case 'SignHandPay':
    case 'ProposeHandPay':
    case 'ApproveHandPay':
      return { amountDue: available(terminal.terminal, 'hand-pay') };
    default:
      return {};
  }
}

/** Value of a ticket, and in `leaving` the part of the value that is being paid right now. Both are in minor units. */
export function ticketValueContext(
  ticket: string,
  balances: BalanceCache,
  owner: PropertyAndCurrency,
): { readonly value: number; readonly leaving: number } {
  const account = ticketAccount(owner, ticket);
  const value = balances.balance(account);
  return { value, leaving: value - balances.available(account) };
}

/** Open stakes of a session at a table: in the current round, and in rounds that are settled but not yet posted. */
export function openStakesOfSession(
  table: Table,
  session: string,
): readonly { readonly round: string; readonly stake: number }[] {
  const { round, pendingSettlements: settlements } = table;
  const slip = round !== null && isPlaying(table) && round.ending === null ? ownValue(round.slips, session) : undefined;
  const unpaid = settlements.filter(
    (settlement) => outcomePaidBefore(settlement, session) === null && isUnposted(settlement, session),
  );
  return [
    ...(slip ? [{ round: round!.id, stake: totalStake(slip) }] : []),
    ...unpaid.map((settlement) => ({ round: settlement.round, stake: totalStake(settlement.slips[session]!) })),
  ].filter(({ stake }) => stake > 0);
}

const isUnposted = ({ order, done }: PendingSettlement, session: string): boolean => order.indexOf(session, done) >= 0;

/**
 * Disputed money of a session at a table: payouts of disputed rounds, and unposted reversals by a ruling. [READING 52]
 */
function disputedAt(table: Table, session: string, paidEarlier: (round: string) => number): number {
  const { round: present, pendingSettlements: settlements } = table;
  const disputed = disputedRounds(table)
    .filter(({ terminals }) => terminals === null || terminals.includes(session))
    .map(({ round }) => round);
  const unposted = settlements.filter((settlement) => isUnposted(settlement, session));
  let sum = 0;
  for (const round of new Set([...disputed, ...unposted.map((settlement) => settlement.round)])) {
    const settlement = unposted.find((one) => one.round === round);
    if (settlement !== undefined) {
      const slip = settlement.slips[session]!;
      const payouts = outcomePaidBefore(settlement, session);
      const got = payouts === null ? 0 : totalReturned(slip, payouts);
      sum += disputed.includes(round) ? got : Math.max(0, got - totalReturned(slip, settlement.after));
    } else if (present?.id !== round) sum += paidEarlier(round);
    else if (present.ending !== null) sum += totalReturned(ownValue(present.slips, session) ?? {}, present.ending);
  }
  return sum;
}
