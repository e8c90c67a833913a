// Many connections in a process of their own. It reports when the last of them has received each message.
import { openWebSocketInNode } from '../../src/client/webSocketInNode.ts';
import { randomHex } from '../../src/client/environment.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { endWithBench } from '../support/child.ts';

const [address, count, table] = process.argv.slice(2) as [string, string, string | undefined];
const listeners = Number(count);
const receivedCount = new Map<number, number>();
let seatedCount = 0;

export type Report =
  | { readonly ready: true }
  | { readonly version: number; readonly at: number; readonly text: string };
const report = (message: Report): void => void process.send!(message);

function receive(data: Buffer): void {
  const start = data.subarray(0, 200).toString('latin1');
  if (start.startsWith('{"type":"table"')) {
    seatedCount += 1;
    if (seatedCount === listeners) report({ ready: true });
    return;
  }
  if (!start.startsWith('{"type":"change"')) return;
  const version = Number(/"version":(\d+)/.exec(start)![1]);
  const times = (receivedCount.get(version) ?? 0) + 1;
  receivedCount.set(version, times);
  if (times === listeners) {
    report({ version, at: performance.timeOrigin + performance.now(), text: data.toString('utf8') });
  }
}

endWithBench();

for (let n = 0; n < listeners; n++) {
  const socket = openWebSocketInNode(address);
  socket.on('message', receive);
  socket.on('error', (error) => {
    throw error;
  });
  await new Promise((resolve) => socket.once('open', resolve));
  if (table === undefined) continue;
  socket.send(JSON.stringify({ type: 'hello', v: protocolVersion, secret: randomHex(32) }));
  socket.send(JSON.stringify({ type: 'sit', table }));
}
if (table === undefined) report({ ready: true });
