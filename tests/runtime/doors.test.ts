import { describe, expect, test } from 'vitest';
import { rest } from '../chaos/time.ts';
import { leastCost } from '../../src/runtime/staff/credentialStore.ts';
import { type LetIn } from '../../src/runtime/staff/staffService.ts';
import { cannotRecord } from '../../src/runtime/stream/pendingCommand.ts';
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
  test('that was seated at one leads to the same terminal at the other, with its credit', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.heard();
    expect([terminal, other.terminals.of('a')]).toEqual(['T1-1', 'T1-1']);
    expect(other.terminals.isKnown(terminal)).toBe(true);
    await other.terminals.fresh(terminal);
    expect(other.terminals.creditOf(terminal)).toBe(demoCredit);
    // What is written there later is read on.
    await one.terminals.submit(terminal, 'note-1', { type: 'LoadCredit', way: 'bill', amount: 1000, bill: 1000 });
    await other.terminals.fresh(terminal);
    expect(other.terminals.creditOf(terminal)).toBe(demoCredit + 1000);
    expect(other.terminals.goingOn(terminal)).toMatchObject({ loaded: demoCredit + 1000 });
  });

  test('is asked for at the record where the hint was lost', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    hints.isLost = true;
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    expect([other.terminals.of('a'), other.terminals.isKnown(terminal)]).toEqual([undefined, false]);
    expect(await other.terminals.look(['a', 'b'])).toBeUndefined();
    expect([other.terminals.of('a'), other.terminals.of('b')]).toEqual([terminal, undefined]);
    await one.terminals.links.kill('a', terminal);
    expect(other.terminals.isDead('a')).toBe(false);
    await other.terminals.look(['a', 'b']);
    expect([other.terminals.isDead('a'), other.terminals.of('a')]).toEqual([true, undefined]);
    expect(other.relinked).toEqual(['a', 'a']);
    // Nothing is new in what was read before.
    await other.terminals.look(['a', 'b']);
    expect(other.relinked).toHaveLength(2);
    expect(await other.terminals.isAnywhere(terminal)).toBe(true);
    expect(await other.terminals.isAnywhere('T9')).toBe(false);
  });

  test('that is revoked at one is dead at the other once that has heard', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.heard();
    await one.terminals.links.revoke(terminal);
    await hints.heard();
    expect(other.terminals.isDead('a')).toBe(true);
    expect(await other.terminals.seat('a', demoCredit)).toMatchObject({ refused: 'secret-revoked' });
  });

  test('is seated at both at once at one terminal, which begins once', async () => {
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

  test('for which one has reserved a terminal takes nothing there once the other has linked it', async () => {
    const store = memoryStore();
    const { one, other, hints } = await neighbours(store);
    hints.isLost = true;
    const [mine, late] = [one, other].map(({ terminals }) => terminals.reserve('a'));
    await one.terminals.begin(mine!, demoCredit);
    expect(await other.terminals.begin(late!, demoCredit)).toBe(cannotRecord);
    const third = other.terminals.reserve('b');
    await one.terminals.seat('b', demoCredit);
    const load = { type: 'LoadCredit', way: 'bill', amount: 1000, bill: 1000 };
    expect(await other.terminals.submit(third, 'note-1', load)).toBe(cannotRecord);
    expect(await store.streams()).not.toContain(`demo/terminal/${third}`);
    // One that is linked elsewhere is not held for it any longer.
    const fourth = other.terminals.reserve('c');
    await one.terminals.seat('c', demoCredit);
    await other.terminals.look(['c']);
    expect(other.terminals.isReserved(fourth)).toBe(false);
  });

  test('that was killed at one before it was linked at the other leads nowhere', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    other.terminals.reserve('a');
    hints.isLost = true;
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await one.terminals.links.kill('a', terminal);
    expect(await other.terminals.seat('a', demoCredit)).toMatchObject({ refused: 'secret-revoked' });
  });

  test('is given another by one of two who do so at once', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    const terminal = (await one.terminals.seat('a', demoCredit)) as string;
    await hints.heard();
    const renewed = await Promise.all([one.terminals.renew('a', 'b'), other.terminals.renew('a', 'c')]);
    expect(renewed.filter((denied) => denied === undefined)).toHaveLength(1);
    expect(renewed.filter((denied) => denied?.refused === 'secret-revoked')).toHaveLength(1);
    await hints.heard();
    const [lives, dead] = renewed[0] === undefined ? ['b', 'c'] : ['c', 'b'];
    for (const { terminals } of [one, other]) {
      expect([terminals.of(lives), terminals.of(dead), terminals.isDead(dead), terminals.isDead('a')]).toEqual([
        terminal,
        undefined,
        true,
        true,
      ]);
    }
  });

  test('that somebody without the key has linked leads nowhere, and is linked over it', async () => {
    const store = memoryStore();
    const { one, other } = await neighbours(store);
    await store.putValue('patron', 'a', 'T7 forged');
    await other.terminals.look(['a']);
    expect(other.terminals.of('a')).toBeUndefined();
    expect(await one.terminals.seat('a', demoCredit)).toBe('T1-1');
    await other.terminals.look(['a']);
    expect(other.terminals.of('a')).toBe('T1-1');
  });

  test('of a device is known at the other, and is no terminal of its own', async () => {
    const { one, other, hints } = await neighbours(memoryStore());
    await one.terminals.links.link('p', 'T7', 'printer');
    await one.terminals.links.link('s', 'L1', 'shoe');
    await hints.heard();
    expect(other.terminals.links.device('p')).toEqual({ terminal: 'T7', role: 'printer' });
    expect([...other.terminals.names]).toEqual(['T7']);
    expect(await other.terminals.seat('p', 0)).toMatchObject({ refused: 'secret-revoked' });
  });
});

describe('people at two nodes', () => {
  const staff = { demo: false, cost: leastCost };
  const number = 'N-1';
  /** An administrator who has signed in at the first. */
  async function administered(store: Store) {
    const made = await neighbours(store, { staff });
    const { one, other } = made;
    expect(other.floor.firstSecret).toBeUndefined();
    const { password: first } = one.floor.firstSecret!;
    expect(await one.people.secrets.change({ number, kind: 'password', secret: first, next: password })).toBe(
      undefined,
    );
    return { ...made, ...(await letIn(one.people.signIn(office(number, password)))) };
  }

  test('a session of one is known at the other, and over there once it has ended here', async () => {
    const { one, other, hints, token, session } = await administered(memoryStore());
    await hints.heard();
    expect(await other.people.look(token)).toBeUndefined();
    expect(other.people.byToken(token)).toEqual(session);
    const ended: string[] = [];
    other.people.changed((events) => ended.push(...events.map(({ type }) => type)));
    await one.people.signOut(session.id);
    await rest();
    await hints.heard();
    expect([ended, other.people.byToken(token)]).toEqual([['SessionEnded'], undefined]);
  });

  test('without a hint it is asked for at the record', async () => {
    const { one, other, hints, session, token } = await administered(memoryStore());
    await hints.heard();
    hints.isLost = true;
    const second = await letIn(one.people.signIn(office(number, password)));
    expect(other.people.byToken(second.token)).toBeUndefined();
    await other.people.look(second.token);
    expect(other.people.byToken(second.token)).toEqual(second.session);
    await one.people.signOut(session.id);
    await one.people.signOut(second.session.id);
    await other.people.look(second.token);
    expect(other.people.byToken(second.token)).toBeUndefined();
    await other.people.sweep();
    expect([other.people.byToken(token), other.people.sessions()]).toEqual([undefined, []]);
  });

  test('a session that begins while another ends elsewhere keeps its token', async () => {
    const store = memoryStore();
    const { one, other, hints, session } = await administered(store);
    await hints.heard();
    const second = await letIn(one.people.signIn(office(number, password)));
    await other.people.asideHeard('session', 'x');
    await other.people.signOut(session.id);
    await rest();
    await hints.heard();
    expect((await store.listValues('session')).size).toBe(1);
    for (const { people } of [one, other]) {
      await people.look(second.token);
      expect(people.byToken(second.token)).toEqual(second.session);
    }
  });

  test('five wrong secrets, here and there, lock a number at both', async () => {
    const { one, other } = await administered(memoryStore());
    const codes: unknown[] = [];
    for (const { people } of [one, other, one, other, other, one]) {
      codes.push(await people.signIn(office(number, 'nothing like it')));
    }
    expect(codes.map((answer) => (answer as { refused: string }).refused)).toEqual([
      ...Array.from({ length: 4 }, () => 'wrong-secret'),
      'sign-in-locked',
      'sign-in-locked',
    ]);
    for (const { people } of [one, other]) {
      expect(await people.signIn(office(number, password))).toMatchObject({ refused: 'sign-in-locked' });
    }
  });

  test('a secret that was changed at one is the only one at the other', async () => {
    const { one, other, hints } = await administered(memoryStore());
    hints.isLost = true;
    const next = 'another long one';
    expect(await one.people.secrets.change({ number, kind: 'password', secret: password, next })).toBeUndefined();
    expect(await other.people.signIn(office(number, password))).toMatchObject({ refused: 'wrong-secret' });
    await letIn(other.people.signIn(office(number, next)));
  });

  test('a console that one offers is claimed at the other, once', async () => {
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
      await people.look('', keys[0]!.key);
      expect(people.consoleOf(keys[0]!.key)).toMatchObject(place);
      await letIn(people.signIn({ number: 'D-1', secret: pin, kind: 'pin', console: keys[0]!.console }));
    }
  });

  test('a name that one writes down or erases is told and forgotten at the other', async () => {
    const { one, other, hints, session } = await administered(memoryStore());
    await one.people.names.set(id(), session.person, 'Wei Ling', session);
    await hints.heard();
    expect(other.people.names.of(session.person)).toBe('Wei Ling');
    hints.isLost = true;
    await one.people.names.set(id(), session.person, undefined, session);
    await other.people.sweep();
    expect(other.people.names.of(session.person)).toBeUndefined();
  });

  test('two that begin at once enrol one administrator, whose password one of them tells', async () => {
    const store = memoryStore();
    const { one, other, open } = await neighbours(store);
    expect([one.people.state, other.people.state]).toEqual([undefined, undefined]);
    const both = await Promise.all([3, 4].map((opening) => open(opening, { staff })));
    const told = both.flatMap(({ floor }) => floor.firstSecret ?? []);
    expect(told).toHaveLength(1);
    expect(await eventsOf(store)).toMatchObject([
      { type: 'PeopleBegun' },
      { type: 'PersonEnrolled' },
      { type: 'SecretSet' },
    ]);
    for (const { people } of both) {
      const answer = await people.signIn(office(number, told[0]!.password));
      expect(answer).toMatchObject({ refused: 'secret-due' });
    }
  });

  test('whoever is seen at one is not locked by the other, and is once nobody is seen', async () => {
    const { one, other, hints, session, time, token } = await administered(memoryStore());
    await hints.heard();
    await other.people.look(token);
    for (let minute = 1; minute <= 20; minute++) {
      one.people.seen(session.id);
      await pass(time, 60_000);
    }
    expect(one.people.session(session.id)).toMatchObject({ locked: false });
    await pass(time, 300_000);
    await one.people.look(token);
    expect(one.people.session(session.id)).toMatchObject({ locked: true });
  });

  test('whoever was seen at a node that is gone is locked by the other a little later', async () => {
    const { one, other, hints, session, time, token } = await administered(memoryStore());
    await hints.heard();
    await other.people.look(token);
    one.people.close();
    await pass(time, 359_000);
    expect(other.people.session(session.id)).toMatchObject({ locked: false });
    await pass(time, 2_000);
    expect(other.people.session(session.id)).toMatchObject({ locked: true });
  });
});

describe('a ticket at two nodes', () => {
  test('that was issued at one is paid at the other, and at both at once it is paid once', async () => {
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
      await other.cashier.look(number);
      expect([other.cashier.find(number), other.cashier.worthOf(ticket)]).toEqual([ticket, demoCredit]);
      const redeeming = [
        ...(turn === 0 ? [] : [one.cashier.redeem(terminal, `redeem-${turn}-a`, number)!]),
        other.cashier.redeem(terminals[2]!, `redeem-${turn}-b`, number)!,
      ];
      const answers = await Promise.all(redeeming);
      expect(answers.filter((answer) => 'entries' in answer)).toHaveLength(1);
      for (const answer of answers) if ('refused' in answer) expect(answer.refused).toBe('ticket-paid');
      expect((await store.balance(ticketAccount(demoOwner, ticket))).amount).toBe(0);
      await one.cashier.look(number);
      expect(one.cashier.unpayable(number)).toMatchObject({ refused: 'ticket-paid' });
    }
  });
});

test('a record that cannot be asked lets nobody in, and is asked again', async () => {
  const store = memoryStore();
  let isAway = false;
  const away: Store = {
    ...store,
    listValues: async (...what) => {
      if (isAway) throw new Error('away');
      return store.listValues(...what);
    },
  };
  const { one, other, time } = await neighbours(away, { staff: { demo: true, cost: leastCost } });
  await one.terminals.seat('a', demoCredit);
  const { token, session } = (await one.people.demoSignIn({ number: 'S-1' })) as LetIn;
  await other.people.look(token);
  isAway = true;
  expect(await other.terminals.look(['a'])).toBe(cannotRecord);
  expect(await other.people.look(token)).toBe(cannotRecord);
  // Nobody is locked as long as nobody can tell where else somebody was seen.
  await pass(time, 900_000);
  expect(other.people.session(session.id)).toMatchObject({ locked: false });
  isAway = false;
  expect(await other.terminals.look(['a'])).toBeUndefined();
  expect(await other.people.look(token)).toBeUndefined();
  await pass(time, 60_000);
  expect(other.people.session(session.id)).toMatchObject({ locked: true });
});
