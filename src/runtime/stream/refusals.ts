import { type Account, ticketOfAccount } from '../../ledger/accounts.ts';
import { type Refusal, refuse } from '../../base/refusal.ts';

/** Codes of the refusals that the runtime itself gives. */
export const runtimeRefusals = [
  'cannot-record',
  'command-reused',
  'over-count',
  'result-unknown',
  'table-stopped',
] as const;
export type RuntimeRefusal = Refusal<(typeof runtimeRefusals)[number]> & { readonly by: null };

/** A refusal of a decider, the runtime or the store. */
export type CommandRefusal = { readonly refused: string; readonly message: string; readonly by: string | null };

const refusal = (code: RuntimeRefusal['refused'], message: string): RuntimeRefusal => ({
  ...refuse<RuntimeRefusal['refused']>(code, message),
  by: null,
});

export const commandReused = refusal(
  'command-reused',
  'The id was used for another command; give this one an id of its own.',
);
export const cannotRecord = refusal(
  'cannot-record',
  'Nothing can be recorded at the moment, and this was not; it goes on by itself, so try again a little later.',
);
export const tableStopped = refusal('table-stopped', 'The table has stopped; call the supervisor.');
export const resultUnknown = refusal(
  'result-unknown',
  'Nobody knows yet whether this was recorded; ask again with the same id once the table is back.',
);

const overCount = refusal('over-count', 'It would come to more than can be counted exactly; take a smaller amount.');

/** The refusal for a posting that the balance guard of the store rejected. */
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
      ? ['not-enough-credit', 'The credit has gone elsewhere in the meantime; stake less.']
      : ['ticket-paid', 'The ticket has been paid in the meantime; take another.'];
  return { refused: code, message, by: null };
}

/** Given by a node that does not lead the stream: nothing was decided, and the leader takes the same id. */
export const notLeader: CommandRefusal = {
  ...refuse<'handed-on'>('handed-on', 'Another program goes on with this; ask again with the same id.'),
  by: null,
};

export const secretRevoked: CommandRefusal = {
  ...refuse<'secret-revoked'>('secret-revoked', 'This secret leads to no terminal any more; begin with another.'),
  by: null,
};
