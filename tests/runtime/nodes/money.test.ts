import { expect, test } from 'vitest';
import { type CommandResult } from '../../../src/runtime/stream/pendingCommand.ts';
import { type CommandRefusal } from '../../../src/runtime/stream/refusals.ts';
import { type CollectResult } from '../../../src/runtime/terminals/ticketService.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../support/demo.ts';
import { seatPatron } from '../support/testDependencies.ts';
import { type TestNode, TestCluster, phaseAt, secondTable, slipOf, tableAt } from '../support/testCluster.ts';
import { playAttendedRoundOn, attendedSettings } from '../support/attendedFloor.ts';

// Several processes post the money of one property: each has a possibly stale balance, and reads again before it
// counts.

/** Two nodes without a connection, each with a table that takes bets, and a patron with credit at the first. */
async function openUnconnected(more: Parameters<TestCluster['addNode']>[1] = {}) {
  const nodes = new TestCluster();
  const a = await nodes.addNode('a', more);
  const b = await nodes.addNode('b', more);
  await nodes.takeLease(a, 'baccarat');
  await nodes.takeLease(b, secondTable);
  await nodes.until(() => phaseAt(a) === 'betting' && phaseAt(b, secondTable) === 'betting');
  const session = await seatPatron(a.floor, 'hash', demoCredit);
  await flushPromises();
  expect(b.floor.terminals.creditOf('T1-1')).toBe(demoCredit);
  nodes.areHintsLost = true;
  const account = `demo/XTS/terminal/${session}`;
  const amount = async (): Promise<number> => (await nodes.store.balance(account as never)).amount;
  return { nodes, a, b, session, amount };
}

const load = (node: TestNode, terminal: string, id: string, amount: number) =>
  node.floor.terminals.submit(terminal, id, { type: 'LoadCredit', method: 'cash', amount });

const summaryOf = (result: CommandResult | CollectResult | CommandRefusal): string =>
  'refused' in result ? result.refused : 'yes';

async function expectClean({ store, nodes }: TestCluster): Promise<void> {
  expect((await verifyStore(store)).problem).toBeUndefined();
  for (const { warnings } of nodes.values()) expect(warnings).toEqual([]);
}

test('credit from another node is read before a slip is refused, and only then', async () => {
  const { nodes, a, b, session, amount } = await openUnconnected();
  const table = tableAt(b, secondTable);
  nodes.balancesRead.length = 0;
  expect(summaryOf(await table.submit('s1', slipOf(b, session, 1000, secondTable)))).toBe('yes');
  expect(await load(a, 'T1-1', 'l1', 50_000)).toHaveProperty('entries');
  expect(summaryOf(await table.submit('s2', slipOf(b, session, 50_000, secondTable)))).toBe('yes');
  nodes.balancesRead.length = 0;
  expect(summaryOf(await table.submit('s3', slipOf(b, session, 2_000, secondTable)))).toBe('yes');
  expect(nodes.balancesRead).toEqual([]);
  // A refusal follows from a fresh read, and shows the credit of it.
  expect(summaryOf(await tableAt(a).submit('s4', slipOf(a, session, 50_000)))).toBe('yes');
  await load(a, 'T1-1', 'l2', 1_000);
  const other = await seatPatron(b.floor, 'other', 500);
  expect(summaryOf(await table.submit('s5', slipOf(b, other, 1_000, secondTable)))).toBe('not-enough-credit');
  expect(nodes.balancesRead).toContain(`demo/XTS/terminal/${other}`);
  expect(await amount()).toBe(demoCredit + 51_000 - 52_000);
  await expectClean(nodes);
});

test('commands behind a slip that needs a fresh read keep their order', async () => {
  const { nodes, a, b, session } = await openUnconnected();
  const other = await seatPatron(b.floor, 'other', demoCredit);
  await b.floor.terminals.open('T1-1');
  expect(await load(a, 'T1-1', 'l1', 900)).toHaveProperty('entries');
  const table = tableAt(b, secondTable);
  // The first takes all known credit: the second needs a fresh read, and those behind it wait.
  const slips = [{ player: 50_000, banker: 50_000 }, { player: 50_000, banker: 50_000, tie: 500 }, { player: 50_000 }];
  const results = await Promise.all([
    ...slips.map((slip, n) => table.submit(`s${n}`, { ...slipOf(b, session, 0, secondTable), slip })),
    table.submit('o1', slipOf(b, other, 700, secondTable)),
  ]);
  expect(results.map(summaryOf)).toEqual(['yes', 'yes', 'yes', 'yes']);
  const taken = b.published.filter(({ event }) => event.type === 'SlipSet').map(({ command }) => command.id);
  expect(taken).toEqual(['s0', 's1', 's2', 'o1']);
  expect(table.table.round!.slips).toMatchObject({ [session]: slips[2], [other]: { player: 700 } });
  await expectClean(nodes);
});

test('[READING 60] slip at one node and COLLECT at another at once: one takes the credit', async () => {
  for (const isSlipFirst of [true, false]) {
    const { nodes, a, b, session, amount } = await openUnconnected();
    const slip = () => tableAt(a).submit('s1', slipOf(a, session, 1000));
    const collect = () => b.floor.terminals.collect('T1-1', 'c1', 'cash');
    const both = isSlipFirst ? [slip(), collect()] : [collect(), slip()];
    const results = (await nodes.waitFor(Promise.all(both))).map(summaryOf);
    expect(results.filter((one) => one === 'yes')).toHaveLength(1);
    expect([0, demoCredit - 1000]).toContain(await amount());
    await expectClean(nodes);
  }
});

test('[READING 60] COLLECT at a node without notifications knows open stakes, and those taken off again', async () => {
  const { nodes, a, b, session, amount } = await openUnconnected();
  expect(summaryOf(await tableAt(a).submit('s1', slipOf(a, session, 1000)))).toBe('yes');
  expect(summaryOf(await b.floor.terminals.collect('T1-1', 'c1', 'cash'))).toBe('stakes-open');
  expect(summaryOf(await tableAt(a).submit('s2', slipOf(a, session, 0)))).toBe('yes');
  const collected = await b.floor.terminals.collect('T1-1', 'c2', 'cash');
  expect(collected).toMatchObject({ entries: [{ event: { amount: demoCredit } }] });
  expect(await amount()).toBe(0);
  // The next load is in the next session; a node without the notification learns that from the store.
  expect(summaryOf(await a.floor.terminals.collect('T1-1', 'c3', 'cash'))).toBe('nothing-to-collect');
  expect(await load(a, 'T1-1', 'l1', 500)).toMatchObject({ entries: [{ event: { session: 2 } }] });
  await expectClean(nodes);
});

test('stake that returns while the tables are read is counted, so that nothing is left behind', async () => {
  const { nodes, a, b, session, amount } = await openUnconnected();
  await tableAt(a).submit('s1', slipOf(a, session, 1000));
  await b.floor.terminals.open('T1-1');
  // The stake is taken off between the reads of the credit and of the tables.
  nodes.beforeHeads = async () => void (await tableAt(a).submit('s2', slipOf(a, session, 0)));
  expect(await b.floor.terminals.collect('T1-1', 'c1', 'cash')).toMatchObject({
    entries: [{ event: { amount: demoCredit } }],
  });
  expect(await amount()).toBe(0);
  await expectClean(nodes);
});

test('[READING 60] stake set after the tables were read counts: they are read again', async () => {
  const { nodes, a, b, session, amount } = await openUnconnected();
  await b.floor.terminals.open('T1-1');
  nodes.afterHeads = async () => void (await tableAt(a).submit('s1', slipOf(a, session, 1000)));
  expect(summaryOf(await b.floor.terminals.collect('T1-1', 'c1', 'cash'))).toBe('stakes-open');
  expect(await amount()).toBe(demoCredit - 1000);
  await expectClean(nodes);
});

test('[READING 60] session limits set at another node hold, with a fresh credit', async () => {
  const { nodes, a, session } = await openUnconnected();
  expect(await a.floor.terminals.submit('T1-1', 'l1', { type: 'LimitSession', loss: 1_000 })).toHaveProperty('entries');
  // Submitted at the node that knows it.
  expect(summaryOf(await tableAt(a, secondTable).submit('s1', slipOf(a, session, 1_100, secondTable)))).toBe(
    'over-loss-limit',
  );
  expect(summaryOf(await tableAt(a, secondTable).submit('s2', slipOf(a, session, 600, secondTable)))).toBe('yes');
  // At the other table the stake of this one counts as lost, though that node has no notification of it.
  expect(summaryOf(await tableAt(a).submit('s3', slipOf(a, session, 500)))).toBe('over-loss-limit');
  expect(summaryOf(await tableAt(a).submit('s4', slipOf(a, session, 400)))).toBe('yes');
  expect(summaryOf(await tableAt(a, secondTable).submit('s5', slipOf(a, session, 700, secondTable)))).toBe(
    'over-loss-limit',
  );
  await expectClean(nodes);
});

test('ticket is found at a node without notifications, and paid once when two nodes pay at once', async () => {
  const { nodes, a, b } = await openUnconnected();
  for (const [node, secret] of [
    [a, 'x'],
    [b, 'y'],
  ] as const) {
    await seatPatron(node.floor, secret, 500);
  }
  const collected = await a.floor.tickets.collect('T1-1', 'c1');
  if ('refused' in collected || collected.ticket === null) throw new Error(JSON.stringify(collected));
  const { number, id } = collected.ticket;
  expect(b.floor.tickets.find(number)).toBeUndefined();
  await b.floor.tickets.refreshNumber(number);
  expect(b.floor.tickets.find(number)).toBe(id);
  await b.floor.tickets.refreshNumber('000000000000000000');
  expect(b.floor.tickets.find('000000000000000000')).toBeUndefined();
  const results = await Promise.all([
    a.floor.tickets.redeem('T1-2', 'r1', number)!,
    b.floor.tickets.redeem('T2-1', 'r2', number)!,
  ]);
  expect(results.map(summaryOf).toSorted()).toEqual(['ticket-paid', 'yes']);
  const [loser, terminal] = summaryOf(results[0]) === 'yes' ? [b, 'T2-1'] : [a, 'T1-2'];
  expect(summaryOf(await loser.floor.tickets.redeem(terminal, 'r3', number)!)).toBe('ticket-paid');
  expect(await nodes.store.balance(`demo/XTS/ticket/${id}`)).toMatchObject({ amount: 0, version: 2 });
  await expectClean(nodes);
});

test('[HOUSE 2] outstanding hand-pay is read before it is paid or refused', async () => {
  const { nodes, a, b } = await openUnconnected({ handPayLimit: 500 });
  await b.floor.terminals.open('T1-1');
  expect(await a.floor.tickets.collect('T1-1', 'c1')).toMatchObject({ amount: demoCredit, ticket: null });
  const pay = (node: TestNode, id: string) =>
    node.floor.terminals.submit(
      'T1-1',
      id,
      {
        type: 'PayByHand',
        actor: { person: 's1' },
        what: 'cancelled-credit',
        amount: demoCredit,
        second: { person: 'p1' },
      },
      { authority: { role: 'supervisor' }, secondAuthority: { role: 'pit-manager' } },
    );
  expect(summaryOf(await pay(b, 'h1'))).toBe('yes');
  expect(summaryOf(await pay(a, 'h2'))).toBe('over-amount-due');
  await expectClean(nodes);
});

test('[HOUSE 10] reversal beyond the credit becomes a shortfall, and nothing waits for it', async () => {
  const nodes = new TestCluster([attendedSettings]);
  const a = await nodes.addNode('a');
  const b = await nodes.addNode('b');
  await nodes.takeLease(a, attendedSettings.table);
  const { table, submitAs, round, time } = await playAttendedRoundOn(a, 'several');
  // A first settlement reverses nothing and reads no balance; the other node has read the balances of the terminals in
  // its notifications.
  expect(nodes.balancesRead).toEqual(
    ['T1-1', 'T1-2'].flatMap((one) => [`demo/XTS/terminal/${one}.1`, `demo/XTS/hand-pay/${one}`]),
  );
  nodes.areHintsLost = true;
  expect(await b.floor.terminals.collect('T1-1', 'c1', 'cash')).toMatchObject({
    entries: [{ event: { amount: demoCredit + 1_000 } }],
  });
  nodes.balancesRead.length = 0;
  const correct = { round, place: 4, card: '7S', reason: 'A wrong scan.' };
  expect(await submitAs('s1', 'supervisor', 'CorrectCard', correct)).toHaveProperty('entries');
  const { id: proposal, hash } = table.table.proposal!;
  expect(await submitAs('m1', 'gaming-shift-manager', 'Approve', { proposal, hash })).toHaveProperty('entries');
  await flushPromises();
  while (table.table.pendingSettlements.length > 0 && (await time.next())) await flushPromises();
  expect(nodes.balancesRead).toContain('demo/XTS/terminal/T1-1.1');
  expect(table.table.shortfalls).toEqual({ 'T1-1.1': { [round]: 1_000 } });
  await expectClean(nodes);
});
