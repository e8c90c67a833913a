import { isDeepStrictEqual } from 'node:util';
import { type RegisteredDecider, type DomainEvent } from '../deciders/deciders.ts';
import { type Posting } from '../ledger/tablePostings.ts';
import { isObject } from '../base/schema.ts';
import { isRefused } from '../base/refusal.ts';
import { commandFromRecord, payloadHash, expandPayload } from '../store/commandRecord.ts';
import { type StoredPayload, type CommandRecord, type StoredEntry } from '../store/store.ts';
import { type DeciderAmendment } from './amendments.ts';
import { assertOfEntry } from './verifyError.ts';

/** Checks of a stream in addition to its decider. */
export type AdditionalReplayChecks<State, Event> = {
  /** Called with the state before the event is applied. */
  readonly before?: (entry: StoredEntry, event: Event, state: State) => void;
  /** Called with the state after the event is applied. */
  readonly after?: (entry: StoredEntry, event: Event, state: State) => void;
};

type ReplayRefusal = { readonly refused: string; readonly message: string };

/**
 * Replay of one stream. Decides every command again from three things: its stored payload, its context, and the state
 * before the command. The result must be exactly the stored events and postings, unless an amendment accepts the stored
 * events.
 */
export class StreamReplay<State, Command extends { readonly type: string }, Event extends DomainEvent> {
  readonly #decider: RegisteredDecider<State, Command, Event, ReplayRefusal>;
  readonly #amendments: readonly DeciderAmendment[];
  readonly #amended: Map<number, number>;
  readonly #checks: AdditionalReplayChecks<State, Event>;
  #state: State;
  /** Entries of the current command so far. */
  #entries: StoredEntry[] = [];

  constructor(
    decider: RegisteredDecider<State, Command, Event, ReplayRefusal>,
    amendments: readonly DeciderAmendment[],
    amended: Map<number, number>,
    checks: AdditionalReplayChecks<State, Event>,
  ) {
    this.#decider = decider;
    this.#amendments = amendments.filter((amendment) => amendment.decider === decider.name);
    this.#amended = amended;
    this.#checks = checks;
    this.#state = decider.initial;
  }

  /** State after the last command that was checked. */
  get state(): State {
    return this.#state;
  }

  add(entry: StoredEntry): void {
    this.#entries.push(entry);
  }

  /** Checks the current command. Call `finish` once all entries of the command have been added. */
  finish(): void {
    const [first, ...rest] = this.#entries;
    if (first === undefined) return;
    this.#entries = [];
    const { command: record } = first;
    assertOfEntry(first, isCommandRecord(record), 'lacks the payload of its command');
    for (const entry of rest)
      assertOfEntry(
        entry,
        Object.keys(entry.command).length === 1,
        'has a payload, but is not the first entry of its command',
      );
    const events = [first, ...rest].map((entry) => this.#parseEvent(entry));
    const expected = this.#decideAgain(first, record, events);
    for (const [index, entry] of [first, ...rest].entries()) {
      const event = events[index]!;
      if (expected) checkEvent(entry, event, expected[index]);
      this.#checks.before?.(entry, event, this.#state);
      this.#evolve(entry, event);
    }
    const missing = expected?.[events.length];
    assertOfEntry(
      rest.at(-1) ?? first,
      missing === undefined,
      () => `is not followed by the ${missing!.type} of its command`,
    );
    const book = this.#decider.rulebookAt(this.#state);
    assertOfEntry(
      first,
      record.rulebook === book,
      () => `names the rulebook ${record.rulebook}, but the table uses ${book}`,
    );
  }

  #parseEvent(entry: StoredEntry): Event {
    try {
      return this.#decider.parseEvent(entry.event);
    } catch (error) {
      assertOfEntry(entry, false, `has an unknown version: ${(error as Error).message}`);
    }
  }

  /**
   * Decides the command again and returns its events. Undefined when an amendment accepts the stored events instead.
   */
  #decideAgain(entry: StoredEntry, record: CommandRecord, events: readonly Event[]): readonly Event[] | undefined {
    const version = this.#deciderVersion(entry, record);
    const payload = this.#checkedPayload(entry, record);
    const message = commandFromRecord(
      { request: this.#decider.upcastCommandPayload(payload, version), context: record.context },
      entry.at,
    );
    const command = this.#decider.parseCommand(message);
    const unreadable = isRefused(command) ? (command as ReplayRefusal) : undefined;
    const decision = unreadable ?? this.#decider.decide(command as Command, this.#state);
    const expected = isRefused(decision) ? decision.refused : decision;
    if (!isRefused(decision) && isDeepStrictEqual(events, expected)) return decision;
    const amendable = unreadable ? (message as StoredPayload) : (command as Command);
    const amendment = this.#amendments.find(
      (candidate) => candidate.version > version && candidate.fits(amendable, events, expected),
    );
    if (amendment) {
      this.#amended.set(amendment.number, (this.#amended.get(amendment.number) ?? 0) + 1);
      return undefined;
    }
    if (isRefused(decision)) {
      assertOfEntry(
        entry,
        false,
        `${unreadable ? 'has a command that cannot be parsed' : 'has a command that is refused now'}: ${decision.message}`,
      );
    }
    return decision;
  }

  #deciderVersion(entry: StoredEntry, { decider }: CommandRecord): number {
    const { name, version } = this.#decider;
    const found = decider.startsWith(`${name}@`) ? Number(decider.slice(name.length + 1)) : 0;
    assertOfEntry(
      entry,
      Number.isInteger(found) && found >= 1 && found <= version,
      `names the decider ${decider}, but this program has ${name} up to version ${version}`,
    );
    return found;
  }

  /**
   * Returns the whole payload of a command. Throws when the payload does not match its hash, or when payload and
   * context do not have the right fields.
   */
  #checkedPayload(entry: StoredEntry, { request: compact, hash, context }: CommandRecord): StoredPayload {
    const same: unknown = compact['same'];
    const hasNamedFields = Array.isArray(same) && same.every((field) => Object.hasOwn(entry.event, String(field)));
    assertOfEntry(entry, hasNamedFields, 'refers in its payload to fields that its event does not have');
    const payload = expandPayload(compact, entry.event);
    // A payload names its actor by id only. The role of the actor is in the context.
    assertOfEntry(
      entry,
      isObject(payload.actor) && Object.keys(payload.actor).length === 1,
      'does not name its actor by exactly one id',
    );
    assertOfEntry(entry, payloadHash(payload) === hash, 'has a payload hash that does not match its payload');
    const stray = Object.keys(context).find((field) => !this.#decider.contextFields.has(field));
    assertOfEntry(entry, stray === undefined, () => `has the field ${stray} in its context, where it does not belong`);
    const { authority = {}, secondAuthority = {} } = context;
    const areRoles = [authority, secondAuthority].every(
      (role) => isObject(role) && Object.keys(role).every((field) => roleFields.has(field)),
    );
    assertOfEntry(entry, areRoles, 'has an authority in its context with a field other than role, acting and until');
    // Earlier versions of OpenTable have the role of the second person in the payload.
    const { second = {}, type } = payload;
    const isIdOnly = isObject(second) && (Object.keys(second).length < 2 || type === 'OpenTable');
    assertOfEntry(entry, isIdOnly, 'names a second person by more than an id');
    const mixed = Object.keys(payload).find((field) => field === 'at' || this.#decider.contextFields.has(field));
    assertOfEntry(entry, mixed === undefined, () => `has the field ${mixed} in its payload, where it does not belong`);
    return payload;
  }

  #evolve(entry: StoredEntry, event: Event): void {
    let hasExpectedPostings: boolean;
    try {
      hasExpectedPostings = arePostingsEqual(this.#decider.postings(event, this.#state), entry.postings);
      this.#state = this.#decider.evolve(this.#state, event);
    } catch {
      assertOfEntry(entry, false, 'has an event that cannot be applied to the state before it');
    }
    assertOfEntry(entry, hasExpectedPostings, 'has other postings than its event leads to');
    this.#checks.after?.(entry, event, this.#state);
  }
}

const roleFields: ReadonlySet<string> = new Set(['role', 'acting', 'until']);

const isCommandRecord = (command: StoredEntry['command']): command is CommandRecord =>
  'request' in command &&
  isObject(command.request) &&
  isObject(command.context) &&
  typeof command.hash === 'string' &&
  typeof command.decider === 'string' &&
  Object.keys(command).length === (command.rulebook === undefined ? 5 : 6);

/** Throws when an event differs from the expected one. The message names the first field that differs. */
function checkEvent<Event extends DomainEvent>(entry: StoredEntry, event: Event, expected: Event | undefined): void {
  if (isDeepStrictEqual(event, expected)) return;
  assertOfEntry(entry, expected !== undefined, () => `is a ${event.type} that its command does not lead to`);
  assertOfEntry(
    entry,
    event.type === expected.type,
    () => `is a ${event.type} where its command leads to ${expected.type}`,
  );
  const { path, actual, expected: expectedValue } = firstDifference([], event, expected);
  assertOfEntry(
    entry,
    false,
    `has ${path.join('.')} ${valueText(actual)} where its command leads to ${valueText(expectedValue)}`,
  );
}

function firstDifference(
  path: readonly string[],
  actual: unknown,
  expected: unknown,
): { readonly path: readonly string[]; readonly actual: unknown; readonly expected: unknown } {
  if (!isObject(actual) || !isObject(expected)) return { path, actual, expected };
  const fields = [...new Set([...Object.keys(actual), ...Object.keys(expected)])].toSorted();
  const field = fields.find((name) => !isDeepStrictEqual(actual[name], expected[name]))!;
  return firstDifference([...path, field], actual[field], expected[field]);
}

const maxTextLength = 120;

function valueText(value: unknown): string {
  const text = value === undefined ? 'left out' : JSON.stringify(value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

const arePostingsEqual = (expected: readonly Posting[], postings: readonly Posting[]): boolean =>
  expected.length === postings.length &&
  expected.every(({ from, to, amount }, index) => {
    const posting = postings[index]!;
    return posting.from === from && posting.to === to && posting.amount === amount;
  });
