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

declare const isFinal: unique symbol;

/**
 * A refusal that may be sent to the client, for one of two reasons. Either a look-up has shown that the command is not
 * stored, and the look-up is no older than the state in which the command was refused. Or the refusal depends on no
 * state that the command may have changed. Only `asFinalRefusal` and commandLookup.ts make final refusals, so that no
 * code path can send an unchecked refusal.
 */
export type FinalRefusal = CommandRefusal & { readonly [isFinal]: true };

/**
 * A refusal of a command that was not looked up. The command may be stored already, and then its stored result counts.
 */
export type UncheckedRefusal = Omit<CommandRefusal, 'by'> & { readonly by?: string | null };

/**
 * Makes a refusal final without a look-up. Use it for malformed commands, rate limits, missing permissions and unknown
 * results.
 */
export const asFinalRefusal = (refusal: UncheckedRefusal): FinalRefusal =>
  (refusal.by === undefined ? { ...refusal, by: null } : refusal) as FinalRefusal;

const refusal = (code: RuntimeRefusal['refused'], message: string): RuntimeRefusal => ({
  ...refuse<RuntimeRefusal['refused']>(code, message),
  by: null,
});

export const commandReusedRefusal = asFinalRefusal(
  refusal('command-reused', 'This id was used for another command. Send the command with a new id.'),
);
export const cannotRecordRefusal = refusal(
  'cannot-record',
  'Nothing can be recorded at the moment, so your request was not recorded. Try again shortly.',
);
export const tableStoppedRefusal = refusal('table-stopped', 'The table has stopped. Call the supervisor.');
export const resultUnknownRefusal = asFinalRefusal(
  refusal(
    'result-unknown',
    'It is not known yet whether your request was recorded. Send it again shortly with the same id.',
  ),
);

const overCount = refusal('over-count', 'The balance would be too large to be exact. Use a smaller amount.');

/** Refusal of a command because the store refused one of its postings: a balance would be negative or too large. */
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
      ? ['not-enough-credit', 'The credit has been used elsewhere in the meantime. Check the credit and try again.']
      : ['ticket-paid', 'This ticket has been paid in the meantime. Use another ticket.'];
  return { refused: code, message, by: null };
}

/** Refusal by a node that does not lead the stream. Nothing was decided, and the leader accepts the same id. */
export const notLeaderRefusal = asFinalRefusal(
  refuse<'handed-on'>('handed-on', 'Another node leads this stream. Send the command again with the same id.'),
);

export const secretRevokedRefusal: CommandRefusal = {
  ...refuse<'secret-revoked'>('secret-revoked', 'This secret is no longer valid for any terminal. Use a new secret.'),
  by: null,
};
