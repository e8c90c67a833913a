import { type StoredEntry } from '../../../src/store/store.ts';

/** Range of entries of the staff stream; `to` is exclusive. */
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

/** Role in which a command was given by its own context, and the entry that granted it. */
export type ClaimedAuthority = {
  readonly person: string;
  readonly role: unknown;
  readonly acting?: unknown;
  readonly until?: unknown;
  readonly grant: unknown;
};

const isWithin = ({ from, to }: Span, sequence: number): boolean => from <= sequence && sequence < to;

/** Independent roster: sign-in sessions and roles, from the entries of the staff stream. */
export class Roster {
  readonly #sessions = new Map<string, SessionSpan>();
  readonly #roles: (Span & { readonly person: string; readonly role: string })[] = [];
  readonly #consents: Consent[] = [];
  #sequence = 0;

  add({ sequence, event }: StoredEntry): void {
    if (sequence <= this.#sequence) return;
    this.#sequence = sequence;
    const from = sequence;
    const person = String(event['person']);
    switch (event.type) {
      case 'PersonEnrolled':
      case 'RolesChanged':
      case 'PersonEnded':
        for (const span of this.#roles) if (span.person === person && span.to === Infinity) span.to = from;
        for (const role of (event['roles'] as readonly string[] | undefined) ?? [])
          this.#roles.push({ person, role, from, to: Infinity });
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

  /** Whether a session is open and not locked, by the entries so far. */
  isSignedIn(session: string): boolean {
    const span = this.#sessions.get(session);
    return span !== undefined && this.#isOpen(span, this.#sequence);
  }

  #isOpen(span: SessionSpan, sequence: number): boolean {
    return isWithin(span, sequence) && span.locks.every((lock) => !isWithin(lock, sequence));
  }

  /** Problem unless the person held the role at that entry, and was signed in or had approved by then. */
  problem(
    { person, role, acting, until, grant }: ClaimedAuthority,
    consented: (consent: Pick<Consent, 'table' | 'proposal' | 'hash'>) => boolean,
  ): string | undefined {
    const by = Number(grant);
    if (!Number.isInteger(by)) return `names no entry of the roster for ${person}`;
    const holds = this.#roles.some((span) => span.person === person && span.role === role && isWithin(span, by));
    if (!holds) return `${person} did not hold the role ${String(role)} by entry ${by}`;
    const isSession = (span: SessionSpan): boolean =>
      span.person === person &&
      span.role === role &&
      this.#isOpen(span, by) &&
      (acting === undefined || (span.acting === acting && span.until === until));
    if ([...this.#sessions.values()].some(isSession)) return undefined;
    const isConsent = (span: Consent): boolean => span.person === person && span.at <= by && consented(span);
    return this.#consents.some(isConsent)
      ? undefined
      : `${person} was not signed in as ${String(role)} by entry ${by}, nor had consented`;
  }
}
