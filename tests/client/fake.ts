import { PatronClient, type PatronState } from '../../src/client/patronClient.ts';
import { type Socket, type Environment } from '../../src/client/environment.ts';
import { type ClientMessage, type ServerMessage } from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type TerminalTableView, type View } from '../../src/wire/tableView.ts';

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
  closed = 0;
  readonly said: ClientMessage[] = [];
  readonly address: string;
  readonly #heard: { [E in keyof Events]?: Events[E] } = {};

  constructor(address: string) {
    this.address = address;
  }

  addEventListener<E extends keyof Events>(type: E, heard: Events[E]): void {
    Object.assign(this.#heard, { [type]: heard });
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.closed += 1;
    this.readyState = 2;
  }

  /** The server accepts the connection. */
  opens(): this {
    this.readyState = 1;
    this.#heard.open?.();
    return this;
  }

  tells(...tells: readonly ServerMessage[]): this {
    for (const tell of tells) this.gets(JSON.stringify(tell));
    return this;
  }

  /** Delivers a message with any text. */
  gets(text: string): void {
    this.#heard.message?.({ data: text });
  }

  /** The server accepts the connection and sends welcome. */
  welcomes(terminal: string | null = null, at = 0): this {
    return this.opens().tells({ type: 'welcome', v: protocolVersion, at, terminal, demo: true });
  }

  ends(code = 1006): void {
    this.readyState = 3;
    this.#heard.error?.();
    this.#heard.close?.({ code });
  }
}

/** Patron client with clock, random values and network controlled by the test. */
export class Machine {
  readonly sockets: FakeSocket[] = [];
  readonly seen: PatronState[] = [];
  /** Next random value. */
  chance = 0.5;
  now = 1_000_000;
  address = 'ws://house.example/socket';
  readonly world: Environment = {
    socket: (address) => {
      const socket = new FakeSocket(address);
      this.sockets.push(socket);
      return socket;
    },
    clock: () => this.now,
    after: (time, run) => {
      const timer = { at: this.now + time, run };
      this.#timers.push(timer);
      return () => (this.#timers = this.#timers.filter((one) => one !== timer));
    },
    chance: () => this.chance,
    id: () => `slip-${String(++this.#ids).padStart(4, '0')}`,
  };
  readonly patron: PatronClient;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  #ids = 0;

  constructor() {
    this.patron = new PatronClient(this.world, () => this.address, 'a'.repeat(64));
    this.patron.watch((seen) => this.seen.push(seen));
  }

  /** The current socket. */
  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  /** Heartbeat of a server with the same clock; `age` is its delay in milliseconds. */
  beat(age = 0): ServerMessage {
    return { type: 'heartbeat', at: this.now - age };
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Advances time; timers run in order, each at its time. */
  pass(time: number): void {
    const end = this.now + time;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  /** The process is suspended: each timer that was due runs once, late. */
  sleep(time: number): void {
    this.now += time;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
  }

  /** Connects and is welcomed; sits down at the table, if given. */
  join(table?: string): FakeSocket {
    if (table !== undefined) this.patron.sit(table);
    this.patron.open();
    return this.socket.welcomes();
  }
}

/** A table message with only the fields that the test needs. */
export const tableTell = (version: number, whole: boolean, view: Partial<View>, table = 'tiger'): ServerMessage =>
  whole ? { type: 'table', table, version, view: view as View } : { type: 'change', table, version, fields: view };

export const ownTell = (version: number, credit: number, table = 'tiger'): ServerMessage => ({
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
