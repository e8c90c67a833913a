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

/** A socket whose other end is in the hands of a test. */
export class FakeSocket implements Socket {
  readyState = 0;
  /** How often it was closed from this side. */
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

  /** The other side takes the call. */
  opens(): this {
    this.readyState = 1;
    this.#heard.open?.();
    return this;
  }

  tells(...tells: readonly ServerMessage[]): this {
    for (const tell of tells) this.gets(JSON.stringify(tell));
    return this;
  }

  /** A message comes in, whatever its words. */
  gets(text: string): void {
    this.#heard.message?.({ data: text });
  }

  /** The call is taken, and whoever it is is let in. */
  welcomes(terminal: string | null = null, at = 0): this {
    return this.opens().tells({ type: 'welcome', v: protocolVersion, at, terminal, demo: true });
  }

  ends(code = 1006): void {
    this.readyState = 3;
    this.#heard.error?.();
    this.#heard.close?.({ code });
  }
}

/** A patron on a machine whose clock, chance and network are in the hands of a test. */
export class Machine {
  readonly sockets: FakeSocket[] = [];
  readonly seen: PatronState[] = [];
  /** What chance gives next. */
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

  /** The socket in use. */
  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  /** What a server says that has the same time; one so much older is late. */
  beat(age = 0): ServerMessage {
    return { type: 'heartbeat', at: this.now - age };
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Time passes, step by step. */
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

  /** Stands still itself for so long: whatever was due comes once, late. */
  sleep(time: number): void {
    this.now += time;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
  }

  /** Opens the link and is let in; sits down where a table is named. */
  join(table?: string): FakeSocket {
    if (table !== undefined) this.patron.sit(table);
    this.patron.open();
    return this.socket.welcomes();
  }
}

/** A table's message; only what a test looks at is in it. */
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
