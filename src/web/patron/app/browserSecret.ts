import { randomHex } from '../../../client/environment.ts';

const place = 'punto.secret';
let secret: string | undefined;

/** What this browser is known by. It is made here, kept here, and the server remembers no more than its hash. */
export function ownSecret(): string {
  if (secret !== undefined) return secret;
  secret = givenKey();
  try {
    if (secret !== undefined) localStorage.setItem(place, secret);
    secret ??= localStorage.getItem(place) ?? undefined;
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

/** The key of an enrolled terminal, where the address brings one; it does not stay there. */
function givenKey(): string | undefined {
  const [, key] = /^#key=([0-9a-f]{64})$/.exec(location.hash) ?? [];
  if (key !== undefined) history.replaceState(null, '', location.pathname);
  return key;
}

/** The secret is dead: the next page begins with another, unless there is another already. */
export function forgetSecret(): void {
  try {
    if (localStorage.getItem(place) === secret) localStorage.removeItem(place);
  } catch {
    // Nothing was kept.
  }
}
