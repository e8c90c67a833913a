import { type ViewDelta, applyDelta } from '../wire/viewDelta.ts';
import { type StaffCommand } from '../wire/staff/commands.ts';
import {
  type Ended,
  type StaffServerMessage,
  type StaffHearsOf,
  type StaffClientMessage,
  type StaffSession,
} from '../wire/staff/messages.ts';
import { staffProtocol } from '../wire/staff/protocolVersion.ts';
import { type DealerView, type FloorView, type SupervisorView } from '../wire/staff/views.ts';
import { type ClientReply, PendingRequests } from './pendingRequests.ts';
import { ReconnectingSocket, type LinkState } from './reconnectingSocket.ts';
import { type ClientRequest } from './protocol.ts';
import { Versions } from './viewVersions.ts';
import { type Environment } from './environment.ts';

/** The words of staff. */
export type StaffRole = { readonly says: StaffClientMessage; readonly hears: StaffServerMessage };

/** What staff see, as the server told it. */
export type StaffSeen = {
  readonly link: LinkState;
  /** How far the server's clock is ahead of ours, in milliseconds. */
  readonly ahead: number;
  readonly welcome: StaffHearsOf<'welcome'> | null;
  readonly session: StaffSession | null;
  /** Why the session is over; null while it goes on, locked or not. */
  readonly ended: Ended | null;
  /** The table that is watched, and as whom. */
  readonly table: { readonly table: string; readonly as: 'dealer' | 'supervisor' } | null;
  readonly dealer: DealerView | null;
  readonly supervisor: SupervisorView | null;
  readonly floor: FloorView | null;
};

/** So often it is said at most that somebody is there, in milliseconds. */
const hereEvery = 30_000;

/** So far two clocks may drift apart from one beat to the next, in milliseconds. */
const drift = 1;

type Watcher = (seen: StaffSeen, tell: StaffServerMessage | undefined) => void;

/** A person's end of the wire: comes back by itself, looks again at what it looked at, and asks again what was not answered. */
export class Staff {
  #seen: StaffSeen = {
    link: 'joining',
    ahead: 0,
    welcome: null,
    session: null,
    ended: null,
    table: null,
    dealer: null,
    supervisor: null,
    floor: null,
  };
  readonly #world: Environment;
  readonly #address: () => string;
  #link: ReconnectingSocket<StaffRole>;
  readonly #answers = new PendingRequests<StaffRole>();
  readonly #watchers = new Set<Watcher>();
  readonly #tableVersions = new Versions();
  /** The last version of the whole floor: a later one may overtake it. */
  #floorVersion = -1;
  #quickest: number | undefined;
  #hereAt = -Infinity;
  #looksAround = false;

  /** What the server was last asked to show through this link. */
  #asked: Pick<StaffSeen, 'table'> & { readonly floor: boolean } = { table: null, floor: false };

  constructor(world: Environment, address: () => string) {
    this.#world = world;
    this.#address = address;
    this.#link = this.#newLink();
  }

  #newLink(): ReconnectingSocket<StaffRole> {
    const firstWords = (): readonly [Extract<StaffClientMessage, { type: 'hello' }>, ...StaffClientMessage[]] => {
      const { table } = this.#seen;
      this.#asked = { table, floor: this.#looksAround };
      return [
        { type: 'hello', v: staffProtocol },
        ...(table ? [{ type: 'watch' as const, ...table }] : []),
        ...(this.#looksAround ? [{ type: 'floor' as const, wanted: true }] : []),
      ];
    };
    const told = (tell: StaffServerMessage): void => this.#hear(tell);
    const linked = (link: LinkState): void => this.#see({ link });
    return new ReconnectingSocket<StaffRole>(
      this.#world,
      { address: this.#address, firstWords },
      { told, changed: linked },
    );
  }

  get seen(): StaffSeen {
    return this.#seen;
  }

  /** Gives what ends it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Opens the link; where it waits to try again, or somebody has signed in again, it begins anew at once. */
  open(): void {
    if (this.#seen.ended !== null) {
      this.#link = this.#newLink();
      this.#see({ link: 'joining', ended: null });
    }
    this.#link.open();
  }

  /** Ends the link for good; what was not answered is given up. */
  close(): void {
    this.#link.close();
    for (const { id } of this.#answers.waiting) this.#answers.giveUp(id);
  }

  /** Looks at a table, now and whenever the link comes back. */
  lookAt(table: string, as: 'dealer' | 'supervisor'): void {
    this.#tableVersions.forget();
    this.#see({ table: { table, as }, dealer: null, supervisor: null });
    this.#askTable();
  }

  /** Looks at no table any more. */
  leave(): void {
    this.#tableVersions.forget();
    this.#see({ table: null, dealer: null, supervisor: null });
    this.#askTable();
  }

  #askTable(): void {
    const { table } = this.#seen;
    const isSaid = this.#link.say(table ? { type: 'watch', ...table } : { type: 'leave' });
    if (isSaid) this.#asked = { ...this.#asked, table };
  }

  /** Whether to be told of the whole floor. */
  lookAround(wanted: boolean): void {
    this.#looksAround = wanted;
    if (!wanted) this.#see({ floor: null });
    this.#askFloor();
  }

  #askFloor(): void {
    const wanted = this.#looksAround;
    if (this.#link.say({ type: 'floor', wanted })) this.#asked = { ...this.#asked, floor: wanted };
  }

  /** A key was pressed or a finger set down: the session is not idle. It is said now and then alone. */
  here(): void {
    const now = this.#world.clock();
    if (now < this.#hereAt + hereEvery) return;
    if (this.#link.say({ type: 'here' })) this.#hereAt = now;
  }

  /** A command of a table. The promise is kept once, also when the link breaks: it is asked again with the same id. */
  command(table: string, asked: StaffCommand, id = this.#world.id()): Promise<ClientReply<StaffRole>> {
    return this.#ask({ type: 'command', id, table, asked });
  }

  /** The consent of another person at this console, for one proposal. */
  consent(
    table: string,
    { id: proposal, hash }: { readonly id: string; readonly hash: string },
    { number, pin }: { readonly number: string; readonly pin: string },
    id = this.#world.id(),
  ): Promise<ClientReply<StaffRole>> {
    return this.#ask({ type: 'consent', id, table, proposal, hash, number, pin });
  }

  /** Opens a table with the setting that the hash is of, with another person who signs here. */
  openTable(
    table: string,
    hash: string,
    { number, pin }: { readonly number: string; readonly pin: string },
    id = this.#world.id(),
  ): Promise<ClientReply<StaffRole>> {
    return this.#ask({ type: 'open', id, table, hash, number, pin });
  }

  /** A command of a terminal's credit; with number and PIN of a second person where it takes two. */
  terminal(
    terminal: string,
    asked: { readonly [field: string]: unknown },
    second: { readonly number?: string; readonly pin?: string } = {},
    id = this.#world.id(),
  ): Promise<ClientReply<StaffRole>> {
    return this.#ask({ type: 'terminal', id, terminal, asked, ...second });
  }

  /** Pays a ticket at the cage, by its number. */
  pay(ticket: string, id = this.#world.id()): Promise<ClientReply<StaffRole>> {
    return this.#ask({ type: 'pay', id, ticket });
  }

  /** A command of the register of people. */
  people(asked: { readonly [field: string]: unknown }, id = this.#world.id()): Promise<ClientReply<StaffRole>> {
    return this.#ask({ type: 'people', id, asked });
  }

  /** Looks something up. */
  ask(
    what: string,
    given: { readonly [field: string]: unknown } = {},
    id = this.#world.id(),
  ): Promise<ClientReply<StaffRole>> {
    return this.#ask({ type: 'ask', id, what, with: given });
  }

  #ask(ask: ClientRequest<StaffRole>): Promise<ClientReply<StaffRole>> {
    const answer = this.#answers.to(ask);
    this.#link.say(ask);
    return answer;
  }

  #hear(tell: StaffServerMessage): void {
    switch (tell.type) {
      case 'welcome':
        // The server may have begun anew, and counts from there.
        this.#tableVersions.forget();
        this.#floorVersion = -1;
        this.#quickest = undefined;
        if (this.#asked.table !== this.#seen.table) this.#askTable();
        if (this.#asked.floor !== this.#looksAround) this.#askFloor();
        for (const ask of this.#answers.waiting) this.#link.say(ask);
        this.#see({ ahead: tell.at - this.#world.clock(), welcome: tell, session: tell.session, ended: null }, tell);
        return;
      case 'beat':
        this.#see({ ahead: this.#aheadBy(tell.at - this.#world.clock()) }, tell);
        return;
      case 'dealer':
        if (!this.#isLookedAt(tell.table, 'dealer')) return;
        this.#tableVersions.begin(tell.version);
        this.#see({ dealer: tell.view }, tell);
        return;
      case 'supervisor':
        if (!this.#isLookedAt(tell.table, 'supervisor')) return;
        this.#tableVersions.begin(tell.version);
        this.#see({ supervisor: tell.view }, tell);
        return;
      case 'change': {
        if (tell.table !== this.#seen.table?.table) return;
        if (!this.#tableVersions.takes(tell.version, () => this.#link.say({ type: 'whole', of: 'table' }))) return;
        const { dealer, supervisor } = this.#seen;
        this.#see(
          {
            dealer: dealer && applyDelta(dealer, tell.change as ViewDelta),
            supervisor: supervisor && applyDelta(supervisor, tell.change as ViewDelta),
          },
          tell,
        );
        return;
      }
      case 'floor':
        if (!this.#looksAround || tell.version < this.#floorVersion) return;
        this.#floorVersion = tell.version;
        this.#see({ floor: tell.view }, tell);
        return;
      case 'ended':
        this.#ended(tell);
        return;
      case 'scanned':
        this.#see({}, tell);
        return;
      case 'done':
      case 'answer':
      case 'refused':
        this.#see({}, tell);
        this.#answers.hear(tell);
    }
  }

  #isLookedAt(table: string, as: 'dealer' | 'supervisor'): boolean {
    return this.#seen.table?.table === table && this.#seen.table.as === as;
  }

  /** What is locked goes on once the secret is given; what is over does not, and nothing of it is said behind its back. */
  #ended(tell: StaffHearsOf<'ended'>): void {
    const { session } = this.#seen;
    if (tell.why === 'locked') {
      this.#see({ session: session && { ...session, locked: true } }, tell);
      return;
    }
    this.#link.retire();
    for (const { id } of this.#answers.waiting) this.#answers.giveUp(id);
    this.#see({ session: null, ended: tell.why, dealer: null, supervisor: null, floor: null }, tell);
  }

  /** The quickest beat of a link tells the time best, and the others how late they are. Clocks drift: it is slowly forgotten. */
  #aheadBy(ahead: number): number {
    this.#quickest = Math.max(ahead, (this.#quickest ?? ahead) - drift);
    this.#link.delayed(this.#quickest - ahead);
    return this.#quickest;
  }

  #see(news: Partial<StaffSeen>, tell?: StaffServerMessage): void {
    this.#seen = { ...this.#seen, ...news };
    for (const watcher of this.#watchers) watcher(this.#seen, tell);
  }
}
