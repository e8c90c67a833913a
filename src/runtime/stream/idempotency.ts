import { type CommandPosition, type Store, type StoredEntry } from '../../store/store.ts';
import { type CommandResult, type PendingCommand } from './pendingCommand.ts';
import { commandReusedRefusal } from './refusals.ts';

/** Idempotency: the result that is stored for a command id, or `command-reused` if its request had another hash. */
async function storedResult(store: Store, id: string, hash: string, position: CommandPosition): Promise<CommandResult> {
  const entries = await entriesOf(store, id, position);
  const [first] = entries;
  return first !== undefined && 'hash' in first.command && first.command.hash === hash
    ? { entries }
    : commandReusedRefusal;
}

async function entriesOf(store: Store, id: string, position: CommandPosition): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entries of store.read(position.stream, position.sequence - 1, 16)) {
    const end = entries.findIndex(({ command }) => command.id !== id);
    found.push(...(end < 0 ? entries : entries.slice(0, end)));
    if (end >= 0) break;
  }
  return found;
}

/** Finds the result of a stored command by its id; undefined if the event store has no such command. */
export async function findStoredResult(store: Store, id: string, hash: string): Promise<CommandResult | undefined> {
  const position = (await store.findCommands([id])).get(id);
  return position && (await storedResult(store, id, hash, position));
}

/** Finds the entries of a stored command by its id; an empty list if the event store has no such command. */
export async function findStoredEntries(store: Store, id: string): Promise<readonly StoredEntry[]> {
  const position = (await store.findCommands([id])).get(id);
  return position ? entriesOf(store, id, position) : [];
}

/** Resolves commands that are stored already to their first result; returns the others. */
export async function answerDuplicates(
  store: Store,
  pending: readonly PendingCommand[],
): Promise<readonly PendingCommand[]> {
  const commands = await store.findCommands(pending.map(({ id }) => id));
  for (const command of pending) {
    const position = commands.get(command.id);
    if (position) command.resolve(await storedResult(store, command.id, command.hash, position));
  }
  return commands.size === 0 ? pending : pending.filter(({ id }) => !commands.has(id));
}

/** Removes repeated command ids from a batch. Each id is decided once, and all its callers get the same result. */
export function deduplicateBatch(pending: readonly PendingCommand[]): readonly PendingCommand[] {
  const firsts = new Map<string, PendingCommand>();
  return pending.filter((command) => {
    const first = firsts.get(command.id);
    if (first === undefined) firsts.set(command.id, command);
    else if (first.hash === command.hash) void first.result.then(command.resolve);
    else command.resolve(commandReusedRefusal);
    return first === undefined;
  });
}
