import { describe, expect, test } from 'vitest';
import { type Cost, isFit, leastCost, newSecret, usualCost } from '../../src/floor/credentials.ts';
import { seededChance } from '../../src/floor/chance.ts';
import { Floor, OtherProperty } from '../../src/floor/floor.ts';
import { longestLocked, usualIdle } from '../../src/floor/idle.ts';
import { type Doubt } from '../../src/floor/journal.ts';
import { type FloorPeople, type LetIn, type SigningIn } from '../../src/floor/people.ts';
import { demoPeople, demoPin } from '../../src/floor/staff.ts';
import { type World } from '../../src/floor/world.ts';
import { firstLock } from '../../src/people/attempts.ts';
import { type Session } from '../../src/people/people.ts';
import { unbound } from '../../src/store/bound.ts';
import { Memory, memoryStore } from '../../src/store/memory.ts';
import { type Store } from '../../src/store/store.ts';
import { verify } from '../../src/verify/verify.ts';
import { MadeTime, rest } from '../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from './demo.ts';
import { key, start, worldOf } from './made.ts';

const live = { ...demoSettings[0]!, table: 'L1', dealing: 'keyed', attended: true };
const password = 'a long enough one';
const pin = '902744';

/** A floor with people, and what a test needs of it. */
async function opened(
  store: Store,
  { demo = false, time = new MadeTime(start), cost = leastCost }: { demo?: boolean; time?: MadeTime; cost?: Cost } = {},
  more: Partial<World> = {},
) {
  const made = worldOf(store, `people-${time.now}`, time);
  const staff = { demo, cost };
  const floor = await Floor.open(demoOwner, [live], demoPace, { ...made.world, staff, ...more });
  return { ...made, floor, people: floor.people };
}

const office = (number: string, secret: string): SigningIn => ({ number, secret, kind: 'password', console: null });
const letIn = async (answer: Promise<unknown>): Promise<LetIn> => {
  const got = await answer;
  expect(got).toHaveProperty('token');
  return got as LetIn;
};

let ids = 0;
const id = (): string => `people-test-${ids++}`;

/** The first administrator, with a password of its own. */
async function administered(store: Store, more?: Parameters<typeof opened>[1]) {
  const made = await opened(store, more);
  const { number, password: first } = made.floor.firstSecret!;
  expect(await made.people.changeSecret({ number, kind: 'password', secret: first, next: password })).toBeUndefined();
  const { session, token } = await letIn(made.people.signIn(office(number, password)));
  return { ...made, admin: session, token };
}

/** Somebody whom the administrator enrols, with a PIN and a password of their own. */
async function enrolled(
  people: FloorPeople,
  admin: Session,
  number: string,
  posts: readonly string[],
): Promise<string> {
  expect(await people.submit(id(), { type: 'EnrolPerson', number, posts }, admin)).toHaveProperty('entries');
  const { person } = Object.values(people.state!.members).find((one) => one.number === number)!;
  for (const [kind, next] of [
    ['pin', pin],
    ['password', password],
  ] as const) {
    const given = await people.giveSecret(id(), person, kind, admin);
    const { secret } = given as { secret: string };
    expect(await people.changeSecret({ number, kind, secret, next })).toBeUndefined();
  }
  return person;
}

/** A property with a dealer, another and a supervisor, and a console at the table. */
async function staffed(store: Store, more?: Parameters<typeof opened>[1]) {
  const made = await administered(store, more);
  const { people, admin } = made;
  await enrolled(people, admin, 'D-1', ['dealer']);
  await enrolled(people, admin, 'D-2', ['dealer']);
  await enrolled(people, admin, 'S-1', ['supervisor']);
  const enrolling = await people.enrolConsole(id(), { kind: 'dealer', table: 'L1' }, admin);
  const { console, key: consoleKey } = enrolling as { console: string; key: string };
  const at = (number: string, secret = pin): SigningIn => ({ number, secret, kind: 'pin', console });
  return { ...made, console, consoleKey, at };
}

const eventsOf = async (store: Store): Promise<readonly { readonly type: string }[]> => {
  const found: { readonly type: string }[] = [];
  for await (const entries of store.read('demo/people/staff')) found.push(...entries.map(({ event }) => event));
  return found;
};

test('a property begins with one administrator, whose password is told once and changed before it is used', async () => {
  const store = memoryStore();
  const { floor, people, troubles } = await opened(store);
  const { number, password: first } = floor.firstSecret!;
  expect(number).toBe('N-1');
  expect(first).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  expect(await people.signIn(office('N-1', first))).toMatchObject({ refused: 'secret-due' });
  expect(await people.demoSignIn({ number: 'N-1' })).toMatchObject({ refused: 'not-your-post' });
  for (const next of [first, 'short', '0123456789'.repeat(21)]) {
    const change = people.changeSecret({ number, kind: 'password', secret: first, next });
    expect(await change).toMatchObject({ refused: 'weak-secret' });
  }
  const change = { number, kind: 'password', next: password } as const;
  expect(await people.changeSecret({ ...change, secret: 'not it at all' })).toMatchObject({ refused: 'wrong-secret' });
  expect(await people.changeSecret({ ...change, number: 'x', secret: first })).toMatchObject({
    refused: 'bad-request',
  });
  expect(await people.changeSecret({ ...change, secret: first })).toBeUndefined();
  expect(await people.signIn(office('N-1', first))).toMatchObject({ refused: 'wrong-secret' });
  const { session } = await letIn(people.signIn(office('n1', password)));
  expect(session).toMatchObject({ id: 's1', person: 'p1', number: 'N-1', post: 'administrator', console: null });
  // Another start tells nothing.
  await floor.park();
  const again = await opened(store, { time: new MadeTime(start + 1_000) });
  expect(again.floor.firstSecret).toBeUndefined();
  expect([...troubles, ...again.troubles]).toEqual([]);
  expect(await verify(store)).toMatchObject({ problem: undefined });
});

test('nothing that is secret, and no name, is in the chain', async () => {
  const store = memoryStore();
  const { people, admin, token, consoleKey } = await staffed(store);
  expect(await people.setName(id(), 'p2', 'Somebody Here', admin)).toBeUndefined();
  const text = JSON.stringify(await eventsOf(store));
  for (const secret of [password, pin, token, consoleKey, 'Somebody']) expect(text).not.toContain(secret);
  const beside = await Promise.all(
    ['secret', 'session', 'console'].map(async (kind) => [...(await store.aside(kind))]),
  );
  for (const secret of [password, pin, token, consoleKey]) expect(JSON.stringify(beside)).not.toContain(secret);
});

test('a demo begins with people of every post who sign in by one click, and a console at each table', async () => {
  const store = memoryStore();
  const { floor, people, troubles } = await opened(store, { demo: true });
  expect(floor.firstSecret).toBeUndefined();
  expect(Object.values(people.state!.members).map(({ number, posts }) => [number, ...posts])).toEqual(
    demoPeople.map(({ number, post }) => [number, post]),
  );
  const { console } = Object.values(people.state!.consoles).find(({ table }) => table === 'L1')!;
  const { session } = await letIn(people.demoSignIn({ number: 'D-1', console }));
  expect(session).toMatchObject({ number: 'D-1', post: 'dealer', table: 'L1' });
  const relieved = await letIn(people.relieve(session.id, { number: 'D-2', pin: demoPin }));
  expect(await letIn(people.relieve(relieved.session.id, { number: 'D-1' }))).toMatchObject({
    session: { table: 'L1' },
  });
  await people.lock('s3');
  expect(await people.unlock('s3')).toBeUndefined();
  expect((await letIn(people.demoSignIn({ number: 'N-1' }))).session).toMatchObject({ console: null });
  await floor.park();
  const before = (await eventsOf(store)).length;
  const again = await opened(store, { demo: true, time: new MadeTime(start + 1_000) });
  expect(await eventsOf(store)).toHaveLength(before);
  expect([...troubles, ...again.troubles]).toEqual([]);
  expect(await verify(store)).toMatchObject({ problem: undefined });
});

test('the people of a demo are nobody outside it, and the other way round', async () => {
  for (const demo of [true, false]) {
    const store = memoryStore();
    const made = worldOf(store, 'one');
    await Floor.open(demoOwner, [], demoPace, { ...made.world, staff: { demo, cost: leastCost } });
    const other = Floor.open(demoOwner, [], demoPace, { ...made.world, staff: { demo: !demo, cost: leastCost } });
    await expect(other).rejects.toThrow(OtherProperty);
  }
});

test('without a word on people none begin, and those of the record are there', async () => {
  const store = memoryStore();
  const none = await Floor.open(demoOwner, [], demoPace, worldOf(store, 'none').world);
  expect(none.people.state).toBeUndefined();
  expect(await none.people.signIn(office('N-1', password))).toMatchObject({ refused: 'people-not-begun' });
  expect(none.people.byToken('x')).toBeUndefined();
  expect(none.people.sessions()).toEqual([]);
  const { floor } = await administered(store);
  await floor.park();
  const later = await Floor.open(demoOwner, [], demoPace, worldOf(store, 'later', new MadeTime(start + 9_000)).world);
  expect(later.people.state!.numbers).toEqual({ 'N-1': 'p1' });
});

describe('a session', () => {
  test('goes on after a restart, by a token of which the record knows a hash', async () => {
    const store = memoryStore();
    const { floor, people, at, time } = await staffed(store);
    const { token, session } = await letIn(people.signIn(at('D-1')));
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(session).toMatchObject({ person: 'p2', number: 'D-1', post: 'dealer', table: 'L1', locked: false });
    await floor.park();
    const again = await opened(store, { time: new MadeTime(time.now + 5_000) });
    expect(again.people.byToken(token)).toEqual(session);
    expect(again.people.byToken(token.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).toBeUndefined();
    await again.people.signOut(session.id);
    expect(again.people.byToken(token)).toBeUndefined();
    await again.floor.park();
    const third = await opened(store, { time: new MadeTime(time.now + 9_000) });
    expect(third.people.byToken(token)).toBeUndefined();
    expect((await store.aside('session')).size).toBe(1);
    expect(await third.people.signOut(session.id)).toMatchObject({ refused: 'unknown-session' });
  });

  test('passes to whoever relieves its person, with another token, in one act', async () => {
    const store = memoryStore();
    const { people, at } = await staffed(store);
    const one = await letIn(people.signIn(at('D-1')));
    const before = people.sequence;
    expect(await people.relieve(one.session.id, { number: 'D-2', pin: '111222' })).toMatchObject({
      refused: 'wrong-secret',
    });
    expect(await people.relieve(one.session.id, { number: 'D-2' })).toMatchObject({ refused: 'not-your-post' });
    expect(await people.relieve(one.session.id, { number: '?', pin })).toMatchObject({ refused: 'bad-request' });
    expect(people.byToken(one.token)).toEqual(one.session);
    const two = await letIn(people.relieve(one.session.id, { number: 'd2', pin }));
    expect(two.session).toMatchObject({ number: 'D-2', table: 'L1' });
    expect(people.byToken(one.token)).toBeUndefined();
    expect(two.token).not.toBe(one.token);
    expect((await eventsOf(store)).slice(before).map(({ type }) => type)).toEqual([
      'SignInFailed',
      'SessionEnded',
      'SignedIn',
    ]);
  });

  test('locks when nobody uses it, opens by its secret, and ends when nobody comes back', async () => {
    const store = memoryStore();
    const { people, at, time, floor } = await staffed(store);
    const { session, token } = await letIn(people.signIn(at('D-1')));
    const wait = async (span: number): Promise<void> => {
      const until = time.now + span;
      time.after(span, () => {});
      while (time.now < until) await time.step();
      await rest();
    };
    await wait(usualIdle - 1_000);
    people.seen(session.id);
    await wait(usualIdle - 1_000);
    expect(people.byToken(token)).toMatchObject({ locked: false });
    await wait(2_000);
    expect(people.byToken(token)).toMatchObject({ locked: true });
    expect(people.broughtFor(session)).toMatchObject({ refused: 'session-locked' });
    expect(await people.unlock(session.id, '111222')).toMatchObject({ refused: 'wrong-secret' });
    expect(await people.unlock(session.id)).toMatchObject({ refused: 'not-your-post' });
    expect(await people.unlock(session.id, pin)).toBeUndefined();
    expect(people.byToken(token)).toMatchObject({ locked: false });
    expect(await people.lock(session.id)).toBeUndefined();
    await wait(longestLocked + usualIdle);
    expect(people.byToken(token)).toBeUndefined();
    expect(await people.unlock(session.id, pin)).toMatchObject({ refused: 'session-over' });
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'SessionEnded', why: 'idle' });
    await floor.park();
  });

  test('at no console opens by the password', async () => {
    const { people, admin } = await staffed(memoryStore());
    await people.lock(admin.id);
    expect(await people.unlock(admin.id, pin)).toMatchObject({ refused: 'wrong-secret' });
    expect(await people.unlock(admin.id, password)).toBeUndefined();
    expect(people.secretAt('c9')).toBe('password');
  });

  test('ends with the post that it is in, and brings nothing after that', async () => {
    const { people, admin, at } = await staffed(memoryStore());
    const { session, token } = await letIn(people.signIn(at('D-1')));
    expect(people.broughtFor(session)).toEqual({ post: { post: 'dealer' }, held: people.sequence });
    const told: string[] = [];
    const stop = people.changed((events) => told.push(...events.map(({ type }) => type)));
    await people.submit(id(), { type: 'ChangePosts', person: 'p2', posts: ['cage'] }, admin);
    stop();
    expect(told).toEqual(['PostsChanged', 'SessionEnded']);
    expect(people.byToken(token)).toBeUndefined();
    expect(people.broughtFor(session)).toMatchObject({ refused: 'session-over' });
    expect(await people.submit(id(), { type: 'EndPerson', person: 'p3' }, session)).toMatchObject({
      refused: 'session-over',
    });
    expect(people.session('s99')).toBeUndefined();
  });

  test('in an acting post brings it until its time is over, and the post below after that', async () => {
    const { people, admin, time } = await staffed(memoryStore());
    await enrolled(people, admin, 'G-1', ['gaming-shift-manager']);
    const { session: manager } = await letIn(people.signIn(office('G-1', password)));
    const until = time.now + 60_000;
    const give = { type: 'GiveActing', person: 'p2', as: 'supervisor', from: time.now, until };
    expect(await people.submit(id(), give, manager)).toHaveProperty('entries');
    expect(await people.signIn(office('D-1', password))).toMatchObject({
      refused: 'post-not-chosen',
      posts: ['dealer', 'supervisor'],
    });
    const { session } = await letIn(people.signIn({ ...office('D-1', password), post: 'supervisor' }));
    expect(session).toMatchObject({ post: 'dealer', acting: 'supervisor', until });
    expect(people.broughtFor(session)).toMatchObject({ post: { post: 'dealer', acting: 'supervisor', until } });
    expect(people.broughtFor(session, until + 1)).toMatchObject({ post: { post: 'dealer' } });
    time.now = until + 1;
    expect(people.session(session.id)).toMatchObject({ acting: null, until: null });
    expect(people.broughtFor(session)).toEqual({ post: { post: 'dealer' }, held: people.sequence });
  });

  test('of a record that was turned back is over', async () => {
    const store = memoryStore();
    const { floor, people, at, time } = await staffed(store);
    const { token } = await letIn(people.signIn(at('D-1')));
    await floor.park();
    const doubt: Doubt = { why: 'behind-anchor', words: 'one two', missing: [] };
    const again = await opened(store, { time: new MadeTime(time.now + 1_000) }, { doubt });
    expect(again.people.byToken(token)).toBeUndefined();
    expect(again.people.sessions()).toEqual([]);
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'SessionEnded', why: 'turned-back' });
    expect((await store.aside('session')).size).toBe(0);
  });
});

describe('a number is locked', () => {
  test('by five wrong secrets, for a minute and then for two, whatever they were for', async () => {
    const store = memoryStore();
    const { people, at, time, console } = await staffed(store);
    const consent = {
      number: 'S-1',
      pin: '111222',
      table: 'L1',
      proposal: 'P1',
      hash: `sha256:${'0'.repeat(64)}`,
      console,
    };
    for (let span = firstLock; span <= 4 * firstLock; span *= 2) {
      for (let n = 0; n < 3; n++) expect(await people.consent(consent)).toMatchObject({ refused: 'wrong-secret' });
      expect(await people.signIn(at('S-1', '333444'))).toMatchObject({ refused: 'wrong-secret' });
      const until = time.now + span;
      expect(await people.signIn(at('S-1', '333444'))).toMatchObject({ refused: 'sign-in-locked', until });
      expect(await people.signIn(at('S-1'))).toMatchObject({ refused: 'sign-in-locked', until });
      time.now = until;
    }
    expect(await people.consent({ ...consent, number: '?' })).toMatchObject({ refused: 'bad-request' });
    expect(await people.consent({ ...consent, pin, console: 'c1' })).toEqual({
      person: 'p4',
      number: 'S-1',
      table: 'L1',
      proposal: 'P1',
      hash: consent.hash,
    });
  });

  test('also if many try at once: a right secret among them lets nobody in after the fifth', async () => {
    const { people, at } = await staffed(memoryStore());
    const tries = Array.from({ length: 20 }, (_, n) => people.signIn(at('D-1', n === 15 ? pin : '111222')));
    const answers = (await Promise.all(tries)) as readonly { refused?: string }[];
    expect(answers.filter(({ refused }) => refused === 'wrong-secret')).toHaveLength(4);
    expect(answers.filter(({ refused }) => refused === 'sign-in-locked')).toHaveLength(16);
  });

  test("be it somebody's or nobody's, and the answers are the same", async () => {
    const { people, at } = await staffed(memoryStore());
    const answersFor = async (number: string) => {
      const answers = [];
      for (let n = 0; n < 6; n++) answers.push(await people.signIn(at(number, '111222')));
      return answers;
    };
    expect(await answersFor('X-9')).toEqual(await answersFor('D-1'));
  });
});

test('a consent brings the most that its person may do, and nothing once that is over', async () => {
  const { people, admin, console } = await staffed(memoryStore());
  const hash = `sha256:${'0'.repeat(64)}`;
  const consent = await people.consent({ number: 'S-1', pin, table: 'L1', proposal: 'P1', hash, console });
  if ('refused' in consent) throw new Error(consent.message);
  expect(people.broughtFor(consent)).toEqual({ post: { post: 'supervisor' }, held: people.sequence });
  await people.submit(id(), { type: 'EndPerson', person: consent.person }, admin);
  expect(people.broughtFor(consent)).toMatchObject({ refused: 'session-over' });
});

test('a name is set, read and erased; that it was is recorded', async () => {
  const store = memoryStore();
  const { people, admin, floor, at } = await staffed(store);
  const { session: dealer } = await letIn(people.signIn(at('D-1')));
  expect(await people.setName(id(), 'p2', 'Ah Kow', dealer)).toMatchObject({ refused: 'not-your-post' });
  expect(await people.setName(id(), 'p2', '  ', admin)).toMatchObject({ refused: 'bad-request' });
  expect(await people.setName(id(), 'p9', 'Ah Kow', admin)).toMatchObject({ refused: 'unknown-person' });
  expect(await people.setName(id(), 'p2', 'Ah Kow', admin)).toBeUndefined();
  expect(people.nameOf('p2')).toBe('Ah Kow');
  await floor.park();
  const again = await opened(store, { time: new MadeTime(start + 1_000) });
  expect(again.people.nameOf('p2')).toBe('Ah Kow');
  const later = again.people.session(admin.id)!;
  expect(await again.people.setName(id(), 'p2', undefined, later)).toBeUndefined();
  expect(again.people.nameOf('p2')).toBeUndefined();
  expect((await store.aside('name')).size).toBe(0);
  expect((await eventsOf(store)).slice(-1)).toMatchObject([{ type: 'NameNoted', person: 'p2', erased: true }]);
});

test('a console is known by its key until it is ended', async () => {
  const { people, admin, consoleKey, console, at } = await staffed(memoryStore());
  expect(people.consoleOf(consoleKey)).toEqual({ console, kind: 'dealer', table: 'L1' });
  expect(people.consoleOf('else')).toBeUndefined();
  expect(await people.enrolConsole(id(), { kind: 'floor', table: 'L1' }, admin)).toMatchObject({
    refused: 'unknown-console',
  });
  await people.submit(id(), { type: 'EndConsole', console }, admin);
  expect(people.consoleOf(consoleKey)).toBeUndefined();
  expect(await people.signIn(at('D-1'))).toMatchObject({ refused: 'unknown-console' });
  for (const type of ['SetSecret', 'EnrolConsole', 'NoteName']) {
    expect(await people.submit(id(), { type }, admin)).toMatchObject({ refused: 'bad-request' });
  }
  expect(await people.giveSecret(id(), 'p1', 'pin', admin)).toMatchObject({ refused: 'own-account' });
});

describe('what proves who somebody is', () => {
  test('has its cost beside it, and is keyed with what is sealed where it is a PIN', async () => {
    const store = memoryStore();
    const { people, floor, at } = await staffed(store, { cost: usualCost });
    const secrets = [...(await store.aside('secret'))].map(([, value]) => value);
    expect(secrets).toHaveLength(7);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43} scrypt 32768 8 1 [\w-]{22} [\w-]{43}$/);
    expect(await store.seals()).toContain('pins');
    // Another cost holds for what is new, and the old is still known.
    await floor.park();
    const again = await opened(store, { time: new MadeTime(start + 1_000) });
    expect(await again.people.signIn(at('D-1'))).toHaveProperty('token');
    expect(people.state!.members['p2']!.secrets).toMatchObject({ pin: { once: false } });
  });

  test('does not count where it was not written with the key, and that is said', async () => {
    const memory = new Memory();
    const store = memoryStore(memory);
    const { floor, people, at } = await staffed(store);
    const { token } = await letIn(people.signIn(at('D-1')));
    const isBound = (kind: Parameters<typeof unbound>[1], what: string, value: string): boolean =>
      unbound(key, kind, what, value) !== undefined;
    expect(await verify(store, { isBound })).toMatchObject({ problem: undefined });
    // The PIN of one is put in the place of another's, and a session of one in the place of another's.
    const secrets = await store.aside('secret');
    const idOf = (person: string): string => [...secrets.keys()].find((one) => one.startsWith(`${person}/pin/`))!;
    await store.putAside('secret', idOf('p4'), secrets.get(idOf('p2')));
    const [[hash, value]] = [...(await store.aside('session'))].slice(-1) as [[string, string]];
    await store.putAside('session', hash, value.replace('s2 p2', 's1 p1'));
    await store.putAside('session', 'f'.repeat(64), 'nothing');
    await floor.park();
    const again = await opened(store, { time: new MadeTime(start + 1_000) });
    expect(again.troubles).toHaveLength(3);
    expect(again.troubles[0]).toContain('was not written with the key of the record and does not count');
    expect(again.people.byToken(token)).toBeUndefined();
    expect(await again.people.signIn(at('S-1'))).toMatchObject({ refused: 'wrong-secret' });
    expect((await verify(store, { isBound })).problem).toMatch(
      /^The secret p4\/pin\/\w+ beside the chain was not written/,
    );
  });

  test('a PIN is six digits that nobody guesses first, a password ten letters', () => {
    const chance = seededChance('secrets');
    for (let n = 0; n < 200; n++) {
      for (const kind of ['pin', 'password'] as const) expect(isFit(kind, newSecret(kind, chance.below))).toBe(true);
    }
    expect(
      ['123456', '987654', '890123', '000000', '12345', '1234567', '12a456'].some((one) => isFit('pin', one)),
    ).toBe(false);
    expect(['246810', '112233', '902744'].every((one) => isFit('pin', one))).toBe(true);
    expect(['123456789', 'x'.repeat(201), '\ud800aaaaaaaaaaaa'].some((one) => isFit('password', one))).toBe(false);
  });
});
