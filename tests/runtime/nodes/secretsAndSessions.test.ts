import { describe, expect, test } from 'vitest';
import { flushPromises } from '../../chaos/time.ts';
import { insecureScryptCost } from '../../../src/runtime/staff/credentialStore.ts';
import { type NewSessionWithToken } from '../../../src/runtime/staff/signInService.ts';
import { cannotRecordRefusal, resultUnknownRefusal } from '../../../src/runtime/stream/refusals.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import {
  enrolStaff,
  staffEvents,
  newCommandId,
  expectSignedIn,
  passwordSignIn,
  password,
  pin,
} from '../support/floorWithStaff.ts';
import { openTwoFloors, advanceTime } from '../support/twoFloors.ts';
import { demoCredit, demoOwner } from '../support/demo.ts';
import { ticketAccount } from '../../../src/ledger/accounts.ts';

const typesIn = async (store: Store, stream: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const entries of store.read(stream)) found.push(...entries.map(({ event }) => event.type));
  return found;
};

describe('a secret at two nodes', () => {
  test('that was seated at one node leads to the same terminal at the other, with its credit', async () => {
    const { one, other, hints } = await openTwoFloors(createMemoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.delivered();
    expect([terminal, other.terminals.terminalOf('a')]).toEqual(['T1-1', 'T1-1']);
    expect(other.terminals.isRegistered(terminal)).toBe(true);
    await other.terminals.refresh(terminal);
    expect(other.terminals.creditOf(terminal)).toBe(demoCredit);
    // Later entries are read too.
    await one.terminals.submit(terminal, 'note-1', { type: 'LoadCredit', method: 'bill', amount: 1000, bill: 1000 });
    await other.terminals.refresh(terminal);
    expect(other.terminals.creditOf(terminal)).toBe(demoCredit + 1000);
    expect(other.terminals.openSession(terminal)).toMatchObject({ loaded: demoCredit + 1000 });
  });

  test('is read from the store when the notification was lost', async () => {
    const { one, other, hints } = await openTwoFloors(createMemoryStore());
    hints.isDropping = true;
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    expect([other.terminals.terminalOf('a'), other.terminals.isRegistered(terminal)]).toEqual([undefined, false]);
    expect(await other.terminals.refreshSecrets(['a', 'b'])).toBeUndefined();
    expect([other.terminals.terminalOf('a'), other.terminals.terminalOf('b')]).toEqual([terminal, undefined]);
    await one.terminals.bindings.revoke('a', terminal);
    expect(other.terminals.isRevoked('a')).toBe(false);
    await other.terminals.refreshSecrets(['a', 'b']);
    expect([other.terminals.isRevoked('a'), other.terminals.terminalOf('a')]).toEqual([true, undefined]);
    expect(other.changedSecrets).toEqual(['a', 'a']);
    // Nothing read before is new.
    await other.terminals.refreshSecrets(['a', 'b']);
    expect(other.changedSecrets).toHaveLength(2);
    expect(await other.terminals.isRegisteredAnywhere(terminal)).toBe(true);
    expect(await other.terminals.isRegisteredAnywhere('T9')).toBe(false);
  });

  test('that is revoked at one node is revoked at the other after the notification', async () => {
    const { one, other, hints } = await openTwoFloors(createMemoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.delivered();
    await one.terminals.bindings.revokeAllOf(terminal);
    await hints.delivered();
    expect(other.terminals.isRevoked('a')).toBe(true);
    expect(await other.terminals.seat('a', demoCredit)).toMatchObject({ refused: 'secret-revoked' });
  });

  test('gets one terminal, started once, when it is seated at both nodes at once', async () => {
    const store = createMemoryStore();
    const { one, other, hints } = await openTwoFloors(store);
    hints.isDropping = true;
    const reserved = [one, other].map(({ terminals }) => terminals.reserve('a'));
    const seated = await Promise.all([one, other].map(({ terminals }) => terminals.seat('a', demoCredit)));
    expect(seated[0]).toBe(seated[1]);
    expect(reserved).toContain(seated[0]);
    const streams = (await store.streams()).filter((stream) => stream.includes('/terminal/'));
    expect(streams).toEqual([`demo/terminal/${seated[0] as string}`]);
    expect(await typesIn(store, streams[0]!)).toEqual(['TerminalSeated', 'CreditLoaded']);
    // The second secret is notified, so that it returns to the right terminal.
    expect([...one.changedSecrets, ...other.changedSecrets]).toEqual(['a']);
    const late = [one, other].find(({ changedSecrets }) => changedSecrets.length > 0)!;
    expect(late.terminals.isReserved(reserved.find((terminal) => terminal !== seated[0])!)).toBe(false);
  });

  test('loses its reserved terminal when the other node has bound it', async () => {
    const store = createMemoryStore();
    const { one, other, hints } = await openTwoFloors(store);
    hints.isDropping = true;
    const [mine, late] = [one, other].map(({ terminals }) => terminals.reserve('a'));
    await one.terminals.begin(mine!, demoCredit);
    expect(await other.terminals.begin(late!, demoCredit)).toBe(resultUnknownRefusal);
    const third = other.terminals.reserve('b');
    await one.terminals.seat('b', demoCredit);
    const load = { type: 'LoadCredit', method: 'bill', amount: 1000, bill: 1000 };
    expect(await other.terminals.submit(third, 'note-1', load)).toBe(resultUnknownRefusal);
    expect(await store.streams()).not.toContain(`demo/terminal/${third}`);
    // A terminal that is bound elsewhere is no longer reserved.
    const fourth = other.terminals.reserve('c');
    await one.terminals.seat('c', demoCredit);
    await other.terminals.refreshSecrets(['c']);
    expect(other.terminals.isReserved(fourth)).toBe(false);
    // A command that waited meanwhile does not start it: the secret would have two terminals.
    expect(await other.terminals.begin(fourth, demoCredit)).toBe(resultUnknownRefusal);
    expect(await store.streams()).not.toContain(`demo/terminal/${fourth}`);
  });

  test('leads nowhere when one node revoked it before the other bound it', async () => {
    const { one, other, hints } = await openTwoFloors(createMemoryStore());
    other.terminals.reserve('a');
    hints.isDropping = true;
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await one.terminals.bindings.revoke('a', terminal);
    expect(await other.terminals.seat('a', demoCredit)).toMatchObject({ refused: 'secret-revoked' });
  });

  test('is renewed by one of two nodes that try at once', async () => {
    const { one, other, hints } = await openTwoFloors(createMemoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.delivered();
    const renewed = await Promise.all([one.terminals.renew('a', 'b'), other.terminals.renew('a', 'c')]);
    expect(renewed.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(renewed.filter((refusal) => refusal?.refused === 'secret-revoked')).toHaveLength(1);
    await hints.delivered();
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
    const store = createMemoryStore();
    const { one, other } = await openTwoFloors(store);
    await store.putValue('binding', 'a', 'T7 forged');
    await other.terminals.refreshSecrets(['a']);
    expect(other.terminals.terminalOf('a')).toBeUndefined();
    expect(await one.terminals.seat('a', demoCredit)).toBe('T1-1');
    await other.terminals.refreshSecrets(['a']);
    expect(other.terminals.terminalOf('a')).toBe('T1-1');
  });

  test('of a device is known at the other node, and is no terminal', async () => {
    const { one, other, hints } = await openTwoFloors(createMemoryStore());
    await one.terminals.bindings.bind('p', 'T7', 'printer');
    await one.terminals.bindings.bind('s', 'L1', 'shoe');
    await hints.delivered();
    expect(other.terminals.bindings.device('p')).toEqual({ terminal: 'T7', role: 'printer' });
    expect([...other.terminals.names]).toEqual(['T7']);
    expect(await other.terminals.seat('p', 0)).toMatchObject({ refused: 'secret-revoked' });
  });
});

describe('staff at two nodes', () => {
  const staffOptions = { demo: false, scryptCost: insecureScryptCost };
  const number = 'N-1';
  /** An administrator who has signed in at the first node. */
  async function administered(store: Store) {
    const setup = await openTwoFloors(store, { staff: staffOptions });
    const { one, other } = setup;
    expect(other.floor.firstPassword).toBeUndefined();
    const { password: first } = one.floor.firstPassword!;
    expect(await one.staff.secrets.change({ number, kind: 'password', secret: first, next: password })).toBe(undefined);
    return { ...setup, ...(await expectSignedIn(one.staff.signIns.signIn(passwordSignIn(number, password)))) };
  }

  test('session of one node is known at the other, and ends there too', async () => {
    const { one, other, hints, token, session } = await administered(createMemoryStore());
    await hints.delivered();
    expect(await other.staff.refresh(token)).toBeUndefined();
    expect(other.staff.sessionByToken(token)).toEqual(session);
    const ended: string[] = [];
    other.staff.subscribe((events) => ended.push(...events.map(({ type }) => type)));
    await one.staff.signOut(session.id);
    await flushPromises();
    await hints.delivered();
    expect([ended, other.staff.sessionByToken(token)]).toEqual([['SessionEnded'], undefined]);
  });

  test('session is read from the store when there was no notification', async () => {
    const { one, other, hints, session, token } = await administered(createMemoryStore());
    await hints.delivered();
    hints.isDropping = true;
    const second = await expectSignedIn(one.staff.signIns.signIn(passwordSignIn(number, password)));
    expect(other.staff.sessionByToken(second.token)).toBeUndefined();
    await other.staff.refresh(second.token);
    expect(other.staff.sessionByToken(second.token)).toEqual(second.session);
    await one.staff.signOut(session.id);
    await one.staff.signOut(second.session.id);
    await other.staff.refresh(second.token);
    expect(other.staff.sessionByToken(second.token)).toBeUndefined();
    await other.staff.refreshAll();
    expect([other.staff.sessionByToken(token), other.staff.sessions()]).toEqual([undefined, []]);
  });

  test('session keeps its token when another one ends elsewhere at the same time', async () => {
    const store = createMemoryStore();
    const { one, other, hints, session } = await administered(store);
    await hints.delivered();
    const second = await expectSignedIn(one.staff.signIns.signIn(passwordSignIn(number, password)));
    await other.staff.valueChanged('session', 'x');
    await other.staff.signOut(session.id);
    await flushPromises();
    await hints.delivered();
    expect((await store.listValues('session')).size).toBe(1);
    for (const { staff } of [one, other]) {
      await staff.refresh(second.token);
      expect(staff.sessionByToken(second.token)).toEqual(second.session);
    }
  });

  test('number is locked at both nodes after five wrong secrets at either', async () => {
    const { one, other } = await administered(createMemoryStore());
    const codes: unknown[] = [];
    for (const { staff } of [one, other, one, other, other, one]) {
      codes.push(await staff.signIns.signIn(passwordSignIn(number, 'nothing like it')));
    }
    expect(codes.map((result) => (result as { refused: string }).refused)).toEqual([
      ...Array.from({ length: 4 }, () => 'wrong-secret'),
      'sign-in-locked',
      'sign-in-locked',
    ]);
    for (const { staff } of [one, other]) {
      expect(await staff.signIns.signIn(passwordSignIn(number, password))).toMatchObject({ refused: 'sign-in-locked' });
    }
  });

  test('secret that was changed at one node is the only valid one at the other', async () => {
    const { one, other, hints } = await administered(createMemoryStore());
    hints.isDropping = true;
    const next = 'another long one';
    expect(await one.staff.secrets.change({ number, kind: 'password', secret: password, next })).toBeUndefined();
    expect(await other.staff.signIns.signIn(passwordSignIn(number, password))).toMatchObject({
      refused: 'wrong-secret',
    });
    await expectSignedIn(other.staff.signIns.signIn(passwordSignIn(number, next)));
  });

  test('console offered at one node is claimed at the other, once', async () => {
    const store = createMemoryStore();
    const { one, other, hints, session } = await administered(store);
    await enrolStaff(one.staff, session, 'D-1', ['dealer']);
    hints.isDropping = true;
    const index = { kind: 'dealer', table: 'L1' } as const;
    const { code } = (await one.staff.consoles.offer(newCommandId(), index, session)) as { code: string };
    expect(JSON.stringify([...(await store.listValues('offer'))])).not.toContain(code.slice(0, 4));
    const claims = await Promise.all([one, other].map(({ staff }) => staff.consoles.claim(code.toLowerCase())));
    const keys = claims.flatMap((claim) => ('key' in claim ? [claim] : []));
    expect(keys).toHaveLength(1);
    expect(claims.filter((claim) => 'refused' in claim && claim.refused === 'wrong-code')).toHaveLength(1);
    expect(await store.listValues('offer')).toEqual(new Map());
    for (const { staff } of [one, other]) {
      await staff.refresh('', keys[0]!.key);
      expect(staff.consoleOf(keys[0]!.key)).toMatchObject(index);
      await expectSignedIn(
        staff.signIns.signIn({ number: 'D-1', secret: pin, kind: 'pin', console: keys[0]!.console }),
      );
    }
  });

  test('name that is set or erased at one node is set or erased at the other', async () => {
    const { one, other, hints, session } = await administered(createMemoryStore());
    await one.staff.names.set(newCommandId(), session.person, 'Wei Ling', session);
    await hints.delivered();
    expect(other.staff.names.nameOf(session.person)).toBe('Wei Ling');
    hints.isDropping = true;
    await one.staff.names.set(newCommandId(), session.person, undefined, session);
    await other.staff.refreshAll();
    expect(other.staff.names.nameOf(session.person)).toBeUndefined();
  });

  test('two nodes that start at once enrol one administrator, and one of them returns the password', async () => {
    const store = createMemoryStore();
    const { one, other, open } = await openTwoFloors(store);
    expect([one.staff.state, other.staff.state]).toEqual([undefined, undefined]);
    const both = await Promise.all([3, 4].map((opening) => open(opening, { staff: staffOptions })));
    const issued = both.flatMap(({ floor }) => floor.firstPassword ?? []);
    expect(issued).toHaveLength(1);
    expect(await staffEvents(store)).toMatchObject([
      { type: 'StaffRegisterStarted' },
      { type: 'PersonEnrolled' },
      { type: 'SecretSet' },
    ]);
    for (const { staff } of both) {
      const result = await staff.signIns.signIn(passwordSignIn(number, issued[0]!.password));
      expect(result).toMatchObject({ refused: 'secret-due' });
    }
  });

  test('session active at one node is not locked by the other, and is locked when it is idle', async () => {
    const { one, other, hints, session, time, token } = await administered(createMemoryStore());
    await hints.delivered();
    await other.staff.refresh(token);
    for (let minute = 1; minute <= 20; minute++) {
      one.staff.touch(session.id);
      await advanceTime(time, 60_000);
    }
    expect(one.staff.session(session.id)).toMatchObject({ locked: false });
    await advanceTime(time, 300_000);
    await one.staff.refresh(token);
    expect(one.staff.session(session.id)).toMatchObject({ locked: true });
  });

  test('session of a node that is gone is locked by the other a little later', async () => {
    const { one, other, hints, session, time, token } = await administered(createMemoryStore());
    await hints.delivered();
    await other.staff.refresh(token);
    one.staff.close();
    await advanceTime(time, 359_000);
    expect(other.staff.session(session.id)).toMatchObject({ locked: false });
    await advanceTime(time, 2_000);
    expect(other.staff.session(session.id)).toMatchObject({ locked: true });
  });
});

describe('a ticket at two nodes', () => {
  test('issued at one node is paid at the other, and paid once when presented at both', async () => {
    const store = createMemoryStore();
    const { one, other, hints } = await openTwoFloors(store);
    const terminals = (await Promise.all([
      one.terminals.seat('a', demoCredit),
      one.terminals.seat('b', demoCredit),
      other.terminals.seat('c', demoCredit),
    ])) as string[];
    await hints.delivered();
    for (const [turn, terminal] of terminals.slice(0, 2).entries()) {
      const collected = await one.tickets.collect(terminal, `collect-${turn}`);
      const { number, id: ticket } = (collected as { ticket: { number: string; id: string } }).ticket;
      expect(other.tickets.find(number)).toBeUndefined();
      await other.tickets.refreshNumber(number);
      expect([other.tickets.find(number), other.tickets.worthOf(ticket)]).toEqual([ticket, demoCredit]);
      const redeeming = [
        ...(turn === 0 ? [] : [one.tickets.redeem(terminal, `redeem-${turn}-a`, number)!]),
        other.tickets.redeem(terminals[2]!, `redeem-${turn}-b`, number)!,
      ];
      const results = await Promise.all(redeeming);
      expect(results.filter((result) => 'entries' in result)).toHaveLength(1);
      for (const result of results) if ('refused' in result) expect(result.refused).toBe('ticket-paid');
      expect((await store.balance(ticketAccount(demoOwner, ticket))).amount).toBe(0);
      await one.tickets.refreshNumber(number);
      expect(one.tickets.paymentRefusal(number)).toMatchObject({ refused: 'ticket-paid' });
    }
  });
});

test('sign-in and seats are refused while the store fails, and work again afterwards', async () => {
  const store = createMemoryStore();
  let isAway = false;
  const away: Store = {
    ...store,
    listValues: async (...what) => {
      if (isAway) throw new Error('away');
      return store.listValues(...what);
    },
  };
  const { one, other, time } = await openTwoFloors(away, { staff: { demo: true, scryptCost: insecureScryptCost } });
  await one.terminals.seat('a', demoCredit);
  const { token, session } = (await one.staff.signIns.demoSignIn({ number: 'S-1' })) as NewSessionWithToken;
  await other.staff.refresh(token);
  isAway = true;
  expect(await other.terminals.refreshSecrets(['a'])).toBe(cannotRecordRefusal);
  expect(await other.staff.refresh(token)).toBe(cannotRecordRefusal);
  // No session is locked while its activity at other nodes is unknown.
  await advanceTime(time, 900_000);
  expect(other.staff.session(session.id)).toMatchObject({ locked: false });
  isAway = false;
  expect(await other.terminals.refreshSecrets(['a'])).toBeUndefined();
  expect(await other.staff.refresh(token)).toBeUndefined();
  await advanceTime(time, 60_000);
  expect(other.staff.session(session.id)).toMatchObject({ locked: true });
});
