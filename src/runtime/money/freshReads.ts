import { type Account, terminalAccount, ticketAccount } from '../../ledger/accounts.ts';
import { type StoredPayload, type StoreReader } from '../../store/store.ts';
import { type Slips } from '../../table/schema/fieldTypes.ts';
import { creditRefusals } from '../../table/schema/refusals.ts';
import { type Table } from '../../table/state.ts';
import { type TerminalState, currentSession, sessionId } from '../../terminal/state.ts';
import { type SessionLimitsSource, reversingCommands, reversalHolders } from './tableContext.ts';
import { type StaleReadPolicy } from '../stream/processorOptions.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type Owner } from '../ports/runtimeDependencies.ts';

// Stale reads of money: in a cluster other nodes move money too. Balances are read again before a refusal for lack of
// credit, before a reversal and before a cash-out.

/** Cash-outs, which must not reach disputed money. [READING 52] */
export const cashOutCommands: ReadonlySet<string> = new Set([
  'CollectCredit',
  'IssueTicket',
  'EndSession',
  'PaySession',
]);

/** Commands that depend on the outstanding hand-pay. */
const handPayCommands: ReadonlySet<string> = new Set(['PayByHand', 'SignHandPay', 'ProposeHandPay', 'ApproveHandPay']);

/** Tries to read tables and credit of one moment; after that the balance guard of the store decides. */
const maxReads = 5;

type BalanceReads = { readonly store: Pick<StoreReader, 'balance'>; readonly balances: BalanceCache };

async function refreshBalances({ store, balances }: BalanceReads, accounts: readonly Account[]): Promise<void> {
  await Promise.all(accounts.map(async (account) => balances.refresh(account, await store.balance(account))));
}

/** Policy of a table, whose leader is its only writer. Session limits are enforced by fresh data only. */
export function tableStaleReads(
  options: BalanceReads & { readonly sessionLimits: SessionLimitsSource },
): StaleReadPolicy<Table | undefined> {
  const sessionIn = ({ actor }: StoredPayload): string => String(actor['terminal']);
  return {
    isOnlyWriter: true,
    needsRead: (request, refusal) =>
      request.type === 'SetSlip'
        ? refusal === undefined
          ? options.sessionLimits.remainingLimits(sessionIn(request), 0) !== undefined
          : creditRefusals.has(refusal.refused)
        : refusal === undefined && reversingCommands.has(request.type),
    read: async (request, table, context) => {
      if (table === undefined) return;
      const holders =
        request.type === 'SetSlip'
          ? [sessionIn(request)]
          : reversalHolders(request, table, (context['slips'] ?? {}) as Slips);
      await refreshBalances(
        options,
        holders.map((holder) => terminalAccount(table.settings, holder)),
      );
    },
  };
}

/** Policy of a terminal, to which every node may write: no refusal without a fresh read. */
export function terminalStaleReads(
  options: BalanceReads & {
    readonly owner: Owner;
    /** Reads all tables to their end, and payouts of disputed rounds. */
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
          ? sessionId(terminal.terminal, Number(request['session']))
          : currentSession(terminal);
      const account = terminalAccount(owner, session);
      for (let left = maxReads; left > 0; left--) {
        const before = await store.balance(account);
        await readTables();
        const after = await store.balance(account);
        balances.refresh(account, after);
        // The balance did not change while the tables were read, so both are of one moment.
        if (before.version === after.version) return;
      }
    },
  };
}
