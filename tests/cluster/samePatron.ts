import { setTimeout } from 'node:timers/promises';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { PatronSocket } from '../server/support/testServer.ts';
import { type NodeProcess, maxWaitMs } from './nodeProcess.ts';

export type PatronRequest = { readonly type: string; readonly id: string; readonly [field: string]: unknown };

/** Codes after which a client sends the same request again: the node or the store has no answer at the moment. */
const transientCodes: ReadonlySet<string> = new Set(['result-unknown', 'cannot-record', 'server-closing']);

/** One terminal at both nodes. Each request is sent to both at once, with one id, until both have answered. */
export class PatronAtBothNodes {
  readonly #nodes: readonly NodeProcess[];
  readonly #secret: string;
  readonly #table: string;
  readonly #sockets = new Map<NodeProcess, PatronSocket>();
  /** Number of requests that were sent again, because a node had no answer. */
  resends = 0;

  constructor(nodes: readonly NodeProcess[], secret: string, table: string) {
    this.#nodes = nodes;
    this.#secret = secret;
    this.#table = table;
  }

  /** Connects to both nodes, so that a new terminal has a seat at both before its first request. */
  async connect(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => this.#retry(() => this.#socketAt(node))));
  }

  /** Sends a request to both nodes at once; gives both answers. */
  ask(request: PatronRequest): Promise<readonly ServerMessage[]> {
    return Promise.all(this.#nodes.map((node) => this.#askAt(node, request)));
  }

  #askAt(node: NodeProcess, request: PatronRequest): Promise<ServerMessage> {
    let isSent = false;
    return this.#retry(async () => {
      const socket = await this.#socketAt(node);
      const from = socket.received.length;
      socket.send(request);
      if (isSent) this.resends += 1;
      isSent = true;
      const reply = await replyIn(socket, request.id, from);
      return reply.type === 'refused' && transientCodes.has(reply.code) ? undefined : reply;
    });
  }

  /** The round that takes bets, as the first node shows it. */
  bettingRound(): Promise<string> {
    const [node] = this.#nodes as [NodeProcess];
    return this.#retry(async () => {
      const { received } = await this.#socketAt(node);
      const last = received.findLast(({ type }) => type === 'table');
      return last?.type === 'table' && last.view.phase === 'betting' ? last.view.round?.id : undefined;
    });
  }

  /** Repeats an action that fails or gives undefined, as while a node is down. */
  async #retry<Result>(action: () => Promise<Result | undefined>): Promise<Result> {
    const startedAt = performance.now();
    for (;;) {
      const result = await action().catch(() => undefined);
      if (result !== undefined) return result;
      if (performance.now() - startedAt > maxWaitMs) throw new Error('A node gave no answer.');
      await setTimeout(20);
    }
  }

  async #socketAt(node: NodeProcess): Promise<PatronSocket> {
    const open = this.#sockets.get(node);
    if (open && open.closed === undefined) return open;
    const socket = await PatronSocket.join({ address: node.address }, this.#secret, this.#table);
    this.#sockets.set(node, socket);
    return socket;
  }

  disconnect(): void {
    for (const socket of this.#sockets.values()) socket.terminate();
  }
}

/** The reply to a request. Throws when the connection closes before it. */
async function replyIn(socket: PatronSocket, id: string, from: number): Promise<ServerMessage> {
  for (;;) {
    const found = socket.received.slice(from).find((message) => 'id' in message && message.id === id);
    if (found) return found;
    if (socket.closed) throw new Error('The connection has closed.');
    await setTimeout(2);
  }
}
