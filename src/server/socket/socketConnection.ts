import { type RawData, type WebSocket } from 'ws';
import { refuse } from '../../base/refusal.ts';
import { Frames } from './frameTimer.ts';
import { type Incoming, type SocketMessage, type MessageSchemas, messageIn } from './parseMessage.ts';
import { TokenBucket, type ServerLimits } from '../limits/serverLimits.ts';

/** What somebody may say: the version of it, each message by its type, and those that count although nobody waits. */
export type ProtocolSpec<Says extends SocketMessage> = {
  readonly protocol: number;
  readonly messages: MessageSchemas<Says>;
  /** What hello is said with. */
  readonly helloWith: string;
  /** Whether it is looked at although whoever said it is gone. */
  readonly counts: (said: Says) => boolean;
};

/** Whom a caller hands on what it says, once a message is known to be one. */
export type ConnectionHandler<One, Says extends SocketMessage> = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly asked: (one: One, said: Says, arrived: number) => Promise<void>;
  readonly left: (one: One) => void;
  readonly broken: (error: unknown) => void;
  /** Something was refused, by that code. */
  readonly refused: (code: string) => void;
};

type Refused = { readonly refused: string; readonly message: string; readonly by?: string | null };

/** What a page that is closed or left ends its socket with. */
const goodbyes: ReadonlySet<number> = new Set([1000, 1001]);

/** What a message costs that no page of ours sends. */
const wrongCosts = 5;

/** One browser or program at the end of one socket. */
export abstract class SocketConnection<Says extends SocketMessage, Hears> {
  readonly address: string;
  /** It has said hello. */
  isWelcome = false;
  /** Whether it has answered since it was last asked. */
  alive = true;
  /** Nobody is there any more. */
  gone = false;
  /** It has said goodbye, as a page does that is closed. */
  hasLeft = false;
  readonly #socket: WebSocket;
  readonly #desk: ConnectionHandler<this, Says>;
  readonly #words: ProtocolSpec<Says>;
  readonly #allowance: TokenBucket;
  readonly #frames = new Frames();
  readonly #begun: number;
  /** It has said hello; what follows in the same breath is taken in turn. */
  #greeted = false;
  /** Something was sent since the last beat was due. */
  #told = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, address: string, words: ProtocolSpec<Says>, desk: ConnectionHandler<never, Says>) {
    this.address = address;
    this.#socket = socket;
    this.#words = words;
    // Whoever makes a caller hands on callers of that kind.
    this.#desk = desk as ConnectionHandler<this, Says>;
    this.#begun = desk.clock();
    this.#allowance = new TokenBucket(desk.limits.burst, desk.limits.perSecond, this.#begun);
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('pong', () => {
      this.alive = true;
      this.#spend(1);
    });
    socket.on('ping', (data) => this.#answerPing(data));
    socket.on('close', (code) => {
      this.gone = true;
      this.hasLeft = goodbyes.has(code);
      this.#desk.left(this);
    });
    // A frame that is too large or against the protocol: ws has closed the socket by itself.
    socket.on('error', () => socket.terminate());
  }

  tell(tell: Hears): void {
    this.send(JSON.stringify(tell));
  }

  refuse({ refused, message, by = null }: Refused, id: string | null = null): void {
    this.#desk.refused(refused);
    this.send(JSON.stringify({ type: 'refused', id, code: refused, message, by }));
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
    const { protocol } = this.#words;
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    const incoming = this.#read(bytes, isBinary);
    const isWrong = 'wrong' in incoming;
    if (!this.#spend(isWrong ? wrongCosts : 1)) return;
    if (isWrong) {
      this.refuse(incoming.wrong, incoming.wrong.id ?? null);
      return;
    }
    const { said } = incoming;
    if (said.type !== 'hello' && !this.#greeted) {
      this.refuse(refuse<'hello-first'>('hello-first', `Say hello first, with ${this.#words.helloWith}.`));
    } else if (said.type === 'hello' && said.v !== protocol) {
      const message = `The server speaks version ${protocol} and you ${said.v}; load the page again.`;
      this.dismiss(refuse<'wrong-protocol'>('wrong-protocol', message));
    } else {
      this.#greeted = true;
      this.#inTurn(said);
    }
  }

  #read(bytes: Buffer, isBinary: boolean): Incoming<Says> {
    const { frame } = this.#desk.limits;
    if (bytes.length > frame) {
      return {
        wrong: refuse<'frame-too-large'>('frame-too-large', `A message has ${frame} bytes at most; send less.`),
      };
    }
    if (isBinary) return { wrong: refuse('bad-request', 'The message is binary; send JSON as text.') };
    return messageIn(bytes.toString('utf8'), this.#words.messages);
  }

  /** Messages of one connection are taken in the order in which they came. */
  #inTurn(said: Says): void {
    const arrived = this.#desk.clock();
    this.#turn = this.#turn
      .then(() => (this.gone && !this.#words.counts(said) ? undefined : this.#desk.asked(this, said, arrived)))
      .catch((error: unknown) => {
        this.#desk.broken(error);
        this.refuse({ refused: 'broken', message: 'The server failed on this message; please report it.' }, said.id);
      });
  }
}
