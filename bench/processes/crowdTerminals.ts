// Terminals of the bench `crowd`, in a process of their own. At tables they bet as patrons do: three slips in a round, each
// at some moment while bets are open. Without tables they send messages of the size of a slip to an echo server.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { type WebSocket } from 'ws';
import { systemRandom } from '../../src/runtime/ports/random.ts';
import { newUniqueId } from '../../src/client/environment.ts';
import { type PatronClient } from '../../src/client/patronClient.ts';
import { openWebSocketInNode } from '../../src/client/webSocketInNode.ts';
import { seatedPatron } from '../support/patrons.ts';
import { type Progress } from '../support/progress.ts';
import { endWithBench } from '../support/child.ts';

/** Bet until `slips` slips are acknowledged or the time is over; or send `messages` messages at a rate. */
export type Request =
  | { readonly slips: number; readonly maxSeconds: number }
  | { readonly messages: number; readonly perSecond: number };

/** The milliseconds to each acknowledgement, and how many slips came too late or lost their connection meanwhile. */
export type Measured = {
  readonly times: readonly number[];
  readonly seconds: number;
  readonly late: number;
  readonly lost: number;
};

export type Report = Progress<Measured>;

const [address, count, ...tables] = process.argv.slice(2) as [string, string, ...string[]];
const slipsPerRound = 3;
/** No slip is sent this shortly before bets close. */
const marginMs = 1_000;
/** Terminals that take their seats at the same time. */
const seatingAtOnce = 50;
const lateCodes = new Set<string>(['bets-closed', 'late-raise']);

let [times, late, lost]: [number[], number, number] = [[], 0, 0];
const report = (message: Report): void => void process.send!(message);

/** Runs a task, reports its count whenever it is larger than before, and its result. */
async function reportProgress(currentCount: () => number, task: () => Promise<void>): Promise<void> {
  [times, late, lost] = [[], 0, 0];
  const start = performance.now();
  let reported = 0;
  const timer = setInterval(() => {
    if (currentCount() > reported) report({ count: (reported = currentCount()) });
  }, 1_000);
  await task();
  clearInterval(timer);
  report({ result: { times, seconds: (performance.now() - start) / 1_000, late, lost } });
}

/** Bets three times in a round, one slip after the other. */
function play(patron: PatronClient, table: string): void {
  let last: string | undefined;
  const bet = async (round: string, leftMs: number): Promise<void> => {
    for (let n = 1; n <= slipsPerRound; n++) {
      await setTimeout(systemRandom.below(Math.floor(leftMs / slipsPerRound)));
      const sent = performance.now();
      const answer = await patron.slip(table, round, { player: 100 * n });
      if (answer.type === 'accepted') times.push(performance.now() - sent);
      else if (answer.type === 'refused' && lateCodes.has(answer.code)) late += 1;
      else throw new Error(`A slip was not accepted: ${JSON.stringify(answer)}`);
    }
  };
  patron.watch(({ connection, view, clockOffsetMs }, message) => {
    if (message === undefined && connection === 'lost') lost += 1;
    if (view?.phase !== 'betting' || view.round === null || view.round.id === last) return;
    last = view.round.id;
    const leftMs = view.round.closesAt - (Date.now() + clockOffsetMs) - marginMs;
    if (leftMs > slipsPerRound) void bet(last, leftMs);
  });
}

/** Sends messages through random sockets, spread evenly over the time that the rate makes of them. */
async function echo(sockets: readonly WebSocket[], messages: number, perSecond: number): Promise<void> {
  const slip = { type: 'slip', table: 'tiger-1', round: 'x'.repeat(40), slip: { player: 100 } };
  const spanMs = Math.ceil((messages / perSecond) * 1_000);
  const sendOne = async (): Promise<void> => {
    await setTimeout(systemRandom.below(spanMs));
    const id = newUniqueId();
    const socket = sockets[systemRandom.below(sockets.length)]!;
    const received = Promise.withResolvers<void>();
    const receive = (data: Buffer): void => {
      if ((JSON.parse(data.toString('utf8')) as { id: string }).id === id) received.resolve();
    };
    socket.on('message', receive);
    const sent = performance.now();
    socket.send(JSON.stringify({ ...slip, id }));
    await received.promise;
    times.push(performance.now() - sent);
    socket.off('message', receive);
  };
  await Promise.all(Array.from({ length: messages }, sendOne));
}

const sockets: WebSocket[] = [];
const seated: { readonly patron: PatronClient; readonly table: string }[] = [];
const connect = async (n: number): Promise<void> => {
  const table = tables[n % tables.length];
  if (table === undefined) {
    const socket = openWebSocketInNode(address);
    await once(socket, 'open');
    sockets.push(socket);
  } else seated.push({ patron: (await seatedPatron(address, table)).patron, table });
};

endWithBench();

/** A server that is overloaded loses connections again: only those that are there at once count. */
const connected = (): number =>
  sockets.length + seated.filter(({ patron }) => patron.state.connection === 'open').length;

await reportProgress(connected, async () => {
  let next = 0;
  const seatNext = async (): Promise<void> => {
    while (next < Number(count)) await connect(next++);
  };
  await Promise.all(Array.from({ length: seatingAtOnce }, seatNext));
  while (connected() < Number(count)) await setTimeout(10);
});
for (const { patron, table } of seated) play(patron, table);
process.on('message', (request: Request) =>
  reportProgress(
    () => times.length,
    async () => {
      if ('messages' in request) return echo(sockets, request.messages, request.perSecond);
      const end = performance.now() + 1_000 * request.maxSeconds;
      const isDone = (): boolean => times.length >= request.slips || (times.length > 0 && performance.now() > end);
      while (!isDone()) await setTimeout(10);
    },
  ),
);
