import { effect, signal } from '@preact/signals';
import { type Ended } from '../../../wire/staff/messages.ts';
import { type StaffMe, type StaffRequest, type StaffRequestName } from '../../../wire/staff/signInRequests.ts';
import { staffState } from './state.ts';
import { staff } from './connection.ts';
import { goInstead } from './router.ts';

// Staff session of this browser. The session cookie is not readable by scripts, so the page only knows what the server
// reports.

export type SignInDenied = { readonly code: string; readonly message: string; readonly until?: number };

/** Session, console and property of this browser; null until the server has answered once. */
export const me = signal<StaffMe | null>(null);

/** True from the moment this page asks for a lock until the server confirms or lifts it. */
const isLocking = signal(false);

/** CSRF guard: a form or link of another site cannot set this header. */
const header = { 'x-punto-staff': '1' };

const noAnswer: SignInDenied = { code: 'server-closing', message: 'The server does not answer; try again soon.' };

/** Resolves to the refusal, or to undefined on success. */
export async function askDoor<N extends StaffRequestName>(
  what: N,
  given: StaffRequest<N>,
): Promise<SignInDenied | undefined> {
  const answer = await answerOf(what, given);
  return 'code' in answer && 'message' in answer ? (answer as SignInDenied) : undefined;
}

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

/** One-time code that enrols another device as a console. The server shows it only once. */
export const requestConsoleCode = async (
  given: StaffRequest<'offer'>,
): Promise<{ readonly code: string; readonly until: number } | SignInDenied> =>
  (await answerOf('offer', given)) as { readonly code: string; readonly until: number } | SignInDenied;

/** Null when the server does not answer and no earlier answer exists. */
export async function lookAtMe(): Promise<StaffMe | null> {
  try {
    const answer = await fetch('/staff/me', { headers: header, cache: 'no-store' });
    if (answer.ok) me.value = (await answer.json()) as StaffMe;
  } catch {
    return null;
  }
  return me.value;
}

/** Locks at once on this page; the server confirms a moment later. */
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

/** Dealer relief: the table stays open. */
export async function takeOver(person: {
  readonly number: string;
  readonly pin?: string;
}): Promise<SignInDenied | undefined> {
  return askDoor('relief', person);
}

/** After a session has ended: follow the next session of this console, else go to sign-in. */
async function goOn(why: Ended): Promise<void> {
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

export const isLocked = (): boolean => isLocking.value || (staffState.value.session?.locked ?? false);

// An unlock confirmed by the server also ends the local lock.
let wasLocked = false;
effect(() => {
  const locked = staffState.value.session?.locked ?? false;
  if (wasLocked && !locked) isLocking.value = false;
  wasLocked = locked;
});
