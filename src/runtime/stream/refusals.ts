import { type Account, ticketOfAccount } from '../../ledger/accounts.ts';
import { type Refusal, refuse } from '../../base/refusal.ts';

/** Codes of the refusals that come from the runtime and not from a decider. */
export const runtimeRefusalCodes = [
  'cannot-record',
  'command-reused',
  'over-count',
  'result-unknown',
  'table-stopped',
] as const;
export type RuntimeRefusal = Refusal<(typeof runtimeRefusalCodes)[number]> & { readonly by: null };

/** A refusal of a decider, the runtime or the store. `by` is the clause of the rulebook, null if there is none. */
export type CommandRefusal = { readonly refused: string; readonly message: string; readonly by: string | null };

const refusal = (code: RuntimeRefusal['refused'], message: string): RuntimeRefusal => ({
  ...refuse<RuntimeRefusal['refused']>(code, message),
  by: null,
});

export const commandReusedRefusal = refusal(
  'command-reused',
  'This id was used for another command. Send the command with a new id.',
);
export const cannotRecordRefusal = refusal(
  'cannot-record',
  'Nothing can be recorded at the moment, and this was not recorded. Try again shortly.',
);
export const tableStoppedRefusal = refusal('table-stopped', 'The table has stopped. Call the supervisor.');
export const resultUnknownRefusal = refusal(
  'result-unknown',
  'It is not known yet whether this was recorded. Send it again with the same id when the table is back.',
);

const overCount = refusal('over-count', 'The balance would be too large to be exact. Use a smaller amount.');

/** The refusal of a command one of whose postings the balance guard of the store rejected. */
export function balanceRefusal({
  refused,
  account,
}: {
  readonly refused: string;
  readonly account: Account;
}): CommandRefusal {
  if (refused === 'balance-range') return overCount;
  const [code, message] =
    ticketOfAccount(account) === undefined
      ? ['not-enough-credit', 'The credit has been used elsewhere in the meantime. Stake less.']
      : ['ticket-paid', 'This ticket has been paid in the meantime. Use another ticket.'];
  return { refused: code, message, by: null };
}

/** Refusal by a node that does not lead the stream: nothing was decided, and the leader accepts the same id. */
export const notLeaderRefusal: CommandRefusal = {
  ...refuse<'handed-on'>('handed-on', 'Another node leads this stream. Send the command again with the same id.'),
  by: null,
};

export const secretRevokedRefusal: CommandRefusal = {
  ...refuse<'secret-revoked'>('secret-revoked', 'This secret is no longer valid for any terminal. Use a new one.'),
  by: null,
};
