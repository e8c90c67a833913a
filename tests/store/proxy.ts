import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';

/**
 * What becomes of the next append on its way: it goes through; its answer is lost, after it was carried out; it is lost
 * itself; or nobody is let in at all.
 */
type Way = 'through' | 'lose answer' | 'lose question' | 'shut';

/** A way to a server that can be disturbed. */
export async function proxyTo(port: number) {
  let way: Way = 'through';
  const open = new Set<Socket>();
  const proxy = createServer((near) => {
    if (way === 'shut') {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    let isLost = false;
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
    near.on('data', (part: Buffer) => {
      // The statement goes by its name.
      if (part.includes('append\0') && way !== 'through') {
        const isCarriedOut = way === 'lose answer';
        way = 'shut';
        isLost = true;
        if (!isCarriedOut) return cut();
      }
      far.write(part);
    });
    far.on('data', (part: Buffer) => (isLost ? cut() : near.write(part)));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as { port: number }).port,
    set: (next: Way): void => void (way = next),
    /** Ends every connection, and lets nobody in. */
    cut: (): void => {
      way = 'shut';
      for (const socket of open) socket.destroy();
    },
    get way(): Way {
      return way;
    },
    close: async (): Promise<void> => {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
