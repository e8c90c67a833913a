import { describe, expect, test } from 'vitest';
import { flushPromises } from '../chaos/time.ts';
import { minScryptCost } from '../../src/runtime/staff/credentialStore.ts';
import { type SignInResult } from '../../src/runtime/staff/signInService.ts';
import { cannotRecord } from '../../src/runtime/stream/refusals.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { enrolled, eventsOf, id, letIn, office, password, pin } from './peopled.ts';
import { neighbours, pass } from './neighbours.ts';
import { demoCredit, demoOwner } from './demo.ts';
import { ticketAccount } from '../../src/ledger/accounts.ts';

const typesIn = async (store: Store, stream: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const entries of store.read(stream)) found.push(...entries.map(({ event }) => event.type));
  return found;
};

describe('a secret at two nodes', () => {
  test('that was seated at one node leads to the same terminal at the other, with its credit', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.heard();
    expect([terminal, other.terminals.terminalOf('a')]).toEqual(['T1-1', 'T1-1']);
    expect(other.terminals.isRegistered(terminal)).toBe(true);
    await other.terminals.refresh(terminal);
    expect(other.terminals.creditOf(terminal)).toBe(demoCredit);
    // What is written there later is read on.
    await one.terminals.submit(terminal, 'note-1', { type: 'LoadCredit', method: 'bill', amount: 1000, bill: 1000 });
    await other.terminals.refresh(terminal);
    expect(other.terminals.creditOf(terminal)).toBe(demoCredit + 1000);
    expect(other.terminals.openSession(terminal)).toMatchObject({ loaded: demoCredit + 1000 });
  });

  test('is read from the store when the notification was lost', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    hints.isLost = true;
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    expect([other.terminals.terminalOf('a'), other.terminals.isRegistered(terminal)]).toEqual([undefined, false]);
    expect(await other.terminals.refreshSecrets(['a', 'b'])).toBeUndefined();
    expect([other.terminals.terminalOf('a'), other.terminals.terminalOf('b')]).toEqual([terminal, undefined]);
    await one.terminals.bindings.revoke('a', terminal);
    expect(other.terminals.isRevoked('a')).toBe(false);
    await other.terminals.refreshSecrets(['a', 'b']);
    expect([other.terminals.isRevoked('a'), other.terminals.terminalOf('a')]).toEqual([true, undefined]);
    expect(other.relinked).toEqual(['a', 'a']);
    // Nothing is new in what was read before.
    await other.terminals.refreshSecrets(['a', 'b']);
    expect(other.relinked).toHaveLength(2);
    expect(await other.terminals.isRegisteredAnywhere(terminal)).toBe(true);
    expect(await other.terminals.isRegisteredAnywhere('T9')).toBe(false);
  });

  test('that is revoked at one node is revoked at the other after the notification', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.heard();
    await one.terminals.bindings.revokeAllOf(terminal);
    await hints.heard();
    expect(other.terminals.isRevoked('a')).toBe(true);
    expect(await other.terminals.seat('a', demoCredit)).toMatchObject({ refused: 'secret-revoked' });
  });

  test('gets one terminal, started once, when it is seated at both nodes at once', async () => {
    const store = memoryStore();
    const { one, other, hints } = await neighbours(store);
    hints.isLost = true;
    const reserved = [one, other].map(({ terminals }) => terminals.reserve('a'));
    const seated = await Promise.all([one, other].map(({ terminals }) => terminals.seat('a', demoCredit)));
    expect(seated[0]).toBe(seated[1]);
    expect(reserved).toContain(seated[0]);
    const streams = (await store.streams()).filter((stream) => stream.includes('/terminal/'));
    expect(streams).toEqual([`demo/terminal/${seated[0] as string}`]);
    expect(await typesIn(store, streams[0]!)).toEqual(['TerminalSeated', 'CreditLoaded']);
    // Whoever was second is told, so that it comes back to the right one.
    expect([...one.relinked, ...other.relinked]).toEqual(['a']);
    const late = [one, other].find(({ relinked }) => relinked.length > 0)!;
    expect(late.terminals.isReserved(reserved.find((terminal) => terminal !== seated[0])!)).toBe(false);
  });

  test('loses its reserved terminal when the other node has bound it', async () => {
    const store = memoryStore();
    const { one, other, hints } = await neighbours(store);
    hints.isLost = true;
    const [mine, late] = [one, other].map(({ terminals }) => terminals.reserve('a'));
    await one.terminals.begin(mine!, demoCredit);
    expect(await other.terminals.begin(late!, demoCredit)).toBe(cannotRecord);
    const third = other.terminals.reserve('b');
    await one.terminals.seat('b', demoCredit);
    const load = { type: 'LoadCredit', method: 'bill', amount: 1000, bill: 1000 };
    expect(await other.terminals.submit(third, 'note-1', load)).toBe(cannotRecord);
    expect(await store.streams()).not.toContain(`demo/terminal/${third}`);
    // One that is linked elsewhere is not held for it any longer.
    const fourth = other.terminals.reserve('c');
    await one.terminals.seat('c', demoCredit);
    await other.terminals.refreshSecrets(['c']);
    expect(other.terminals.isReserved(fourth)).toBe(false);
  });

  test('leads nowhere when one node revoked it before the other bound it', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    other.terminals.reserve('a');
    hints.isLost = true;
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await one.terminals.bindings.revoke('a', terminal);
    expect(await other.terminals.seat('a', demoCredit)).toMatchObject({ refused: 'secret-revoked' });
  });

  test('is renewed by one of two nodes that try at once', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.heard();
    const renewed = await Promise.all([one.terminals.renew('a', 'b'), other.terminals.renew('a', 'c')]);
    expect(renewed.filter((denied) => denied === undefined)).toHaveLength(1);
    expect(renewed.filter((denied) => denied?.refused === 'secret-revoked')).toHaveLength(1);
    await hints.heard();
    const [lives, dead] = renewed[0] === undefined ? ['b', 'c'] : ['c', 'b'];
    for (const { terminals } of [one, other]) {
      expect([
        terminals.terminalOf(lives),
        terminals.terminalOf(dead),
        terminals.isRevoked(dead),
        terminals.isRevoked('a'),
      ]).toEqual([terminal, undefined, true, true]);
    }
  });

  test('with a forged binding leads nowhere, and can be bound', async () => {
    const store = memoryStore();
    const { one, other } = await neighbours(store);
    await store.putValue('patron', 'a', 'T7 forged');
    await other.terminals.refreshSecrets(['a']);
    expect(other.terminals.terminalOf('a')).toBeUndefined();
    expect(await one.terminals.seat('a', demoCredit)).toBe('T1-1');
    await other.terminals.refreshSecrets(['a']);
    expect(other.terminals.terminalOf('a')).toBe('T1-1');
  });

  test('of a device is known at the other node, and is no terminal', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    await one.terminals.bindings.bind('p', 'T7', 'printer');
    await one.terminals.bindings.bind('s', 'L1', 'shoe');
    await hints.heard();
    expect(other.terminals.bindings.device('p')).toEqual({ terminal: 'T7', role: 'printer' });
    expect([...other.terminals.names]).toEqual(['T7']);
    expect(await other.terminals.seat('p', 0)).toMatchObject({ refused: 'secret-revoked' });
  });
});

describe('people at two nodes', () => {
  const staff = { demo: false, cost: minScryptCost };
  const number = 'N-1';
  /** An administrator who has signed in at the first. */
  async function administered(store: Store) {
    const made = await neighbours(store, { staff });
    const { one, other } = made;
    expect(other.floor.firstPassword).toBeUndefined();
    const { password: first } = one.floor.firstPassword!;
    expect(await one.people.secrets.change({ number, kind: 'password', secret: first, next: password })).toBe(
      undefined,
    );
    return { ...made, ...(await letIn(one.people.signIns.signIn(office(number, password)))) };
  }

  test('session of one node is known at the other, and ends there too', async () => {
    const { one, other, hints, token, session } = await administered(memoryStore());
    await hints.heard();
    expect(await other.people.refresh(token)).toBeUndefined();
    expect(other.people.sessionByToken(token)).toEqual(session);
    const ended: string[] = [];
    other.people.subscribe((events) => ended.push(...events.map(({ type }) => type)));
    await one.people.signOut(session.id);
    await flushPromises();
    await hints.heard();
    expect([ended, other.people.sessionByToken(token)]).toEqual([['SessionEnded'], undefined]);
  });

  test('session is read from the store when there was no notification', async () => {
    const { one, other, hints, session, token } = await administered(memoryStore());
    await hints.heard();
    hints.isLost = true;
    const second = await letIn(one.people.signIns.signIn(office(number, password)));
    expect(other.people.sessionByToken(second.token)).toBeUndefined();
    await other.people.refresh(second.token);
    expect(other.people.sessionByToken(second.token)).toEqual(second.session);
    await one.people.signOut(session.id);
    await one.people.signOut(second.session.id);
    await other.people.refresh(second.token);
    expect(other.people.sessionByToken(second.token)).toBeUndefined();
    await other.people.refreshAll();
    expect([other.people.sessionByToken(token), other.people.sessions()]).toEqual([undefined, []]);
  });

  test('session keeps its token when another one ends elsewhere at the same time', async () => {
    const store = memoryStore();
    const { one, other, hints, session } = await administered(store);
    await hints.heard();
    const second = await letIn(one.people.signIns.signIn(office(number, password)));
    await other.people.valueChanged('session', 'x');
    await other.people.signOut(session.id);
    await flushPromises();
    await hints.heard();
    expect((await store.listValues('session')).size).toBe(1);
    for (const { people } of [one, other]) {
      await people.refresh(second.token);
      expect(people.sessionByToken(second.token)).toEqual(second.session);
    }
  });

  test('number is locked at both nodes after five wrong secrets at either', async () => {
    const { one, other } = await administered(memoryStore());
    const codes: unknown[] = [];
    for (const { people } of [one, other, one, other, other, one]) {
      codes.push(await people.signIns.signIn(office(number, 'nothing like it')));
    }
    expect(codes.map((answer) => (answer as { refused: string }).refused)).toEqual([
      ...Array.from({ length: 4 }, () => 'wrong-secret'),
      'sign-in-locked',
      'sign-in-locked',
    ]);
    for (const { people } of [one, other]) {
      expect(await people.signIns.signIn(office(number, password))).toMatchObject({ refused: 'sign-in-locked' });
    }
  });

  test('secret that was changed at one node is the only valid one at the other', async () => {
    const { one, other, hints } = await administered(memoryStore());
    hints.isLost = true;
    const next = 'another long one';
    expect(await one.people.secrets.change({ number, kind: 'password', secret: password, next })).toBeUndefined();
    expect(await other.people.signIns.signIn(office(number, password))).toMatchObject({ refused: 'wrong-secret' });
    await letIn(other.people.signIns.signIn(office(number, next)));
  });

  test('console offered at one node is claimed at the other, once', async () => {
    const store = memoryStore();
    const { one, other, hints, session } = await administered(store);
    await enrolled(one.people, session, 'D-1', ['dealer']);
    hints.isLost = true;
    const place = { kind: 'dealer', table: 'L1' } as const;
    const { code } = (await one.people.consoles.offer(id(), place, session)) as { code: string };
    expect(JSON.stringify([...(await store.listValues('offer'))])).not.toContain(code.slice(0, 4));
    const claims = await Promise.all([one, other].map(({ people }) => people.consoles.claim(code.toLowerCase())));
    const keys = claims.flatMap((claim) => ('key' in claim ? [claim] : []));
    expect(keys).toHaveLength(1);
    expect(claims.filter((claim) => 'refused' in claim && claim.refused === 'wrong-code')).toHaveLength(1);
    expect(await store.listValues('offer')).toEqual(new Map());
    for (const { people } of [one, other]) {
      await people.refresh('', keys[0]!.key);
      expect(people.consoleOf(keys[0]!.key)).toMatchObject(place);
      await letIn(people.signIns.signIn({ number: 'D-1', secret: pin, kind: 'pin', console: keys[0]!.console }));
    }
  });

  test('name that is set or erased at one node is set or erased at the other', async () => {
    const { one, other, hints, session } = await administered(memoryStore());
    await one.people.names.set(id(), session.person, 'Wei Ling', session);
    await hints.heard();
    expect(other.people.names.nameOf(session.person)).toBe('Wei Ling');
    hints.isLost = true;
    await one.people.names.set(id(), session.person, undefined, session);
    await other.people.refreshAll();
    expect(other.people.names.nameOf(session.person)).toBeUndefined();
  });

  test('two nodes that start at once enrol one administrator, and one of them returns the password', async () => {
    const store = memoryStore();
    const { one, other, open } = await neighbours(store);
    expect([one.people.state, other.people.state]).toEqual([undefined, undefined]);
    const both = await Promise.all([3, 4].map((opening) => open(opening, { staff })));
    const told = both.flatMap(({ floor }) => floor.firstPassword ?? []);
    expect(told).toHaveLength(1);
    expect(await eventsOf(store)).toMatchObject([
      { type: 'StaffRegisterStarted' },
      { type: 'PersonEnrolled' },
      { type: 'SecretSet' },
    ]);
    for (const { people } of both) {
      const answer = await people.signIns.signIn(office(number, told[0]!.password));
      expect(answer).toMatchObject({ refused: 'secret-due' });
    }
  });

  test('session active at one node is not locked by the other, and is locked when it is idle', async () => {
    const { one, other, hints, session, time, token } = await administered(memoryStore());
    await hints.heard();
    await other.people.refresh(token);
    for (let minute = 1; minute <= 20; minute++) {
      one.people.touch(session.id);
      await pass(time, 60_000);
    }
    expect(one.people.session(session.id)).toMatchObject({ locked: false });
    await pass(time, 300_000);
    await one.people.refresh(token);
    expect(one.people.session(session.id)).toMatchObject({ locked: true });
  });

  test('session of a node that is gone is locked by the other a little later', async () => {
    const { one, other, hints, session, time, token } = await administered(memoryStore());
    await hints.heard();
    await other.people.refresh(token);
    one.people.close();
    await pass(time, 359_000);
    expect(other.people.session(session.id)).toMatchObject({ locked: false });
    await pass(time, 2_000);
    expect(other.people.session(session.id)).toMatchObject({ locked: true });
  });
});

describe('a ticket at two nodes', () => {
  test('issued at one node is paid at the other, and paid once when presented at both', async () => {
    const store = memoryStore();
    const { one, other, hints } = await neighbours(store);
    const terminals = (await Promise.all([
      one.terminals.seat('a', demoCredit),
      one.terminals.seat('b', demoCredit),
      other.terminals.seat('c', demoCredit),
    ])) as string[];
    await hints.heard();
    for (const [turn, terminal] of terminals.slice(0, 2).entries()) {
      const collected = await one.cashier.collect(terminal, `collect-${turn}`);
      const { number, id: ticket } = (collected as { ticket: { number: string; id: string } }).ticket;
      expect(other.cashier.find(number)).toBeUndefined();
      await other.cashier.refreshNumber(number);
      expect([other.cashier.find(number), other.cashier.worthOf(ticket)]).toEqual([ticket, demoCredit]);
      const redeeming = [
        ...(turn === 0 ? [] : [one.cashier.redeem(terminal, `redeem-${turn}-a`, number)!]),
        other.cashier.redeem(terminals[2]!, `redeem-${turn}-b`, number)!,
      ];
      const answers = await Promise.all(redeeming);
      expect(answers.filter((answer) => 'entries' in answer)).toHaveLength(1);
      for (const answer of answers) if ('refused' in answer) expect(answer.refused).toBe('ticket-paid');
      expect((await store.balance(ticketAccount(demoOwner, ticket))).amount).toBe(0);
      await one.cashier.refreshNumber(number);
      expect(one.cashier.paymentRefusal(number)).toMatchObject({ refused: 'ticket-paid' });
    }
  });
});

test('sign-in and seats are refused while the store fails, and work again afterwards', async () => {
  const store = memoryStore();
  let isAway = false;
  const away: Store = {
    ...store,
    listValues: async (...what) => {
      if (isAway) throw new Error('away');
      return store.listValues(...what);
    },
  };
  const { one, other, time } = await neighbours(away, { staff: { demo: true, cost: minScryptCost } });
  await one.terminals.seat('a', demoCredit);
  const { token, session } = (await one.people.signIns.demoSignIn({ number: 'S-1' })) as SignInResult;
  await other.people.refresh(token);
  isAway = true;
  expect(await other.terminals.refreshSecrets(['a'])).toBe(cannotRecord);
  expect(await other.people.refresh(token)).toBe(cannotRecord);
  // Nobody is locked as long as nobody can tell where else somebody was seen.
  await pass(time, 900_000);
  expect(other.people.session(session.id)).toMatchObject({ locked: false });
  isAway = false;
  expect(await other.terminals.refreshSecrets(['a'])).toBeUndefined();
  expect(await other.people.refresh(token)).toBeUndefined();
  await pass(time, 60_000);
  expect(other.people.session(session.id)).toMatchObject({ locked: true });
});
