import { effect, signal } from '@preact/signals';
import { type SignOutReason } from '../../../wire/staff/messages.ts';
import {
  type StaffBrowserState,
  type StaffHttpRequestBody,
  type StaffHttpRequestName,
} from '../../../wire/staff/signInRequests.ts';
import { staffState } from './state.ts';
import { staffClient } from './connection.ts';
import { redirect } from './router.ts';

export type StaffRequestRefusal = { readonly code: string; readonly message: string; readonly until?: number };

/**
 * Session, console and property of this browser, as `/staff/me` reports them; null until the first response. The page
 * asks the server, since scripts cannot read the session cookie.
 */
export const staffBrowserState = signal<StaffBrowserState | null>(null);

/** True from the moment this page requests a lock until the console is unlocked or the session ends. */
const isLockRequested = signal(false);

/**
 * CSRF guard: the server accepts only requests with this header. A form or link of another site cannot set the header.
 */
const csrfHeader = { 'x-punto-staff': '1' };

const noResponse: StaffRequestRefusal = {
  code: 'server-closing',
  message: 'The server does not answer; try again soon.',
};

/**
 * Sends a request of the staff over HTTP, such as `sign-in`, `unlock` or `relief`. Resolves to the refusal, or to
 * undefined on success.
 */
export async function sendStaffHttpRequest<N extends StaffHttpRequestName>(
  name: N,
  body: StaffHttpRequestBody<N>,
): Promise<StaffRequestRefusal | undefined> {
  const answer = await fetchReply(name, body);
  return 'code' in answer && 'message' in answer ? (answer as StaffRequestRefusal) : undefined;
}

async function fetchReply<N extends StaffHttpRequestName>(name: N, body: StaffHttpRequestBody<N>): Promise<object> {
  try {
    const answer = await fetch(`/staff/${name}`, {
      method: 'POST',
      headers: { ...csrfHeader, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
    });
    return (await answer.json()) as object;
  } catch {
    return noResponse;
  }
}

/** Requests a one-time code that enrols another device as a console. The server does not show the code again. */
export const createConsoleEnrolmentCode = async (
  body: StaffHttpRequestBody<'offer'>,
): Promise<{ readonly code: string; readonly until: number } | StaffRequestRefusal> =>
  (await fetchReply('offer', body)) as { readonly code: string; readonly until: number } | StaffRequestRefusal;

/**
 * Reads `/staff/me` into `staffBrowserState` and resolves to that state. After an error response the previous state is
 * kept. Resolves to null when the server cannot be reached.
 */
export async function loadStaffBrowserState(): Promise<StaffBrowserState | null> {
  try {
    const answer = await fetch('/staff/me', { headers: csrfHeader, cache: 'no-store' });
    if (answer.ok) staffBrowserState.value = (await answer.json()) as StaffBrowserState;
  } catch {
    return null;
  }
  return staffBrowserState.value;
}

/** Locks this page at once, without waiting for the server. */
export function lockConsole(): void {
  isLockRequested.value = true;
  void sendStaffHttpRequest('lock', {});
}

export async function unlockConsole(secret: {
  readonly pin?: string;
  readonly password?: string;
}): Promise<StaffRequestRefusal | undefined> {
  const refusal = await sendStaffHttpRequest('unlock', secret);
  if (refusal === undefined) isLockRequested.value = false;
  return refusal;
}

/** Relief of the dealer: `person` is the next dealer, who takes over at this console. The table stays open. */
export async function relieveDealer(person: {
  readonly number: string;
  readonly pin?: string;
}): Promise<StaffRequestRefusal | undefined> {
  return sendStaffHttpRequest('relief', person);
}

/**
 * Runs after the server has ended the session of this page. If the browser has a newer session already, the page
 * connects with the newer session. Otherwise the sign-in page opens.
 */
async function handleSessionEnd(reason: SignOutReason): Promise<void> {
  isLockRequested.value = false;
  const current = await loadStaffBrowserState();
  if (current !== null && current.session !== null) staffClient.open();
  else redirect(`/sign-in?${reason}`);
}

effect(() => {
  const { ended } = staffState.value;
  if (ended !== null) void handleSessionEnd(ended);
});

export async function signOut(): Promise<void> {
  await sendStaffHttpRequest('sign-out', {});
  location.assign('/sign-in');
}

export const isConsoleLocked = (): boolean => isLockRequested.value || (staffState.value.session?.locked ?? false);

// The console may be unlocked by another page of this browser. The lock that this page requested then ends as well.
let wasLocked = false;
effect(() => {
  const locked = staffState.value.session?.locked ?? false;
  if (wasLocked && !locked) isLockRequested.value = false;
  wasLocked = locked;
});
