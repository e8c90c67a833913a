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
  let way: ProxyMode = 'through';
  const open = new Set<Socket>();
  /** What has really been done to whoever went this way; answers are lost once what was asked for is carried out. */
  const done = { trips: 0, answers: 0, questions: 0, hushed: 0, cut: 0, slowed: 0, turned: 0 };
  const proxy = createServer((near) => {
    if (way === 'shut') {
      done.turned += 1;
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    let isLost = false;
    let isHushed = false;
    /** Whoever has asked waits for an answer before anything else goes out: there and back is one trip. */
    let isAsked = false;
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
      if (way !== 'slow') {
        to.write(part);
        return;
      }
      done.slowed += 1;
      // Whatever else comes meanwhile comes after it.
      from.pause();
      setTimeout(() => {
        to.write(part);
        from.resume();
      }, delayMs);
    };
    near.on('data', (part: Buffer) => {
      if (!isAsked) done.trips += 1;
      isAsked = true;
      // The statement goes by its name.
      if (part.includes('append\0')) {
        if (way === 'hush slips') isHushed = part.includes('SlipSet');
        else if (way !== 'through' && way !== 'slow') {
          const isCarriedOut = way === 'lose answer';
          way = 'shut';
          isLost = true;
          if (!isCarriedOut) {
            done.questions += 1;
            return cut();
          }
        }
      }
      pass(near, far, part);
    });
    far.on('data', (part: Buffer) => {
      isAsked = false;
      if (isHushed) done.hushed += 1;
      else if (!isLost) pass(far, near, part);
      else {
        done.answers += 1;
        cut();
      }
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as { port: number }).port,
    set: (next: ProxyMode): void => void (way = next),
    /** Ends every connection, and lets nobody in. */
    cut: (): void => {
      way = 'shut';
      done.cut += open.size / 2;
      for (const socket of open) socket.destroy();
    },
    get method(): ProxyMode {
      return way;
    },
    done,
    close: async (): Promise<void> => {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
