import { randomBytes } from 'node:crypto';
import { type RawData, WebSocket } from 'ws';
import { type Greeting, directionsOf, isSame, proofOf } from './cipher.ts';

/** Beyond this, in bytes, a frame is not read to its end. */
export const largestFrame = 1 << 23;
/** Whoever has not shown the key yet says no more than this, in bytes. */
const largestGreeting = 1 << 10;
/** What waits to be sent to somebody who does not read ends the link, in bytes. */
const mostWaiting = 1 << 25;

/** So many measurements of the other's clock are held against each other. */
const mostMeasured = 8;

/** So often it is looked whether the other is silent, while there is patience. */
const ticks = 4;

/** Of those who dial, one of another form is told from a stranger. */
const form = 1;

export type LinkParts = {
  /** The node at this end. */
  readonly me: string;
  /** The key of the property, which both ends have. */
  readonly key: Buffer;
  /** So long somebody may be silent, in milliseconds; each says something four times in that time. */
  readonly patience: number;
  /** The time that this node tells to the others. */
  readonly clock: () => number;
  /** Both ends have shown that they have the key. */
  readonly up: (link: NodeConnection) => void;
  /** Something was asked; what it gives goes back. */
  readonly asked: (from: string, body: unknown) => Promise<unknown>;
  readonly told: (from: string, body: unknown) => void;
  /** It has ended; why, unless one of the two wanted that. */
  readonly ended: (link: NodeConnection, why: string | undefined) => void;
  /** Something went wrong at this end that the other is not told. */
  readonly trouble: (what: string, error: unknown) => void;
};

/** What became of something that was asked: it surely never left, or nobody knows. */
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
 * One connection of two nodes. Each shows that it has the key of the property before anything is said; after that a
 * stranger on the way reads, changes, repeats and leaves out nothing without ending it.
 */
export class NodeConnection {
  /** The node at the other end; no name until it has shown that it has the key. */
  other: string;
  readonly #parts: LinkParts;
  readonly #socket: WebSocket;
  readonly #side: 'dials' | 'accepts';
  readonly #drawn = randomBytes(32);
  #greeting: Greeting | undefined;
  #directions: ReturnType<typeof directionsOf> | undefined;
  #isOver = false;
  /** How many times it was looked in vain whether something has come. */
  #silent = 0;
  readonly #timer: NodeJS.Timeout;
  #last = 0;
  #isTooLargeSaid = false;
  readonly #waiting = new Map<number, (heard: NodeReply) => void>();
  #measured: { readonly took: number; readonly offset: number }[] = [];

  private constructor(socket: WebSocket, side: 'dials' | 'accepts', other: string, parts: LinkParts) {
    this.#socket = socket;
    this.#side = side;
    this.other = other;
    this.#parts = parts;
    socket.on('message', (data, isBinary) => this.#message(bytesOf(data), isBinary));
    socket.on('error', (error) => this.#end(`the connection failed (${error.message})`));
    socket.on('close', () => this.#end('it ended the connection'));
    this.#timer = setInterval(() => this.#tick(), parts.patience / ticks);
    this.#timer.unref();
  }

  /** Dials a node at its address. */
  static to(address: string, other: string, parts: LinkParts): NodeConnection {
    const { me, patience } = parts;
    const socket = new WebSocket(address, {
      maxPayload: largestFrame,
      perMessageDeflate: false,
      handshakeTimeout: patience,
      followRedirects: false,
    });
    const link = new NodeConnection(socket, 'dials', other, parts);
    socket.once('open', () => link.#say({ form, from: me, to: other, drawn: link.#drawn.toString('hex') }));
    return link;
  }

  /** Answers somebody who has dialled. */
  static from(socket: WebSocket, parts: LinkParts): NodeConnection {
    return new NodeConnection(socket, 'accepts', '', parts);
  }

  get isUp(): boolean {
    return this.#directions !== undefined && !this.#isOver;
  }

  /** By how many milliseconds the other's clock is ahead of this one's, as far as is known: by the quickest answer of some. */
  get offset(): number {
    if (this.#measured.length === 0) return 0;
    return this.#measured.reduce((best, one) => (one.took < best.took ? one : best)).offset;
  }

  /** Asks the other end, and waits so long for the answer. */
  ask(body: unknown, longest: number): Promise<NodeReply> {
    const number = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<NodeReply>();
    if (!this.#send({ kind: 'ask', number, body })) return Promise.resolve('unsent');
    const timer = setTimeout(() => this.#hear(number, 'unanswered'), longest);
    this.#waiting.set(number, (heard) => {
      clearTimeout(timer);
      resolve(heard);
    });
    return promise;
  }

  tell(body: unknown): boolean {
    return this.#send({ kind: 'tell', body });
  }

  /** Ends it, and says so where the other can hear it. */
  close(): void {
    this.#send({ kind: 'bye' });
    this.#end(undefined);
  }

  #hear(number: number, heard: NodeReply): void {
    const answer = this.#waiting.get(number);
    this.#waiting.delete(number);
    answer?.(heard);
  }

  #say(greeting: object): void {
    this.#socket.send(JSON.stringify(greeting));
  }

  #send(frame: Frame): boolean {
    if (!this.isUp || this.#socket.readyState !== WebSocket.OPEN) return false;
    const text = JSON.stringify(frame);
    if (Buffer.byteLength(text) + 16 > largestFrame) {
      const tooLarge = new Error(`What node ${this.other} was to be told is too large for a frame.`);
      if (!this.#isTooLargeSaid) this.#parts.trouble('link', tooLarge);
      this.#isTooLargeSaid = true;
      return false;
    }
    this.#socket.send(this.#directions!.out.seal(text));
    if (this.#socket.bufferedAmount <= mostWaiting) return true;
    this.#end('it does not read what it is sent');
    return true;
  }

  #tick(): void {
    // A program that stood still itself has missed nothing: what came meanwhile is read before this is looked at again.
    if (this.#silent++ >= ticks) this.#end('it does not answer');
    else this.#send({ kind: 'beat', at: this.#parts.clock() });
  }

  #message(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    if (this.#directions) {
      this.#silent = 0;
      this.#frame(data, isBinary);
      return;
    }
    const greeting = isBinary || data.length > largestGreeting ? undefined : objectIn(data.toString('utf8'));
    if (greeting === undefined) this.#end('it does not greet as a node does');
    else if (this.#side === 'dials') this.#answered(greeting);
    else if (this.#greeting === undefined) this.#greeted(greeting);
    else this.#proved(greeting);
  }

  /** The accepting end: somebody says who dials whom. */
  #greeted({ form: of, from, to, drawn }: Said): void {
    const { me, key } = this.#parts;
    const near = bytesIn(drawn);
    if (of !== form || typeof from !== 'string' || near === undefined)
      return this.#end('it does not greet as a node does');
    if (to !== me || from === me) return this.#end('it looks for another node');
    this.#greeting = { from, to: me, near, far: this.#drawn };
    this.#say({ drawn: this.#drawn.toString('hex'), proof: proofOf(key, 'accepts', this.#greeting).toString('hex') });
  }

  /** The dialling end: the other has shown that it has the key. */
  #answered({ drawn, proof }: Said): void {
    const { me, key } = this.#parts;
    const [far, shown] = [bytesIn(drawn), bytesIn(proof)];
    if (far === undefined || shown === undefined) return this.#end('it does not greet as a node does');
    const greeting = { from: me, to: this.other, near: this.#drawn, far };
    if (!isSame(shown, proofOf(key, 'accepts', greeting))) return this.#end(otherKey);
    this.#say({ proof: proofOf(key, 'dials', greeting).toString('hex') });
    this.#begin(greeting);
  }

  /** The accepting end: so has the one who dialled. */
  #proved({ proof }: Said): void {
    const shown = bytesIn(proof);
    if (shown === undefined) return this.#end('it does not greet as a node does');
    if (!isSame(shown, proofOf(this.#parts.key, 'dials', this.#greeting!))) return this.#end(otherKey);
    this.#begin(this.#greeting!);
  }

  #begin(greeting: Greeting): void {
    // Only now it is known who is there.
    if (this.#side === 'accepts') this.other = greeting.from;
    this.#directions = directionsOf(this.#parts.key, this.#side, greeting);
    this.#silent = 0;
    this.#send({ kind: 'beat', at: this.#parts.clock() });
    this.#parts.up(this);
  }

  #frame(data: Buffer, isBinary: boolean): void {
    let frame: Frame;
    try {
      if (!isBinary) throw new Error('A frame is not sealed.');
      frame = JSON.parse(this.#directions!.in.open(data)) as Frame;
      if (typeof frame !== 'object' || frame === null) throw new Error('A frame is no object.');
    } catch {
      return this.#end('what came from there was changed, left out or repeated on the way');
    }
    switch (frame.kind) {
      case 'ask':
        return void this.#answer(frame.number, frame.body);
      case 'answer':
        return this.#hear(frame.number, { answer: frame.body });
      case 'failed':
        return this.#hear(frame.number, 'unanswered');
      case 'tell':
        return this.#hears(frame.body);
      case 'beat':
        return void this.#send({ kind: 'back', of: frame.at, at: this.#parts.clock() });
      case 'back':
        return this.#measure(frame.of, frame.at);
      case 'bye':
        return this.#end(undefined);
    }
  }

  /** What cannot be understood harms nobody. */
  #hears(body: unknown): void {
    try {
      this.#parts.told(this.other, body);
    } catch (error) {
      this.#parts.trouble('link', error);
    }
  }

  async #answer(number: number, body: unknown): Promise<void> {
    try {
      this.#send({ kind: 'answer', number, body: await this.#parts.asked(this.other, body) });
    } catch (error) {
      this.#parts.trouble('link', error);
      this.#send({ kind: 'failed', number });
    }
  }

  /** The other's time is taken to be that of the middle between asking and hearing. */
  #measure(asked: number, there: number): void {
    const now = this.#parts.clock();
    this.#measured = [{ took: now - asked, offset: there - (asked + now) / 2 }, ...this.#measured].slice(
      0,
      mostMeasured,
    );
  }

  #end(why: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    // What is still to be said goes out; whoever does not close in turn is left.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close();
    const end = setTimeout(() => this.#socket.terminate(), why === undefined ? 200 : 0);
    end.unref();
    for (const number of this.#waiting.keys()) this.#hear(number, 'unanswered');
    this.#parts.ended(this, why);
  }
}

type Said = { readonly [field: string]: unknown };

const otherKey = 'it does not have the key of this property';

function objectIn(text: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Said) : undefined;
  } catch {
    return undefined;
  }
}

/** 32 bytes, as they are said in a greeting. */
const bytesIn = (text: unknown): Buffer | undefined =>
  typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
