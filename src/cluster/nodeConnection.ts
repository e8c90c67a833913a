import { randomBytes } from 'node:crypto';
import { type RawData, WebSocket } from 'ws';
import { type NodeHandshake, frameCiphers, isEqualInConstantTime, keyPossessionProof } from './cipher.ts';

/** Larger frames are rejected. */
export const maxNodeFrameBytes = 1 << 23;
/** Largest message before authentication. */
const maxGreetingBytes = 1 << 10;
/** A peer that does not read is disconnected beyond this buffer. */
const maxBufferedBytes = 1 << 25;

/** Number of clock samples that are compared. */
const maxOffsetSamples = 8;

/** Checks for silence within the timeout. */
const checksPerTimeout = 4;

/** Distinguishes nodes of other versions from strangers. */
const protocolVersion = 1;

export type NodeConnectionOptions = {
  /** Id of this node. */
  readonly self: string;
  /** Property key; both ends have it. */
  readonly key: Buffer;
  /** Silence after which the peer is disconnected, in milliseconds; each end sends four heartbeats in that time. */
  readonly silenceMs: number;
  /** Clock of this node that the peer measures. */
  readonly clock: () => number;
  /** Both ends are authenticated. */
  readonly onUp: (connection: NodeConnection) => void;
  /** A request; the returned value is the reply. */
  readonly onRequest: (from: string, body: unknown) => Promise<unknown>;
  readonly onMessage: (from: string, body: unknown) => void;
  /** The connection has ended; with the reason unless one end closed it on purpose. */
  readonly onEnded: (connection: NodeConnection, reason: string | undefined) => void;
  /** A failure at this end that the peer does not learn. */
  readonly onWarning: (what: string, error: unknown) => void;
};

/** Reply to a request: the answer, certainly not sent, or sent without an answer. */
export type NodeReply = { readonly answer: unknown } | 'unsent' | 'unanswered';

type Frame =
  | { readonly kind: 'ask'; readonly number: number; readonly body: unknown }
  | { readonly kind: 'answer'; readonly number: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly number: number }
  | { readonly kind: 'tell'; readonly body: unknown }
  | { readonly kind: 'beat'; readonly at: number }
  | { readonly kind: 'back'; readonly of: number; readonly at: number }
  | { readonly kind: 'bye' };

const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);

/**
 * Encrypted connection of two nodes. Both prove possession of the property key first. After that, reading, changing,
 * repeating or dropping frames on the way ends the connection.
 */
export class NodeConnection {
  /** Id of the peer; empty until it is authenticated. */
  peerId: string;
  readonly #options: NodeConnectionOptions;
  readonly #socket: WebSocket;
  readonly #side: 'dials' | 'accepts';
  readonly #nonce = randomBytes(32);
  #greeting: NodeHandshake | undefined;
  #ciphers: ReturnType<typeof frameCiphers> | undefined;
  #isEnded = false;
  /** Checks since the last frame. */
  #silentChecks = 0;
  readonly #timer: NodeJS.Timeout;
  #lastRequest = 0;
  #isTooLargeReported = false;
  readonly #pendingRequests = new Map<number, (reply: NodeReply) => void>();
  #offsetSamples: { readonly took: number; readonly offset: number }[] = [];

  private constructor(socket: WebSocket, side: 'dials' | 'accepts', other: string, options: NodeConnectionOptions) {
    this.#socket = socket;
    this.#side = side;
    this.peerId = other;
    this.#options = options;
    socket.on('message', (data, isBinary) => this.#receive(bytesOf(data), isBinary));
    socket.on('error', (error) => this.#end(`the connection failed (${error.message})`));
    socket.on('close', () => this.#end('it ended the connection'));
    this.#timer = setInterval(() => this.#checkSilence(), options.silenceMs / checksPerTimeout);
    this.#timer.unref();
  }

  static dial(address: string, other: string, options: NodeConnectionOptions): NodeConnection {
    const { self, silenceMs } = options;
    const socket = new WebSocket(address, {
      maxPayload: maxNodeFrameBytes,
      perMessageDeflate: false,
      handshakeTimeout: silenceMs,
      followRedirects: false,
    });
    const connection = new NodeConnection(socket, 'dials', other, options);
    socket.once('open', () =>
      connection.#sendGreeting({
        version: protocolVersion,
        from: self,
        to: other,
        drawn: connection.#nonce.toString('hex'),
      }),
    );
    return connection;
  }

  static accept(socket: WebSocket, options: NodeConnectionOptions): NodeConnection {
    return new NodeConnection(socket, 'accepts', '', options);
  }

  get isUp(): boolean {
    return this.#ciphers !== undefined && !this.#isEnded;
  }

  /** Clock offset of the peer in milliseconds, from the sample with the shortest round trip. */
  get offset(): number {
    if (this.#offsetSamples.length === 0) return 0;
    return this.#offsetSamples.reduce((best, one) => (one.took < best.took ? one : best)).offset;
  }

  /** Sends a request and waits for the reply. */
  request(body: unknown, maxMs: number): Promise<NodeReply> {
    const number = ++this.#lastRequest;
    const { promise, resolve } = Promise.withResolvers<NodeReply>();
    if (!this.#sendFrame({ kind: 'ask', number, body })) return Promise.resolve('unsent');
    const timer = setTimeout(() => this.#resolveRequest(number, 'unanswered'), maxMs);
    this.#pendingRequests.set(number, (reply) => {
      clearTimeout(timer);
      resolve(reply);
    });
    return promise;
  }

  send(body: unknown): boolean {
    return this.#sendFrame({ kind: 'tell', body });
  }

  /** Closes the connection and says so to the peer. */
  close(): void {
    this.#sendFrame({ kind: 'bye' });
    this.#end(undefined);
  }

  #resolveRequest(number: number, reply: NodeReply): void {
    const answer = this.#pendingRequests.get(number);
    this.#pendingRequests.delete(number);
    answer?.(reply);
  }

  #sendGreeting(greeting: object): void {
    this.#socket.send(JSON.stringify(greeting));
  }

  #sendFrame(frame: Frame): boolean {
    if (!this.isUp || this.#socket.readyState !== WebSocket.OPEN) return false;
    const text = JSON.stringify(frame);
    if (Buffer.byteLength(text) + 16 > maxNodeFrameBytes) {
      const tooLarge = new Error(`What node ${this.peerId} was to be told is too large for a frame.`);
      if (!this.#isTooLargeReported) this.#options.onWarning('link', tooLarge);
      this.#isTooLargeReported = true;
      return false;
    }
    this.#socket.send(this.#ciphers!.out.encrypt(text));
    if (this.#socket.bufferedAmount <= maxBufferedBytes) return true;
    this.#end('it does not read what it is sent');
    return true;
  }

  #checkSilence(): void {
    // After a stall of this process, frames that came meanwhile are read before the next check.
    if (this.#silentChecks++ >= checksPerTimeout) this.#end('it does not answer');
    else this.#sendFrame({ kind: 'beat', at: this.#options.clock() });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#isEnded) return;
    if (this.#ciphers) {
      this.#silentChecks = 0;
      this.#receiveFrame(data, isBinary);
      return;
    }
    const greeting = isBinary || data.length > maxGreetingBytes ? undefined : parseObject(data.toString('utf8'));
    if (greeting === undefined) this.#end('it does not greet as a node does');
    else if (this.#side === 'dials') this.#receiveAnswer(greeting);
    else if (this.#greeting === undefined) this.#receiveGreeting(greeting);
    else this.#receiveProof(greeting);
  }

  /** Accepting end, step 1: the greeting of the dialling node. */
  #receiveGreeting({ version: of, from, to, drawn }: GreetingMessage): void {
    const { self, key } = this.#options;
    const dialerNonce = parseBytes(drawn);
    if (of !== protocolVersion || typeof from !== 'string' || dialerNonce === undefined)
      return this.#end('it does not greet as a node does');
    if (to !== self || from === self) return this.#end('it looks for another node');
    this.#greeting = { from, to: self, dialerNonce, accepterNonce: this.#nonce };
    this.#sendGreeting({
      drawn: this.#nonce.toString('hex'),
      proof: keyPossessionProof(key, 'accepts', this.#greeting).toString('hex'),
    });
  }

  /** Dialling end: the proof of the accepting node. */
  #receiveAnswer({ drawn, proof }: GreetingMessage): void {
    const { self, key } = this.#options;
    const [accepterNonce, proofBytes] = [parseBytes(drawn), parseBytes(proof)];
    if (accepterNonce === undefined || proofBytes === undefined) return this.#end('it does not greet as a node does');
    const greeting = { from: self, to: this.peerId, dialerNonce: this.#nonce, accepterNonce };
    if (!isEqualInConstantTime(proofBytes, keyPossessionProof(key, 'accepts', greeting))) return this.#end(otherKey);
    this.#sendGreeting({ proof: keyPossessionProof(key, 'dials', greeting).toString('hex') });
    this.#startFrames(greeting);
  }

  /** Accepting end, step 2: the proof of the dialling node. */
  #receiveProof({ proof }: GreetingMessage): void {
    const proofBytes = parseBytes(proof);
    if (proofBytes === undefined) return this.#end('it does not greet as a node does');
    if (!isEqualInConstantTime(proofBytes, keyPossessionProof(this.#options.key, 'dials', this.#greeting!)))
      return this.#end(otherKey);
    this.#startFrames(this.#greeting!);
  }

  #startFrames(greeting: NodeHandshake): void {
    // The id is trusted only now.
    if (this.#side === 'accepts') this.peerId = greeting.from;
    this.#ciphers = frameCiphers(this.#options.key, this.#side, greeting);
    this.#silentChecks = 0;
    this.#sendFrame({ kind: 'beat', at: this.#options.clock() });
    this.#options.onUp(this);
  }

  #receiveFrame(data: Buffer, isBinary: boolean): void {
    let frame: Frame;
    try {
      if (!isBinary) throw new Error('A frame is not sealed.');
      frame = JSON.parse(this.#ciphers!.in.decrypt(data)) as Frame;
      if (typeof frame !== 'object' || frame === null) throw new Error('A frame is no object.');
    } catch {
      return this.#end('what came from there was changed, left out or repeated on the way');
    }
    switch (frame.kind) {
      case 'ask':
        return void this.#reply(frame.number, frame.body);
      case 'answer':
        return this.#resolveRequest(frame.number, { answer: frame.body });
      case 'failed':
        return this.#resolveRequest(frame.number, 'unanswered');
      case 'tell':
        return this.#deliver(frame.body);
      case 'beat':
        return void this.#sendFrame({ kind: 'back', of: frame.at, at: this.#options.clock() });
      case 'back':
        return this.#addOffsetSample(frame.of, frame.at);
      case 'bye':
        return this.#end(undefined);
    }
  }

  /** An unreadable message is reported and dropped. */
  #deliver(body: unknown): void {
    try {
      this.#options.onMessage(this.peerId, body);
    } catch (error) {
      this.#options.onWarning('link', error);
    }
  }

  async #reply(number: number, body: unknown): Promise<void> {
    try {
      this.#sendFrame({ kind: 'answer', number, body: await this.#options.onRequest(this.peerId, body) });
    } catch (error) {
      this.#options.onWarning('link', error);
      this.#sendFrame({ kind: 'failed', number });
    }
  }

  /** The peer's time is assumed to be that of the middle of the round trip. */
  #addOffsetSample(sentAt: number, there: number): void {
    const now = this.#options.clock();
    this.#offsetSamples = [{ took: now - sentAt, offset: there - (sentAt + now) / 2 }, ...this.#offsetSamples].slice(
      0,
      maxOffsetSamples,
    );
  }

  #end(reason: string | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    // Sent frames are flushed; a peer that does not close is cut off.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close();
    const end = setTimeout(() => this.#socket.terminate(), reason === undefined ? 200 : 0);
    end.unref();
    for (const number of this.#pendingRequests.keys()) this.#resolveRequest(number, 'unanswered');
    this.#options.onEnded(this, reason);
  }
}

type GreetingMessage = { readonly [field: string]: unknown };

const otherKey = 'it does not have the key of this property';

function parseObject(text: string): GreetingMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as GreetingMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** 32 bytes in hexadecimal digits. */
const parseBytes = (text: unknown): Buffer | undefined =>
  typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
