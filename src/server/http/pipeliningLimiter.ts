import { type RequestListener } from 'node:http';
import { type Socket } from 'node:net';

/** Socket of an HTTP server. Node attaches its HTTP parser to the socket, but the types of Node do not declare it. */
type SocketWithParser = Socket & { readonly parser?: { onIncoming?: unknown } | null };

/**
 * Limits HTTP pipelining: a connection with more than `max` unanswered requests is destroyed. By then Node may have
 * received hundreds of further requests on this connection. They are dropped too; with `onIncoming` of the HTTP parser
 * replaced, Node drops them faster.
 */
export function createPipeliningLimiter(max: number): (handle: RequestListener) => RequestListener {
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
