// Many terminals in a process of their own. At tables they stake as people do: three slips a round, each at some moment
// while bets are open. Without tables they send what a slip weighs to a server that gives it back, at the rate asked for.
import { once } from 'node:events';
import { type WebSocket } from 'ws';
import { systemChance } from '../src/floor/chance.ts';
import { freshId } from '../src/client/world.ts';
import { type Patron } from '../src/client/patron.ts';
import { socketTo } from '../src/client/node.ts';
import { seatedPatron } from './patrons.ts';

export type Asked = { readonly time: number; readonly perSecond?: number };
/** How long each acknowledged slip took, and how many came too late or lost their link. Sent empty once all are there. */
export type Told = { readonly times: readonly number[]; readonly late: number; readonly lost: number };

const [address, count, ...tables] = process.argv.slice(2) as [string, string, ...string[]];
const slipsARound = 3;
/** Nobody stakes in the last second. */
const tooLate = 1_000;
/** So many come in at a time. */
const atOnce = 50;

let [times, late, lost]: [number[], number, number] = [[], 0, 0];
const tell = (): void => void process.send!({ times, late, lost } satisfies Told);

/** Stakes something more, three times a round, one slip after the other. */
function play(patron: Patron, table: string): void {
  let last: string | undefined;
  const stake = async (round: string, left: number): Promise<void> => {
    for (let n = 1; n <= slipsARound; n++) {
      await new Promise((resolve) => setTimeout(resolve, systemChance.below(Math.floor(left / slipsARound))));
      const sent = performance.now();
      const answer = await patron.slip(table, round, { player: 100 * n });
      if (answer.type === 'accepted') times.push(performance.now() - sent);
      else late += 1;
    }
  };
  patron.watch(({ link, view, ahead }, told) => {
    if (told === undefined && link === 'lost') lost += 1;
    if (view?.phase !== 'betting' || view.round === null || view.round.id === last) return;
    last = view.round.id;
    const left = view.round.closesAt - (Date.now() + ahead) - tooLate;
    if (left > slipsARound) void stake(last, left);
  });
}

/** Sends at random sockets, spread evenly over the time. */
async function echo(sockets: readonly WebSocket[], { time, perSecond = 0 }: Asked): Promise<void> {
  const slip = { type: 'slip', table: 'tiger-1', round: 'x'.repeat(40), slip: { player: 100 } };
  const messages = Math.round((perSecond * time) / 1000);
  const one = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, systemChance.below(time)));
    const id = freshId();
    const socket = sockets[systemChance.below(sockets.length)]!;
    const heard = Promise.withResolvers<void>();
    const hear = (data: Buffer): void => {
      if ((JSON.parse(data.toString('utf8')) as { id: string }).id === id) heard.resolve();
    };
    socket.on('message', hear);
    const sent = performance.now();
    socket.send(JSON.stringify({ ...slip, id }));
    await heard.promise;
    times.push(performance.now() - sent);
    socket.off('message', hear);
  };
  await Promise.all(Array.from({ length: messages }, one));
}

const sockets: WebSocket[] = [];
const arrive = async (n: number): Promise<void> => {
  const table = tables[n % tables.length];
  if (table === undefined) {
    const socket = socketTo(address);
    await once(socket, 'open');
    sockets.push(socket);
    return;
  }
  const { patron } = await seatedPatron(address, table);
  play(patron, table);
};

for (let n = 0; n < Number(count); n += atOnce) {
  await Promise.all(Array.from({ length: Math.min(atOnce, Number(count) - n) }, (_, place) => arrive(n + place)));
}
tell();
process.on('message', async (asked: Asked) => {
  [times, late, lost] = [[], 0, 0];
  if (asked.perSecond === undefined) await new Promise((resolve) => setTimeout(resolve, asked.time));
  else await echo(sockets, asked);
  tell();
});
