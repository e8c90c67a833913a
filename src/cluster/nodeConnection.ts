import { randomBytes } from 'node:crypto';
import { type RawData, WebSocket } from 'ws';
import { type NodeHandshake, createFrameCiphers, isEqualInConstantTime, proveKeyPossession } from './frameCiphers.ts';

/** Maximum size of a frame in bytes. Larger frames are neither sent nor accepted. */
export const maxNodeFrameBytes = 1 << 23;
/** Maximum size of a message before authentication, in bytes. */
const maxGreetingBytes = 1 << 10;
/** Maximum size of unsent data in bytes. If the peer leaves more than this unread, it is disconnected. */
const maxBufferedBytes = 1 << 25;

/** Number of clock samples that are kept. The sample with the shortest round trip counts. */
const maxOffsetSamples = 8;

/** Number of silence checks, and of heartbeats, within `silenceMs`. */
const checksPerTimeout = 4;

/** Version of the protocol between nodes. Both ends must have the same version. */
const protocolVersion = 1;

export type NodeConnectionOptions = {
  readonly self: string;
  /** Data key of the property, which both ends must have. */
  readonly key: Buffer;
  /** Silence after which the peer is disconnected, in milliseconds. Each end sends four heartbeats in that time. */
  readonly silenceMs: number;
  /** Clock of this node. The peer measures the difference between this clock and its own. */
  readonly clock: () => number;
  readonly onUp: (connection: NodeConnection) => void;
  /** Called with a request of the peer; the returned value is sent as the reply. */
  readonly onRequest: (from: string, body: unknown) => Promise<unknown>;
  readonly onMessage: (from: string, body: unknown) => void;
  /** Called when the connection has ended. `reason` is undefined if one end closed the connection on purpose. */
  readonly onEnded: (connection: NodeConnection, reason: string | undefined) => void;
  /** Called for a failure at this end of the connection. The peer does not learn the cause. */
  readonly onWarning: (what: string, error: unknown) => void;
};

/**
 * Result of a request: the answer of the peer; `unsent` if the request was certainly not sent; `unanswered` if the
 * request may have been sent, and its result is unknown.
 */
export type NodeRequestResult = { readonly answer: unknown } | 'unsent' | 'unanswered';

type Frame =
  | { readonly kind: 'request'; readonly number: number; readonly body: unknown }
  | { readonly kind: 'answer'; readonly number: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly number: number }
  | { readonly kind: 'message'; readonly body: unknown }
  | { readonly kind: 'heartbeat'; readonly at: number }
  | { readonly kind: 'heartbeat-reply'; readonly of: number; readonly at: number }
  | { readonly kind: 'bye' };

const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);

/**
 * Encrypted connection between two nodes. First both nodes prove that they have the data key of the property. After
 * that, a frame that was changed, repeated or dropped on the way ends the connection.
 */
export class NodeConnection {
  /** Id of the peer. At the accepting end it is empty until the peer is authenticated. */
  peerId: string;
  readonly #options: NodeConnectionOptions;
  readonly #socket: WebSocket;
  readonly #side: 'dials' | 'accepts';
  readonly #nonce = randomBytes(32);
  #greeting: NodeHandshake | undefined;
  #ciphers: ReturnType<typeof createFrameCiphers> | undefined;
  #isEnded = false;
  /** Number of silence checks since the last frame arrived. */
  #silentChecks = 0;
  readonly #timer: NodeJS.Timeout;
  #lastRequest = 0;
  #isTooLargeReported = false;
  readonly #pendingRequests = new Map<number, (reply: NodeRequestResult) => void>();
  #offsetSamples: { readonly took: number; readonly offset: number }[] = [];

  private constructor(socket: WebSocket, side: 'dials' | 'accepts', other: string, options: NodeConnectionOptions) {
    this.#socket = socket;
    this.#side = side;
    this.peerId = other;
    this.#options = options;
    socket.on('message', (data, isBinary) => this.#receive(bytesOf(data), isBinary));
    socket.on('error', (error) => this.#end(`The connection failed: ${error.message}.`));
    socket.on('close', () => this.#end('The peer ended the connection.'));
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

  /** How far the clock of the peer is ahead of this node's clock, in milliseconds; 0 before the first sample. */
  get offset(): number {
    if (this.#offsetSamples.length === 0) return 0;
    return this.#offsetSamples.reduce((best, one) => (one.took < best.took ? one : best)).offset;
  }

  /** Sends a request and waits for the reply, at most `maxMs` milliseconds. */
  request(body: unknown, maxMs: number): Promise<NodeRequestResult> {
    const number = ++this.#lastRequest;
    const { promise, resolve } = Promise.withResolvers<NodeRequestResult>();
    if (!this.#sendFrame({ kind: 'request', number, body })) return Promise.resolve('unsent');
    const timer = setTimeout(() => this.#resolveRequest(number, 'unanswered'), maxMs);
    this.#pendingRequests.set(number, (reply) => {
      clearTimeout(timer);
      resolve(reply);
    });
    return promise;
  }

  send(body: unknown): boolean {
    return this.#sendFrame({ kind: 'message', body });
  }

  /** Closes the connection on purpose. A last frame informs the peer that the end is no failure. */
  close(): void {
    this.#sendFrame({ kind: 'bye' });
    this.#end(undefined);
  }

  #resolveRequest(number: number, reply: NodeRequestResult): void {
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
      const tooLarge = new Error(`A message to node ${this.peerId} is too large for a frame.`);
      if (!this.#isTooLargeReported) this.#options.onWarning('node connection', tooLarge);
      this.#isTooLargeReported = true;
      return false;
    }
    this.#socket.send(this.#ciphers!.out.encrypt(text));
    if (this.#socket.bufferedAmount <= maxBufferedBytes) return true;
    this.#end('The peer does not read what it receives.');
    return true;
  }

  #checkSilence(): void {
    // Silence is measured by the number of checks, not by the clock. So a stall of this process is not mistaken for
    // silence of the peer: frames that arrived during the stall are read before the next check.
    if (this.#silentChecks++ >= checksPerTimeout) this.#end('The peer does not answer.');
    else this.#sendFrame({ kind: 'heartbeat', at: this.#options.clock() });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#isEnded) return;
    if (this.#ciphers) {
      this.#silentChecks = 0;
      this.#receiveFrame(data, isBinary);
      return;
    }
    const greeting = isBinary || data.length > maxGreetingBytes ? undefined : parseObject(data.toString('utf8'));
    if (greeting === undefined) this.#end('The peer did not send the greeting of a node of this version.');
    else if (this.#side === 'dials') this.#receiveAnswer(greeting);
    else if (this.#greeting === undefined) this.#receiveGreeting(greeting);
    else this.#receiveProof(greeting);
  }

  /** Handshake at the accepting end, step 1: receives the greeting of the dialing node. */
  #receiveGreeting({ version: of, from, to, drawn }: GreetingMessage): void {
    const { self, key } = this.#options;
    const dialerNonce = parseBytes(drawn);
    if (of !== protocolVersion || typeof from !== 'string' || dialerNonce === undefined)
      return this.#end('The peer did not send the greeting of a node of this version.');
    if (to !== self || from === self) return this.#end('The peer expects another node at this address.');
    this.#greeting = { from, to: self, dialerNonce, accepterNonce: this.#nonce };
    this.#sendGreeting({
      drawn: this.#nonce.toString('hex'),
      proof: proveKeyPossession(key, 'accepts', this.#greeting).toString('hex'),
    });
  }

  /** Handshake at the dialing end: receives the proof of the accepting node. */
  #receiveAnswer({ drawn, proof }: GreetingMessage): void {
    const { self, key } = this.#options;
    const [accepterNonce, proofBytes] = [parseBytes(drawn), parseBytes(proof)];
    if (accepterNonce === undefined || proofBytes === undefined)
      return this.#end('The peer did not send the greeting of a node of this version.');
    const greeting = { from: self, to: this.peerId, dialerNonce: this.#nonce, accepterNonce };
    if (!isEqualInConstantTime(proofBytes, proveKeyPossession(key, 'accepts', greeting))) return this.#end(otherKey);
    this.#sendGreeting({ proof: proveKeyPossession(key, 'dials', greeting).toString('hex') });
    this.#startFrames(greeting);
  }

  /** Handshake at the accepting end, step 2: receives the proof of the dialing node. */
  #receiveProof({ proof }: GreetingMessage): void {
    const proofBytes = parseBytes(proof);
    if (proofBytes === undefined) return this.#end('The peer did not send the greeting of a node of this version.');
    if (!isEqualInConstantTime(proofBytes, proveKeyPossession(this.#options.key, 'dials', this.#greeting!)))
      return this.#end(otherKey);
    this.#startFrames(this.#greeting!);
  }

  #startFrames(greeting: NodeHandshake): void {
    // The id of the peer is trusted only after its proof.
    if (this.#side === 'accepts') this.peerId = greeting.from;
    this.#ciphers = createFrameCiphers(this.#options.key, this.#side, greeting);
    this.#silentChecks = 0;
    this.#sendFrame({ kind: 'heartbeat', at: this.#options.clock() });
    this.#options.onUp(this);
  }

  #receiveFrame(data: Buffer, isBinary: boolean): void {
    let frame: Frame;
    try {
      if (!isBinary) throw new Error('A frame is not encrypted.');
      frame = JSON.parse(this.#ciphers!.in.decrypt(data)) as Frame;
      if (typeof frame !== 'object' || frame === null) throw new Error('A frame is not an object.');
    } catch {
      return this.#end('A frame was changed, lost or repeated on the way.');
    }
    switch (frame.kind) {
      case 'request':
        return void this.#reply(frame.number, frame.body);
      case 'answer':
        return this.#resolveRequest(frame.number, { answer: frame.body });
      case 'failed':
        return this.#resolveRequest(frame.number, 'unanswered');
      case 'message':
        return this.#deliver(frame.body);
      case 'heartbeat':
        return void this.#sendFrame({ kind: 'heartbeat-reply', of: frame.at, at: this.#options.clock() });
      case 'heartbeat-reply':
        return this.#addOffsetSample(frame.of, frame.at);
      case 'bye':
        return this.#end(undefined);
    }
  }

  /** Passes a message to `onMessage`. If `onMessage` throws, the message is dropped and a warning is reported. */
  #deliver(body: unknown): void {
    try {
      this.#options.onMessage(this.peerId, body);
    } catch (error) {
      this.#options.onWarning('node connection', error);
    }
  }

  async #reply(number: number, body: unknown): Promise<void> {
    try {
      this.#sendFrame({ kind: 'answer', number, body: await this.#options.onRequest(this.peerId, body) });
    } catch (error) {
      this.#options.onWarning('node connection', error);
      this.#sendFrame({ kind: 'failed', number });
    }
  }

  /** Adds a clock sample. The peer is assumed to have read its clock in the middle of the round trip. */
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
    // A connection that ends on purpose has 200 ms to send its last frames. After a failure it is cut off at once.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close();
    const end = setTimeout(() => this.#socket.terminate(), reason === undefined ? 200 : 0);
    end.unref();
    for (const number of this.#pendingRequests.keys()) this.#resolveRequest(number, 'unanswered');
    this.#options.onEnded(this, reason);
  }
}

type GreetingMessage = { readonly [field: string]: unknown };

const otherKey = 'The peer does not have the key of this property.';

function parseObject(text: string): GreetingMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as GreetingMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses 32 bytes in hexadecimal digits; undefined for any other value. */
const parseBytes = (text: unknown): Buffer | undefined =>
  typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
