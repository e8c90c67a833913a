import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';

/**
 * What happens to the next append: it passes, perhaps slowly; its reply is lost after it was executed; it is lost
 * itself; or no connection is accepted. 'hush slips' executes appends of slips without a reply, and passes everything
 * else.
 */
type ProxyMode = 'through' | 'slow' | 'lose answer' | 'lose question' | 'hush slips' | 'shut';

/** Delay of each chunk in the slow mode, in milliseconds. */
const delayMs = 40;

/** TCP proxy to a server, with faults that a test sets. */
export async function proxyTo(port: number) {
  let mode: ProxyMode = 'through';
  const open = new Set<Socket>();
  /** Counts of faults that really happened; a reply is lost only after the server executed its request. */
  const counts = { trips: 0, replies: 0, requests: 0, hushed: 0, cut: 0, slowed: 0, rejected: 0 };
  const proxy = createServer((near) => {
    if (mode === 'shut') {
      counts.rejected += 1;
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    let isLost = false;
    let isReplySuppressed = false;
    /** A client waits for the reply before its next request, so request and reply are one round trip. */
    let isAwaitingReply = false;
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        open.delete(socket);
        cut();
      });
    }
    const pass = (from: Socket, to: Socket, chunk: Buffer): void => {
      if (mode !== 'slow') {
        to.write(chunk);
        return;
      }
      counts.slowed += 1;
      // Later chunks keep their order.
      from.pause();
      setTimeout(() => {
        to.write(chunk);
        from.resume();
      }, delayMs);
    };
    near.on('data', (chunk: Buffer) => {
      if (!isAwaitingReply) counts.trips += 1;
      isAwaitingReply = true;
      // The name of the prepared statement.
      if (chunk.includes('append\0')) {
        if (mode === 'hush slips') isReplySuppressed = chunk.includes('SlipSet');
        else if (mode !== 'through' && mode !== 'slow') {
          const isCarriedOut = mode === 'lose answer';
          mode = 'shut';
          isLost = true;
          if (!isCarriedOut) {
            counts.requests += 1;
            return cut();
          }
        }
      }
      pass(near, far, chunk);
    });
    far.on('data', (chunk: Buffer) => {
      isAwaitingReply = false;
      if (isReplySuppressed) counts.hushed += 1;
      else if (!isLost) pass(far, near, chunk);
      else {
        counts.replies += 1;
        cut();
      }
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as { port: number }).port,
    set: (next: ProxyMode): void => void (mode = next),
    /** Ends every connection and accepts none. */
    cut: (): void => {
      mode = 'shut';
      counts.cut += open.size / 2;
      for (const socket of open) socket.destroy();
    },
    get method(): ProxyMode {
      return mode;
    },
    counts,
    close: async (): Promise<void> => {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
