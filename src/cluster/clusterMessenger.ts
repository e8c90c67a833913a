import { setTimeout as pause } from 'node:timers/promises';
import { cannotRecord, unknown } from '../runtime/stream/pendingCommand.ts';
import { type SeatLocation, type SeatLocations, Presence } from '../runtime/ports/presence.ts';
import {
  type AnsweredThere,
  type ForwardedCommand,
  type LinkTold,
  type RefusedScan,
} from '../runtime/ports/clusterPort.ts';
import { type NodeHandlers } from './nodeHandlers.ts';
import { type Peers } from './nodeConnections.ts';

/** So long whoever drives a table is looked for, in milliseconds: longer than it takes until a killed one's are driven again. */
export const usualSearch = 8_000;

/** Before the next is asked, in milliseconds, unless something is heard earlier. */
const shortWait = 100;

/** What was written is told together after so many milliseconds. */
const together = 10;

/** What was told of a link is told once more to the next who drives the table, for so many milliseconds. */
const remembered = 60_000;

/** So many terminals are told of together to a node that has come. */
const mostPlaces = 1_000;

type Parts = {
  readonly me: string;
  readonly peers: () => Peers | undefined;
  readonly calls: () => NodeHandlers | undefined;
  /** Who holds the lease of a table, as far as is known. */
  readonly holderOf: (stream: string) => string | undefined;
  /** Whether this node drives it. */
  readonly isDriven: (stream: string) => boolean;
  /** The database is asked soon who holds what. */
  readonly look: () => void;
  readonly search: number;
  readonly trouble: (what: string, error: unknown) => void;
};

/** What one node asks of another, and tells it. */
type Question = { readonly stream: string; readonly asking: ForwardedCommand };
type Word = {
  readonly heads?: { readonly [stream: string]: number };
  readonly asides?: readonly (readonly [kind: string, id: string])[];
  readonly link?: { readonly stream: string; readonly told: LinkTold };
  /** Where terminals of it are; `anew` where what it told before is over. */
  readonly places?: SeatLocations;
  readonly anew?: boolean;
  /** A card that a table did not take. */
  readonly scan?: { readonly table: string; readonly scan: RefusedScan };
  /** Tables that may be taken. */
  readonly free?: readonly string[];
  /** Tables that it drives from now on. */
  readonly drives?: readonly string[];
};

/** What was told of the sessions at a table, and to whom. */
type Links = {
  to: string | undefined;
  readonly sessions: Map<string, { readonly told: LinkTold; readonly at: number }>;
};

/** What the nodes on a record say to each other about its tables. */
export class ClusterMessenger {
  readonly #parts: Parts;
  /** Who drives a table by his own word, which is newer than the database's. */
  readonly #named = new Map<string, { readonly node: string; readonly at: number }>();
  readonly #links = new Map<string, Links>();
  #changes = Promise.withResolvers<void>();
  #heads = new Map<string, number>();
  #asides = new Map<string, readonly [kind: string, id: string]>();
  /** Where the terminals of this node are, what of that is to be told, and those of the others. */
  readonly #own = new Map<string, string | null>();
  #places = new Map<string, SeatLocation>();
  readonly presence = new Presence();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Who drives a table, as far as is known. */
  driverOf(stream: string): string | undefined {
    return this.#named.get(stream)?.node ?? this.#parts.holderOf(stream);
  }

  /** The database has answered what it was asked at that time; or a node has been linked, or a table is driven. */
  changed(asked = -Infinity): void {
    for (const [stream, { at }] of this.#named) if (at < asked) this.#named.delete(stream);
    this.#changes.resolve();
    this.#changes = Promise.withResolvers();
    for (const stream of this.#links.keys()) this.#tellLinks(stream);
  }

  /** Asks whoever drives a table, and the next who does: it has an id, and happens once. */
  async ask(stream: string, asking: ForwardedCommand): Promise<AnsweredThere> {
    const until = performance.now() + this.#parts.search;
    for (let isSent = false; ;) {
      const left = until - performance.now();
      if (left <= 0) return isSent ? unknown : cannotRecord;
      const changes = this.#changes.promise;
      const driver = this.driverOf(stream);
      const answer =
        driver === this.#parts.me
          ? await this.#here(stream, asking, left)
          : await this.#there(driver, { stream, asking }, left);
      if (answer === 'unanswered') isSent = true;
      else if (answer !== 'moved') return answer;
      if (answer === 'moved') this.#forget(stream, driver);
      if (this.driverOf(stream) === driver) {
        this.#parts.look();
        await Promise.race([changes, pause(Math.min(shortWait, left))]);
      }
    }
  }

  /** What somebody has said of himself, and does not say any more, is not believed. */
  #forget(stream: string, driver: string | undefined): void {
    if (this.#named.get(stream)?.node === driver) this.#named.delete(stream);
  }

  async #there(
    driver: string | undefined,
    question: Question,
    longest: number,
  ): Promise<AnsweredThere | 'moved' | 'unanswered'> {
    const peers = this.#parts.peers();
    if (driver === undefined || peers === undefined) return 'moved';
    const left = new AbortController();
    try {
      const heard = await Promise.race([
        peers.ask(driver, question, longest),
        this.#overtaken(question.stream, driver, left.signal),
      ]);
      if (heard === 'unsent') return 'moved';
      return heard === 'unanswered' ? heard : (heard.answer as AnsweredThere | 'moved');
    } finally {
      left.abort();
    }
  }

  /** Resolves once somebody else is known to drive a table: whoever drove it answers nothing more. */
  async #overtaken(stream: string, driver: string, signal: AbortSignal): Promise<'unanswered'> {
    for (;;) {
      await this.#changes.promise;
      if (signal.aborted) return 'unanswered';
      const now = this.driverOf(stream);
      if (now !== undefined && now !== driver) return 'unanswered';
    }
  }

  /** What this node answers, once it drives a table that it holds. */
  async #here(stream: string, asking: ForwardedCommand, longest: number): Promise<AnsweredThere | 'moved'> {
    const { me, calls, holderOf, isDriven } = this.#parts;
    const until = performance.now() + longest;
    while (holderOf(stream) === me) {
      const answering = calls();
      if (answering === undefined) break;
      if (isDriven(stream)) return answering.answer(stream, asking);
      const left = until - performance.now();
      if (left <= 0) break;
      await Promise.race([this.#changes.promise, pause(Math.min(shortWait, left))]);
    }
    return 'moved';
  }

  /** Another node asks. */
  async asked(body: unknown): Promise<AnsweredThere | 'moved'> {
    const { stream, asking } = body as Question;
    return this.#here(stream, asking, this.#parts.search);
  }

  /** Another node tells. */
  told(from: string, body: unknown): void {
    const { heads, asides, link, places, anew, scan, free, drives } = body as Word;
    const { calls: given, look, trouble } = this.#parts;
    const calls = given();
    if (heads) calls?.heard(new Map(Object.entries(heads))).catch((error: unknown) => trouble('nodes', error));
    for (const [kind, id] of asides ?? []) calls?.asideHeard(kind, id);
    if (link) calls?.linkTold(link.stream, from, link.told);
    if (anew) this.presence.forget(from);
    if (places) {
      const tables = this.presence.heard(from, places);
      calls?.placed(from, places, tables);
    }
    if (scan) calls?.scanned(scan.table, scan.scan);
    for (const stream of drives ?? []) this.#named.set(stream, { node: from, at: performance.now() });
    if (drives) this.changed();
    for (const stream of free ?? []) this.#forget(stream, from);
    if (free) look();
  }

  /** A table is driven here from now on. */
  driven(stream: string): void {
    this.#named.delete(stream);
    this.#say({ drives: [stream] });
    this.changed();
  }

  /** Tables may be taken by others. */
  free(streams: readonly string[]): void {
    this.#say({ free: streams });
  }

  #say(word: Word): void {
    this.#parts.peers()?.tellAll(word);
  }

  /** Something was written to a stream. */
  moved(stream: string, sequence: number): void {
    this.#heads.set(stream, Math.max(sequence, this.#heads.get(stream) ?? 0));
    this.#soon();
  }

  /** Something was written beside the chain. */
  aside(kind: string, id: string): void {
    this.#asides.set(JSON.stringify([kind, id]), [kind, id]);
    this.#soon();
  }

  /** A terminal is here, has another place here, or is gone. */
  there(terminal: string, place: SeatLocation): void {
    if (place === false) this.#own.delete(terminal);
    else this.#own.set(terminal, place);
    this.#places.set(terminal, place);
    this.#soon();
  }

  /** A table did not take a card that was read here. */
  scanned(table: string, scan: RefusedScan): void {
    this.#say({ scan: { table, scan } });
  }

  /** A node is linked: it is told where all terminals of this one are. */
  up(node: string): void {
    const all = [...this.#own];
    for (let from = 0; from === 0 || from < all.length; from += mostPlaces) {
      const places = Object.fromEntries(all.slice(from, from + mostPlaces));
      this.#parts.peers()?.tell(node, { places, ...(from === 0 && { anew: true }) } satisfies Word);
    }
    this.changed();
  }

  /** The link with a node has ended, and with it those of all terminals there. */
  down(node: string): void {
    this.#parts.calls()?.parted(node, this.presence.forget(node));
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.flush(), together);
  }

  /** Tells what has gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [heads, asides, places] = [this.#heads, this.#asides, this.#places];
    if (heads.size + asides.size + places.size === 0) return;
    this.#heads = new Map();
    this.#asides = new Map();
    this.#places = new Map();
    this.#say({
      ...(heads.size > 0 && { heads: Object.fromEntries(heads) }),
      ...(asides.size > 0 && { asides: [...asides.values()] }),
      ...(places.size > 0 && { places: Object.fromEntries(places) }),
    });
  }

  /** A session at this node has lost its link, or is back; whoever drives the table hears of it, and the next one too. */
  link(stream: string, told: LinkTold): void {
    const links = this.#links.get(stream) ?? { to: undefined, sessions: new Map() };
    this.#links.set(stream, links);
    links.sessions.delete(told.session);
    links.sessions.set(told.session, { told, at: performance.now() });
    if (links.to !== undefined && links.to === this.driverOf(stream) && this.#tellLink(links.to, stream, told)) return;
    links.to = undefined;
    this.#tellLinks(stream);
  }

  #tellLinks(stream: string): void {
    const links = this.#links.get(stream)!;
    const now = performance.now();
    for (const [session, { at }] of links.sessions) {
      if (now - at < remembered) break;
      links.sessions.delete(session);
    }
    if (links.sessions.size === 0) this.#links.delete(stream);
    const driver = this.driverOf(stream);
    if (driver === undefined || driver === links.to) return;
    const isTold = [...links.sessions.values()].every(({ told }) => this.#tellLink(driver, stream, told));
    links.to = isTold ? driver : undefined;
  }

  #tellLink(driver: string, stream: string, told: LinkTold): boolean {
    const { me, calls: given, isDriven, peers } = this.#parts;
    if (driver !== me) return peers()?.tell(driver, { link: { stream, told } } satisfies Word) ?? false;
    if (!isDriven(stream)) return false;
    given()?.linkTold(stream, me, told);
    return true;
  }
}
