import { type RawData, type WebSocket } from 'ws';
import { isRefused, refuse } from '../rules/refusal.ts';
import { type ClientMessage, type ServerMessage } from '../wire/messages.ts';
import { protocol } from '../wire/protocol.ts';
import { type Role } from '../floor/links.ts';
import { Frames } from './frames.ts';
import { messageIn } from './incoming.ts';
import { Allowance, type Limits } from './limits.ts';

/** What a connection hands on, once a message is known to be one. */
export type Desk = {
  readonly clock: () => number;
  readonly limits: Limits;
  readonly asked: (connection: Connection, said: ClientMessage, arrived: number) => Promise<void>;
  readonly left: (connection: Connection) => void;
  readonly broken: (error: unknown) => void;
};

type Refused = { readonly refused: string; readonly message: string; readonly by?: string | null };

/** What a page that is closed or left ends its socket with. */
const goodbyes: ReadonlySet<number> = new Set([1000, 1001]);

/** What a message costs that no page of ours sends. */
const wrongCosts = 5;

/** One browser at the end of one socket. */
export class Connection {
  readonly address: string;
  /** It has said hello. */
  isWelcome = false;
  /** The hash of the secret that it said hello with; none where it only watches. */
  secretHash: string | undefined;
  /** The terminal behind it, once it has sat down. */
  terminal: string | undefined;
  /** What was enrolled with its secret; a terminal unless it is a device of one. */
  role: Role = 'terminal';
  /** The table that it gives cards to, where it is a reader of cards. */
  serves: string | undefined;
  /** The table that it sits at or watches; the lobby if none. */
  table: string | undefined;
  /** It is told of all tables, wherever it sits. */
  looksAround = false;
  /** Whether it has answered since it was last asked. */
  alive = true;
  /** Nobody is there any more. */
  gone = false;
  /** It has said goodbye, as a page does that is closed. */
  hasLeft = false;
  /** What it was last told of itself, so that nothing is told twice, and how often that has changed. */
  lastOwn = '';
  ownVersion = 0;
  /** The same of its money. */
  lastPurse = '';
  purseVersion = 0;
  readonly #socket: WebSocket;
  readonly #desk: Desk;
  readonly #allowance: Allowance;
  readonly #frames = new Frames();
  readonly #begun: number;
  /** It has said hello; what follows in the same breath is taken in turn. */
  #greeted = false;
  /** Something was sent since the last beat was due. */
  #told = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, address: string, desk: Desk) {
    this.address = address;
    this.#socket = socket;
    this.#desk = desk;
    this.#begun = desk.clock();
    this.#allowance = new Allowance(desk.limits.burst, desk.limits.perSecond, this.#begun);
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('pong', () => {
      this.alive = true;
      this.#spend(1);
    });
    socket.on('ping', (data) => this.#answerPing(data));
    socket.on('close', (code) => {
      this.gone = true;
      this.hasLeft = goodbyes.has(code);
      desk.left(this);
    });
    // A frame that is too large or against the protocol: ws has closed the socket by itself.
    socket.on('error', () => socket.terminate());
  }

  tell(tell: ServerMessage): void {
    this.send(JSON.stringify(tell));
  }

  refuse({ refused, message, by = null }: Refused, id: string | null = null): void {
    this.tell({ type: 'refused', id, code: refused, message, by });
  }

  /** Sends a text that may have been made for many. A reader that does not keep up is dropped; it asks for the whole later. */
  send(text: string | Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#desk.limits.unread) this.#socket.terminate();
    else this.#socket.send(text, { binary: false });
    this.#told = true;
  }

  /** Says that the server lives, to whoever has said hello and has heard nothing since the last beat was due. */
  beat(text: Buffer): void {
    if (this.#told) this.#told = false;
    else if (this.isWelcome) this.send(text);
  }

  /** Bytes have come in, be they a message or not. */
  arrives(bytes: Uint8Array): void {
    this.#frames.take(bytes, this.#desk.clock());
  }

  /** Closes on whoever has not said hello, or has left a message unfinished, for too long. */
  hurry(): void {
    const since = this.isWelcome ? this.#frames.since : this.#begun;
    if (since === undefined || this.#desk.clock() - since <= this.#desk.limits.message) return;
    this.dismiss(refuse<'too-slow'>('too-slow', 'The message took too long to come; come back and send it again.'));
  }

  /** Asks whether anybody is still there. */
  ping(): void {
    if (!this.alive) {
      this.#socket.terminate();
      return;
    }
    this.alive = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** The last that it is told. Whatever else is under way on this socket is not looked at. */
  dismiss(why: Refused): void {
    this.refuse(why);
    this.close(1008, why.refused);
    for (const event of ['message', 'ping', 'pong']) this.#socket.removeAllListeners(event);
  }

  /** A ping is a message like any other: it is counted, and whoever does not read the answers is dropped. */
  #answerPing(data: Buffer): void {
    if (!this.#spend(1)) return;
    if (this.#socket.bufferedAmount > this.#desk.limits.unread) this.#socket.terminate();
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.pong(data);
  }

  /** Whether it may say so much; if not, it has said its last. */
  #spend(amount: number): boolean {
    if (this.#allowance.spend(amount, this.#desk.clock())) return true;
    this.dismiss(refuse<'too-many-messages'>('too-many-messages', 'Too many messages; wait a little and come back.'));
    return false;
  }

  #take(data: RawData, isBinary: boolean): void {
    const { limits } = this.#desk;
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    const said =
      bytes.length > limits.frame
        ? refuse<'frame-too-large'>('frame-too-large', `A message has ${limits.frame} bytes at most; send less.`)
        : isBinary
          ? refuse<'bad-request'>('bad-request', 'The message is binary; send JSON as text.')
          : messageIn(bytes.toString('utf8'));
    const wrong = isRefused(said);
    if (!this.#spend(wrong ? wrongCosts : 1)) return;
    if (wrong) this.refuse(said, 'id' in said ? (said.id ?? null) : null);
    else if (said.type !== 'hello' && !this.#greeted) {
      this.refuse(refuse<'hello-first'>('hello-first', 'Say hello first, with version and secret.'));
    } else if (said.type === 'hello' && said.v !== protocol) {
      const message = `The server speaks version ${protocol} and you ${said.v}; load the page again.`;
      this.dismiss(refuse<'wrong-protocol'>('wrong-protocol', message));
    } else {
      this.#greeted = true;
      this.#inTurn(said);
    }
  }

  /** Messages of one connection are taken in the order in which they came. */
  #inTurn(said: ClientMessage): void {
    const arrived = this.#desk.clock();
    this.#turn = this.#turn
      .then(() => (this.gone && said.type !== 'slip' ? undefined : this.#desk.asked(this, said, arrived)))
      .catch((error: unknown) => {
        this.#desk.broken(error);
        const id = 'id' in said ? said.id : null;
        this.refuse({ refused: 'broken', message: 'The server failed on this message; please report it.' }, id);
      });
  }
}
