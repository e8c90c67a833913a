import { type ViewDelta, applyDelta } from '../wire/viewDelta.ts';
import { type StaffTableCommand } from '../wire/staff/staffTableCommands.ts';
import {
  type SignOutReason,
  type StaffServerMessage,
  type StaffServerMessageOf,
  type StaffClientMessage,
  type StaffSession,
} from '../wire/staff/messages.ts';
import { staffProtocolVersion } from '../wire/staff/protocolVersion.ts';
import { type DealerView } from '../wire/staff/dealerView.ts';
import { type FloorView } from '../wire/staff/floorView.ts';
import { type SupervisorView } from '../wire/staff/supervisorView.ts';
import { type ClientReply } from './pendingRequests.ts';
import { type ConnectionState } from './reconnectingSocket.ts';
import { ClientBase } from './clientBase.ts';
import { ViewVersionTracker } from './viewVersionTracker.ts';
import { type ClientEnvironment } from './environment.ts';

export type StaffMessageTypes = { readonly outgoing: StaffClientMessage; readonly incoming: StaffServerMessage };

export type StaffClientState = {
  readonly connection: ConnectionState;
  /** Server clock minus local clock, in milliseconds. */
  readonly clockOffsetMs: number;
  readonly welcome: StaffServerMessageOf<'welcome'> | null;
  readonly session: StaffSession | null;
  /** Why the session has ended; null while it has not. A locked session has not ended. */
  readonly ended: SignOutReason | null;
  /** The subscribed table and the role whose view is subscribed; null without a subscription. */
  readonly table: { readonly table: string; readonly as: 'dealer' | 'supervisor' } | null;
  readonly dealer: DealerView | null;
  readonly supervisor: SupervisorView | null;
  readonly floor: FloorView | null;
};

/** Minimum interval between two messages that report activity, in milliseconds. */
const presenceEveryMs = 30_000;

const initialState: StaffClientState = {
  connection: 'joining',
  clockOffsetMs: 0,
  welcome: null,
  session: null,
  ended: null,
  table: null,
  dealer: null,
  supervisor: null,
  floor: null,
};

/** Client of a staff member: it reconnects, subscribes again, and sends unanswered requests again. */
export class StaffClient extends ClientBase<StaffMessageTypes, StaffClientState> {
  readonly #tableVersions = new ViewVersionTracker();
  /** Version of the newest floor view. If an older floor view arrives later, it is ignored. */
  #floorVersion = -1;
  #presenceSentAt = -Infinity;
  #wantsFloor = false;

  /** The subscriptions that were last requested on this connection. */
  #subscribed: Pick<StaffClientState, 'table'> & { readonly floor: boolean } = { table: null, floor: false };

  constructor(environment: ClientEnvironment, address: () => string) {
    super(environment, address, initialState);
  }

  protected override firstMessages(): readonly [
    Extract<StaffClientMessage, { type: 'hello' }>,
    ...StaffClientMessage[],
  ] {
    const { table } = this.state;
    this.#subscribed = { table, floor: this.#wantsFloor };
    return [
      { type: 'hello', v: staffProtocolVersion },
      ...(table ? [{ type: 'watch' as const, ...table }] : []),
      ...(this.#wantsFloor ? [{ type: 'floor' as const, wanted: true }] : []),
    ];
  }

  /**
   * Opens the connection. After the end of a session and a new sign-in, call it again. A client that waits to reconnect
   * does so at once.
   */
  override open(): void {
    if (this.state.ended !== null) {
      this.socket = this.newSocket();
      this.update({ connection: 'joining', ended: null });
    }
    super.open();
  }

  /**
   * Subscribes to the dealer's or the supervisor's view of a table. After each reconnect the client subscribes again.
   */
  watchTable(table: string, as: 'dealer' | 'supervisor'): void {
    this.#tableVersions.reset();
    this.update({ table: { table, as }, dealer: null, supervisor: null });
    this.#subscribeTable();
  }

  leave(): void {
    this.#tableVersions.reset();
    this.update({ table: null, dealer: null, supervisor: null });
    this.#subscribeTable();
  }

  #subscribeTable(): void {
    const { table } = this.state;
    const isSent = this.socket.send(table ? { type: 'watch', ...table } : { type: 'leave' });
    if (isSent) this.#subscribed = { ...this.#subscribed, table };
  }

  watchFloor(wanted: boolean): void {
    this.#wantsFloor = wanted;
    if (!wanted) this.update({ floor: null });
    this.#subscribeFloor();
  }

  #subscribeFloor(): void {
    const wanted = this.#wantsFloor;
    if (this.socket.send({ type: 'floor', wanted })) this.#subscribed = { ...this.#subscribed, floor: wanted };
  }

  /**
   * Reports that the person is active, so that the sign-in session does not become idle. May be called often: at most
   * one message in 30 s is sent.
   */
  here(): void {
    const now = this.environment.clock();
    if (now < this.#presenceSentAt + presenceEveryMs) return;
    if (this.socket.send({ type: 'activity' })) this.#presenceSentAt = now;
  }

  /** Sends a command to a table. After a broken connection the command is sent again with the same id. */
  command(
    table: string,
    command: StaffTableCommand,
    id = this.environment.id(),
  ): Promise<ClientReply<StaffMessageTypes>> {
    return this.request({ type: 'command', id, table, request: command });
  }

  /** Approves a proposal in the name of a second person, who enters staff number and PIN at this console. */
  consent(
    table: string,
    { id: proposal, hash }: { readonly id: string; readonly hash: string },
    { number, pin }: { readonly number: string; readonly pin: string },
    id = this.environment.id(),
  ): Promise<ClientReply<StaffMessageTypes>> {
    return this.request({ type: 'consent', id, table, proposal, hash, number, pin });
  }

  /** Opens a table with the settings whose hash is `hash`. A second person approves with staff number and PIN. */
  openTable(
    table: string,
    hash: string,
    { number, pin }: { readonly number: string; readonly pin: string },
    id = this.environment.id(),
  ): Promise<ClientReply<StaffMessageTypes>> {
    return this.request({ type: 'open', id, table, hash, number, pin });
  }

  /** Sends a command to a terminal. Some commands need a second person, whose staff number and PIN are in `second`. */
  terminal(
    terminal: string,
    command: { readonly [field: string]: unknown },
    second: { readonly number?: string; readonly pin?: string } = {},
    id = this.environment.id(),
  ): Promise<ClientReply<StaffMessageTypes>> {
    return this.request({ type: 'terminal', id, terminal, request: command, ...second });
  }

  pay(ticket: string, id = this.environment.id()): Promise<ClientReply<StaffMessageTypes>> {
    return this.request({ type: 'pay', id, ticket });
  }

  staffCommand(
    command: { readonly [field: string]: unknown },
    id = this.environment.id(),
  ): Promise<ClientReply<StaffMessageTypes>> {
    return this.request({ type: 'staff', id, request: command });
  }

  query(
    name: string,
    params: { readonly [field: string]: unknown } = {},
    id = this.environment.id(),
  ): Promise<ClientReply<StaffMessageTypes>> {
    return this.request({ type: 'query', id, name, params });
  }

  protected override receive(message: StaffServerMessage): void {
    switch (message.type) {
      case 'welcome':
        // After a restart the server counts versions from 0 again.
        this.#tableVersions.reset();
        this.#floorVersion = -1;
        if (this.#subscribed.table !== this.state.table) this.#subscribeTable();
        if (this.#subscribed.floor !== this.#wantsFloor) this.#subscribeFloor();
        for (const request of this.requests.unanswered) this.socket.send(request);
        this.update(
          { clockOffsetMs: this.firstClockOffset(message.at), welcome: message, session: message.session, ended: null },
          message,
        );
        return;
      case 'heartbeat':
        this.update({ clockOffsetMs: this.nextClockOffset(message.at) }, message);
        return;
      case 'dealer':
        if (!this.#isSubscribed(message.table, 'dealer')) return;
        this.#tableVersions.start(message.version);
        this.update({ dealer: message.view }, message);
        return;
      case 'supervisor':
        if (!this.#isSubscribed(message.table, 'supervisor')) return;
        this.#tableVersions.start(message.version);
        this.update({ supervisor: message.view }, message);
        return;
      case 'change': {
        if (message.table !== this.state.table?.table) return;
        if (!this.#tableVersions.accepts(message.version, () => this.socket.send({ type: 'whole', of: 'table' })))
          return;
        const { dealer, supervisor } = this.state;
        this.update(
          {
            dealer: dealer && applyDelta(dealer, message.change as ViewDelta),
            supervisor: supervisor && applyDelta(supervisor, message.change as ViewDelta),
          },
          message,
        );
        return;
      }
      case 'floor':
        if (!this.#wantsFloor || message.version < this.#floorVersion) return;
        this.#floorVersion = message.version;
        this.update({ floor: message.view }, message);
        return;
      case 'ended':
        this.#onEnded(message);
        return;
      case 'scanned':
        this.update({}, message);
        return;
      case 'done':
      case 'answer':
      case 'refused':
        this.update({}, message);
        this.requests.resolve(message);
    }
  }

  #isSubscribed(table: string, as: 'dealer' | 'supervisor'): boolean {
    return this.state.table?.table === table && this.state.table.as === as;
  }

  /**
   * Handles a message that the session is locked or has ended. A locked session continues after its PIN or password is
   * entered. When a session has ended, its unanswered requests are given up.
   */
  #onEnded(message: StaffServerMessageOf<'ended'>): void {
    const { session } = this.state;
    if (message.reason === 'locked') {
      this.update({ session: session && { ...session, locked: true } }, message);
      return;
    }
    this.socket.closeAsOutdated();
    this.giveUpAll();
    this.update({ session: null, ended: message.reason, dealer: null, supervisor: null, floor: null }, message);
  }
}
