import { type CommandContext } from '../../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type UncheckedTableSettings } from '../../runtime/tables/tableRuntime.ts';
import { type StaffEvent } from '../../staff/events.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Store, type StoredEntry } from '../../store/store.ts';
import { type CageLimits } from '../../wire/staff/cageTypes.ts';
import {
  type SignOutReason,
  type StaffServerMessage,
  type StaffClientMessage,
  type StaffSession,
} from '../../wire/staff/messages.ts';
import { type FloorView } from '../../wire/staff/floorView.ts';
import { staffProtocolVersion } from '../../wire/staff/protocolVersion.ts';
import { type PublicViewBuilder } from '../tables/publicViewBuilder.ts';
import { type PatronHub } from '../patron/patronHub.ts';
import { credentialRefreshEveryMs } from '../patron/deviceConnectionBinder.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { KeyedTokenBuckets } from '../limits/tokenBucket.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { type StaffConnection } from '../socket/staffConnection.ts';
import { type StaffReply, type StaffSocketRequest, StaffRequestHandler } from './staffRequestHandler.ts';
import { TableSubscriptions } from './views/tableSubscriptions.ts';
import { maySubscribeToTable, maySeeWholeFloor } from './commands/viewPermissions.ts';
import { FloorViewPublisher } from './views/floorViewPublisher.ts';
import { notSignedInRefusal, notYourViewRefusal, unknownTableRefusal } from '../refusals/serverRefusals.ts';

type StaffHubDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly key: Buffer;
  readonly patronHub: Pick<PatronHub, 'views' | 'isConnected' | 'tableOf' | 'terminalCountAt'>;
  /** Table settings of the property file, by table. */
  readonly settings: ReadonlyMap<string, UncheckedTableSettings>;
  readonly isDemo: boolean;
  readonly cageLimits: CageLimits;
  readonly scanFormat: ScanFormat;
  /** Gives time and hash of the last checkpoint; null if there is no checkpoint yet. */
  readonly lastSigned: () => FloorView['signed'];
  readonly warn: (subject: string, error: unknown) => void;
};

type RefusedScan = Omit<Extract<StaffServerMessage, { type: 'scanned' }>, 'type' | 'table'>;

/**
 * Interval in milliseconds at which the views are built again. Some parts of a view change by the passing of time
 * alone, such as an expired proposal.
 */
const refreshEveryMs = 1_000;

/**
 * Hub of staff connections. It dispatches messages, publishes views, and closes the sockets of a session that has
 * ended.
 */
export class StaffHub {
  readonly #dependencies: StaffHubDependencies;
  #floor: FloorRuntime | undefined;
  #requests: StaffRequestHandler | undefined;
  #tables: TableSubscriptions | undefined;
  #floorView: FloorViewPublisher | undefined;
  readonly #connections = new Set<StaffConnection>();
  /** Rate limit of checks of PINs, passwords and codes, per client address. Sockets and HTTP routes share it. */
  readonly secretAttempts: KeyedTokenBuckets;
  #stopRefresh: (() => void) | undefined;
  #stopSweep: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #isClosing = false;

  constructor(dependencies: StaffHubDependencies) {
    const { limits } = dependencies;
    this.#dependencies = dependencies;
    this.secretAttempts = new KeyedTokenBuckets(limits.signInBurst, limits.signInsPerSecond);
  }

  /** Call after all tables are loaded. */
  open(floor: FloorRuntime): void {
    const { patronHub } = this.#dependencies;
    const builderOf = (table: string): PublicViewBuilder | undefined => patronHub.views.builder(table);
    const isDisconnected = (terminal: string): boolean => !patronHub.isConnected(terminal);
    this.#floor = floor;
    this.#requests = new StaffRequestHandler(
      { ...this.#dependencies, builderOf, secretAttempts: this.secretAttempts, isClosing: () => this.#isClosing },
      floor,
    );
    const numberOf = (person: string): string | null => floor.staff.state?.members[person]?.number ?? null;
    const dealerAt = (table: string) => {
      const session = floor.staff.sessions().find((one) => one.table === table);
      return session
        ? { person: session.person, number: session.number, role: session.role, acting: session.acting }
        : null;
    };
    this.#tables = new TableSubscriptions(
      { ...this.#dependencies, builderOf, numberOf, dealerAt, isDisconnected },
      floor,
    );
    this.#floorView = new FloorViewPublisher(
      {
        ...this.#dependencies,
        builderOf,
        isDisconnected,
        terminalCountAt: (table) => patronHub.terminalCountAt(table),
        dealerAt: (table) => dealerAt(table)?.number ?? null,
      },
      floor,
    );
    this.#unsubscribe = floor.staff.subscribe((events) => this.#onStaffEvents(events));
    this.#scheduleRefresh();
    if (floor.isClustered) this.#scheduleSweep();
  }

  withdrawalOnLeave(session: SignInSession): () => Promise<void> {
    return this.#requests!.withdrawalOnLeave(session, this.#dependencies.clock());
  }

  close(): void {
    this.#isClosing = true;
    this.#unsubscribe?.();
    this.#stopRefresh?.();
    this.#stopSweep?.();
    this.#tables?.close();
    this.#floorView?.close();
  }

  onTableChange(builder: PublicViewBuilder, entries: readonly StoredEntry[]): void {
    this.#tables?.onTableChange(builder, entries);
    this.#floorView?.onTableChange(builder, entries);
  }

  /**
   * Gives the person who is signed in at the console of a table, and the context for the commands of that person.
   * Undefined if no person is signed in there.
   */
  dealerAt(table: string): { readonly person: string; readonly context: CommandContext } | undefined {
    const staff = this.#floor?.staff;
    const session = staff?.sessions().find((one) => one.table === table);
    const context = session && staff!.contextFor(session);
    return context === undefined || isRefused(context) ? undefined : { person: session!.person, context };
  }

  /** Sends a refused scan to all staff who are subscribed to the table, on all nodes. */
  showRefusedScan(table: string, scan: RefusedScan): void {
    this.sendScan(table, scan);
    this.#floor?.publishRefusedScan(table, scan);
  }

  /** Sends a refused scan to the staff who are subscribed to the table on this node. */
  sendScan(table: string, scan: RefusedScan): void {
    for (const connection of this.#tables?.subscribersOf(table) ?? [])
      connection.send({ type: 'scanned', table, ...scan });
  }

  showSimultaneousScans(
    table: string,
    { at, texts }: { readonly at: number; readonly texts: readonly string[] },
  ): void {
    this.showRefusedScan(table, { at, text: texts.join(' '), ...together });
  }

  add(connection: StaffConnection): void {
    this.#connections.add(connection);
  }

  onClose(connection: StaffConnection): void {
    this.#connections.delete(connection);
    this.#tables?.unsubscribe(connection);
    this.#floorView?.unsubscribe(connection);
  }

  async onMessage(connection: StaffConnection, message: StaffClientMessage, arrivedAt: number): Promise<void> {
    const session = this.#floor!.staff.session(connection.session);
    if (session === undefined) {
      const id = 'id' in message ? message.id : null;
      connection.refuse(notSignedInRefusal, id);
      return undefined;
    }
    switch (message.type) {
      case 'hello':
        this.#welcome(connection, session);
        return undefined;
      case 'watch':
        return this.#watch(connection, session, message);
      case 'leave':
        this.#tables!.unsubscribe(connection);
        return undefined;
      case 'floor':
        return this.#setFloorSubscription(connection, session, message.wanted);
      case 'activity':
        this.#floor!.staff.touch(session.id);
        return undefined;
      case 'whole':
        if (message.of === 'table') this.#tables!.resend(connection);
        else this.#floorView!.sendView(connection);
        return undefined;
      case 'command':
      case 'consent':
      case 'open':
      case 'staff':
      case 'terminal':
      case 'pay':
      case 'query':
        // The requests of one connection are handled in order. A request does not wait for the requests of other
        // connections.
        return this.#answer(
          connection,
          message,
          arrivedAt,
          await this.#requests!.answer(session, message, connection.address, arrivedAt),
        );
    }
  }

  #welcome(connection: StaffConnection, session: SignInSession): void {
    const { clock, isDemo } = this.#dependencies;
    const { property, currency } = this.#floor!.owner;
    connection.isWelcomed = true;
    connection.isLocked = session.locked;
    const view = buildStaffSessionView(session);
    connection.send({
      type: 'welcome',
      v: staffProtocolVersion,
      at: clock(),
      property,
      currency,
      demo: isDemo,
      session: view,
    });
  }

  async #watch(
    connection: StaffConnection,
    session: SignInSession,
    { table, as }: Extract<StaffClientMessage, { type: 'watch' }>,
  ): Promise<void> {
    if (!this.#floor!.tables.has(table)) {
      connection.refuse(unknownTableRefusal(table));
      return;
    }
    if (!maySubscribeToTable(session, { table, as }, this.#dependencies.clock())) {
      connection.refuse(notYourViewRefusal(`the ${as} view of ${table}`));
      return;
    }
    const isOpen = await this.#tables!.subscribe(connection, { table, as });
    if (!isOpen)
      connection.refuse({ refused: 'not-open', message: `Table ${table} is not open yet. Two persons must open it.` });
  }

  async #setFloorSubscription(connection: StaffConnection, session: SignInSession, wanted: boolean): Promise<void> {
    if (!wanted) this.#floorView!.unsubscribe(connection);
    else if (maySeeWholeFloor(session, this.#dependencies.clock())) await this.#floorView!.subscribe(connection);
    else connection.refuse(notYourViewRefusal('the floor'));
  }

  #answer(connection: StaffConnection, { id }: StaffSocketRequest, arrivedAt: number, reply: StaffReply): void {
    const { clock, metrics } = this.#dependencies;
    metrics.requestAnswered('staff', isRefused(reply), clock() - arrivedAt);
    if (isRefused(reply)) connection.refuse(reply, id);
    else if ('data' in reply) connection.send({ type: 'answer', id, data: reply.data });
    else {
      const { entries } = reply;
      const events = entries.map(({ event }) => event.type);
      connection.send({ type: 'done', id, events, sequence: entries.at(-1)?.sequence ?? 0 });
    }
  }

  /**
   * Handles new events of the staff stream. If a session was ended, locked or unlocked, all its sockets are closed or
   * notified at once.
   */
  #onStaffEvents(events: readonly StaffEvent[]): void {
    for (const event of events) {
      if (event.type === 'SessionEnded') this.#end(event.session, event.reason);
      else if (event.type === 'SessionLocked') this.#lock(event.session);
      else if (event.type === 'SessionUnlocked') this.#unlock(event.session);
    }
    this.#refresh();
  }

  #of(session: string): readonly StaffConnection[] {
    return [...this.#connections].filter((one) => one.session === session);
  }

  #end(session: string, reason: SignOutReason): void {
    for (const connection of this.#of(session)) {
      connection.send({ type: 'ended', reason });
      this.onClose(connection);
      connection.refuseAndClose(notSignedInRefusal);
    }
  }

  #lock(session: string): void {
    for (const connection of this.#of(session)) {
      connection.isLocked = true;
      connection.send({ type: 'ended', reason: 'locked' });
    }
  }

  #unlock(session: string): void {
    const unlocked = this.#floor!.staff.session(session);
    if (unlocked === undefined) return;
    for (const connection of this.#of(session)) {
      this.#welcome(connection, unlocked);
      this.#tables!.resend(connection);
      this.#floorView!.sendView(connection);
    }
  }

  #scheduleRefresh(): void {
    if (this.#isClosing) return;
    this.#stopRefresh = this.#dependencies.after(refreshEveryMs, () => {
      this.#refresh();
      this.#scheduleRefresh();
    });
  }

  /**
   * Reads the staff stream from the store at intervals. Other nodes send notifications of changes, but a notification
   * may be lost.
   */
  #scheduleSweep(): void {
    if (this.#isClosing) return;
    this.#stopSweep = this.#dependencies.after(credentialRefreshEveryMs, () => {
      if (this.#connections.size > 0) {
        this.#floor!.staff.refreshAll().catch((error: unknown) => this.#dependencies.warn('staff sign-in', error));
      }
      this.#scheduleSweep();
    });
  }

  /**
   * Ends subscriptions that are no longer allowed because an acting role has expired. Publishes views that have changed
   * by the passing of time.
   */
  #refresh(): void {
    const now = this.#dependencies.clock();
    for (const connection of this.#connections) {
      const session = this.#floor!.staff.session(connection.session);
      if (session === undefined || !connection.isWelcomed) continue;
      const { subscription, subscribesToFloor } = connection;
      const isBlind = subscription !== undefined && !maySubscribeToTable(session, subscription, now);
      if (isBlind) this.#tables!.unsubscribe(connection);
      if (subscribesToFloor && !maySeeWholeFloor(session, now)) this.#floorView!.unsubscribe(connection);
      else if (!isBlind) continue;
      this.#welcome(connection, session);
      connection.refuse(notYourViewRefusal('this view'));
    }
    this.#tables?.refresh();
    this.#floorView?.schedule();
  }
}

const together = {
  code: 'scanned-together',
  message: 'Two cards were scanned at once. Check whether they were drawn together.',
  by: null,
};

/**
 * The sign-in session as it is sent to clients. The id and the console of the session are left out, since clients must
 * not know them.
 */
export const buildStaffSessionView = ({
  person,
  number,
  role,
  acting,
  until,
  since,
  table,
  locked,
}: SignInSession): StaffSession => ({
  person,
  number,
  role,
  acting,
  until,
  since,
  table,
  locked,
});
