import { type Brought } from '../../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type TableSetting } from '../../runtime/tables/tableRuntime.ts';
import { type StaffEvent } from '../../staff/events.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Store, type StoredEntry } from '../../store/store.ts';
import { type DeskLimits } from '../../wire/staff/cageTypes.ts';
import {
  type Ended,
  type StaffServerMessage,
  type StaffClientMessage,
  type StaffSession,
} from '../../wire/staff/messages.ts';
import { type FloorView } from '../../wire/staff/views.ts';
import { staffProtocol } from '../../wire/staff/protocolVersion.ts';
import { type TablePublisher } from '../tables/tablePublisher.ts';
import { type PatronHub } from '../patron/patronHub.ts';
import { sweepEvery } from '../patron/connectionsBySecret.ts';
import { Allowances, type ServerLimits } from '../limits/serverLimits.ts';
import { type Scheduler } from '../operations/serverClock.ts';
import { type StaffConnection } from '../socket/staffConnection.ts';
import { notSignedIn, notYourView, unknownTable } from '../shared/staffRefusals.ts';
import { type StaffReply, type StaffSocketRequest, StaffRequestHandler } from './requestHandler.ts';
import { TableSubscriptions } from './views/tableSubscriptions.ts';
import { maySubscribe, seesAll } from './commands/viewPermissions.ts';
import { FloorPublisher } from './views/floorPublisher.ts';

type Parts = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly gauges: Metrics;
  /** The key of the record. */
  readonly key: Buffer;
  /** What patrons are told of tables. */
  readonly hub: Pick<PatronHub, 'feed' | 'isThere' | 'tableOf' | 'seatedAt'>;
  /** The settings of the property's file, by table. */
  readonly settings: ReadonlyMap<string, TableSetting>;
  readonly demo: boolean;
  /** Above which amounts two persons sign, and a name is asked for. */
  readonly deskLimits: DeskLimits;
  /** What readers of cards say. */
  readonly scanner: ScanFormat;
  /** When the record was last signed, and the hash of what was. */
  readonly signed: () => FloorView['signed'];
  readonly trouble: (what: string, error: unknown) => void;
};

/** A card that a table did not take, as it was read, with the reason. */
type RefusedScan = Omit<Extract<StaffServerMessage, { type: 'scanned' }>, 'type' | 'table'>;

/** What follows from the time alone is looked at so often, in milliseconds. */
const lookEvery = 1_000;

/** Who of the staff is there, what each is told, and what each asks. Who that is follows from the session alone. */
export class StaffHub {
  readonly #parts: Parts;
  #floor: FloorRuntime | undefined;
  #desk: StaffRequestHandler | undefined;
  #looks: TableSubscriptions | undefined;
  #whole: FloorPublisher | undefined;
  readonly #connections = new Set<StaffConnection>();
  /** Secrets that are tried from an address, on sockets and otherwise. */
  readonly tries: Allowances;
  #stopLooking: (() => void) | undefined;
  #stopSweeping: (() => void) | undefined;
  #stopHearing: (() => void) | undefined;
  #closing = false;

  constructor(parts: Parts) {
    const { limits } = parts;
    this.#parts = parts;
    this.tries = new Allowances(limits.signIns, limits.signInsPerSecond);
  }

  /** Begins once every table is back from its record. */
  open(floor: FloorRuntime): void {
    const { hub } = this.#parts;
    const feed = (table: string): TablePublisher | undefined => hub.feed(table);
    const isAway = (terminal: string): boolean => !hub.isThere(terminal);
    this.#floor = floor;
    this.#desk = new StaffRequestHandler(
      { ...this.#parts, feed, tries: this.tries, isClosing: () => this.#closing },
      floor,
    );
    const numberOf = (person: string): string | null => floor.people.state?.members[person]?.number ?? null;
    const dealerAt = (table: string) => {
      const session = floor.people.sessions().find((one) => one.table === table);
      return session
        ? { person: session.person, number: session.number, post: session.post, acting: session.acting }
        : null;
    };
    this.#looks = new TableSubscriptions({ ...this.#parts, feed, numberOf, dealerAt, isAway }, floor);
    this.#whole = new FloorPublisher(
      {
        ...this.#parts,
        feed,
        isAway,
        seatedAt: (table) => hub.seatedAt(table),
        dealerAt: (table) => dealerAt(table)?.number ?? null,
      },
      floor,
    );
    this.#stopHearing = floor.people.changed((events) => this.#peopleChanged(events));
    this.#lookLater();
    if (floor.isShared) this.#sweepLater();
  }

  /** What is to be done once a session is over by a relief. */
  leaving(session: SignInSession): () => Promise<void> {
    return this.#desk!.leaving(session, this.#parts.clock());
  }

  close(): void {
    this.#closing = true;
    this.#stopHearing?.();
    this.#stopLooking?.();
    this.#stopSweeping?.();
    this.#looks?.close();
    this.#whole?.close();
  }

  /** What is told of a table has changed. */
  moved(feed: TablePublisher, entries: readonly StoredEntry[]): void {
    this.#looks?.moved(feed, entries);
    this.#whole?.moved(feed, entries);
  }

  /** Who is signed in at the console of a table, with what a command of theirs brings; undefined where nobody acts there. */
  dealerAt(table: string): { readonly person: string; readonly brought: Brought } | undefined {
    const people = this.#floor?.people;
    const session = people?.sessions().find((one) => one.table === table);
    const brought = session && people!.broughtFor(session);
    return brought === undefined || isRefused(brought) ? undefined : { person: session!.person, brought };
  }

  /** A card that a table did not take stays on the screens of those who look at it. */
  refusedScan(table: string, scan: RefusedScan): void {
    this.scanned(table, scan);
    this.#floor?.scanned(table, scan);
  }

  /** The same of a reader at any node. */
  scanned(table: string, scan: RefusedScan): void {
    for (const connection of this.#looks?.at(table) ?? []) connection.tell({ type: 'scanned', table, ...scan });
  }

  /** Two cards were read so soon after one another that they may have come out together. */
  scannedTogether(table: string, { at, texts }: { readonly at: number; readonly texts: readonly string[] }): void {
    this.refusedScan(table, { at, text: texts.join(' '), ...together });
  }

  came(connection: StaffConnection): void {
    this.#connections.add(connection);
  }

  left(connection: StaffConnection): void {
    this.#connections.delete(connection);
    this.#looks?.end(connection);
    this.#whole?.end(connection);
  }

  async asked(connection: StaffConnection, said: StaffClientMessage, arrived: number): Promise<void> {
    const session = this.#floor!.people.session(connection.session);
    if (session === undefined) {
      const id = 'id' in said ? said.id : null;
      connection.refuse(notSignedIn, id);
      return undefined;
    }
    switch (said.type) {
      case 'hello':
        this.#welcome(connection, session);
        return undefined;
      case 'watch':
        return this.#watch(connection, session, said);
      case 'leave':
        this.#looks!.end(connection);
        return undefined;
      case 'floor':
        return this.#floorWanted(connection, session, said.wanted);
      case 'here':
        this.#floor!.people.seen(session.id);
        return undefined;
      case 'whole':
        if (said.of === 'table') this.#looks!.again(connection);
        else this.#whole!.again(connection);
        return undefined;
      case 'command':
      case 'consent':
      case 'open':
      case 'people':
      case 'terminal':
      case 'pay':
      case 'ask':
        // Nobody waits for what somebody else asks of another table; what each asks is in order all the same.
        return this.#answer(
          connection,
          said,
          arrived,
          await this.#desk!.answer(session, said, connection.address, arrived),
        );
    }
  }

  #welcome(connection: StaffConnection, session: SignInSession): void {
    const { clock, demo } = this.#parts;
    const { property, currency } = this.#floor!.owner;
    connection.isWelcome = true;
    connection.isLocked = session.locked;
    const told = sessionView(session);
    connection.tell({ type: 'welcome', v: staffProtocol, at: clock(), property, currency, demo, session: told });
  }

  async #watch(
    connection: StaffConnection,
    session: SignInSession,
    { table, as }: Extract<StaffClientMessage, { type: 'watch' }>,
  ): Promise<void> {
    if (!this.#floor!.tables.has(table)) {
      connection.refuse(unknownTable(table));
      return;
    }
    if (!maySubscribe(session, { table, as }, this.#parts.clock())) {
      connection.refuse(notYourView(`${table} as a ${as} sees it`));
      return;
    }
    const isOpen = await this.#looks!.begin(connection, { table, as });
    if (!isOpen) connection.refuse({ refused: 'not-open', message: `${table} is not open yet; two persons open it.` });
  }

  async #floorWanted(connection: StaffConnection, session: SignInSession, wanted: boolean): Promise<void> {
    if (!wanted) this.#whole!.end(connection);
    else if (seesAll(session, this.#parts.clock())) await this.#whole!.begin(connection);
    else connection.refuse(notYourView('The floor'));
  }

  #answer(connection: StaffConnection, { id }: StaffSocketRequest, arrived: number, answered: StaffReply): void {
    const { clock, gauges } = this.#parts;
    gauges.answered('staff', isRefused(answered), clock() - arrived);
    if (isRefused(answered)) connection.refuse(answered, id);
    else if ('data' in answered) connection.tell({ type: 'answer', id, data: answered.data });
    else {
      const { entries } = answered;
      const events = entries.map(({ event }) => event.type);
      connection.tell({ type: 'done', id, events, sequence: entries.at(-1)?.sequence ?? 0 });
    }
  }

  /** Sessions that have ended, were locked or are open again: it counts at once on every socket. */
  #peopleChanged(events: readonly StaffEvent[]): void {
    for (const event of events) {
      if (event.type === 'SessionEnded') this.#end(event.session, event.why);
      else if (event.type === 'SessionLocked') this.#lock(event.session);
      else if (event.type === 'SessionUnlocked') this.#unlock(event.session);
    }
    this.#look();
  }

  #of(session: string): readonly StaffConnection[] {
    return [...this.#connections].filter((one) => one.session === session);
  }

  #end(session: string, why: Ended): void {
    for (const connection of this.#of(session)) {
      connection.tell({ type: 'ended', why });
      this.left(connection);
      connection.dismiss(notSignedIn);
    }
  }

  #lock(session: string): void {
    for (const connection of this.#of(session)) {
      connection.isLocked = true;
      connection.tell({ type: 'ended', why: 'locked' });
    }
  }

  /** The welcome is said again, and everything is told once more. */
  #unlock(session: string): void {
    const unlocked = this.#floor!.people.session(session);
    if (unlocked === undefined) return;
    for (const connection of this.#of(session)) {
      this.#welcome(connection, unlocked);
      this.#looks!.again(connection);
      this.#whole!.again(connection);
    }
  }

  #lookLater(): void {
    if (this.#closing) return;
    this.#stopLooking = this.#parts.after(lookEvery, () => {
      this.#look();
      this.#lookLater();
    });
  }

  /** What has become of sessions at other nodes, in case that nobody could tell. */
  #sweepLater(): void {
    if (this.#closing) return;
    this.#stopSweeping = this.#parts.after(sweepEvery, () => {
      if (this.#connections.size > 0) {
        this.#floor!.people.sweep().catch((error: unknown) => this.#parts.trouble('the people', error));
      }
      this.#sweepLater();
    });
  }

  /** Posts that somebody acted in may be over, and proposals too old. */
  #look(): void {
    const now = this.#parts.clock();
    for (const connection of this.#connections) {
      const session = this.#floor!.people.session(connection.session);
      if (session === undefined || !connection.isWelcome) continue;
      const { watched, looksAround } = connection;
      const isBlind = watched !== undefined && !maySubscribe(session, watched, now);
      if (isBlind) this.#looks!.end(connection);
      if (looksAround && !seesAll(session, now)) this.#whole!.end(connection);
      else if (!isBlind) continue;
      this.#welcome(connection, session);
      connection.refuse(notYourView('What you looked at'));
    }
    this.#looks?.look();
    this.#whole?.look();
  }
}

const together = {
  code: 'scanned-together',
  message: 'Two cards were read at once; look whether they came out together.',
  by: null,
};

/** A session as it is told: no id and no console, which are nobody's business. */
export const sessionView = ({
  person,
  number,
  post,
  acting,
  until,
  since,
  table,
  locked,
}: SignInSession): StaffSession => ({
  person,
  number,
  post,
  acting,
  until,
  since,
  table,
  locked,
});
