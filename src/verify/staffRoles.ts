import { type StaffEvent } from '../staff/events.ts';
import { isObject } from '../base/schema.ts';
import { quoted } from '../base/refusal.ts';
import { expandRequest } from '../store/commandRecord.ts';
import { type StreamHead, type StoredEntry } from '../store/store.ts';
import { claim } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

// Whoever asks as a person holds the post by an entry of the register of people, which is named with the command.

/** What is written so shortly after a post was taken away may have been asked before; in milliseconds. */
const leeway = 60_000;

/** Of several programs on one record each has a clock that is 200 ms at most from the database's. */
const apart = 400;

/** What a record holds, as it is named. */
const told = (value: unknown): string => (typeof value === 'string' ? value : quoted(value));

type Place = { readonly sequence: number; readonly at: number };

/** That somebody asked in a post by an entry of the register: the first time and the last. */
export type Use = {
  readonly person: unknown;
  readonly post: unknown;
  readonly acting: unknown;
  readonly until: unknown;
  /** Undefined where none was named. */
  readonly held: unknown;
  readonly first: Place;
  readonly last: Place;
};

/** The uses of posts in one stream. */
export class Uses {
  readonly #uses = new Map<string, Use>();
  /** What names no entry: it is for who reads the register to know whether that is right. */
  readonly #bare: Use[] = [];

  take(entry: StoredEntry): void {
    const { command: note, event } = entry;
    if (!('asked' in note) || !isObject(note.asked) || !isObject(note.brought)) return;
    if (!Array.isArray(note.asked['same'])) return;
    const { who, second } = expandRequest(note.asked, event);
    const { post, held, secondPost, secondHeld } = note.brought;
    this.#use(entry, who, post, held);
    this.#use(entry, second, secondPost, secondHeld);
  }

  #use({ sequence, at }: StoredEntry, who: unknown, standing: unknown, held: unknown): void {
    if (!isObject(who) || who['person'] === undefined) return;
    const { post, acting, until } = isObject(standing) ? standing : {};
    const place = { sequence, at };
    const use = { person: who['person'], post, acting, until, held, first: place, last: place };
    if (held === undefined) {
      this.#bare.push(use);
      return;
    }
    const name = JSON.stringify([use.person, post, acting, until, held]);
    this.#uses.set(name, { ...use, first: this.#uses.get(name)?.first ?? place });
  }

  get all(): readonly Use[] {
    return [...this.#bare, ...this.#uses.values()];
  }
}

type Span = { readonly person: string; readonly post: string; readonly since: number; end?: Place };
type ActingSpan = Span & { readonly acting: string; readonly from: number; readonly until: number };

/** Who held which post from which entry to which. */
export class RoleHistory {
  /** When somebody was first enrolled; nobody asks without a post of the register after that. */
  enrolled: number | undefined;
  readonly times: number[] = [];
  readonly held: Span[] = [];
  readonly acted: ActingSpan[] = [];

  take({ sequence, at }: StoredEntry, event: StaffEvent): void {
    this.times.push(at);
    const end = { sequence, at };
    if (event.type === 'PersonEnrolled') this.enrolled ??= at;
    if (event.type === 'PersonEnrolled' || event.type === 'PostsChanged') this.#hold(event.person, event.posts, end);
    if (event.type === 'PersonEnded') this.#hold(event.person, [], end);
    if (event.type === 'ActingGiven') {
      const { acting, person, post, from, until } = event;
      this.acted.push({ acting, person, post, from, until, since: sequence });
    }
    if (event.type === 'ActingEnded') {
      for (const one of this.acted) if (one.acting === event.acting) one.end = end;
    }
  }

  /** As it goes from one thread to another. */
  get registered(): Registered {
    const { enrolled, times, held, acted } = this;
    return { enrolled, times, held, acted };
  }

  #hold(person: string, posts: readonly string[], place: Place): void {
    const open = this.held.filter((one) => one.person === person && one.end === undefined);
    for (const one of open) if (!posts.includes(one.post)) one.end = place;
    const fresh = posts.filter((post) => open.every((one) => one.post !== post));
    for (const post of fresh) this.held.push({ person, post, since: place.sequence });
  }
}

/** What is known of a register once it was read. */
export type Registered = Pick<RoleHistory, 'enrolled' | 'times' | 'held' | 'acted'>;

/**
 * Every post that somebody asked in was held by the entry that was named, and not taken away long before. Where tables change
 * hands, which raises their epochs, one clock has given the post and another tells when it was used.
 */
export function verifyPosts(
  found: ReadonlyMap<string, Pick<StreamSummary, 'uses' | 'owner' | 'register'>>,
  heads: ReadonlyMap<string, Pick<StreamHead, 'epoch'>>,
): void {
  const early = [...heads.values()].some(({ epoch }) => epoch > 0) ? apart : 0;
  for (const [stream, { uses, owner }] of found) {
    const register = found.get(`${owner.property}/people/staff`)?.register;
    for (const use of uses) verifyUse(stream, use, register, early);
  }
}

function verifyUse(stream: string, use: Use, register: Registered | undefined, early: number): void {
  const { person, post, acting, until, held, first, last } = use;
  const [began, ends] = [
    { stream, ...first },
    { stream, ...last },
  ];
  if (held === undefined) {
    const isLate = register?.enrolled !== undefined && first.at > register.enrolled;
    claim(began, !isLate, () => `is by ${told(person)}, and does not name by which entry the post was held`);
    return;
  }
  const known = register !== undefined && Number.isInteger(held) ? register.times[Number(held) - 1] : undefined;
  claim(began, known !== undefined, () => `names entry ${told(held)} of the register of people, which is not there`);
  claim(began, known <= first.at + leeway, () => `names entry ${told(held)} of the register of people, which is later`);
  const isHeld = ({ since, end }: Span): boolean => since <= Number(held) && (end?.sequence ?? Infinity) > Number(held);
  const span = register!.held.find((one) => one.person === person && one.post === post && isHeld(one));
  claim(
    began,
    span !== undefined,
    () => `is by ${told(person)}, who did not hold the post ${told(post)} by entry ${told(held)}`,
  );
  let ended = span.end?.at ?? Infinity;
  if (acting !== undefined) {
    const acted = register!.acted.find(
      (one) => one.person === person && one.post === acting && one.until === until && isHeld(one),
    );
    const isGiven = acted !== undefined && acted.from <= first.at + early;
    claim(
      began,
      isGiven,
      () => `is by ${told(person)}, who did not act in the post ${told(acting)} by entry ${told(held)}`,
    );
    ended = Math.min(ended, acted.end?.at ?? Infinity);
  }
  claim(
    ends,
    last.at <= ended + leeway,
    () => `is by ${told(person)}, whose post ${told(acting ?? post)} had ended before`,
  );
}
