import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newUniqueId } from '../../src/client/environment.ts';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { demoBillDenominations } from '../../src/wire/billDenominations.ts';
import { demoPin } from '../../src/runtime/staff/initialStaff.ts';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { type StaffServerMessage } from '../../src/wire/staff/messages.ts';
import { seed } from '../seed.ts';
import { databases, server, servers } from '../store/postgres/databases.ts';
import { temporaryFolder } from '../temporary.ts';
import { reportToSoak, times } from '../times.ts';
import { NodePair } from './nodePair.ts';
import { handPayLimit } from './pace.ts';
import { playedTables } from './playedTables.ts';
import { PatronAtBothNodes } from './patronAtBothNodes.ts';
import { type RequestWithId } from './senderAtBothNodes.ts';
import { StaffAtBothNodes } from './staffAtBothNodes.ts';

// Each request goes to two nodes at the same moment, with one id. Both answer the same: the entry is stored once, and
// the node that comes second finds it before it refuses. A refusal by both nodes stores nothing.

const root = temporaryFolder('same');
const chance = createSeededRandom(`${seed} same answer`);
const pairs = times(40);
const newSecret = (): string => Array.from({ length: 64 }, () => chance.below(16).toString(16)).join('');
const [table] = playedTables as [string];

type Answer = ServerMessage | StaffServerMessage;

/** Codes that a slip gets by the time at which it is decided, whatever its stakes. */
const lateCodes: ReadonlySet<string> = new Set(['bets-closed', 'late-raise', 'late-withdrawal']);

/**
 * True for two refusals of a slip of which the bets closed before at least one was decided. A refusal is not stored, so
 * the second node names the reason of its own moment.
 */
const isRefusedLate = ({ type }: RequestWithId, replies: readonly Answer[]): boolean => {
  const codes = replies.map((reply) => (reply.type === 'refused' ? reply.code : ''));
  return type === 'slip' && !codes.includes('') && codes.some((code) => lateCodes.has(code));
};

/** Counts of pairs by request and answer, and the pairs whose answers differ. */
class Answers {
  readonly counts = new Map<string, number>();
  readonly different: string[] = [];
  readonly #requests = new Map<string, { readonly request: RequestWithId; readonly isRefused: boolean }>();
  /** Number of slips that were refused for two reasons, at least one of them the close. */
  lateForTwoReasons = 0;

  get total(): number {
    return this.#requests.size;
  }

  add(request: RequestWithId, replies: readonly Answer[]): Answer {
    const [one] = replies as [Answer];
    const [first, second] = replies.map(withoutMessage);
    if (first !== second) {
      if (isRefusedLate(request, replies)) this.lateForTwoReasons += 1;
      else this.different.push(`${JSON.stringify(request)}: ${first} and ${second}`);
    }
    const name = `${nameOf(request)} ${one.type === 'refused' ? one.code : one.type}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.#requests.set(request.id, { request, isRefused: one.type === 'refused' });
    return one;
  }

  /** Requests that were refused and are stored, or that were carried out and are not stored exactly once. */
  contradictions(storedIds: readonly string[]): readonly string[] {
    // The terminal or the person is part of the stored id.
    const stored = Map.groupBy(storedIds, (id) => id.split('/', 1)[0]!);
    return [...this.#requests].flatMap(([id, { request, isRefused }]) => {
      const found = stored.get(id) ?? [];
      if (found.length === (isRefused ? 0 : 1)) return [];
      return [`${JSON.stringify(request)}: ${isRefused ? 'refused' : 'done'}, stored as ${found.join(', ')}`];
    });
  }
}

/** A refusal without its sentence, which may name an amount or a time of the moment. */
const withoutMessage = (answer: Answer): string =>
  JSON.stringify(answer.type === 'refused' ? { type: answer.type, id: answer.id, code: answer.code } : answer);

/** Name of a request; a command of staff is named by its type. */
const nameOf = ({ type, request }: RequestWithId): string =>
  type === 'terminal' ? (request as { readonly type: string }).type : type;

type Asker = (type: string, fields?: object) => Promise<Answer>;
type StaffAsker = (number: 'C-1' | 'S-1', type: string, fields: object) => Promise<Answer>;

/** Every money command of a terminal without stakes, accepted and refused. Gives the number of an unpaid ticket. */
async function moveMoney(ask: Asker): Promise<string | undefined> {
  await ask('load', { amount: demoBillDenominations[0] });
  await ask('limit', { stake: 1_000 });
  await ask('limit', { stake: 2_000 });
  await ask('pause', { minutes: 1 });
  const collected = await ask('collect');
  await ask('collect');
  const number = ticketNumberOf(collected);
  if (number === undefined) return undefined;
  await ask('redeem', { number });
  await ask('redeem', { number });
  return ticketNumberOf(await ask('collect'));
}

const ticketNumberOf = (answer: Answer): string | undefined =>
  answer.type === 'collected' ? answer.ticket?.number : undefined;

/** The other commands with which a new terminal may begin, in turn. */
const otherFirstCommands = [
  ['collect', {}],
  ['limit', { stake: 1_000 }],
  ['pause', { minutes: 1 }],
] as const;

/** Slips of a terminal in one round, accepted and refused, the last without stakes. */
async function setSlips(patron: PatronAtBothNodes, ask: Asker): Promise<void> {
  const round = await patron.bettingRound();
  for (const slip of [{ tie: 100 }, { tie: 200 }, { tie: 99_999_900 }, { tie: 150 }, {}, { tie: 300 }, {}])
    await ask('slip', { table, round, slip });
}

/** Every money command of staff, accepted and refused: cash, a ticket, and a hand-pay by three persons. */
async function moveMoneyByStaff(
  patron: PatronAtBothNodes,
  supervisor: StaffAtBothNodes,
  ask: Asker,
  askByStaff: StaffAsker,
): Promise<void> {
  await ask('load', { amount: demoBillDenominations[0] });
  const terminal = await patron.terminal();
  const byStaff = (number: 'C-1' | 'S-1', type: string, fields: object = {}, more: object = {}): Promise<Answer> =>
    askByStaff(number, 'terminal', { terminal, request: { type, ...fields }, ...more });
  const cash = { method: 'cash', amount: 5_000 };
  await byStaff('C-1', 'LoadCredit', cash);
  await byStaff('S-1', 'LoadCredit', cash);
  await byStaff('C-1', 'CollectCredit', { method: 'cash' });
  await byStaff('C-1', 'CollectCredit', { method: 'cash' });
  await ask('load', { amount: demoBillDenominations[0] });
  const ticket = ticketNumberOf(await ask('collect'));
  for (let n = 0; n < 2; n++) await askByStaff('C-1', 'pay', { ticket });
  const amount = handPayLimit + cash.amount;
  await byStaff('C-1', 'LoadCredit', { method: 'cash', amount });
  await ask('collect');
  await byStaff('S-1', 'ProposeHandPay', { what: 'cancelled-credit', amount });
  const { id: proposal, hash } = await supervisor.handPayProposal(terminal);
  await byStaff('S-1', 'ApproveHandPay', { proposal, hash }, { number: 'M-1', pin: demoPin });
  for (let n = 0; n < 2; n++) await byStaff('C-1', 'PaySigned', { signature: 1 });
  await ask('load', { amount: demoBillDenominations[0] });
  await byStaff('S-1', 'UnlockTerminal', { reason: 'The hand-pay is paid.' });
}

/** Sends requests of new terminals until there are enough pairs, and until `isOver`. */
async function askPairs(pair: NodePair, answers: Answers, isOver: () => boolean): Promise<number> {
  let resends = 0;
  let ticket: string | undefined;
  const staff = { 'C-1': new StaffAtBothNodes(pair.nodes, 'C-1'), 'S-1': new StaffAtBothNodes(pair.nodes, 'S-1') };
  const askByStaff: StaffAsker = async (number, type, fields) => {
    const request = { type, id: newUniqueId(), ...fields };
    return answers.add(request, await staff[number].ask(request));
  };
  for (let n = 0; answers.total < pairs || !isOver(); n++) {
    const patron = new PatronAtBothNodes(pair.nodes, newSecret(), table);
    await patron.connect();
    const ask: Asker = async (type, fields = {}) => {
      const request = { type, id: newUniqueId(), ...fields };
      return answers.add(request, await patron.ask(request));
    };
    const turn = n % (5 + otherFirstCommands.length);
    if (turn === 0) ticket = await moveMoney(ask);
    else if (turn === 1) await setSlips(patron, ask);
    else if (turn === 2) await moveMoneyByStaff(patron, staff['S-1'], ask, askByStaff);
    else if (turn === 3 && ticket !== undefined) await ask('redeem', { number: ticket });
    else if (turn === 4) await ask('slip', { table, round: await patron.bettingRound(), slip: {} });
    else {
      const [type, fields] = otherFirstCommands[turn % otherFirstCommands.length]!;
      await ask(type, fields);
    }
    resends += patron.resends;
    patron.disconnect();
  }
  for (const one of Object.values(staff)) {
    resends += one.resends;
    one.disconnect();
  }
  return resends;
}

function report(answers: Answers, resends: number, what: string): void {
  const { total, different, lateForTwoReasons } = answers;
  const counts = [...answers.counts].map(([name, count]) => `${count} ${name}`).toSorted();
  reportToSoak(
    `${total} pairs ${what}, ${different.length} of them with two answers, ${lateForTwoReasons} late slips refused for two reasons, ${resends} requests sent again: ${counts.join(', ')}`,
  );
}

describe('one command id at two nodes', () => {
  const { createDatabase } = databases('same');
  const { startPair } = servers('same');

  test(`${pairs} requests that are sent to both nodes at once get one answer each`, async () => {
    const address = `${server}/${await createDatabase()}`;
    const pair = await NodePair.create(chance, {
      root,
      name: 'still',
      addresses: [address, address],
      bettingTime: 5_000,
      bettors: 0,
      staff: true,
    });
    for (const node of pair.nodes) node.start();
    await pair.waitForShares();
    const answers = new Answers();
    const resends = await askPairs(pair, answers, () => true);
    report(answers, resends, 'at two nodes');
    expect(answers.different).toEqual([]);
    expect(answers.counts.get('collect collected')).toBeGreaterThan(0);
    expect(answers.counts.get('collect nothing-to-collect')).toBeGreaterThan(0);
    expect(answers.counts.get('slip accepted')).toBeGreaterThan(0);
    expect(answers.counts.get('redeem loaded')).toBeGreaterThan(1);
    for (const done of ['LoadCredit', 'CollectCredit', 'pay', 'ProposeHandPay', 'ApproveHandPay', 'PaySigned'])
      expect(answers.counts.get(`${done} done`), done).toBeGreaterThan(0);
    expect(answers.contradictions(await pair.storedCommandIds())).toEqual([]);
    await Promise.all(pair.nodes.map((node) => node.signal('SIGTERM')));
    expect(await pair.verify()).toBeUndefined();
  });

  test('requests that are sent to both nodes at once get one answer each while tables change their leader and the primary is killed', async () => {
    const { primary, standby, address } = await startPair();
    const pair = await NodePair.create(chance, {
      root,
      name: 'moving',
      addresses: [address, address],
      bettingTime: 5_000,
      bettors: 0,
      staff: true,
      leaseMs: 2_000,
    });
    for (const node of pair.nodes) node.start();
    await pair.waitForShares();
    const answers = new Answers();
    let isOver = false;
    const running = askPairs(pair, answers, () => isOver);
    const after = async (more: number): Promise<void> => {
      const enough = answers.total + more;
      while (answers.total < enough) await setTimeout(20);
    };
    const faults = Array.from({ length: times(1) }, () => pair.nodes).flat();
    const spacing = Math.floor(pairs / (faults.length + 2));
    for (const node of faults) {
      await after(spacing);
      await node.signal(node === pair.nodes[0] ? 'SIGKILL' : 'SIGTERM');
      const other = pair.otherOf(node);
      await other.until(() => other.ledTables.length === playedTables.length, 'leads all tables');
      node.start();
      await pair.waitForShares();
    }
    await after(spacing);
    await primary.end('SIGKILL');
    await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    await after(spacing);
    isOver = true;
    report(answers, await running, 'while leaders changed and a primary was killed');
    expect(answers.different).toEqual([]);
    expect(answers.contradictions(await pair.storedCommandIds())).toEqual([]);
    await Promise.all(pair.nodes.map((node) => node.signal('SIGKILL')));
    await Promise.all([primary.remove(), standby.remove()]);
  });
});
