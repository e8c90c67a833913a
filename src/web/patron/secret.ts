import { randomHex } from '../../client/world.ts';

const place = 'punto.secret';
let secret: string | undefined;

/** What this browser is known by. It is made here, kept here, and the server remembers no more than its hash. */
export function ownSecret(): string {
  if (secret !== undefined) return secret;
  try {
    secret = localStorage.getItem(place) ?? undefined;
    if (secret === undefined || !/^[0-9a-f]{64}$/.test(secret)) {
      secret = randomHex(32);
      localStorage.setItem(place, secret);
    }
  } catch {
    // Without storage the seat lasts as long as the page.
    secret ??= randomHex(32);
  }
  return secret;
}

/** The secret is dead: the next page begins with another, unless there is another already. */
export function forgetSecret(): void {
  try {
    if (localStorage.getItem(place) === secret) localStorage.removeItem(place);
  } catch {
    // Nothing was kept.
  }
}
