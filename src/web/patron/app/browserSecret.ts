import { randomHex } from '../../../client/environment.ts';

const place = 'punto.secret';
let secret: string | undefined;

/** The secret that identifies this browser. It is generated and stored here; the server stores only its hash. */
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

/** The key of an enrolled terminal, from the address. It is removed from the address at once. */
function givenKey(): string | undefined {
  const [, key] = /^#key=([0-9a-f]{64})$/.exec(location.hash) ?? [];
  if (key !== undefined) history.replaceState(null, '', location.pathname);
  return key;
}

/**
 * Drops a revoked secret, so that the next page generates a new one. A secret that another page stored since is kept.
 */
export function forgetSecret(): void {
  try {
    if (localStorage.getItem(place) === secret) localStorage.removeItem(place);
  } catch {
    // Nothing was stored.
  }
}
