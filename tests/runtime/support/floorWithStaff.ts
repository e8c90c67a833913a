import { expect } from 'vitest';
import { insecureScryptCost } from '../../../src/runtime/staff/credentialStore.ts';
import { type ScryptCost } from '../../../src/runtime/ports/floorConfig.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { type SignInRequest } from '../../../src/runtime/staff/signInRefusals.ts';
import { type StaffService } from '../../../src/runtime/staff/staffService.ts';
import { type NewSessionWithToken } from '../../../src/runtime/staff/signInService.ts';
import { type FloorDependencies } from '../../../src/runtime/ports/runtimeDependencies.ts';
import { type SignInSession } from '../../../src/staff/state.ts';
import { type Store } from '../../../src/store/store.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from './demo.ts';
import { start, testDependencies } from './testDependencies.ts';

// Floors with staff who have their own PINs and passwords.

const liveTable = { ...demoSettings[0]!, table: 'L1', dealing: 'keyed', attended: true };
export const password = 'a long enough one';
export const pin = '902744';

/** Floor of one attended table with a staff register. */
export async function openFloorWithStaff(
  store: Store,
  {
    demo = false,
    time = new TestClock(start),
    cost = insecureScryptCost,
  }: { demo?: boolean; time?: TestClock; cost?: ScryptCost } = {},
  more: Partial<FloorDependencies> = {},
) {
  const test = testDependencies(store, `staff-${time.now}`, time);
  const staff = { demo, scryptCost: cost };
  const floor = await openFloor(demoOwner, [liveTable], demoPace, { ...test.dependencies, staff, ...more });
  return { ...test, floor, staff: floor.staff };
}

export const passwordSignIn = (number: string, secret: string): SignInRequest => ({
  number,
  secret,
  kind: 'password',
  console: null,
});
export const expectSignedIn = async (signingIn: Promise<unknown>): Promise<NewSessionWithToken> => {
  const result = await signingIn;
  expect(result).toHaveProperty('token');
  return result as NewSessionWithToken;
};

let ids = 0;
export const newCommandId = (): string => `staff-test-${ids++}`;

/** Floor whose first administrator has changed the password and signed in. */
export async function openWithAdministrator(store: Store, more?: Parameters<typeof openFloorWithStaff>[1]) {
  const test = await openFloorWithStaff(store, more);
  const { number, password: first } = test.floor.firstPassword!;
  expect(await test.staff.secrets.change({ number, kind: 'password', secret: first, next: password })).toBeUndefined();
  const { session, token } = await expectSignedIn(test.staff.signIns.signIn(passwordSignIn(number, password)));
  return { ...test, admin: session, token };
}

/** Enrols a staff member and sets PIN and password; returns the person's id. */
export async function enrolStaff(
  staff: StaffService,
  admin: SignInSession,
  number: string,
  roles: readonly string[],
): Promise<string> {
  expect(await staff.submit(newCommandId(), { type: 'EnrolPerson', number, roles }, admin)).toHaveProperty('entries');
  const { person } = Object.values(staff.state!.members).find((one) => one.number === number)!;
  for (const [kind, next] of [
    ['pin', pin],
    ['password', password],
  ] as const) {
    const issued = await staff.secrets.issue(newCommandId(), person, kind, admin);
    const { secret } = issued as { secret: string };
    expect(await staff.secrets.change({ number, kind, secret, next })).toBeUndefined();
  }
  return person;
}

/** Floor with two dealers, a supervisor and a dealer's console at the table. */
export async function openWithStaff(store: Store, more?: Parameters<typeof openFloorWithStaff>[1]) {
  const test = await openWithAdministrator(store, more);
  const { staff, admin } = test;
  await enrolStaff(staff, admin, 'D-1', ['dealer']);
  await enrolStaff(staff, admin, 'D-2', ['dealer']);
  await enrolStaff(staff, admin, 'S-1', ['supervisor']);
  const enrolling = await staff.consoles.enrol(newCommandId(), { kind: 'dealer', table: 'L1' }, admin);
  const { console, key: consoleKey } = enrolling as { console: string; key: string };
  const pinSignIn = (number: string, secret = pin): SignInRequest => ({ number, secret, kind: 'pin', console });
  return { ...test, console, consoleKey, pinSignIn };
}

export const staffEvents = async (store: Store): Promise<readonly { readonly type: string }[]> => {
  const found: { readonly type: string }[] = [];
  for await (const entries of store.read('demo/staff/main')) found.push(...entries.map(({ event }) => event));
  return found;
};
