import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { staffProtocolVersion } from '../../src/wire/staff/protocolVersion.ts';
import { TestScheduler } from '../server/support/testScheduler.ts';
import { startTestServer } from '../server/support/testServer.ts';
import { demoSignIn } from '../server/staff/pit.ts';
import { migrate } from './migrate.ts';

/** A step of a transcript: a message of the page or time that passes, and the messages of the server until all is quiet. */
type Step = {
  readonly send?: { readonly type: string };
  readonly pass?: number;
  readonly received: readonly { readonly type: string }[];
};

/**
 * The transcripts are those of 0.2, but for fields that 0.3 adds or drops, which no rename can give: settings have
 * `opening`, a shoe has `shuffle`, and the effects of a proposal are in the proposal.
 */
const stepsIn = (file: string): readonly Step[] =>
  readFileSync(new URL(`fixtures/sockets/${file}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);

/** Without times, hashes and sentences: times differ from run to run, hashes with the names, and sentences are not data. */
function comparable(value: unknown): unknown {
  if (typeof value === 'number') return value > 1_500_000_000_000 ? 'time' : value;
  if (typeof value === 'string') {
    return value
      .replaceAll(/[0-9a-f]{64}/g, 'hash')
      .replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, 'day')
      .replaceAll(/-[0-9a-f]{8}\b/g, '-id')
      .replaceAll(/\b1[5-9]\d{11}\b/g, 'time');
  }
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'message' && name !== 'v')
      .map(([name, field]) => [name, comparable(field)]),
  );
}

const byType = (messages: readonly { readonly type: string }[]): unknown =>
  Object.fromEntries(
    [...Map.groupBy(messages, ({ type }) => type)].map(([type, list]) => [type, list.map((one) => comparable(one))]),
  );

test.each([
  { surface: 'patron socket', file: 'patron-socket', path: 'socket', v: protocolVersion, signIn: false },
  { surface: 'staff socket', file: 'staff-socket', path: 'staff-socket', v: staffProtocolVersion, signIn: true },
])('a transcript of the $surface of 0.2, translated by the migration list alone, is answered alike', async (of) => {
  const time = new TestScheduler();
  const server = await startTestServer({
    tables: ['tiger', 'baccarat'],
    scheduler: time,
    key: Buffer.alloc(32, 7),
    initialStaff: { demo: true },
    times: { bettingTime: 5_000, grace: 0, pause: 0 },
  });
  const headers = {
    origin: new URL(server.address).origin,
    ...(of.signIn && { cookie: await demoSignIn(server, 'S-1') }),
  };
  const socket = new WebSocket(`ws://${new URL(server.address).host}/${of.path}`, { headers });
  const received: { readonly type: string; readonly view?: { readonly round?: { readonly id: string } | null } }[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as { type: string };
    if (message.type !== 'heartbeat') received.push(message);
  });
  await new Promise((opened) => socket.once('open', opened));
  const steps = stepsIn(of.file);
  let expected = 0;
  for (const [index, { send, pass, received: answers }] of steps.entries()) {
    if (send !== undefined) {
      const round = received.findLast(({ type }) => type === 'table')?.view?.round?.id;
      const message = { ...(migrate(send, of.surface) as object), ...('round' in send && { round }) };
      socket.send(JSON.stringify(index === 0 ? { ...message, v: of.v } : message));
    }
    if (pass !== undefined) await time.advance(pass);
    expected += answers.length;
    await expect.poll(() => received.length, { timeout: 20_000, message: `step ${index}` }).toBe(expected);
  }
  // Messages of different types overtake each other.
  const answers = steps.flatMap((step) => step.received.map((message) => migrate(message, of.surface)));
  expect(byType(received)).toEqual(byType(answers as typeof received));
  socket.close();
  await server.close();
});
