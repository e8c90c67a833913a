import { isDeepStrictEqual } from 'node:util';
import { type LedgerDecider, type DomainEvent } from '../deciders/deciders.ts';
import { type Posting } from '../ledger/tablePostings.ts';
import { isObject } from '../base/schema.ts';
import { isRefused } from '../base/refusal.ts';
import { decodeCommand, requestHash, expandRequest } from '../store/commandRecord.ts';
import { type StoredRequest, type CommandRecord, type StoredEntry } from '../store/store.ts';
import { type Amendment } from './amendments.ts';
import { claim } from './verifyError.ts';

/** What a kind of stream is held to beside its decider. */
export type ReplayChecks<State, Event> = {
  /** Before an event of the record is taken in. */
  readonly before?: (entry: StoredEntry, event: Event, state: State) => void;
  readonly after?: (entry: StoredEntry, event: Event, state: State) => void;
};

type Refused = { readonly refused: string; readonly message: string };

/**
 * One stream from its first entry to its last. Every command is decided again, by the state as it was, from what was asked
 * and brought: the record holds just what that leads to.
 */
export class StreamReplay<State, Command extends { readonly type: string }, Event extends DomainEvent> {
  readonly #decider: LedgerDecider<State, Command, Event, Refused>;
  readonly #amendments: readonly Amendment[];
  readonly #amended: Map<number, number>;
  readonly #held: ReplayChecks<State, Event>;
  #state: State;
  /** The entries of one command, as far as they were read. */
  #entries: StoredEntry[] = [];

  constructor(
    decider: LedgerDecider<State, Command, Event, Refused>,
    amendments: readonly Amendment[],
    amended: Map<number, number>,
    held: ReplayChecks<State, Event>,
  ) {
    this.#decider = decider;
    this.#amendments = amendments.filter((one) => one.decider === decider.name);
    this.#amended = amended;
    this.#held = held;
    this.#state = decider.initial;
  }

  /** The state as it is once the last command was carried out. */
  get state(): State {
    return this.#state;
  }

  take(entry: StoredEntry): void {
    this.#entries.push(entry);
  }

  /** The entries of the command are all there. */
  finish(): void {
    const [first, ...rest] = this.#entries;
    if (first === undefined) return;
    this.#entries = [];
    const { command: note } = first;
    claim(first, isNote(note), 'does not hold what its command asked');
    for (const entry of rest)
      claim(entry, Object.keys(entry.command).length === 1, 'asks something in the midst of a command');
    const events = [first, ...rest].map((entry) => this.#eventOf(entry));
    const due = this.#decided(first, note, events);
    for (const [place, entry] of [first, ...rest].entries()) {
      const event = events[place]!;
      if (due) agree(entry, event, due[place]);
      this.#held.before?.(entry, event, this.#state);
      this.#moveOn(entry, event);
    }
    const missing = due?.[events.length];
    claim(rest.at(-1) ?? first, missing === undefined, () => `is not followed by the ${missing!.type} of its command`);
    const book = this.#decider.bookAt(this.#state);
    claim(first, note.book === book, () => `names the book ${note.book}, and the table goes by ${book}`);
  }

  #eventOf(entry: StoredEntry): Event {
    try {
      return this.#decider.eventFrom(entry.event);
    } catch (error) {
      claim(entry, false, `is of a form that is not known: ${(error as Error).message}`);
    }
  }

  /** What the command leads to; undefined where an amendment lets the record stand as it is. */
  #decided(entry: StoredEntry, note: CommandRecord, events: readonly Event[]): readonly Event[] | undefined {
    const version = this.#versionOf(entry, note);
    const asked = this.#askedIn(entry, note);
    const message = decodeCommand({ asked: this.#decider.askedFrom(asked, version), brought: note.brought }, entry.at);
    const command = this.#decider.commandFrom(message);
    const unreadable = isRefused(command) ? (command as Refused) : undefined;
    const decision = unreadable ?? this.#decider.decide(command as Command, this.#state);
    const due = isRefused(decision) ? decision.refused : decision;
    if (!isRefused(decision) && isDeepStrictEqual(events, due)) return decision;
    const meant = unreadable ? (message as StoredRequest) : (command as Command);
    const amendment = this.#amendments.find((one) => one.version > version && one.fits(meant, events, due));
    if (amendment) {
      this.#amended.set(amendment.number, (this.#amended.get(amendment.number) ?? 0) + 1);
      return undefined;
    }
    if (isRefused(decision)) {
      claim(entry, false, `${unreadable ? 'asks what cannot be asked' : 'is what is refused'}: ${decision.message}`);
    }
    return decision;
  }

  #versionOf(entry: StoredEntry, { decider }: CommandRecord): number {
    const { name, version } = this.#decider;
    const found = decider.startsWith(`${name}@`) ? Number(decider.slice(name.length + 1)) : 0;
    claim(
      entry,
      Number.isInteger(found) && found >= 1 && found <= version,
      `names the decider ${decider}, and this program knows ${name} up to version ${version}`,
    );
    return found;
  }

  /** What was asked, held against its hash. What is brought is no part of it. */
  #askedIn(entry: StoredEntry, { asked: short, hash, brought }: CommandRecord): StoredRequest {
    const same: unknown = short['same'];
    const named = Array.isArray(same) && same.every((field) => Object.hasOwn(entry.event, String(field)));
    claim(entry, named, 'names fields of its event that are not there');
    const asked = expandRequest(short, entry.event);
    // By which post somebody asks is brought, never asked.
    claim(entry, isObject(asked.who) && Object.keys(asked.who).length === 1, 'does not tell who asked, and no more');
    claim(entry, requestHash(asked) === hash, 'has another hash of what was asked than it holds');
    const stray = Object.keys(brought).find((field) => !this.#decider.brought.has(field));
    claim(entry, stray === undefined, () => `was brought ${stray}, which is asked or not known`);
    const { post = {}, secondPost = {} } = brought;
    const arePosts = [post, secondPost].every(
      (one) => isObject(one) && Object.keys(one).every((field) => postFields.has(field)),
    );
    claim(entry, arePosts, 'was brought a post that says who asked');
    // Whoever opened a table used to name the post of the second person himself.
    const { second = {}, type } = asked;
    const isNamed = isObject(second) && (Object.keys(second).length < 2 || type === 'OpenTable');
    claim(entry, isNamed, 'names a second person by more than an id');
    const mixed = Object.keys(asked).find((field) => field === 'at' || this.#decider.brought.has(field));
    claim(entry, mixed === undefined, () => `asks for ${mixed}, which can only be brought`);
    return asked;
  }

  #moveOn(entry: StoredEntry, event: Event): void {
    let posted: boolean;
    try {
      posted = arePosted(this.#decider.postings(event, this.#state), entry.postings);
      this.#state = this.#decider.evolve(this.#state, event);
    } catch {
      claim(entry, false, 'does not fit what came before it');
    }
    claim(entry, posted, 'has other postings than its event leads to');
    this.#held.after?.(entry, event, this.#state);
  }
}

const postFields: ReadonlySet<string> = new Set(['post', 'acting', 'until']);

const isNote = (command: StoredEntry['command']): command is CommandRecord =>
  'asked' in command &&
  isObject(command.asked) &&
  isObject(command.brought) &&
  typeof command.hash === 'string' &&
  typeof command.decider === 'string' &&
  Object.keys(command).length === (command.book === undefined ? 5 : 6);

/** Whether an event is the one that its command leads to; else the first field that differs is named. */
function agree<Event extends DomainEvent>(entry: StoredEntry, event: Event, due: Event | undefined): void {
  if (isDeepStrictEqual(event, due)) return;
  claim(entry, due !== undefined, () => `is a ${event.type} that its command does not lead to`);
  claim(entry, event.type === due.type, () => `is a ${event.type} where its command leads to ${due.type}`);
  const { path, found, wanted } = differenceOf([], event, due);
  claim(entry, false, `has ${path.join('.')} ${told(found)} where its command leads to ${told(wanted)}`);
}

/** Where two values differ first, by the names of their fields. */
function differenceOf(
  path: readonly string[],
  found: unknown,
  wanted: unknown,
): { readonly path: readonly string[]; readonly found: unknown; readonly wanted: unknown } {
  if (!isObject(found) || !isObject(wanted)) return { path, found, wanted };
  const fields = [...new Set([...Object.keys(found), ...Object.keys(wanted)])].toSorted();
  const field = fields.find((name) => !isDeepStrictEqual(found[name], wanted[name]))!;
  return differenceOf([...path, field], found[field], wanted[field]);
}

const longest = 120;

function told(value: unknown): string {
  const text = value === undefined ? 'left out' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const arePosted = (due: readonly Posting[], postings: readonly Posting[]): boolean =>
  due.length === postings.length &&
  due.every(({ from, to, amount }, place) => {
    const posting = postings[place]!;
    return posting.from === from && posting.to === to && posting.amount === amount;
  });
