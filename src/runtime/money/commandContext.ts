import { terminalAccount, ticketAccount } from '../../ledger/accounts.ts';
import { type StoredRequest } from '../../store/store.ts';
import { type Slips } from '../../table/schema/fieldTypes.ts';
import { type PendingSettlement, type Table, isPlaying, outcomePaidBefore } from '../../table/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { totalReturned, totalStake } from '../../table/payouts.ts';
import { disputedRounds } from '../../table/irregularities.ts';
import { type TerminalState, currentSession, sessionId } from '../../terminal/state.ts';
import { type DisputedPayouts } from './disputedPayouts.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type Brought } from '../stream/pendingCommand.ts';
import { type Owner } from '../ports/runtimeDependencies.ts';

// What the floor knows and whoever asks does not: credit, and what of it stands at tables. It is written down with the
// command that was decided by it.

/** Commands that may take back what a round has paid. */
export const reversingCommands: ReadonlySet<string> = new Set([
  'Settle',
  'PostSettlement',
  'ConfirmRuling',
  'VoidRound',
  'ReconstructRound',
  'CorrectCard',
  'DecideReferral',
  'CollectShortfall',
  'Approve',
]);

/** What the patrons of sessions have set for them. */
export type Cared = {
  /** What is left of it, by the credit that can be counted on. */
  readonly careOf: (session: string, credit: number) => Brought | undefined;
  /** Resolves once it is known; undefined where it is already. */
  readonly reading: (session: string) => Promise<unknown> | undefined;
};

export function tableContext(
  asked: StoredRequest,
  table: Table | undefined,
  brought: Brought,
  purse: BalanceCache,
  cared: Cared,
): Brought {
  if (table === undefined) return {};
  const creditOf = (holder: string): number => Math.max(0, purse.available(terminalAccount(table.setting, holder)));
  if (asked.type === 'SetSlip') {
    const { terminal: session } = asked.who as { terminal: string };
    const credit = creditOf(session);
    const care = cared.careOf(session, credit);
    return { ...(care && { care }), credit };
  }
  if (!reversingCommands.has(asked.type)) return {};
  const holders = paidTo(asked, table, (brought['slips'] ?? {}) as Slips);
  return holders.length === 0 ? {} : { credits: Object.fromEntries(holders.map((one) => [one, creditOf(one)])) };
}

/**
 * Those whose credit a round that was paid may reach: the last one, or an earlier one whose slips were brought; and whoever
 * is to pay what is owed.
 */
function paidTo(
  asked: StoredRequest,
  { round, pendingSettlements: jobs, proposal, shortfalls }: Table,
  slips: Slips,
): readonly string[] {
  const act = asked.type === 'Approve' ? proposal?.act : asked;
  const owing = Object.keys(shortfalls).filter((one) => act?.type === 'CollectShortfall' && act['terminal'] === one);
  const proposed = (proposal?.act['slips'] ?? {}) as Slips;
  const settled = round !== null && round.ending !== null ? Object.keys(round.slips) : [];
  return [
    ...new Set([
      ...settled,
      ...paidAgain({ pendingSettlements: jobs }),
      ...owing,
      ...Object.keys({ ...proposed, ...slips }),
    ]),
  ].toSorted();
}

/** Those from whom a command may take back what they were paid: a settlement that goes on does so from those it pays again. */
export function takenBackFrom(asked: StoredRequest, table: Table, slips: Slips): readonly string[] {
  return asked.type === 'PostSettlement' ? paidAgain(table) : paidTo(asked, table, slips);
}

const paidAgain = ({ pendingSettlements: jobs }: Pick<Table, 'pendingSettlements'>): readonly string[] =>
  jobs.flatMap((job) => job.order.filter((holder) => outcomePaidBefore(job, holder) !== null));

export function terminalContext(
  asked: StoredRequest,
  terminal: TerminalState | undefined,
  purse: BalanceCache,
  owner: Owner,
  tables: Iterable<Table>,
  paid: Pick<DisputedPayouts, 'from'>,
  handPay?: number,
): Brought {
  if (terminal === undefined) return {};
  const available = (holder: string, kind?: 'hand-pay'): number =>
    Math.max(0, purse.available(terminalAccount(owner, holder, kind)));
  const states = [...tables];
  const creditOf = (session: string): { credit: number; inQuestion: number } => {
    const credit = available(session);
    // Where it is not known what came of a round, it may be all of the credit.
    const behind = (round: string): number => paid.from(round, terminalAccount(owner, session)) ?? credit;
    return { credit, inQuestion: states.reduce((sum, table) => sum + questionedAt(table, session, behind), 0) };
  };
  switch (asked.type) {
    case 'CollectCredit':
    case 'IssueTicket':
    case 'EndSession': {
      const session = currentSession(terminal);
      // A stake that was taken off or paid stands until that is written.
      let staked = purse.incoming(terminalAccount(owner, session));
      for (const table of states) for (const { stake } of openStakesAt(table, session)) staked += stake;
      const isLimited = asked.type === 'IssueTicket' && handPay !== undefined;
      return { ...creditOf(session), staked, ...(isLimited && { handPay }) };
    }
    case 'RedeemTicket':
      return broughtToTicket(asked['ticket'] as string, purse, owner);
    case 'PaySession':
      return creditOf(sessionId(terminal.terminal, asked['session'] as number));
    case 'PayByHand':
    case 'SignHandPay':
    case 'ProposeHandPay':
    case 'ApproveHandPay':
      return { waiting: available(terminal.terminal, 'hand-pay') };
    default:
      return {};
  }
}

/** What a ticket is worth, and what of it is being paid at this moment. */
export function broughtToTicket(
  ticket: string,
  purse: BalanceCache,
  owner: Owner,
): { readonly worth: number; readonly leaving: number } {
  const account = ticketAccount(owner, ticket);
  const worth = purse.balance(account);
  return { worth, leaving: worth - purse.available(account) };
}

/** What a session has at stake at a table, by rounds: in the one that is played, or settled and not yet posted. */
export function openStakesAt(
  table: Table,
  session: string,
): readonly { readonly round: string; readonly stake: number }[] {
  const { round, pendingSettlements: jobs } = table;
  const slip = round !== null && isPlaying(table) && round.ending === null ? ownValue(round.slips, session) : undefined;
  const unpaid = jobs.filter((job) => outcomePaidBefore(job, session) === null && isToCome(job, session));
  return [
    ...(slip ? [{ round: round!.id, stake: totalStake(slip) }] : []),
    ...unpaid.map((job) => ({ round: job.round, stake: totalStake(job.slips[session]!) })),
  ].filter(({ stake }) => stake > 0);
}

const isToCome = ({ order, done }: PendingSettlement, session: string): boolean => order.indexOf(session, done) >= 0;

/**
 * What a session has got from rounds of a table that are in question, and what is ruled back from it and not yet posted.
 * [READING 52]
 */
function questionedAt(table: Table, session: string, behind: (round: string) => number): number {
  const { round: present, pendingSettlements: jobs } = table;
  const frozen = disputedRounds(table)
    .filter(({ terminals }) => terminals === null || terminals.includes(session))
    .map(({ round }) => round);
  const coming = jobs.filter((job) => isToCome(job, session));
  let sum = 0;
  for (const round of new Set([...frozen, ...coming.map((job) => job.round)])) {
    const job = coming.find((one) => one.round === round);
    if (job !== undefined) {
      const slip = job.slips[session]!;
      const paid = outcomePaidBefore(job, session);
      const got = paid === null ? 0 : totalReturned(slip, paid);
      sum += frozen.includes(round) ? got : Math.max(0, got - totalReturned(slip, job.after));
    } else if (present?.id !== round) sum += behind(round);
    else if (present.ending !== null) sum += totalReturned(ownValue(present.slips, session) ?? {}, present.ending);
  }
  return sum;
}
