import { setTimeout } from 'node:timers/promises';
import { type NodeProcess, maxWaitMs } from './nodeProcess.ts';

export type RequestWithId = { readonly type: string; readonly id: string; readonly [field: string]: unknown };

type Message = { readonly type: string };

/** Socket of a patron or a staff member. */
type Socket<Received extends Message> = {
  readonly received: readonly Received[];
  readonly closed: object | undefined;
  readonly send: (message: unknown) => void;
  readonly terminate: () => void;
};

/** Codes after which a client sends the same request again: the node or the store has no answer at the moment. */
const transientCodes: ReadonlySet<unknown> = new Set(['result-unknown', 'cannot-record', 'server-closing']);

/** One sender at both nodes. Each request is sent to both at once, with one id, until both have answered. */
export class SenderAtBothNodes<Received extends Message> {
  readonly #nodes: readonly NodeProcess[];
  readonly #join: (node: NodeProcess) => Promise<Socket<Received>>;
  readonly #sockets = new Map<NodeProcess, Socket<Received>>();
  /** Number of requests that were sent again, because a node had no answer. */
  resends = 0;

  constructor(nodes: readonly NodeProcess[], join: (node: NodeProcess) => Promise<Socket<Received>>) {
    this.#nodes = nodes;
    this.#join = join;
  }

  /** Connects to both nodes. */
  async connect(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => repeat(() => this.#socketAt(node))));
  }

  /** Sends a request to both nodes at once; gives both answers. */
  ask(request: RequestWithId): Promise<readonly Received[]> {
    return Promise.all(this.#nodes.map((node) => this.#askAt(node, request)));
  }

  #askAt(node: NodeProcess, request: RequestWithId): Promise<Received> {
    let isSent = false;
    return repeat(async () => {
      const socket = await this.#socketAt(node);
      const from = socket.received.length;
      socket.send(request);
      if (isSent) this.resends += 1;
      isSent = true;
      const reply = await replyIn(socket, request.id, from);
      return 'code' in reply && transientCodes.has(reply.code) ? undefined : reply;
    });
  }

  /** Waits until the messages of the first node have what `find` looks for. */
  waitFor<Found>(find: (received: readonly Received[]) => Found | undefined): Promise<Found> {
    return repeat(async () => find((await this.#socketAt(this.#nodes[0]!)).received));
  }

  async #socketAt(node: NodeProcess): Promise<Socket<Received>> {
    const open = this.#sockets.get(node);
    if (open && open.closed === undefined) return open;
    const socket = await this.#join(node);
    this.#sockets.set(node, socket);
    return socket;
  }

  disconnect(): void {
    for (const socket of this.#sockets.values()) socket.terminate();
  }
}

/** Repeats an action that fails or gives undefined, as while a node is down. */
export async function repeat<Result>(action: () => Promise<Result | undefined>): Promise<Result> {
  const startedAt = performance.now();
  for (;;) {
    const result = await action().catch(() => undefined);
    if (result !== undefined) return result;
    if (performance.now() - startedAt > maxWaitMs) throw new Error('A node gave no answer.');
    await setTimeout(20);
  }
}

/** The reply to a request. Throws when the connection closes before it. */
async function replyIn<Received extends Message>(
  socket: Socket<Received>,
  id: string,
  from: number,
): Promise<Received> {
  for (;;) {
    const found = socket.received.slice(from).find((message) => 'id' in message && message.id === id);
    if (found) return found;
    if (socket.closed) throw new Error('The connection has closed.');
    await setTimeout(2);
  }
}
