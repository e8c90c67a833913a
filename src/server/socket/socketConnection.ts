import { type RawData, type WebSocket } from 'ws';
import { refuse } from '../../base/refusal.ts';
import { FrameTimer } from './frameTimer.ts';
import { type ParsedMessage, type SocketMessage, type MessageSchemas, parseMessage } from './parseMessage.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { TokenBucket } from '../limits/tokenBucket.ts';
import { type ServerRefusal, messageFailed } from '../shared/refusals.ts';

export type ProtocolSpec<Incoming extends SocketMessage> = {
  readonly protocol: number;
  readonly messages: MessageSchemas<Incoming>;
  /** Fields of hello, for the error message. */
  readonly helloFields: string;
  /** True if the message is handled although its connection closed meanwhile. */
  readonly survivesClose: (message: Incoming) => boolean;
};

/** Receives the checked messages of a connection. */
export type ConnectionHandler<Connection, Incoming extends SocketMessage> = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly onMessage: (connection: Connection, message: Incoming, arrivedAt: number) => Promise<void>;
  readonly onClose: (connection: Connection) => void;
  readonly onDefect: (error: unknown) => void;
  readonly onRefusal: (code: string) => void;
};

/** Close codes of a page that is closed or left. */
const normalCloseCodes: ReadonlySet<number> = new Set([1000, 1001]);

/** Tokens that a malformed message costs. */
const malformedCost = 5;

/** One WebSocket: rate limit, message order, heartbeats, time limits. */
export abstract class SocketConnection<Incoming extends SocketMessage, Outgoing> {
  readonly address: string;
  /** The welcome was sent. */
  isWelcomed = false;
  /** A pong arrived since the last ping. */
  isAlive = true;
  isClosed = false;
  /** Closed by the page itself. */
  isClosedNormally = false;
  readonly #socket: WebSocket;
  readonly #handler: ConnectionHandler<this, Incoming>;
  readonly #spec: ProtocolSpec<Incoming>;
  readonly #tokens: TokenBucket;
  readonly #frames = new FrameTimer();
  readonly #openedAt: number;
  /** Hello was received; later messages wait in the queue. */
  #hasGreeted = false;
  /** A message was sent since the last heartbeat was due. */
  #hasSent = false;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    socket: WebSocket,
    address: string,
    spec: ProtocolSpec<Incoming>,
    handler: ConnectionHandler<never, Incoming>,
  ) {
    this.address = address;
    this.#socket = socket;
    this.#spec = spec;
    // Subclasses pass a handler of their own type.
    this.#handler = handler as ConnectionHandler<this, Incoming>;
    this.#openedAt = handler.clock();
    this.#tokens = new TokenBucket(handler.limits.messageBurst, handler.limits.messagesPerSecond, this.#openedAt);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.isAlive = true;
      this.#spend(1);
    });
    socket.on('ping', (data) => this.#answerPing(data));
    socket.on('close', (code) => {
      this.isClosed = true;
      this.isClosedNormally = normalCloseCodes.has(code);
      this.#handler.onClose(this);
    });
    // A frame was too large or malformed; ws has closed the socket.
    socket.on('error', () => socket.terminate());
  }

  send(send: Outgoing): void {
    this.sendText(JSON.stringify(send));
  }

  refuse({ refused, message, by = null }: ServerRefusal, id: string | null = null): void {
    this.#handler.onRefusal(refused);
    this.sendText(JSON.stringify({ type: 'refused', id, code: refused, message, by }));
  }

  /** A connection that does not keep up is dropped; after reconnecting it gets full views. */
  sendText(text: string | Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#handler.limits.maxUnreadBytes) this.#socket.terminate();
    else this.#socket.send(text, { binary: false });
    this.#hasSent = true;
  }

  /** Sends a heartbeat if nothing else was sent since the last one. */
  sendHeartbeat(text: Buffer): void {
    if (this.#hasSent) this.#hasSent = false;
    else if (this.isWelcomed) this.sendText(text);
  }

  trackBytes(bytes: Uint8Array): void {
    this.#frames.track(bytes, this.#handler.clock());
  }

  /** Closes the connection if hello or an incomplete message takes too long. */
  closeIfSlow(): void {
    const since = this.isWelcomed ? this.#frames.unfinishedSince : this.#openedAt;
    if (since === undefined || this.#handler.clock() - since <= this.#handler.limits.messageMs) return;
    this.refuseAndClose(
      refuse<'too-slow'>('too-slow', 'The message took too long to come; come back and send it again.'),
    );
  }

  /** Closes the connection if the last ping was not answered. */
  ping(): void {
    if (!this.isAlive) {
      this.#socket.terminate();
      return;
    }
    this.isAlive = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Sends a refusal and closes; later messages are ignored. */
  refuseAndClose(refusal: ServerRefusal): void {
    this.refuse(refusal);
    this.close(1008, refusal.refused);
    for (const event of ['message', 'ping', 'pong']) this.#socket.removeAllListeners(event);
  }

  /** A ping of the client counts as a message; unread pongs count as unread bytes. */
  #answerPing(data: Buffer): void {
    if (!this.#spend(1)) return;
    if (this.#socket.bufferedAmount > this.#handler.limits.maxUnreadBytes) this.#socket.terminate();
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.pong(data);
  }

  /** Closes the connection if the rate limit is exceeded. */
  #spend(amount: number): boolean {
    if (this.#tokens.take(amount, this.#handler.clock())) return true;
    this.refuseAndClose(
      refuse<'too-many-messages'>('too-many-messages', 'Too many messages; wait a little and come back.'),
    );
    return false;
  }

  #receive(data: RawData, isBinary: boolean): void {
    const { protocol } = this.#spec;
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    const incoming = this.#parse(bytes, isBinary);
    const isMalformed = 'refusal' in incoming;
    if (!this.#spend(isMalformed ? malformedCost : 1)) return;
    if (isMalformed) {
      this.refuse(incoming.refusal, incoming.refusal.id ?? null);
      return;
    }
    const { message } = incoming;
    if (message.type !== 'hello' && !this.#hasGreeted) {
      this.refuse(refuse<'hello-first'>('hello-first', `Say hello first, with ${this.#spec.helloFields}.`));
    } else if (message.type === 'hello' && message.v !== protocol) {
      const text = `The server speaks version ${protocol} and you ${message.v}; load the page again.`;
      this.refuseAndClose(refuse<'wrong-protocol'>('wrong-protocol', text));
    } else {
      this.#hasGreeted = true;
      this.#enqueue(message);
    }
  }

  #parse(bytes: Buffer, isBinary: boolean): ParsedMessage<Incoming> {
    const { maxMessageBytes } = this.#handler.limits;
    if (bytes.length > maxMessageBytes) {
      return {
        refusal: refuse<'frame-too-large'>(
          'frame-too-large',
          `A message has ${maxMessageBytes} bytes at most; send less.`,
        ),
      };
    }
    if (isBinary) return { refusal: refuse('bad-request', 'The message is binary; send JSON as text.') };
    return parseMessage(bytes.toString('utf8'), this.#spec.messages);
  }

  /** Messages of a connection are handled in order. */
  #enqueue(message: Incoming): void {
    const arrivedAt = this.#handler.clock();
    this.#queue = this.#queue
      .then(() =>
        this.isClosed && !this.#spec.survivesClose(message)
          ? undefined
          : this.#handler.onMessage(this, message, arrivedAt),
      )
      .catch((error: unknown) => {
        this.#handler.onDefect(error);
        this.refuse(messageFailed, message.id);
      });
  }
}
