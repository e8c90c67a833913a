import {
  type ClientMessage,
  type ClientMessageOf,
  type ServerMessage,
  type ServerMessageOf,
  type SlipStakes,
} from '../wire/messages.ts';
import { protocolVersion } from '../wire/protocolVersion.ts';
import { type TerminalMoneyState } from '../wire/terminalMoneyState.ts';
import { type TerminalTableView, type LobbyTile, type PublicTableView } from '../wire/tableView.ts';
import { type ClientReply } from './pendingRequests.ts';
import { type ConnectionState } from './reconnectingSocket.ts';
import { ClientBase } from './clientBase.ts';
import { ViewVersionTracker, applyTableDelta, applyTileDelta } from './viewVersionTracker.ts';
import { type ClientEnvironment } from './environment.ts';

export type PatronMessageTypes = { readonly outgoing: ClientMessage; readonly incoming: ServerMessage };

export type PatronClientState = {
  readonly connection: ConnectionState;
  /** Server clock minus local clock, in milliseconds. */
  readonly clockOffsetMs: number;
  readonly terminal: string | null;
  readonly tiles: readonly LobbyTile[];
  /** Id of the table at which the patron sits; null in the lobby. */
  readonly table: string | null;
  readonly view: PublicTableView | null;
  readonly own: TerminalTableView | null;
  /** Balance of the terminal; null until the server has sent a balance. */
  readonly balance: TerminalMoneyState | null;
};

const initialState: PatronClientState = {
  connection: 'joining',
  clockOffsetMs: 0,
  terminal: null,
  tiles: [],
  table: null,
  view: null,
  own: null,
  balance: null,
};

/** Client of a patron: it reconnects, takes its seat again, and sends unanswered requests again. */
export class PatronClient extends ClientBase<PatronMessageTypes, PatronClientState> {
  readonly #lobbyVersions = new ViewVersionTracker();
  readonly #tableVersions = new ViewVersionTracker();
  #terminalViewVersion = -1;
  #wantsLobby = false;
  #balanceVersion = -1;
  /** Table at which a seat was last requested on this connection; null if the last request was to leave. */
  #requestedSeat: string | null = null;
  #secret: string;
  /**
   * Requests to change the secret, in order. Only the first of them is sent; each of the others is sent after the reply
   * to the one before.
   */
  readonly #renewals: ClientMessageOf<'renew'>[] = [];

  constructor(environment: ClientEnvironment, address: () => string, secret: string) {
    super(environment, address, initialState);
    this.#secret = secret;
  }

  protected override firstMessages(): readonly [ClientMessageOf<'hello'>, ...ClientMessage[]] {
    const { table } = this.state;
    this.#requestedSeat = table;
    const hello: ClientMessageOf<'hello'> = { type: 'hello', v: protocolVersion, secret: this.#secret };
    const around: readonly ClientMessage[] = this.#wantsLobby ? [{ type: 'watch-lobby', wanted: true }] : [];
    return table === null ? [hello, ...around] : [hello, { type: 'sit', table }, ...around];
  }

  override close(): void {
    super.close();
    this.#renewals.length = 0;
  }

  /** Takes a seat at a table. After each reconnect the seat is taken again. */
  sit(table: string): void {
    this.#move(table);
  }

  leave(): void {
    this.#move(null);
  }

  /** Starts or stops updates of lobby tiles while the patron is at a table. The choice is kept after a reconnect. */
  watchTables(wanted: boolean): void {
    this.#wantsLobby = wanted;
    this.socket.send({ type: 'watch-lobby', wanted });
  }

  /** Sets all stakes of a round. After a broken connection the slip is sent again with the same id. */
  slip(
    table: string,
    round: string,
    slip: SlipStakes,
    id = this.environment.id(),
  ): Promise<ClientReply<PatronMessageTypes>> {
    return this.request({ type: 'slip', id, table, round, slip });
  }

  /**
   * Replaces the secret; after the reply the old secret is revoked. Save the new secret before the call, and keep the
   * old one until the reply. If the connection breaks in between, either of them may be valid, and the client tries
   * both. A second call waits for the reply to the first.
   */
  renew(secret: string, id = this.environment.id()): Promise<ClientReply<PatronMessageTypes>> {
    const request = { type: 'renew', id, secret } as const;
    const reply = this.requests.add(request);
    this.#renewals.push(request);
    if (this.#renewals.length === 1) this.socket.send(request);
    return reply;
  }

  /**
   * Inserts a bill into the simulated bill acceptor of a demo. The request is sent again with the same id until there
   * is a reply.
   */
  load(amount: number, id = this.environment.id()): Promise<ClientReply<PatronMessageTypes>> {
    return this.request({ type: 'load', id, amount });
  }

  redeem(number: string, id = this.environment.id()): Promise<ClientReply<PatronMessageTypes>> {
    return this.request({ type: 'redeem', id, number });
  }

  /** Collects the whole credit as a ticket or a hand-pay. A repeated call with the same id gives the same result. */
  collect(id = this.environment.id()): Promise<ClientReply<PatronMessageTypes>> {
    return this.request({ type: 'collect', id });
  }

  /** Requests one page of the rounds of this session, newest first; `before` is the cursor from the previous page. */
  recall(before?: string, id = this.environment.id()): Promise<ClientReply<PatronMessageTypes>> {
    return this.request({ type: 'recall', id, ...(before !== undefined && { before }) });
  }

  /** Sets session limits in minor units. The limits last until the session ends, and can only be lowered. */
  limit(
    limits: { readonly stake?: number; readonly loss?: number },
    id = this.environment.id(),
  ): Promise<ClientReply<PatronMessageTypes>> {
    return this.request({ type: 'limit', id, ...limits });
  }

  pause(minutes: number, id = this.environment.id()): Promise<ClientReply<PatronMessageTypes>> {
    return this.request({ type: 'pause', id, minutes });
  }

  #move(table: string | null): void {
    this.#tableVersions.reset();
    this.#terminalViewVersion = -1;
    this.update({ table, view: null, own: null });
    this.#requestSeat();
  }

  /**
   * Requests the seat at the current table or, without a table, leaves. If there is no connection, nothing is sent, and
   * the next welcome makes up for it.
   */
  #requestSeat(): void {
    const { table } = this.state;
    if (this.socket.send(table === null ? { type: 'leave' } : { type: 'sit', table })) this.#requestedSeat = table;
  }

  protected override receive(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome': {
        // After a restart the server counts versions from 0 again.
        this.#lobbyVersions.reset();
        this.#tableVersions.reset();
        this.#terminalViewVersion = -1;
        this.#balanceVersion = -1;
        const { table } = this.state;
        if (table !== this.#requestedSeat) this.#requestSeat();
        for (const request of this.requests.unanswered) {
          if (request.type === 'renew') continue;
          // If the patron has left the table of a slip, the slip is not sent again.
          if (request.type !== 'slip' || request.table === table) this.socket.send(request);
          else this.requests.giveUp(request.id);
        }
        if (this.#renewals[0]) this.socket.send(this.#renewals[0]);
        this.update({ clockOffsetMs: this.firstClockOffset(message.at), terminal: message.terminal }, message);
        return;
      }
      case 'heartbeat':
        this.update({ clockOffsetMs: this.nextClockOffset(message.at) }, message);
        return;
      case 'lobby':
        this.#lobbyVersions.start(message.version);
        this.update({ tiles: message.tiles }, message);
        return;
      case 'tile':
        if (!this.#lobbyVersions.accepts(message.version, () => this.socket.send({ type: 'whole', of: 'lobby' })))
          return;
        this.update({ tiles: applyTileDelta(this.state.tiles, message) }, message);
        return;
      case 'table':
        if (message.table !== this.state.table) return;
        this.#tableVersions.start(message.version);
        this.update({ view: message.view }, message);
        return;
      case 'change':
        if (message.table !== this.state.table) return;
        if (!this.#tableVersions.accepts(message.version, () => this.socket.send({ type: 'whole', of: 'table' })))
          return;
        this.update({ view: applyTableDelta(this.state.view!, message) }, message);
        return;
      case 'own':
        if (message.table !== this.state.table || message.version <= this.#terminalViewVersion) return;
        this.#terminalViewVersion = message.version;
        this.update({ own: message.view, terminal: message.view.terminal }, message);
        return;
      case 'balance': {
        const { type: _type, version, ...balance } = message;
        if (version <= this.#balanceVersion) return;
        this.#balanceVersion = version;
        this.update({ balance: balance, terminal: balance.terminal }, message);
        return;
      }
      case 'recalled':
      case 'limited':
        this.requests.resolve(message);
        return;
      case 'refilled':
        this.update({}, message);
        return;
      case 'due':
      case 'scanned':
        // Only card readers use these messages.
        return;
      case 'renewed':
        this.#onRenewed(message);
        return;
      case 'accepted':
      case 'loaded':
      case 'collected':
      case 'refused':
        if (message.type === 'refused' && message.code === 'secret-revoked') this.#onRevoked();
        if (message.id !== null && message.id === this.#renewals[0]?.id) this.#sendNextRenewal();
        this.update({}, message);
        this.requests.resolve(message);
    }
  }

  #onRenewed(message: ServerMessageOf<'renewed'>): void {
    const [request] = this.#renewals;
    if (request?.id !== message.id) return;
    this.#secret = request.secret;
    this.requests.resolve(message);
    this.#sendNextRenewal();
  }

  #sendNextRenewal(): void {
    this.#renewals.shift();
    if (this.#renewals[0]) this.socket.send(this.#renewals[0]);
  }

  /**
   * Handles a refusal of the secret as revoked. If a new secret was requested, the request was carried out and only its
   * reply was lost. Then the client continues with the new secret.
   */
  #onRevoked(): void {
    const [request] = this.#renewals;
    if (request === undefined) this.socket.closeAsOutdated();
    else this.#onRenewed({ type: 'renewed', id: request.id });
  }
}
