import {
  type ClientMessage,
  type ClientMessageOf,
  type ServerMessage,
  type ServerMessageOf,
  type SlipStakes,
} from '../wire/messages.ts';
import { protocol } from '../wire/protocolVersion.ts';
import { type TerminalBalance } from '../wire/terminalBalance.ts';
import { type TerminalTableView, type Tile, type View } from '../wire/tableView.ts';
import { type ClientReply, PendingRequests } from './pendingRequests.ts';
import { ReconnectingSocket, type LinkState } from './reconnectingSocket.ts';
import { type ClientRequest } from './protocol.ts';
import { Versions, applyTableDelta, appliedTile } from './viewVersions.ts';
import { type Environment } from './environment.ts';

/** The words of a patron. */
export type PatronRole = { readonly says: ClientMessage; readonly hears: ServerMessage };

/** What a patron sees, as the server told it. */
export type PatronState = {
  readonly link: LinkState;
  /** How far the server's clock is ahead of ours, in milliseconds. */
  readonly ahead: number;
  readonly terminal: string | null;
  readonly tiles: readonly Tile[];
  /** The table sat at; null in the lobby. */
  readonly table: string | null;
  readonly view: View | null;
  readonly own: TerminalTableView | null;
  /** The money of the terminal, once it has one. */
  readonly purse: TerminalBalance | null;
};

/** Called when something is seen anew, with the message behind it if there is one. */
type Watcher = (seen: PatronState, tell: ServerMessage | undefined) => void;

/** So far two clocks may drift apart from one beat to the next, in milliseconds. */
const drift = 1;

/** A patron's end of the wire: comes back by itself, sits down again, and sends again what was not answered. */
export class PatronClient {
  #seen: PatronState = {
    link: 'joining',
    ahead: 0,
    terminal: null,
    tiles: [],
    table: null,
    view: null,
    own: null,
    purse: null,
  };
  readonly #world: Environment;
  readonly #link: ReconnectingSocket<PatronRole>;
  readonly #answers = new PendingRequests<PatronRole>();
  readonly #watchers = new Set<Watcher>();
  readonly #lobbyVersions = new Versions();
  readonly #tableVersions = new Versions();
  #ownVersion = -1;
  #looksAround = false;
  #purseVersion = -1;
  #quickest: number | undefined;
  /** Where the server was last asked for a seat through this link. */
  #seat: string | null = null;
  #secret: string;
  /** The secrets that the server is asked to know this patron by: the first while it has not answered, then the others. */
  readonly #renewals: ClientMessageOf<'renew'>[] = [];

  constructor(world: Environment, address: () => string, secret: string) {
    this.#world = world;
    this.#secret = secret;
    const firstWords = (): readonly [ClientMessageOf<'hello'>, ...ClientMessage[]] => {
      const { table } = this.#seen;
      this.#seat = table;
      const hello: ClientMessageOf<'hello'> = { type: 'hello', v: protocol, secret: this.#secret };
      const around: readonly ClientMessage[] = this.#looksAround ? [{ type: 'around', wanted: true }] : [];
      return table === null ? [hello, ...around] : [hello, { type: 'sit', table }, ...around];
    };
    const told = (tell: ServerMessage): void => this.#hear(tell);
    const changed = (link: LinkState): void => this.#see({ link });
    this.#link = new ReconnectingSocket<PatronRole>(world, { address, firstWords }, { told, changed });
  }

  get seen(): PatronState {
    return this.#seen;
  }

  /** Gives what ends it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Opens the link; where it waits to try again or to be let in, it begins anew at once. */
  open(): void {
    this.#link.open();
  }

  /** Ends the link for good; what was not answered is given up. */
  close(): void {
    this.#link.close();
    for (const { id } of this.#answers.waiting) this.#answers.giveUp(id);
    this.#renewals.length = 0;
  }

  /** Sits down, now and whenever the link comes back. */
  sit(table: string): void {
    this.#move(table);
  }

  /** Back to the lobby. */
  leave(): void {
    this.#move(null);
  }

  /** Whether to be told of all tables while sitting at one, now and whenever the link comes back. */
  lookAround(wanted: boolean): void {
    this.#looksAround = wanted;
    this.#link.say({ type: 'around', wanted });
  }

  /** All stakes for a round. The promise is kept once, also when the link breaks: it is asked again with the same id. */
  slip(table: string, round: string, slip: SlipStakes, id = this.#world.id()): Promise<ClientReply<PatronRole>> {
    return this.#ask({ type: 'slip', id, table, round, slip });
  }

  /**
   * Asks for another secret; once it is kept the old one is dead. Keep the new one before you ask, and the old one until it
   * is answered: where the link breaks in between, either may be the one that counts, and both are tried. One that is asked
   * for before the last one was answered is sent after that.
   */
  renew(secret: string, id = this.#world.id()): Promise<ClientReply<PatronRole>> {
    const ask = { type: 'renew', id, secret } as const;
    const answer = this.#answers.to(ask);
    this.#renewals.push(ask);
    if (this.#renewals.length === 1) this.#link.say(ask);
    return answer;
  }

  /** A note in the simulated acceptor of a demo; asked again with the same id until it is answered, as all that follows. */
  load(amount: number, id = this.#world.id()): Promise<ClientReply<PatronRole>> {
    return this.#ask({ type: 'load', id, amount });
  }

  /** A ticket by its number. */
  redeem(number: string, id = this.#world.id()): Promise<ClientReply<PatronRole>> {
    return this.#ask({ type: 'redeem', id, number });
  }

  /** The whole credit as a ticket; always the same ticket. */
  collect(id = this.#world.id()): Promise<ClientReply<PatronRole>> {
    return this.#ask({ type: 'collect', id });
  }

  /** A page of the rounds of this session, the newest first; `before` is where the page before said that it goes on. */
  recall(before?: string, id = this.#world.id()): Promise<ClientReply<PatronRole>> {
    return this.#ask({ type: 'recall', id, ...(before !== undefined && { before }) });
  }

  /** Limits for the rest of this session; they only tighten. */
  limit(
    limits: { readonly stake?: number; readonly loss?: number },
    id = this.#world.id(),
  ): Promise<ClientReply<PatronRole>> {
    return this.#ask({ type: 'limit', id, ...limits });
  }

  /** A break of so many minutes. */
  pause(minutes: number, id = this.#world.id()): Promise<ClientReply<PatronRole>> {
    return this.#ask({ type: 'pause', id, minutes });
  }

  #ask(ask: ClientRequest<PatronRole>): Promise<ClientReply<PatronRole>> {
    const answer = this.#answers.to(ask);
    this.#link.say(ask);
    return answer;
  }

  #move(table: string | null): void {
    this.#tableVersions.forget();
    this.#ownVersion = -1;
    this.#see({ table, view: null, own: null });
    this.#takeSeat();
  }

  /** Asks for the seat, once the link is there; where another was asked for meanwhile, it is this one in the end. */
  #takeSeat(): void {
    const { table } = this.#seen;
    if (this.#link.say(table === null ? { type: 'leave' } : { type: 'sit', table })) this.#seat = table;
  }

  #hear(tell: ServerMessage): void {
    switch (tell.type) {
      case 'welcome': {
        // The server may have begun anew, and counts from there.
        this.#lobbyVersions.forget();
        this.#tableVersions.forget();
        this.#ownVersion = -1;
        this.#purseVersion = -1;
        this.#quickest = undefined;
        const { table } = this.#seen;
        if (table !== this.#seat) this.#takeSeat();
        for (const ask of this.#answers.waiting) {
          // What was meant for a table that the patron has left since is not sent behind his back.
          if (ask.type === 'renew') continue;
          if (ask.type !== 'slip' || ask.table === table) this.#link.say(ask);
          else this.#answers.giveUp(ask.id);
        }
        if (this.#renewals[0]) this.#link.say(this.#renewals[0]);
        this.#see({ ahead: tell.at - this.#world.clock(), terminal: tell.terminal }, tell);
        return;
      }
      case 'beat':
        this.#see({ ahead: this.#aheadBy(tell.at - this.#world.clock()) }, tell);
        return;
      case 'lobby':
        this.#lobbyVersions.begin(tell.version);
        this.#see({ tiles: tell.tiles }, tell);
        return;
      case 'tile':
        if (!this.#lobbyVersions.takes(tell.version, () => this.#link.say({ type: 'whole', of: 'lobby' }))) return;
        this.#see({ tiles: appliedTile(this.#seen.tiles, tell) }, tell);
        return;
      case 'table':
        if (tell.table !== this.#seen.table) return;
        this.#tableVersions.begin(tell.version);
        this.#see({ view: tell.view }, tell);
        return;
      case 'change':
        if (tell.table !== this.#seen.table) return;
        if (!this.#tableVersions.takes(tell.version, () => this.#link.say({ type: 'whole', of: 'table' }))) return;
        this.#see({ view: applyTableDelta(this.#seen.view!, tell) }, tell);
        return;
      case 'own':
        if (tell.table !== this.#seen.table || tell.version <= this.#ownVersion) return;
        this.#ownVersion = tell.version;
        this.#see({ own: tell.view, terminal: tell.view.terminal }, tell);
        return;
      case 'purse': {
        const { type: _type, version, ...purse } = tell;
        if (version <= this.#purseVersion) return;
        this.#purseVersion = version;
        this.#see({ purse, terminal: purse.terminal }, tell);
        return;
      }
      case 'recalled':
      case 'limited':
        this.#answers.hear(tell);
        return;
      case 'refilled':
        this.#see({}, tell);
        return;
      case 'due':
      case 'scanned':
        // For readers of cards.
        return;
      case 'renewed':
        this.#renewed(tell);
        return;
      case 'accepted':
      case 'loaded':
      case 'collected':
      case 'refused':
        if (tell.type === 'refused' && tell.code === 'secret-revoked') this.#revoked();
        if (tell.id !== null && tell.id === this.#renewals[0]?.id) this.#nextRenewal();
        this.#see({}, tell);
        this.#answers.hear(tell);
    }
  }

  /** The quickest beat of a link tells the time best, and the others how late they are. Clocks drift: it is slowly forgotten. */
  #aheadBy(ahead: number): number {
    this.#quickest = Math.max(ahead, (this.#quickest ?? ahead) - drift);
    this.#link.delayed(this.#quickest - ahead);
    return this.#quickest;
  }

  #renewed(tell: ServerMessageOf<'renewed'>): void {
    const [ask] = this.#renewals;
    if (ask?.id !== tell.id) return;
    this.#secret = ask.secret;
    this.#answers.hear(tell);
    this.#nextRenewal();
  }

  /** The first renewal is answered: another may be sent. */
  #nextRenewal(): void {
    this.#renewals.shift();
    if (this.#renewals[0]) this.#link.say(this.#renewals[0]);
  }

  /** The old secret is dead. Where that was asked for, only the answer was lost: the new one is said next time. */
  #revoked(): void {
    const [ask] = this.#renewals;
    if (ask === undefined) this.#link.retire();
    else this.#renewed({ type: 'renewed', id: ask.id });
  }

  #see(news: Partial<PatronState>, tell?: ServerMessage): void {
    this.#seen = { ...this.#seen, ...news };
    for (const watcher of this.#watchers) watcher(this.#seen, tell);
  }
}
