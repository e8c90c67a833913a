import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { WebSocketServer } from 'ws';
import { OperatorWarning } from '../runtime/terminals/secretBindings.ts';
import { quoteForMessage } from '../base/refusal.ts';
import {
  type NodeRequestResult,
  NodeConnection,
  type NodeConnectionOptions,
  maxNodeFrameBytes,
} from './nodeConnection.ts';

/** Id of a node, and the URL at which it listens for other nodes. */
export type NodeAddress = { readonly id: string; readonly nodeUrl: string };

type NodeConnectionsOptions = Pick<NodeConnectionOptions, 'key' | 'clock' | 'onRequest' | 'onMessage' | 'onWarning'> & {
  readonly id: string;
  readonly host: string;
  /** Port for other nodes; 0 for any free port. */
  readonly port: number;
  /** Host at which other nodes reach this node, if it differs from `host`. */
  readonly publicHost?: string;
  readonly silenceMs?: number;
  readonly onUp: (node: string) => void;
  readonly onDown: (node: string) => void;
};

/** Default time after which a silent node is disconnected, in milliseconds. */
const defaultSilenceMs = 2_000;

/** Delay before a node is dialed again, in milliseconds. It doubles with each failure, up to `maxRedialMs`. */
const firstRedialMs = 50;
const maxRedialMs = 2_000;

/**
 * Delay before a node is dialed again that closed its connection on purpose, in milliseconds. After the delay, the
 * database shows whether that node has left.
 */
const redialAfterByeMs = 1_500;

/**
 * Minimum interval between two warnings that name the same reason for a rejected connection, in milliseconds. The
 * connections are from programs that are not nodes of this cluster.
 */
const strangerReportMs = 60_000;

/** Maximum number of connections to the port for nodes, including those that are not from nodes. */
const maxConnections = 512;

/** Host name for other nodes: the name of the machine if this node listens on all interfaces. */
const publicName = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? hostname() : host.includes(':') ? `[${host}]` : host;

type DialState = {
  address: NodeAddress;
  waitMs: number;
  timer: NodeJS.Timeout | undefined;
  connection: NodeConnection | undefined;
};

/** Connections to all other nodes: one per pair, dialed by the node with the lower id. */
export class NodeConnections {
  readonly address: string;
  readonly #options: NodeConnectionsOptions;
  readonly #closeServer: () => Promise<void>;
  readonly #connections = new Map<string, NodeConnection>();
  readonly #dials = new Map<string, DialState>();
  /** All open connections, including those that are not authenticated yet. */
  readonly #all = new Set<NodeConnection>();
  #nodes: ReadonlySet<string> = new Set();
  /** Time of the last warning, by the id of a node or by the reason for a rejected connection. */
  readonly #reportedAt = new Map<string, number>();
  #isClosed = false;

  private constructor(options: NodeConnectionsOptions, address: string, close: () => Promise<void>) {
    this.#options = options;
    this.address = address;
    this.#closeServer = close;
  }

  static async open(options: NodeConnectionsOptions): Promise<NodeConnections> {
    const { host, port, publicHost, silenceMs = defaultSilenceMs } = options;
    const server = createServer({
      headersTimeout: silenceMs,
      requestTimeout: silenceMs,
      connectionsCheckingInterval: Math.ceil(silenceMs / 2),
    });
    server.maxConnections = maxConnections;
    const sockets = new WebSocketServer({
      server,
      path: '/node',
      maxPayload: maxNodeFrameBytes,
      perMessageDeflate: false,
    });
    let connections: NodeConnections | undefined;
    server.on('request', (_, answer) => {
      answer.writeHead(404, { connection: 'close' }).end();
      connections?.reportStranger('The peer requested a web page.');
    });
    server.on('clientError', (_, socket) => {
      socket.destroy();
      connections?.reportStranger('The peer did not send the greeting of a node of this version.');
    });
    sockets.on('wsClientError', (_, socket) => {
      socket.destroy();
      connections?.reportStranger('The peer did not send the greeting of a node of this version.');
    });
    sockets.on('connection', (socket) => {
      if (connections === undefined) socket.terminate();
      else connections.#add(NodeConnection.accept(socket, connections.#connectionOptions()));
    });
    const failed = once(sockets, 'error').then(([error]) => {
      throw error as Error;
    });
    server.listen({ host, port });
    await Promise.race([once(server, 'listening'), failed]);
    failed.catch(() => {});
    sockets.on('error', (error) => options.onWarning('node connection', error));
    const { port: at } = server.address() as AddressInfo;
    connections = new NodeConnections(options, `ws://${publicName(publicHost ?? host)}:${at}/node`, async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    return connections;
  }

  /** Updates the list of nodes in the cluster: connects to new nodes, and disconnects from nodes that have left. */
  setNodes(nodes: readonly NodeAddress[]): void {
    if (this.#isClosed) return;
    const former = this.#nodes;
    this.#nodes = new Set(nodes.map(({ id }) => id));
    for (const id of former) if (!this.#nodes.has(id)) this.#disconnect(id);
    for (const reached of nodes) {
      const { id, nodeUrl } = reached;
      if (id <= this.#options.id || nodeUrl === '') continue;
      const dial = this.#dials.get(id);
      if (dial) dial.address = reached;
      else {
        this.#dials.set(id, { address: reached, waitMs: firstRedialMs, timer: undefined, connection: undefined });
        this.#dial(id);
      }
    }
  }

  isConnected(node: string): boolean {
    return this.#connections.has(node);
  }

  get connectedNodes(): readonly string[] {
    return [...this.#connections.keys()];
  }

  /** How far the clock of a node is ahead of this node's clock, in milliseconds; 0 if that node is not connected. */
  offset(node: string): number {
    return this.#connections.get(node)?.offset ?? 0;
  }

  async request(node: string, body: unknown, maxMs: number): Promise<NodeRequestResult> {
    return this.#connections.get(node)?.request(body, maxMs) ?? 'unsent';
  }

  /** Sends a message to one node. Returns true if it was sent. */
  send(node: string, body: unknown): boolean {
    return this.#connections.get(node)?.send(body) ?? false;
  }

  broadcast(body: unknown): void {
    for (const connection of this.#connections.values()) connection.send(body);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#dials.keys()) this.#disconnect(id);
    for (const connection of this.#all) connection.close();
    await this.#closeServer();
  }

  #disconnect(id: string): void {
    const dial = this.#dials.get(id);
    this.#dials.delete(id);
    clearTimeout(dial?.timer);
    dial?.connection?.close();
    this.#connections.get(id)?.close();
    this.#reportedAt.delete(id);
  }

  #dial(id: string): void {
    const dial = this.#dials.get(id);
    if (dial === undefined) return;
    dial.timer = undefined;
    const { nodeUrl } = dial.address;
    if (!nodeUrl.startsWith('ws://') || !URL.canParse(nodeUrl)) {
      this.#warnOnce(id, Infinity, `Node ${id} cannot be reached: ${quoteForMessage(nodeUrl)} is not a valid URL.`);
      return this.#redial(dial, id);
    }
    dial.connection = NodeConnection.dial(nodeUrl, id, this.#connectionOptions());
    this.#add(dial.connection);
  }

  /** Dials again later, with exponential backoff. */
  #redial(dial: DialState, id: string): void {
    dial.connection = undefined;
    dial.timer = setTimeout(() => this.#dial(id), dial.waitMs);
    dial.waitMs = Math.min(dial.waitMs * 2, maxRedialMs);
  }

  #add(connection: NodeConnection): void {
    this.#all.add(connection);
    if (this.#isClosed) connection.close();
  }

  #connectionOptions(): NodeConnectionOptions {
    const { id, key, clock, onRequest, onMessage, onWarning, silenceMs = defaultSilenceMs } = this.#options;
    return {
      self: id,
      key,
      clock,
      onRequest,
      onMessage,
      onWarning,
      silenceMs,
      onUp: (connection) => this.#up(connection),
      onEnded: (connection, reason) => this.#ended(connection, reason),
    };
  }

  /** Registers an authenticated connection, which replaces the former connection of the same node. */
  #up(connection: NodeConnection): void {
    const { peerId } = connection;
    const former = this.#connections.get(peerId);
    this.#connections.set(peerId, connection);
    if (former !== connection) former?.close();
    const dial = this.#dials.get(peerId);
    if (dial) dial.waitMs = firstRedialMs;
    this.#reportedAt.delete(peerId);
    this.#options.onUp(peerId);
  }

  #ended(connection: NodeConnection, reason: string | undefined): void {
    const { peerId } = connection;
    this.#all.delete(connection);
    const isLast = this.#connections.get(peerId) === connection;
    if (isLast) this.#connections.delete(peerId);
    if (this.#isClosed) return;
    if (isLast) this.#options.onDown(peerId);
    if (reason !== undefined && !this.#nodes.has(peerId)) this.reportStranger(reason);
    else if (reason !== undefined)
      this.#warnOnce(peerId, Infinity, `The connection to node ${peerId} has ended. ${reason}`);
    const dial = this.#dials.get(peerId);
    if (dial?.connection !== connection) return;
    if (reason === undefined) dial.waitMs = Math.max(dial.waitMs, redialAfterByeMs);
    this.#redial(dial, peerId);
  }

  /** Warns of a rejected connection that is not from a node of this cluster. */
  reportStranger(reason: string): void {
    this.#warnOnce(reason, strangerReportMs, `A connection to the port for nodes was rejected. ${reason}`);
  }

  /** Warns unless the same subject (`what`) was reported less than `again` milliseconds ago. */
  #warnOnce(what: string, again: number, sentence: string): void {
    const now = performance.now();
    if (now - (this.#reportedAt.get(what) ?? -Infinity) < again) return;
    this.#reportedAt.set(what, now);
    this.#options.onWarning('node connection', new OperatorWarning(sentence));
  }
}
