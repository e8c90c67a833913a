import { type CommandPosition, type Store, type StoredEntry } from '../../store/store.ts';
import { type CommandResult, type PendingCommand } from './pendingCommand.ts';
import { commandReused } from './refusals.ts';

/** Idempotency: the first result of a command id; `command-reused` if its request had another hash. */
async function storedResult(store: Store, id: string, hash: string, position: CommandPosition): Promise<CommandResult> {
  const entries = await entriesOf(store, id, position);
  const [first] = entries;
  return first !== undefined && 'hash' in first.command && first.command.hash === hash ? { entries } : commandReused;
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

/** The result of a stored command; undefined if the id is not in the event store. */
export async function findResult(store: Store, id: string, hash: string): Promise<CommandResult | undefined> {
  const position = (await store.findCommands([id])).get(id);
  return position && (await storedResult(store, id, hash, position));
}

/** The entries of a stored command; none if the id is not in the event store. */
export async function findEntries(store: Store, id: string): Promise<readonly StoredEntry[]> {
  const position = (await store.findCommands([id])).get(id);
  return position ? entriesOf(store, id, position) : [];
}

/** Resolves commands that are already stored with their first result; returns the others. */
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

/** A command id that occurs twice in one batch is decided once, and both callers get the one result. */
export function deduplicateBatch(pending: readonly PendingCommand[]): readonly PendingCommand[] {
  const firsts = new Map<string, PendingCommand>();
  return pending.filter((command) => {
    const first = firsts.get(command.id);
    if (first === undefined) firsts.set(command.id, command);
    else if (first.hash === command.hash) void first.result.then(command.resolve);
    else command.resolve(commandReused);
    return first === undefined;
  });
}
