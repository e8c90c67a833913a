import { PatronClient, type PatronClientState } from '../../src/client/patronClient.ts';
import { type Socket, type ClientEnvironment } from '../../src/client/environment.ts';
import { type ClientMessage, type ServerMessage } from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type TerminalTableView, type PublicTableView } from '../../src/wire/tableView.ts';

type Events = {
  readonly open: () => void;
  readonly error: () => void;
  readonly message: (event: { readonly data: unknown }) => void;
  readonly close: (event: { readonly code: number }) => void;
};

/** Socket whose server end is controlled by the test. */
export class FakeSocket implements Socket {
  readyState = 0;
  /** Number of calls of close(). */
  closeCount = 0;
  readonly sent: ClientMessage[] = [];
  readonly address: string;
  readonly #listeners: { [E in keyof Events]?: Events[E] } = {};

  constructor(address: string) {
    this.address = address;
  }

  addEventListener<E extends keyof Events>(type: E, listener: Events[E]): void {
    Object.assign(this.#listeners, { [type]: listener });
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.closeCount += 1;
    this.readyState = 2;
  }

  /** The server accepts the connection. */
  accept(): this {
    this.readyState = 1;
    this.#listeners.open?.();
    return this;
  }

  deliver(...messages: readonly ServerMessage[]): this {
    for (const message of messages) this.deliverText(JSON.stringify(message));
    return this;
  }

  /** Delivers a message with any text. */
  deliverText(text: string): void {
    this.#listeners.message?.({ data: text });
  }

  /** The server accepts the connection and sends welcome. */
  welcome(terminal: string | null = null, at = 0): this {
    return this.accept().deliver({ type: 'welcome', v: protocolVersion, at, terminal, demo: true });
  }

  drop(code = 1006): void {
    this.readyState = 3;
    this.#listeners.error?.();
    this.#listeners.close?.({ code });
  }
}

/** Patron client with clock, random values and network controlled by the test. */
export class TestTerminal {
  readonly sockets: FakeSocket[] = [];
  readonly states: PatronClientState[] = [];
  /** Next random value. */
  randomValue = 0.5;
  now = 1_000_000;
  address = 'ws://house.example/socket';
  readonly environment: ClientEnvironment = {
    socket: (address) => {
      const socket = new FakeSocket(address);
      this.sockets.push(socket);
      return socket;
    },
    clock: () => this.now,
    after: (time, run) => {
      const timer = { at: this.now + time, run };
      this.#timers.push(timer);
      return () => (this.#timers = this.#timers.filter((pending) => pending !== timer));
    },
    chance: () => this.randomValue,
    id: () => `slip-${String(++this.#ids).padStart(4, '0')}`,
  };
  readonly patron: PatronClient;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  #ids = 0;

  constructor() {
    this.patron = new PatronClient(this.environment, () => this.address, 'a'.repeat(64));
    this.patron.watch((state) => this.states.push(state));
  }

  /** The current socket. */
  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  /** Heartbeat of a server with the same clock; `age` is its delay in milliseconds. */
  heartbeat(age = 0): ServerMessage {
    return { type: 'heartbeat', at: this.now - age };
  }

  get timerCount(): number {
    return this.#timers.length;
  }

  /** Advances time; timers run in order, each at its time. */
  advance(time: number): void {
    const end = this.now + time;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).toSorted((timer, other) => timer.at - other.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  /** The process is suspended: each timer that was due runs once, late. */
  suspend(time: number): void {
    this.now += time;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
  }

  /** Connects and is welcomed; sits down at the table, if given. */
  join(table?: string): FakeSocket {
    if (table !== undefined) this.patron.sit(table);
    this.patron.open();
    return this.socket.welcome();
  }
}

/** A table message with only the fields that the test needs. */
export const tableMessage = (
  version: number,
  whole: boolean,
  view: Partial<PublicTableView>,
  table = 'tiger',
): ServerMessage =>
  whole
    ? { type: 'table', table, version, view: view as PublicTableView }
    : { type: 'change', table, version, fields: view };

export const ownMessage = (version: number, credit: number, table = 'tiger'): ServerMessage => ({
  type: 'own',
  table,
  version,
  view: {
    terminal: 'T1',
    credit,
    round: null,
    slip: {},
    stake: 0,
    rebet: {},
    paid: null,
    last: null,
  } satisfies TerminalTableView,
});
