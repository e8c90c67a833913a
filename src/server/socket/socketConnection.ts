import { type RawData, type WebSocket } from 'ws';
import { refuse } from '../../base/refusal.ts';
import { type FinalRefusal, asFinalRefusal } from '../../runtime/stream/refusals.ts';
import { UnfinishedMessageTracker } from './unfinishedMessageTracker.ts';
import {
  type ParsedSocketMessage,
  type SocketMessage,
  type MessageSchemas,
  parseSocketMessage,
} from './parseMessage.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { TokenBucket } from '../limits/tokenBucket.ts';
import { type ServerRefusal, serverDefectRefusal } from '../refusals/serverRefusals.ts';

/** Protocol of one kind of connection: its version and the schemas of its incoming messages. */
export type SocketProtocol<Incoming extends SocketMessage> = {
  readonly protocol: number;
  readonly messages: MessageSchemas<Incoming>;
  /** Names of the fields of hello. They are in the refusal of a message that was sent before hello. */
  readonly helloFields: string;
  /** True if the message is still handled after its connection has closed. */
  readonly survivesClose: (message: Incoming) => boolean;
};

/** Callbacks, clock and limits of a connection. `onMessage` gets only messages that fit their schema. */
export type ConnectionHandler<Connection, Incoming extends SocketMessage> = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly onMessage: (connection: Connection, message: Incoming, arrivedAt: number) => Promise<void>;
  readonly onClose: (connection: Connection) => void;
  readonly onDefect: (error: unknown) => void;
  readonly onRefusal: (code: string) => void;
};

/** WebSocket close codes of a page that was closed or left. */
const normalCloseCodes: ReadonlySet<number> = new Set([1000, 1001]);

/** Number of tokens of the rate limit that a malformed message costs. */
const malformedCost = 5;

/** Base class of a WebSocket connection: rate limit, order of messages, heartbeats and timeouts. */
export abstract class SocketConnection<Incoming extends SocketMessage, Outgoing> {
  readonly address: string;
  isWelcomed = false;
  /** True if a pong has arrived since the last ping. */
  isAlive = true;
  isClosed = false;
  /** True if the connection was closed with a normal code, as when the page is closed or left. */
  isClosedNormally = false;
  readonly #socket: WebSocket;
  readonly #handler: ConnectionHandler<this, Incoming>;
  readonly #spec: SocketProtocol<Incoming>;
  readonly #tokens: TokenBucket;
  readonly #frames = new UnfinishedMessageTracker();
  readonly #openedAt: number;
  /** True after hello was received. Until then every other message is refused. */
  #hasGreeted = false;
  /** True if a message was sent since the last call of `sendHeartbeat`. */
  #hasSent = false;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    socket: WebSocket,
    address: string,
    spec: SocketProtocol<Incoming>,
    handler: ConnectionHandler<never, Incoming>,
  ) {
    this.address = address;
    this.#socket = socket;
    this.#spec = spec;
    // Each subclass passes a handler for its own type.
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
    // The error comes from a malformed or too large frame, or from the network. In each case the connection can no
    // longer be used.
    socket.on('error', () => socket.terminate());
  }

  /** Sends any message except a refusal; only `refuse` sends refusals. */
  send(message: Exclude<Outgoing, { readonly type: 'refused' }>): void {
    this.sendText(JSON.stringify(message));
  }

  /** Sends a refusal. The refusal of a request must be final, and is sent with the id of the request. */
  refuse(refusal: ServerRefusal): void;
  refuse(refusal: FinalRefusal, id: string | null): void;
  refuse(refusal: ServerRefusal, id: string | null = null): void {
    this.#handler.onRefusal(refusal.refused);
    this.sendText(JSON.stringify(this.refusalMessage(refusal, id)));
  }

  protected refusalMessage({ refused, message, by = null }: ServerRefusal, id: string | null): object {
    return { type: 'refused', id, code: refused, message, by };
  }

  /**
   * Sends text. If the client has too many unread bytes, the connection is closed. After a reconnect the client gets
   * full views.
   */
  sendText(text: string | Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#handler.limits.maxUnreadBytes) this.#socket.terminate();
    else this.#socket.send(text, { binary: false });
    this.#hasSent = true;
  }

  /**
   * Sends a heartbeat if nothing was sent since the last call. The heartbeat itself counts as sent, so an idle
   * connection gets a heartbeat at every second call.
   */
  sendHeartbeat(text: Buffer): void {
    if (this.#hasSent) this.#hasSent = false;
    else if (this.isWelcomed) this.sendText(text);
  }

  trackBytes(bytes: Uint8Array): void {
    this.#frames.track(bytes, this.#handler.clock());
  }

  /**
   * Closes the connection with a refusal in two cases: hello has not arrived in time, or a message has begun to arrive
   * and has not ended in time.
   */
  closeIfSlow(): void {
    const since = this.isWelcomed ? this.#frames.unfinishedSince : this.#openedAt;
    if (since === undefined || this.#handler.clock() - since <= this.#handler.limits.messageMs) return;
    this.refuseAndClose(
      refuse<'too-slow'>('too-slow', 'The message took too long to arrive. Reconnect and send it again.'),
    );
  }

  /** Sends a ping; closes the connection instead if the last ping was not answered. */
  ping(): void {
    if (!this.isAlive) {
      this.#socket.terminate();
      return;
    }
    this.isAlive = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  /** Waits until all messages that have arrived are handled. */
  untilHandled(): Promise<void> {
    return this.#queue;
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Sends a refusal and closes the connection; later messages are ignored. */
  refuseAndClose(refusal: ServerRefusal): void {
    this.refuse(refusal);
    this.close(1008, refusal.refused);
    for (const event of ['message', 'ping', 'pong']) this.#socket.removeAllListeners(event);
  }

  /**
   * Answers a ping of the client. Each ping takes a token from the rate limit. Pongs that the client does not read
   * count towards the maximum of unread bytes.
   */
  #answerPing(data: Buffer): void {
    if (!this.#spend(1)) return;
    if (this.#socket.bufferedAmount > this.#handler.limits.maxUnreadBytes) this.#socket.terminate();
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.pong(data);
  }

  /**
   * Takes `amount` tokens from the rate limit and returns true. If there are too few tokens, closes the connection and
   * returns false.
   */
  #spend(amount: number): boolean {
    if (this.#tokens.take(amount, this.#handler.clock())) return true;
    this.refuseAndClose(
      refuse<'too-many-messages'>('too-many-messages', 'Too many messages. Wait a little and reconnect.'),
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
      this.refuse(asFinalRefusal(incoming.refusal), incoming.refusal.id ?? null);
      return;
    }
    const { message } = incoming;
    if (message.type !== 'hello' && !this.#hasGreeted) {
      this.refuse(refuse<'hello-first'>('hello-first', `Send hello first, with ${this.#spec.helloFields}.`));
    } else if (message.type === 'hello' && message.v !== protocol) {
      const text = `The server has protocol ${protocol}, this client ${message.v}. Reload the page or update the client.`;
      this.refuseAndClose(refuse<'wrong-protocol'>('wrong-protocol', text));
    } else {
      this.#hasGreeted = true;
      this.#enqueue(message);
    }
  }

  #parse(bytes: Buffer, isBinary: boolean): ParsedSocketMessage<Incoming> {
    const { maxMessageBytes } = this.#handler.limits;
    if (bytes.length > maxMessageBytes) {
      return {
        refusal: refuse<'frame-too-large'>(
          'frame-too-large',
          `A message may have ${maxMessageBytes} bytes at most. Send a shorter one.`,
        ),
      };
    }
    if (isBinary) return { refusal: refuse('bad-request', 'The message is binary. Send JSON as text.') };
    return parseSocketMessage(bytes.toString('utf8'), this.#spec.messages);
  }

  /** Queues a message, because the messages of a connection are handled in order. */
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
        this.refuse(serverDefectRefusal, message.id ?? null);
      });
  }
}
