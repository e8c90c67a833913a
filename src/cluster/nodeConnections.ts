import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { WebSocketServer } from 'ws';
import { Finding } from '../runtime/terminals/secretBindings.ts';
import { quoted } from '../base/refusal.ts';
import { type NodeReply, NodeConnection, type LinkParts, largestFrame } from './nodeConnection.ts';

/** Where one node reaches another. */
export type Reached = { readonly id: string; readonly link: string };

type Parts = Pick<LinkParts, 'key' | 'clock' | 'asked' | 'told' | 'trouble'> & {
  readonly id: string;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** How others reach it, where that is not the host it listens at. */
  readonly reached?: string;
  readonly patience?: number;
  /** A link to a node stands. */
  readonly up: (node: string) => void;
  /** It has ended, and no other is there in its place. */
  readonly down: (node: string) => void;
};

/** So long another node may be silent, in milliseconds, unless told otherwise. */
const usualPatience = 2_000;

/** Before it is dialled again, in milliseconds; each time twice as long. */
const shortWait = 50;
const longestWait = 2_000;

/** Before one that has said goodbye is dialled, in milliseconds: as a rule the database tells by then that it is gone. */
const afterBye = 1_500;

/** What is wrong with a stranger is said once in so many milliseconds. */
const saidAgain = 60_000;

/** So many may be there at once, strangers included. */
const mostConnections = 512;

/** A name that a host is reached by; what listens everywhere is reached by the name of this machine. */
const nameOf = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? hostname() : host.includes(':') ? `[${host}]` : host;

/** A node that is to be dialled. */
type Dialled = { reached: Reached; wait: number; timer: NodeJS.Timeout | undefined; link: NodeConnection | undefined };

/** The links of a node to all others on the record: one a pair, which the one with the lower name dials. */
export class Peers {
  /** Where others reach this node. */
  readonly address: string;
  readonly #parts: Parts;
  readonly #close: () => Promise<void>;
  readonly #links = new Map<string, NodeConnection>();
  readonly #dialled = new Map<string, Dialled>();
  /** Every link that has not ended, also those of whom nobody knows yet who they are. */
  readonly #all = new Set<NodeConnection>();
  #met: ReadonlySet<string> = new Set();
  /** When something was last said, by what it is. */
  readonly #said = new Map<string, number>();
  #isClosed = false;

  private constructor(parts: Parts, address: string, close: () => Promise<void>) {
    this.#parts = parts;
    this.address = address;
    this.#close = close;
  }

  /** Listens for the others. */
  static async open(parts: Parts): Promise<Peers> {
    const { host, port, reached, patience = usualPatience } = parts;
    const server = createServer({
      headersTimeout: patience,
      requestTimeout: patience,
      connectionsCheckingInterval: Math.ceil(patience / 2),
    });
    server.maxConnections = mostConnections;
    const sockets = new WebSocketServer({
      server,
      path: '/link',
      maxPayload: largestFrame,
      perMessageDeflate: false,
    });
    let peers: Peers | undefined;
    server.on('request', (_, answer) => {
      answer.writeHead(404, { connection: 'close' }).end();
      peers?.stranger('it asks for a page');
    });
    server.on('clientError', (_, socket) => {
      socket.destroy();
      peers?.stranger('it does not greet as a node does');
    });
    sockets.on('wsClientError', (_, socket) => {
      socket.destroy();
      peers?.stranger('it does not greet as a node does');
    });
    sockets.on('connection', (socket) => {
      if (peers === undefined) socket.terminate();
      else peers.#came(NodeConnection.from(socket, peers.#forLinks()));
    });
    const failed = once(sockets, 'error').then(([error]) => {
      throw error as Error;
    });
    server.listen({ host, port });
    await Promise.race([once(server, 'listening'), failed]);
    failed.catch(() => {});
    sockets.on('error', (error) => parts.trouble('links', error));
    const { port: at } = server.address() as AddressInfo;
    peers = new Peers(parts, `ws://${nameOf(reached ?? host)}:${at}/link`, async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    return peers;
  }

  /** Those who are there by the database: links to them are made, and those to others ended. */
  meet(nodes: readonly Reached[]): void {
    if (this.#isClosed) return;
    const former = this.#met;
    this.#met = new Set(nodes.map(({ id }) => id));
    for (const id of former) if (!this.#met.has(id)) this.#leave(id);
    for (const reached of nodes) {
      const { id, link } = reached;
      if (id <= this.#parts.id || link === '') continue;
      const dialled = this.#dialled.get(id);
      if (dialled) dialled.reached = reached;
      else {
        this.#dialled.set(id, { reached, wait: shortWait, timer: undefined, link: undefined });
        this.#dial(id);
      }
    }
  }

  isLinked(node: string): boolean {
    return this.#links.has(node);
  }

  get linked(): readonly string[] {
    return [...this.#links.keys()];
  }

  /** By how many milliseconds the clock of a node is ahead of this one's, as far as is known. */
  offset(node: string): number {
    return this.#links.get(node)?.offset ?? 0;
  }

  async ask(node: string, body: unknown, longest: number): Promise<NodeReply> {
    return this.#links.get(node)?.ask(body, longest) ?? 'unsent';
  }

  /** Tells one node; gives whether it was sent. */
  tell(node: string, body: unknown): boolean {
    return this.#links.get(node)?.tell(body) ?? false;
  }

  tellAll(body: unknown): void {
    for (const link of this.#links.values()) link.tell(body);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#dialled.keys()) this.#leave(id);
    for (const link of this.#all) link.close();
    await this.#close();
  }

  #leave(id: string): void {
    const dialled = this.#dialled.get(id);
    this.#dialled.delete(id);
    clearTimeout(dialled?.timer);
    dialled?.link?.close();
    this.#links.get(id)?.close();
    this.#said.delete(id);
  }

  #dial(id: string): void {
    const dialled = this.#dialled.get(id);
    if (dialled === undefined) return;
    dialled.timer = undefined;
    const { link } = dialled.reached;
    if (!link.startsWith('ws://') || !URL.canParse(link)) {
      this.#say(id, Infinity, `Node ${id} cannot be reached: ${quoted(link)} is no address.`);
      return this.#again(dialled, id);
    }
    dialled.link = NodeConnection.to(link, id, this.#forLinks());
    this.#came(dialled.link);
  }

  /** Waits longer each time. */
  #again(dialled: Dialled, id: string): void {
    dialled.link = undefined;
    dialled.timer = setTimeout(() => this.#dial(id), dialled.wait);
    dialled.wait = Math.min(dialled.wait * 2, longestWait);
  }

  #came(link: NodeConnection): void {
    this.#all.add(link);
    if (this.#isClosed) link.close();
  }

  #forLinks(): LinkParts {
    const { id, key, clock, asked, told, trouble, patience = usualPatience } = this.#parts;
    return {
      me: id,
      key,
      clock,
      asked,
      told,
      trouble,
      patience,
      up: (link) => this.#up(link),
      ended: (link, why) => this.#ended(link, why),
    };
  }

  /** Whoever comes again has given the former link up. */
  #up(link: NodeConnection): void {
    const { other } = link;
    const former = this.#links.get(other);
    this.#links.set(other, link);
    if (former !== link) former?.close();
    const dialled = this.#dialled.get(other);
    if (dialled) dialled.wait = shortWait;
    this.#said.delete(other);
    this.#parts.up(other);
  }

  #ended(link: NodeConnection, why: string | undefined): void {
    const { other } = link;
    this.#all.delete(link);
    const isLast = this.#links.get(other) === link;
    if (isLast) this.#links.delete(other);
    if (this.#isClosed) return;
    if (isLast) this.#parts.down(other);
    if (why !== undefined && !this.#met.has(other)) this.stranger(why);
    else if (why !== undefined) this.#say(other, Infinity, `The link with node ${other} has ended: ${why}.`);
    const dialled = this.#dialled.get(other);
    if (dialled?.link !== link) return;
    if (why === undefined) dialled.wait = Math.max(dialled.wait, afterBye);
    this.#again(dialled, other);
  }

  /** Somebody was put out who is not known as a node. */
  stranger(why: string): void {
    this.#say(why, saidAgain, `Somebody at the address for other nodes was put out: ${why}.`);
  }

  /** A node that stays away, or a stranger that comes again and again, is told of once. */
  #say(what: string, again: number, sentence: string): void {
    const now = performance.now();
    if (now - (this.#said.get(what) ?? -Infinity) < again) return;
    this.#said.set(what, now);
    this.#parts.trouble('link', new Finding(sentence));
  }
}
