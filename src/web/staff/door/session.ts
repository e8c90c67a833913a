import { signal } from '@preact/signals';

/** Where the server keeps sessions; a request of another site cannot carry the header. */
const ask = (what: string, given?: object): Promise<Response> =>
  fetch(`/staff/${what}`, {
    method: given === undefined ? 'GET' : 'POST',
    headers: { 'x-punto-staff': '1', ...(given !== undefined && { 'content-type': 'application/json' }) },
    ...(given !== undefined && { body: JSON.stringify(given) }),
    cache: 'no-store',
  });

/** Whether the console was locked from here; the server says so as well, a moment later. */
export const isLocking = signal(false);

/** Nobody does anything here before the PIN is given again. */
export function lockSession(): void {
  isLocking.value = true;
  ask('lock', {}).catch(() => undefined);
}

export const askDoor = ask;
