import { type RequestListener } from 'node:http';
import { type Socket } from 'node:net';

/** Node's HTTP parser of a socket; not in the type declarations. Without it the limit works, but more slowly. */
type SocketWithParser = Socket & { readonly parser?: { onIncoming?: unknown } | null };

/**
 * Limits HTTP pipelining: destroys a connection with too many unanswered requests. Node still parses what it has
 * already read into requests, hundreds of them; they are dropped.
 */
export function limitPipelining(max: number): (handle: RequestListener) => RequestListener {
  const pending = new WeakMap<Socket, number>();
  return (handle) => (request, answer) => {
    const socket: SocketWithParser = request.socket;
    if (socket.destroyed) return;
    const before = pending.get(socket) ?? 0;
    if (before >= max) {
      if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 0;
      socket.destroy();
      return;
    }
    pending.set(socket, before + 1);
    answer.once('close', () => pending.set(socket, pending.get(socket)! - 1));
    handle(request, answer);
  };
}
