import { expect } from 'vitest';
import { minScryptCost } from '../../src/runtime/staff/credentialStore.ts';
import { type ScryptCost } from '../../src/runtime/ports/floorConfig.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type SignInRequest } from '../../src/runtime/staff/signInRefusals.ts';
import { type StaffService } from '../../src/runtime/staff/staffService.ts';
import { type SignInResult } from '../../src/runtime/staff/signInService.ts';
import { type RuntimeDependencies } from '../../src/runtime/ports/runtimeDependencies.ts';
import { type SignInSession } from '../../src/staff/state.ts';
import { type Store } from '../../src/store/store.ts';
import { TestClock } from '../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from './demo.ts';
import { start, worldOf } from './made.ts';

// A floor with people: those of a property, who have secrets of their own.

const live = { ...demoSettings[0]!, table: 'L1', dealing: 'keyed', attended: true };
export const password = 'a long enough one';
export const pin = '902744';

/** A floor with people, and what a test needs of it. */
export async function opened(
  store: Store,
  {
    demo = false,
    time = new TestClock(start),
    cost = minScryptCost,
  }: { demo?: boolean; time?: TestClock; cost?: ScryptCost } = {},
  more: Partial<RuntimeDependencies> = {},
) {
  const made = worldOf(store, `people-${time.now}`, time);
  const staff = { demo, cost };
  const floor = await FloorRuntime.open(demoOwner, [live], demoPace, { ...made.world, staff, ...more });
  return { ...made, floor, people: floor.staff };
}

export const office = (number: string, secret: string): SignInRequest => ({
  number,
  secret,
  kind: 'password',
  console: null,
});
export const letIn = async (answer: Promise<unknown>): Promise<SignInResult> => {
  const got = await answer;
  expect(got).toHaveProperty('token');
  return got as SignInResult;
};

let ids = 0;
export const id = (): string => `people-test-${ids++}`;

/** The first administrator, with a password of its own. */
export async function administered(store: Store, more?: Parameters<typeof opened>[1]) {
  const made = await opened(store, more);
  const { number, password: first } = made.floor.firstPassword!;
  expect(await made.people.secrets.change({ number, kind: 'password', secret: first, next: password })).toBeUndefined();
  const { session, token } = await letIn(made.people.signIns.signIn(office(number, password)));
  return { ...made, admin: session, token };
}

/** Somebody whom the administrator enrols, with a PIN and a password of their own. */
export async function enrolled(
  people: StaffService,
  admin: SignInSession,
  number: string,
  roles: readonly string[],
): Promise<string> {
  expect(await people.submit(id(), { type: 'EnrolPerson', number, roles }, admin)).toHaveProperty('entries');
  const { person } = Object.values(people.state!.members).find((one) => one.number === number)!;
  for (const [kind, next] of [
    ['pin', pin],
    ['password', password],
  ] as const) {
    const given = await people.secrets.issue(id(), person, kind, admin);
    const { secret } = given as { secret: string };
    expect(await people.secrets.change({ number, kind, secret, next })).toBeUndefined();
  }
  return person;
}

/** A property with a dealer, another and a supervisor, and a console at the table. */
export async function staffed(store: Store, more?: Parameters<typeof opened>[1]) {
  const made = await administered(store, more);
  const { people, admin } = made;
  await enrolled(people, admin, 'D-1', ['dealer']);
  await enrolled(people, admin, 'D-2', ['dealer']);
  await enrolled(people, admin, 'S-1', ['supervisor']);
  const enrolling = await people.consoles.enrol(id(), { kind: 'dealer', table: 'L1' }, admin);
  const { console, key: consoleKey } = enrolling as { console: string; key: string };
  const at = (number: string, secret = pin): SignInRequest => ({ number, secret, kind: 'pin', console });
  return { ...made, console, consoleKey, at };
}

export const eventsOf = async (store: Store): Promise<readonly { readonly type: string }[]> => {
  const found: { readonly type: string }[] = [];
  for await (const entries of store.read('demo/staff/main')) found.push(...entries.map(({ event }) => event));
  return found;
};
