import { type Account, terminalAccount, ticketAccount } from '../../ledger/accounts.ts';
import { type StoredPayload, type StoreReader } from '../../store/store.ts';
import { type SlipsByTerminal } from '../../table/schema/fieldTypes.ts';
import { creditDependentErrorCodes } from '../../table/schema/refusals.ts';
import { type Table } from '../../table/state.ts';
import { type TerminalState, currentOrNextSessionId, creditSessionId } from '../../terminal/state.ts';
import { type SessionLimitsSource, payoutReversingCommands, sessionsOfPayoutReversal } from './tableContext.ts';
import { type StaleReadPolicy } from '../stream/processorOptions.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type PropertyAndCurrency } from '../ports/runtimeDependencies.ts';

// Fresh reads: in a cluster other nodes move money too, so cached balances may be stale. The policies in this file say
// before which decisions balances are read again.

/** Commands that pay out credit, or end a session without credit. Disputed money must not be paid out. [READING 52] */
export const cashOutCommands: ReadonlySet<string> = new Set([
  'CollectCredit',
  'IssueTicket',
  'EndSession',
  'PaySession',
]);

/** Commands that depend on the amount of an unpaid hand-pay. */
const handPayCommands: ReadonlySet<string> = new Set(['PayByHand', 'SignHandPay', 'ProposeHandPay', 'ApproveHandPay']);

/**
 * Maximum number of attempts to read tables and credit as of the same moment. The last attempt counts in any case,
 * because the balance guard of the store still protects the credit.
 */
const maxReads = 5;

type BalanceReads = { readonly store: Pick<StoreReader, 'balance'>; readonly balances: BalanceCache };

async function refreshBalances({ store, balances }: BalanceReads, accounts: readonly Account[]): Promise<void> {
  await Promise.all(accounts.map(async (account) => balances.refresh(account, await store.balance(account))));
}

/**
 * Stale-read policy of a table, whose leader is its only writer. Credit is read again in three cases: before a slip of
 * a session with limits, before a command that may take back a payout, and before a slip is refused for lack of credit.
 */
export function createTableStaleReadPolicy(
  options: BalanceReads & { readonly sessionLimits: SessionLimitsSource },
): StaleReadPolicy<Table | undefined> {
  const sessionIn = ({ actor }: StoredPayload): string => String(actor['terminal']);
  return {
    isOnlyWriter: true,
    needsRead: (request, refusal) =>
      request.type === 'SetSlip'
        ? refusal === undefined
          ? options.sessionLimits.remainingLimits(sessionIn(request), 0) !== undefined
          : creditDependentErrorCodes.has(refusal.refused)
        : refusal === undefined && payoutReversingCommands.has(request.type),
    read: async (request, table, context) => {
      if (table === undefined) return;
      const holders =
        request.type === 'SetSlip'
          ? [sessionIn(request)]
          : sessionsOfPayoutReversal(request, table, (context['slips'] ?? {}) as SlipsByTerminal);
      await refreshBalances(
        options,
        holders.map((holder) => terminalAccount(table.settings, holder)),
      );
    },
  };
}

/**
 * Stale-read policy of a terminal, to whose stream every node may write. Cash-outs, hand-pays and redeemed tickets need
 * a fresh read. Other commands need a fresh read only before a refusal.
 */
export function createTerminalStaleReadPolicy(
  options: BalanceReads & {
    readonly owner: PropertyAndCurrency;
    /** Reads the streams of all tables to their end, and the payouts of disputed rounds. */
    readonly readTables: () => Promise<void>;
  },
): StaleReadPolicy<TerminalState | undefined> {
  const { store, balances, owner, readTables } = options;
  return {
    isOnlyWriter: false,
    needsRead: ({ type }, refusal) =>
      refusal !== undefined || cashOutCommands.has(type) || handPayCommands.has(type) || type === 'RedeemTicket',
    read: async (request, terminal) => {
      if (request.type === 'RedeemTicket')
        await refreshBalances(options, [ticketAccount(owner, String(request['ticket']))]);
      if (terminal === undefined) return;
      if (handPayCommands.has(request.type))
        await refreshBalances(options, [terminalAccount(owner, terminal.terminal, 'hand-pay')]);
      if (!cashOutCommands.has(request.type)) return;
      const session =
        request.type === 'PaySession'
          ? creditSessionId(terminal.terminal, Number(request['session']))
          : currentOrNextSessionId(terminal);
      const account = terminalAccount(owner, session);
      for (let left = maxReads; left > 0; left--) {
        const before = await store.balance(account);
        await readTables();
        const after = await store.balance(account);
        balances.refresh(account, after);
        // The balance did not change while the tables were read, so balance and tables are as of the same moment.
        if (before.version === after.version) return;
      }
    },
  };
}
