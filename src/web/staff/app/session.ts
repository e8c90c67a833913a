import { effect, signal } from '@preact/signals';
import { type SignOutReason } from '../../../wire/staff/messages.ts';
import { type StaffMe, type StaffRequest, type StaffRequestName } from '../../../wire/staff/signInRequests.ts';
import { staffState } from './state.ts';
import { staff } from './connection.ts';
import { goInstead } from './router.ts';

// Who is signed in here. Sessions live in cookies that no script reads; what a page knows is what the server tells it.

export type SignInDenied = { readonly code: string; readonly message: string; readonly until?: number };

/** Where this browser stands. */
export const me = signal<StaffMe | null>(null);

/** Whether it was locked from here; the server says so as well, a moment later. */
const isLocking = signal(false);

/** A request of another site cannot carry this. */
const header = { 'x-punto-staff': '1' };

const noAnswer: SignInDenied = { code: 'server-closing', message: 'The server does not answer; try again soon.' };

/** Asks the server; gives why it did not do it, or nothing. */
export async function askDoor<N extends StaffRequestName>(
  what: N,
  given: StaffRequest<N>,
): Promise<SignInDenied | undefined> {
  const answer = await answerOf(what, given);
  return 'code' in answer && 'message' in answer ? (answer as SignInDenied) : undefined;
}

/** Asks the server; gives what it said, whether it did it or not. */
async function answerOf<N extends StaffRequestName>(what: N, given: StaffRequest<N>): Promise<object> {
  try {
    const answer = await fetch(`/staff/${what}`, {
      method: 'POST',
      headers: { ...header, 'content-type': 'application/json' },
      body: JSON.stringify(given),
      cache: 'no-store',
    });
    return (await answer.json()) as object;
  } catch {
    return noAnswer;
  }
}

/** A console for another device: the code that makes one of it, told once, and until when. */
export const requestConsoleCode = async (
  given: StaffRequest<'offer'>,
): Promise<{ readonly code: string; readonly until: number } | SignInDenied> =>
  (await answerOf('offer', given)) as { readonly code: string; readonly until: number } | SignInDenied;

/** Looks where this browser stands; null where nobody answers. */
export async function lookAtMe(): Promise<StaffMe | null> {
  try {
    const answer = await fetch('/staff/me', { headers: header, cache: 'no-store' });
    if (answer.ok) me.value = (await answer.json()) as StaffMe;
  } catch {
    return null;
  }
  return me.value;
}

/** Nobody does anything here before the secret is given again. */
export function lockConsole(): void {
  isLocking.value = true;
  void askDoor('lock', {});
}

export async function unlock(secret: {
  readonly pin?: string;
  readonly password?: string;
}): Promise<SignInDenied | undefined> {
  const denied = await askDoor('unlock', secret);
  if (denied === undefined) isLocking.value = false;
  return denied;
}

/** The next person takes over at this console; the table goes on. */
export async function takeOver(person: {
  readonly number: string;
  readonly pin?: string;
}): Promise<SignInDenied | undefined> {
  return askDoor('relief', person);
}

/** A session is over: whoever is signed in here by then goes on, and where nobody is, somebody signs in. */
async function goOn(why: SignOutReason): Promise<void> {
  isLocking.value = false;
  const now = await lookAtMe();
  if (now !== null && now.session !== null) staff.open();
  else goInstead(`/sign-in?${why}`);
}

effect(() => {
  const { ended } = staffState.value;
  if (ended !== null) void goOn(ended);
});

export async function signOut(): Promise<void> {
  await askDoor('sign-out', {});
  location.assign('/sign-in');
}

/** Whether the console stands locked. */
export const isLocked = (): boolean => isLocking.value || (staffState.value.session?.locked ?? false);

// What the server opens again is open here as well.
let wasLocked = false;
effect(() => {
  const locked = staffState.value.session?.locked ?? false;
  if (wasLocked && !locked) isLocking.value = false;
  wasLocked = locked;
});
