import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';

/**
 * What becomes of the next append on its way: it goes through, be that slowly; its answer is lost, after it was carried out;
 * it is lost itself; or nobody is let in at all. Where slips are hushed up, each append that has some is carried out and
 * never answered, and all else goes through.
 */
type ProxyMode = 'through' | 'slow' | 'lose answer' | 'lose question' | 'hush slips' | 'shut';

/** So long each part of what is said takes where the way is slow, in milliseconds. */
const delayMs = 40;

/** A way to a server that can be disturbed. */
export async function proxyTo(port: number) {
  let mode: ProxyMode = 'through';
  const open = new Set<Socket>();
  /** What has really been done to whoever went this way; answers are lost once what was asked for is carried out. */
  const counts = { trips: 0, answers: 0, questions: 0, hushed: 0, cut: 0, slowed: 0, turned: 0 };
  const proxy = createServer((near) => {
    if (mode === 'shut') {
      counts.turned += 1;
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    let isLost = false;
    let isReplySuppressed = false;
    /** Whoever has asked waits for an answer before anything else goes out: there and back is one trip. */
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
    const pass = (from: Socket, to: Socket, part: Buffer): void => {
      if (mode !== 'slow') {
        to.write(part);
        return;
      }
      counts.slowed += 1;
      // Whatever else comes meanwhile comes after it.
      from.pause();
      setTimeout(() => {
        to.write(part);
        from.resume();
      }, delayMs);
    };
    near.on('data', (part: Buffer) => {
      if (!isAwaitingReply) counts.trips += 1;
      isAwaitingReply = true;
      // The statement goes by its name.
      if (part.includes('append\0')) {
        if (mode === 'hush slips') isReplySuppressed = part.includes('SlipSet');
        else if (mode !== 'through' && mode !== 'slow') {
          const isCarriedOut = mode === 'lose answer';
          mode = 'shut';
          isLost = true;
          if (!isCarriedOut) {
            counts.questions += 1;
            return cut();
          }
        }
      }
      pass(near, far, part);
    });
    far.on('data', (part: Buffer) => {
      isAwaitingReply = false;
      if (isReplySuppressed) counts.hushed += 1;
      else if (!isLost) pass(far, near, part);
      else {
        counts.answers += 1;
        cut();
      }
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as { port: number }).port,
    set: (next: ProxyMode): void => void (mode = next),
    /** Ends every connection, and lets nobody in. */
    cut: (): void => {
      mode = 'shut';
      counts.cut += open.size / 2;
      for (const socket of open) socket.destroy();
    },
    get method(): ProxyMode {
      return mode;
    },
    done: counts,
    close: async (): Promise<void> => {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
