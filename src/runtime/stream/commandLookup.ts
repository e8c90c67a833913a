import { type CommandPosition, type Store, type StoredEntry } from '../../store/store.ts';
import { type CommandResult, type PendingCommand } from './pendingCommand.ts';
import { type FinalRefusal, type UncheckedRefusal, commandReusedRefusal, asFinalRefusal } from './refusals.ts';

type CommandReader = Pick<Store, 'read' | 'findCommands'>;

/**
 * Reads the entries of a stored command, which are its result. If the stored command has another hash, its id was used
 * for another request, and the result is `command-reused`.
 */
async function storedResult(
  store: CommandReader,
  id: string,
  hash: string,
  position: CommandPosition,
): Promise<CommandResult> {
  const entries = await entriesOf(store, id, position);
  const [first] = entries;
  return first !== undefined && 'hash' in first.command && first.command.hash === hash
    ? { entries }
    : commandReusedRefusal;
}

async function entriesOf(store: CommandReader, id: string, position: CommandPosition): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entries of store.read(position.stream, position.sequence - 1, 16)) {
    const end = entries.findIndex(({ command }) => command.id !== id);
    found.push(...(end < 0 ? entries : entries.slice(0, end)));
    if (end >= 0) break;
  }
  return found;
}

/** Finds stored commands by their ids. Look-ups that arrive while a query runs share the next query. */
export class CommandLookup {
  readonly #store: CommandReader;
  #ids = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  /**
   * The next query, which starts when the running query ends. Until then further look-ups add their ids to it.
   * Undefined if no query waits.
   */
  #next: Promise<ReadonlyMap<string, CommandPosition>> | undefined;

  constructor(store: CommandReader) {
    this.#store = store;
  }

  /** Finds the result of a stored command by its id; undefined if the event store has no such command. */
  async findResult(id: string, hash: string): Promise<CommandResult | undefined> {
    const position = await this.#find(id);
    return position && storedResult(this.#store, id, hash, position);
  }

  /** Finds the entries of a stored command by its id; an empty list if the event store has no such command. */
  async findEntries(id: string): Promise<readonly StoredEntry[]> {
    const position = await this.#find(id);
    return position ? entriesOf(this.#store, id, position) : [];
  }

  async #find(id: string): Promise<CommandPosition | undefined> {
    this.#ids.add(id);
    this.#next ??= this.#query();
    return (await this.#next).get(id);
  }

  async #query(): Promise<ReadonlyMap<string, CommandPosition>> {
    await this.#last;
    const ids = [...this.#ids];
    this.#ids = new Set();
    this.#next = undefined;
    const found = this.#store.findCommands(ids);
    // A failed query rejects its own look-ups. The next query waits for the end of this query, with or without a
    // failure.
    this.#last = found.catch(() => {});
    return found;
  }
}

/** Resolves stored commands to their first result; returns the commands that are not stored. */
export async function resolveStoredCommands(
  store: CommandReader,
  pending: readonly PendingCommand[],
): Promise<readonly PendingCommand[]> {
  return answerStored(store, pending, await store.findCommands(pending.map(({ id }) => id)));
}

async function answerStored(
  store: CommandReader,
  pending: readonly PendingCommand[],
  commands: ReadonlyMap<string, CommandPosition>,
): Promise<readonly PendingCommand[]> {
  for (const command of pending) {
    const position = commands.get(command.id);
    if (position) command.resolve(await storedResult(store, command.id, command.hash, position));
  }
  return commands.size === 0 ? pending : pending.filter(({ id }) => !commands.has(id));
}

/**
 * Starts one query for all refused commands. Returns a function that waits for the query and resolves the commands.
 * After the first look-up of a command, another writer may have stored that command, and so have caused the refusal.
 * Then the command gets its stored result, and otherwise the refusal. Precondition: the state in which the commands
 * were refused was read before this call.
 */
export function startLookupOfRefusedCommands(
  store: CommandReader,
  refused: ReadonlyMap<PendingCommand, UncheckedRefusal>,
): () => Promise<void> {
  if (refused.size === 0) return async () => {};
  const pending = [...refused.keys()];
  const looking = store.findCommands(pending.map(({ id }) => id));
  // The returned function throws if the query fails. If the function is never called, Node must not report an unhandled
  // rejection.
  looking.catch(() => {});
  return async () => {
    for (const command of await answerStored(store, pending, await looking))
      command.resolve(asFinalRefusal(refused.get(command)!));
  };
}

/**
 * Answers a refused command: with its stored result if the command is stored, else with the refusal, made final. Use
 * this function for refusals that are made before a stream processor decides. Precondition: the state in which the
 * command was refused was read before this call.
 */
export async function storedResultOrRefusal<Result>(
  refusal: UncheckedRefusal,
  findStored: () => Promise<Result | undefined>,
): Promise<Result | FinalRefusal> {
  return (await findStored()) ?? asFinalRefusal(refusal);
}
