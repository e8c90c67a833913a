import { type Account, terminalAccount, ticketAccount } from '../../ledger/accounts.ts';
import { type StoredRequest, type StoreReader } from '../../store/store.ts';
import { type Slips } from '../../table/schema/fieldTypes.ts';
import { creditRefusals } from '../../table/schema/refusals.ts';
import { type Table } from '../../table/state.ts';
import { type TerminalState, currentSession, sessionId } from '../../terminal/state.ts';
import { type Cared, reversingCommands, takenBackFrom } from './commandContext.ts';
import { type StaleReadPolicy } from '../stream/processorOptions.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type Owner } from '../ports/runtimeDependencies.ts';

// Where several programs are on a record, what one of them knows of money is a guess: others move it too. Before anything is
// refused for lack of it, and before any is taken back or goes out, it is read.

/** What pays a session out, and so must not reach money in question. [READING 52] */
export const cashOutCommands: ReadonlySet<string> = new Set([
  'CollectCredit',
  'IssueTicket',
  'EndSession',
  'PaySession',
]);

/** What is decided by what waits to be paid by hand. */
const handPays: ReadonlySet<string> = new Set(['PayByHand', 'SignHandPay', 'ProposeHandPay', 'ApproveHandPay']);

/** So often tables and a credit are read again that change meanwhile; then the guard of the store decides. */
const mostReadings = 5;

type Read = { readonly store: Pick<StoreReader, 'balance'>; readonly purse: BalanceCache };

async function know({ store, purse }: Read, accounts: readonly Account[]): Promise<void> {
  await Promise.all(accounts.map(async (account) => purse.refresh(account, await store.balance(account))));
}

/** Of a table: nobody else writes to its stream. A slip is held to what its patron has set by nothing but what was read. */
export function tableGuess(parts: Read & { readonly cared: Cared }): StaleReadPolicy<Table | undefined> {
  const sessionIn = ({ who }: StoredRequest): string => String(who['terminal']);
  return {
    isAlone: true,
    isOne: (asked, denied) =>
      asked.type === 'SetSlip'
        ? denied === undefined
          ? parts.cared.careOf(sessionIn(asked), 0) !== undefined
          : creditRefusals.has(denied.refused)
        : denied === undefined && reversingCommands.has(asked.type),
    read: async (asked, table, brought) => {
      if (table === undefined) return;
      const holders =
        asked.type === 'SetSlip' ? [sessionIn(asked)] : takenBackFrom(asked, table, (brought['slips'] ?? {}) as Slips);
      await know(
        parts,
        holders.map((holder) => terminalAccount(table.setting, holder)),
      );
    },
  };
}

/** Of a terminal: others write to its stream as well, so that nothing is refused before that was read. */
export function terminalGuess(
  parts: Read & {
    readonly owner: Owner;
    /** Reads all tables up to their last entries, and what was paid from rounds in question. */
    readonly look: () => Promise<void>;
  },
): StaleReadPolicy<TerminalState | undefined> {
  const { store, purse, owner, look } = parts;
  return {
    isAlone: false,
    isOne: ({ type }, denied) =>
      denied !== undefined || cashOutCommands.has(type) || handPays.has(type) || type === 'RedeemTicket',
    read: async (asked, terminal) => {
      if (asked.type === 'RedeemTicket') await know(parts, [ticketAccount(owner, String(asked['ticket']))]);
      if (terminal === undefined) return;
      if (handPays.has(asked.type)) await know(parts, [terminalAccount(owner, terminal.terminal, 'hand-pay')]);
      if (!cashOutCommands.has(asked.type)) return;
      const session =
        asked.type === 'PaySession' ? sessionId(terminal.terminal, Number(asked['session'])) : currentSession(terminal);
      const account = terminalAccount(owner, session);
      for (let left = mostReadings; left > 0; left--) {
        const before = await store.balance(account);
        await look();
        const after = await store.balance(account);
        purse.refresh(account, after);
        // Nothing has come or gone while the tables were read: they and the credit are of one moment.
        if (before.version === after.version) return;
      }
    },
  };
}
