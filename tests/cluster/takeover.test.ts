import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { defaultLeaseMs } from '../../src/cluster/nodeLeases.ts';
import { seed } from '../seed.ts';
import { PatronSocket, secretOf } from '../server/support/testServer.ts';
import { databases, server, servers } from '../store/postgres/databases.ts';
import { withClient } from '../store/postgres/postgres.ts';
import { proxyTo } from '../store/postgres/proxy.ts';
import { temporaryFolder } from '../temporary.ts';
import { sampleOf, reportToSoak, times } from '../times.ts';
import { NodePair } from './nodePair.ts';
import { playedTables } from './playedTables.ts';

const root = temporaryFolder('nodes');

const kills = times(2);
const killsOfOne = 10;
const chance = createSeededRandom(`${seed} nodes`);

/** Minimum, median and maximum. */
function inOrder(numbers: readonly number[]) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
}

describe('two nodes on one database', () => {
  const { createDatabase } = databases('pair');
  const entriesIn = (database: string): Promise<number> =>
    withClient(server, database, async (client) => {
      const { rows } = await client.query('SELECT count(*)::int AS count FROM entries');
      return rows[0].count as number;
    });

  test(`node that is killed ${kills} times under load, and disconnected from the database in between, loses or doubles no acknowledged slip, bill or ticket; every round ends once, and the event log verifies each time`, async () => {
    const sum = { accepted: 0, moved: 0, settled: 0, voids: 0, starts: 0 };
    const spans: number[] = [];
    // Each kill is followed by a verification, whose time grows with the event log: after some kills a new log is
    // started.
    for (let left = kills; left > 0; left -= killsOfOne) {
      const { pair, events } = await killPrimary(Math.min(left, killsOfOne), spans);
      sum.accepted += pair.accepted;
      sum.moved += pair.moneyOperations;
      sum.settled += events.get('RoundSettled') ?? 0;
      sum.voids += events.get('RoundVoided') ?? 0;
      // A node that has received no heartbeat for a lease time starts the floor anew.
      sum.starts += events.get('FloorStarted') ?? 0;
      const [min, median, max] = inOrder(spans);
      reportToSoak(
        `${spans.length} kills: ${sum.accepted} slips accepted, ${sum.moved} bills and tickets processed, ${sum.settled} rounds settled, ${sum.voids} void, ${sum.starts} starts of a floor; all tables led again after ${min} to ${max} ms, median ${median}, with a lease of ${defaultLeaseMs} ms`,
      );
    }
    expect(spans).toHaveLength(kills);
  });

  async function killPrimary(often: number, spans: number[]) {
    const database = await createDatabase();
    const proxy = await proxyTo(Number(new URL(server).port));
    const addresses = [`postgres://punto@127.0.0.1:${proxy.port}/${database}`, `${server}/${database}`] as const;
    const pair = await NodePair.create(chance, { root, name: database, addresses });
    await pair.open();
    for (let n = 0; n < often; n++) {
      await pair.waitForPlay(10 + chance.below(20));
      // All connections of one node to the database end, within an append or at any moment.
      if (chance.below(2) === 0) {
        proxy.set(chance.below(2) === 0 ? 'lose answer' : 'lose question');
        await pair.nodes[0].until(() => proxy.method === 'shut', 'written anything');
      }
      proxy.cut();
      proxy.set('through');
      await pair.waitForPlay(10 + chance.below(20));
      const killedNode = pair.nodes[chance.below(2)]!;
      const other = pair.otherOf(killedNode);
      const before = performance.now();
      await killedNode.signal('SIGKILL');
      await other.until(() => other.ledTables.length === playedTables.length, 'leads all tables');
      spans.push(Math.round(performance.now() - before));
      await pair.moveClientsFrom(killedNode);
      const verified = pair.verify();
      killedNode.start();
      await pair.waitForShares();
      expect(await verified).toBeUndefined();
    }
    await pair.waitForPlay(20);
    const { problems, events } = await pair.end();
    expect(problems).toEqual([]);
    await proxy.close();
    return { pair, events };
  }

  test('node that sleeps through its leases finds another leader, appends nothing more, and gets its share again', async () => {
    const address = `${server}/${await createDatabase()}`;
    const pair = await NodePair.create(chance, { root, name: 'asleep', addresses: [address, address] });
    await pair.open();
    for (const asleep of sampleOf('asleep', pair.nodes, 1)) {
      await pair.waitForPlay(20);
      const awake = pair.otherOf(asleep);
      await asleep.signal('SIGSTOP');
      await awake.until(() => awake.ledTables.length === playedTables.length, 'leads all tables');
      // Its clients have left by now, or leave as soon as it wakes up.
      await asleep.signal('SIGCONT');
      await pair.waitForShares();
      expect(await pair.verify()).toBeUndefined();
    }
    await pair.waitForPlay(20);
    const { problems, events } = await pair.end();
    expect(problems).toEqual([]);
    expect(events.get('FloorStarted')).toBe(1);
  });

  test('node cut off from the database acknowledges nothing while the other continues', async () => {
    const database = await createDatabase();
    const proxy = await proxyTo(Number(new URL(server).port));
    const addresses = [`postgres://punto@127.0.0.1:${proxy.port}/${database}`, `${server}/${database}`] as const;
    const pair = await NodePair.create(chance, { root, name: 'cut', addresses });
    const [cut, other] = pair.nodes;
    await pair.open(cut);
    await pair.waitForPlay(20);
    proxy.cut();
    await other.until(() => other.ledTables.length === playedTables.length, 'leads all tables');
    // Everything acknowledged before has arrived by now.
    const { accepted, moneyOperations } = pair;
    const appended = await entriesIn(database);
    while ((await entriesIn(database)) < appended + 50) await setTimeout(100);
    expect([pair.accepted, pair.moneyOperations]).toEqual([accepted, moneyOperations]);
    expect(cut.isRunning).toBe(true);
    proxy.set('through');
    await pair.waitForShares();
    await pair.waitForPlay(20);
    const { problems } = await pair.end();
    expect(problems).toEqual([]);
    await proxy.close();
  });

  test('stopping node hands its tables over, the next one takes its share, and no round is interrupted', async () => {
    const address = `${server}/${await createDatabase()}`;
    const pair = await NodePair.create(chance, { root, name: 'ended', addresses: [address, address] });
    await pair.open();
    for (const node of sampleOf('ended', pair.nodes, 1)) {
      await pair.waitForPlay(20);
      const ending = node.signal('SIGTERM');
      const other = pair.otherOf(node);
      await other.until(() => other.ledTables.length === playedTables.length, 'leads all tables');
      await ending;
      await pair.moveClientsFrom(node);
      // On a busy machine a connection between nodes may break and is opened again.
      expect(node.errorOutput.split('\n').filter((line) => !/^(node connection: |$)/.test(line))).toEqual([]);
      node.start();
      await pair.waitForShares();
    }
    await pair.waitForPlay(20);
    // The last node that leaves closes the floor.
    await Promise.all(pair.nodes.map((node) => node.signal('SIGTERM')));
    const { problems, events } = await pair.end();
    expect(problems).toEqual([]);
    expect([events.get('FloorStarted'), events.get('FloorClosed'), events.get('RoundVoided') ?? 0]).toEqual([1, 1, 0]);
  });

  test('ticket that is presented at two nodes at once is paid once', async () => {
    const address = `${server}/${await createDatabase()}`;
    const pair = await NodePair.create(chance, {
      root,
      name: 'ticket',
      addresses: [address, address],
      bettors: 0,
    });
    await pair.open();
    const [one, other] = await Promise.all(
      pair.nodes.map((node, n) => PatronSocket.join(node, secretOf(String(n + 1)), playedTables[0])),
    );
    for (let n = 0; n < 5; n++) {
      one!.send({ type: 'load', id: `load-note-${n}`, amount: 10_000 });
      await one!.receive('loaded', ({ id }) => id === `load-note-${n}`);
      one!.send({ type: 'collect', id: `collect-it-${n}` });
      const { ticket, amount: worth } = await one!.receive('collected', ({ id }) => id === `collect-it-${n}`);
      const redeeming = [one!, other!].map(async (guest, index) => {
        const id = `redeem-it-${n}-${index}`;
        guest.send({ type: 'redeem', id, number: ticket!.number });
        const loaded = guest.receive('loaded', (message) => message.id === id).then(({ amount }) => amount);
        const refused = guest.receive('refused', (message) => message.id === id).then(({ code }) => code);
        return Promise.race([loaded, refused]);
      });
      // A request during the payment is refused as in progress, a later one as already paid.
      const results = await Promise.all(redeeming);
      expect(results.filter((result) => result === worth)).toHaveLength(1);
      expect(results.filter((result) => result === 'ticket-paid' || result === 'ticket-in-doubt')).toHaveLength(1);
    }
    for (const guest of [one!, other!]) guest.terminate();
    await Promise.all(pair.nodes.map((node) => node.signal('SIGTERM')));
    expect(await pair.verify()).toBeUndefined();
    pair.leave();
  });
});

describe('two nodes on a primary with a synchronous standby', () => {
  const { startPair } = servers('takeover');

  /**
   * Kills a primary under load, optionally with one of the nodes, and promotes its standby. Returns what is wrong, and
   * the milliseconds until slips were accepted again.
   */
  async function killed(n: number, isNodeToo: boolean) {
    const { primary, standby, address } = await startPair();
    const pair = await NodePair.create(chance, {
      root,
      name: `primary${n}`,
      addresses: [address, address],
    });
    await pair.open();
    await pair.waitForPlay(20);
    const [killedNode] = pair.nodes;
    const before = performance.now();
    await Promise.all([primary.end('SIGKILL'), ...(isNodeToo ? [killedNode.signal('SIGKILL')] : [])]);
    await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    if (isNodeToo) {
      await pair.moveClientsFrom(killedNode);
      killedNode.start();
    }
    await pair.waitForPlay(20);
    const took = Math.round(performance.now() - before);
    await pair.waitForShares();
    await pair.waitForPlay(20);
    const { problems, events } = await pair.end();
    expect(events.get('FloorStarted')).toBe(1);
    await Promise.all([primary.remove(), standby.remove()]);
    return { wrong: problems, took, accepted: pair.accepted };
  }

  test('primary that is killed under load, with its standby promoted, loses or doubles no acknowledged slip, bill or ticket; every round ends once, and the event log verifies', async () => {
    const [alone, both]: [number[], number[]] = [[], []];
    let sum = 0;
    for (let n = 0; n < times(1); n++) {
      const isNodeToo = n % 2 === 1;
      const { wrong, took, accepted } = await killed(n, isNodeToo);
      expect(wrong).toEqual([]);
      sum += accepted;
      (isNodeToo ? both : alone).push(took);
      const summary = [alone, both].map((spans) => `${spans.length} (${inOrder(spans).join(', ')} ms)`);
      reportToSoak(
        `primaries killed: ${summary[0]}, with a node ${summary[1]}; ${sum} slips accepted; in brackets after how long 20 more were: least, median, most`,
      );
    }
  });
});
