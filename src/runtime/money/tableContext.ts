import { terminalAccount } from '../../ledger/accounts.ts';
import { type StoredPayload } from '../../store/store.ts';
import { type SlipsByTerminal } from '../../table/schema/fieldTypes.ts';
import { type Table, outcomePaidBefore } from '../../table/state.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type CommandContext } from '../stream/pendingCommand.ts';

// Context of table commands: credit and session limits. The context is stored with the command.

/** Commands that may take money back from the credit of a session. */
export const payoutReversingCommands: ReadonlySet<string> = new Set([
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

/** Source of the session limits that patrons have set. */
export type SessionLimitsSource = {
  /** The amounts that remain of the limits, given the available credit; undefined if the session has no limits. */
  readonly remainingLimits: (session: string, credit: number) => CommandContext | undefined;
  /** Loads the limits of a session; returns undefined if they are loaded already. */
  readonly loading: (session: string) => Promise<unknown> | undefined;
};

export function tableCommandContext(
  request: StoredPayload,
  table: Table | undefined,
  context: CommandContext,
  balances: BalanceCache,
  sessionLimits: SessionLimitsSource,
): CommandContext {
  if (table === undefined) return {};
  const creditOf = (holder: string): number => Math.max(0, balances.available(terminalAccount(table.settings, holder)));
  if (request.type === 'SetSlip') {
    const { terminal: session } = request.actor as { terminal: string };
    const credit = creditOf(session);
    const remaining = sessionLimits.remainingLimits(session, credit);
    return { ...(remaining && { sessionLimits: remaining }), credit };
  }
  if (!payoutReversingCommands.has(request.type)) return {};
  const holders = creditHolders(request, table, (context['slips'] ?? {}) as SlipsByTerminal);
  return holders.length === 0 ? {} : { credits: Object.fromEntries(holders.map((one) => [one, creditOf(one)])) };
}

/**
 * Sessions whose credit a command may change: those with a slip in the ended round, in the proposal or in the context;
 * those with a payout that is being corrected; and the session whose shortfall is being collected.
 */
function creditHolders(
  request: StoredPayload,
  { round, pendingSettlements: settlements, proposal, shortfalls }: Table,
  slips: SlipsByTerminal,
): readonly string[] {
  const act = request.type === 'Approve' ? proposal?.command : request;
  const owing = Object.keys(shortfalls).filter((one) => act?.type === 'CollectShortfall' && act['terminal'] === one);
  const proposed = (proposal?.command['slips'] ?? {}) as SlipsByTerminal;
  const settled = round !== null && round.ending !== null ? Object.keys(round.slips) : [];
  return [
    ...new Set([
      ...settled,
      ...repaidHolders({ pendingSettlements: settlements }),
      ...owing,
      ...Object.keys({ ...proposed, ...slips }),
    ]),
  ].toSorted();
}

/**
 * Sessions from which a command may take back a payout. `PostSettlement` takes back only from sessions that an earlier
 * settlement of the round has paid.
 */
export function sessionsOfPayoutReversal(
  request: StoredPayload,
  table: Table,
  slips: SlipsByTerminal,
): readonly string[] {
  return request.type === 'PostSettlement' ? repaidHolders(table) : creditHolders(request, table, slips);
}

const repaidHolders = ({ pendingSettlements: settlements }: Pick<Table, 'pendingSettlements'>): readonly string[] =>
  settlements.flatMap((settlement) =>
    settlement.order.filter((holder) => outcomePaidBefore(settlement, holder) !== null),
  );
