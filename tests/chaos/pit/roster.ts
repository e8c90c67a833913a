import { type StoredEntry } from '../../../src/store/store.ts';

/** From one entry of the register to another, which is no part of it. */
type Span = { readonly from: number; to: number };
type SessionSpan = Span & {
  readonly id: string;
  readonly person: string;
  readonly role: string;
  readonly acting: unknown;
  readonly until: unknown;
  readonly locks: Span[];
};
type Consent = {
  readonly person: string;
  readonly at: number;
  readonly table: string;
  readonly proposal: string;
  readonly hash: string;
};

/** In which post somebody says that a command was given, and by which entry of the register. */
export type Standing = {
  readonly person: string;
  readonly role: unknown;
  readonly acting?: unknown;
  readonly until?: unknown;
  readonly held: unknown;
};

const isWithin = ({ from, to }: Span, sequence: number): boolean => from <= sequence && sequence < to;

/** Who was signed in, and in which posts, by a book of its own that is kept from the entries of the register. */
export class Roster {
  readonly #sessions = new Map<string, SessionSpan>();
  readonly #posts: (Span & { readonly person: string; readonly role: string })[] = [];
  readonly #consents: Consent[] = [];
  #sequence = 0;

  take({ sequence, event }: StoredEntry): void {
    if (sequence <= this.#sequence) return;
    this.#sequence = sequence;
    const from = sequence;
    const person = String(event['person']);
    switch (event.type) {
      case 'PersonEnrolled':
      case 'RolesChanged':
      case 'PersonEnded':
        for (const span of this.#posts) if (span.person === person && span.to === Infinity) span.to = from;
        for (const role of (event['roles'] as readonly string[] | undefined) ?? [])
          this.#posts.push({ person, role, from, to: Infinity });
        return;
      case 'SignedIn':
        this.#sessions.set(String(event['session']), {
          id: String(event['session']),
          person,
          role: String(event['role']),
          acting: event['acting'],
          until: event['until'],
          from,
          to: Infinity,
          locks: [],
        });
        return;
      case 'SessionEnded':
        this.#sessions.get(String(event['session']))!.to = from;
        return;
      case 'SessionLocked':
        this.#sessions.get(String(event['session']))!.locks.push({ from, to: Infinity });
        return;
      case 'SessionUnlocked':
        for (const lock of this.#sessions.get(String(event['session']))!.locks) lock.to = Math.min(lock.to, from);
        return;
      case 'ConsentGiven': {
        const [table, proposal, hash] = ['table', 'proposal', 'hash'].map((field) => String(event[field]));
        this.#consents.push({ person, at: from, table: table!, proposal: proposal!, hash: hash! });
      }
    }
  }

  /** Whether a session goes on and is not locked, by all that was taken so far. */
  isIn(session: string): boolean {
    const span = this.#sessions.get(session);
    return span !== undefined && this.#isOpen(span, this.#sequence);
  }

  #isOpen(span: SessionSpan, sequence: number): boolean {
    return isWithin(span, sequence) && span.locks.every((lock) => !isWithin(lock, sequence));
  }

  /** Whether somebody held the post that is named by that entry, and was signed in by it or had consented by then. */
  problem(
    { person, role, acting, until, held }: Standing,
    consented: (consent: Pick<Consent, 'table' | 'proposal' | 'hash'>) => boolean,
  ): string | undefined {
    const by = Number(held);
    if (!Number.isInteger(by)) return `names no entry of the register for ${person}`;
    const holds = this.#posts.some((one) => one.person === person && one.role === role && isWithin(one, by));
    if (!holds) return `${person} did not hold the post ${String(role)} by entry ${by}`;
    const isSession = (one: SessionSpan): boolean =>
      one.person === person &&
      one.role === role &&
      this.#isOpen(one, by) &&
      (acting === undefined || (one.acting === acting && one.until === until));
    if ([...this.#sessions.values()].some(isSession)) return undefined;
    const isConsent = (one: Consent): boolean => one.person === person && one.at <= by && consented(one);
    return this.#consents.some(isConsent)
      ? undefined
      : `${person} was not signed in as ${String(role)} by entry ${by}, nor had consented`;
  }
}
