import { type Account, ticketOfAccount } from '../../ledger/accounts.ts';
import { type Refusal, refuse } from '../../base/refusal.ts';
import {
  type StoredRequest,
  type CommandRecord,
  type CommandPosition,
  type Store,
  type StoredEntry,
} from '../../store/store.ts';

/** What the floor itself refuses. */
export const floorRefusals = [
  'cannot-record',
  'command-reused',
  'over-count',
  'result-unknown',
  'table-stopped',
] as const;
export type FloorRefusal = Refusal<(typeof floorRefusals)[number]> & { readonly by: null };

/** A floor cannot begin: what it has to record is not taken. */
export class CannotRecord extends Error {}

/** Why nothing happened, whoever says so. */
export type Denied = { readonly refused: string; readonly message: string; readonly by: string | null };
export type CommandResult = { readonly entries: readonly StoredEntry[] } | Denied;

/** What somebody who asks brings along: the post that a person holds, slips of an earlier round. */
export type Brought = CommandRecord['brought'];

export const noContext: Brought = {};

/** Somebody who has asked something and waits for the answer. */
export type PendingCommand = {
  readonly id: string;
  readonly hash: string;
  readonly asked: StoredRequest;
  readonly brought: Brought;
  readonly at: number;
  readonly answer: (answered: CommandResult) => void;
  readonly answered: Promise<CommandResult>;
};

export function waitingFor(
  id: string,
  hash: string,
  asked: StoredRequest,
  at: number,
  brought: Brought,
): PendingCommand {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  return { id, hash, asked, brought, at, answer: resolve, answered: promise };
}

/** Whether the floor itself asks: its steps are kept until they can be recorded, while anybody else is answered at once. */
export const isSystemCommand = ({ asked }: PendingCommand): boolean => 'system' in asked.who;

const refusal = (code: FloorRefusal['refused'], message: string): FloorRefusal => ({
  ...refuse<FloorRefusal['refused']>(code, message),
  by: null,
});

export const reused = refusal('command-reused', 'The id was used for another command; give this one an id of its own.');
export const cannotRecord = refusal(
  'cannot-record',
  'Nothing can be recorded at the moment, and this was not; it goes on by itself, so try again a little later.',
);
export const stopped = refusal('table-stopped', 'The table has stopped; call the supervisor.');
export const unknown = refusal(
  'result-unknown',
  'Nobody knows yet whether this was recorded; ask again with the same id once the table is back.',
);

const overCount = refusal('over-count', 'It would come to more than can be counted exactly; take a smaller amount.');

/** What whoever asked is told where the store lets a posting not through. */
export function guardedBy({ refused, account }: { readonly refused: string; readonly account: Account }): Denied {
  if (refused === 'balance-range') return overCount;
  const [code, message] =
    ticketOfAccount(account) === undefined
      ? ['not-enough-credit', 'The credit has gone elsewhere in the meantime; stake less.']
      : ['ticket-paid', 'The ticket has been paid in the meantime; take another.'];
  return { refused: code, message, by: null };
}

/** What the record answers to a command that it holds, if it is the same. */
async function firstAnswer(store: Store, id: string, hash: string, known: CommandPosition): Promise<CommandResult> {
  const entries = await entriesOf(store, id, known);
  const [first] = entries;
  return first !== undefined && 'hash' in first.command && first.command.hash === hash ? { entries } : reused;
}

async function entriesOf(store: Store, id: string, known: CommandPosition): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entries of store.read(known.stream, known.sequence - 1, 16)) {
    const end = entries.findIndex(({ command }) => command.id !== id);
    found.push(...(end < 0 ? entries : entries.slice(0, end)));
    if (end >= 0) break;
  }
  return found;
}

/** The same, by the id alone; undefined where the record does not hold it. */
export async function answerIn(store: Store, id: string, hash: string): Promise<CommandResult | undefined> {
  const known = (await store.findCommands([id])).get(id);
  return known && (await firstAnswer(store, id, hash, known));
}

/** What the record holds of a command; nothing where it is not there. */
export async function entriesIn(store: Store, id: string): Promise<readonly StoredEntry[]> {
  const known = (await store.findCommands([id])).get(id);
  return known ? entriesOf(store, id, known) : [];
}

/** Those whose commands are in the record already are answered from it; gives the others. */
export async function answerDuplicates(
  store: Store,
  waiting: readonly PendingCommand[],
): Promise<readonly PendingCommand[]> {
  const commands = await store.findCommands(waiting.map(({ id }) => id));
  for (const one of waiting) {
    const known = commands.get(one.id);
    if (known) one.answer(await firstAnswer(store, one.id, one.hash, known));
  }
  return commands.size === 0 ? waiting : waiting.filter(({ id }) => !commands.has(id));
}

/** An id that comes twice in one batch is decided once, and both get the one answer. */
export function deduplicateBatch(waiting: readonly PendingCommand[]): readonly PendingCommand[] {
  const firsts = new Map<string, PendingCommand>();
  return waiting.filter((one) => {
    const first = firsts.get(one.id);
    if (first === undefined) firsts.set(one.id, one);
    else if (first.hash === one.hash) void first.answered.then(one.answer);
    else one.answer(reused);
    return first === undefined;
  });
}

/** Said by whoever does not write to a stream any more: nothing came of it here, and whoever does is asked under the same id. */
export const notLeader: Denied = {
  ...refuse<'handed-on'>('handed-on', 'Another program goes on with this; ask again with the same id.'),
  by: null,
};

export const revoked: Denied = {
  ...refuse<'secret-revoked'>('secret-revoked', 'This secret leads to no terminal any more; begin with another.'),
  by: null,
};
