// Many terminals in a process of their own: each sends its next slip when the last one is acknowledged, and it tells how
// long that took.
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { type ServerMessage } from '../src/wire/messages.ts';
import { protocol } from '../src/wire/protocol.ts';

const [address, count, slips, ...tables] = process.argv.slice(2) as [string, string, string, ...string[]];
const times: number[] = [];

async function bettor(table: string): Promise<() => Promise<void>> {
  const socket = new WebSocket(address, {
    perMessageDeflate: false,
    origin: address.replace(/^ws(.+)\/socket$/, 'http$1'),
  });
  const open = Promise.withResolvers<string>();
  let answered = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer) => {
    const tell = JSON.parse(data.toString('utf8')) as ServerMessage;
    const told = tell.type === 'table' ? tell.view : tell.type === 'change' ? tell.fields : undefined;
    if (told?.phase === 'betting' && told.round) open.resolve(told.round.id);
    else if (tell.type === 'accepted') answered.resolve();
    else if (tell.type === 'refused') throw new Error(tell.message);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'hello', v: protocol, secret: randomBytes(32).toString('hex') }));
  socket.send(JSON.stringify({ type: 'sit', table }));
  const round = await open.promise;
  return async () => {
    for (let n = 0; n < Number(slips); n++) {
      answered = Promise.withResolvers();
      const id = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
      const sent = performance.now();
      socket.send(JSON.stringify({ type: 'slip', id, table, round, slip: { player: 100 * (1 + (n % 5)) } }));
      await answered.promise;
      times.push(performance.now() - sent);
    }
  };
}

const ready: (() => Promise<void>)[] = [];
for (let n = 0; n < Number(count); n++) ready.push(await bettor(tables[n % tables.length]!));
const begun = performance.now();
await Promise.all(ready.map((play) => play()));
process.send!({ times, time: performance.now() - begun });
