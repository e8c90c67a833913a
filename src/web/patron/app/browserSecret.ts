import { randomHex } from '../../../client/environment.ts';

const storageKey = 'punto.secret';
let secret: string | undefined;

/**
 * The secret that identifies this browser: the key of an enrolled terminal, or a random secret. The server stores only
 * the hash of the secret.
 */
export function loadOrCreateBrowserSecret(): string {
  if (secret !== undefined) return secret;
  secret = keyFromAddress();
  try {
    if (secret !== undefined) localStorage.setItem(storageKey, secret);
    secret ??= localStorage.getItem(storageKey) ?? undefined;
    if (secret === undefined || !/^[0-9a-f]{64}$/.test(secret)) {
      secret = randomHex(32);
      localStorage.setItem(storageKey, secret);
    }
  } catch {
    // Without browser storage the secret is lost when the page is closed, and the seat is lost with the secret.
    secret ??= randomHex(32);
  }
  return secret;
}

/** The key of an enrolled terminal, read from the address of the page. The key is removed from the address at once. */
function keyFromAddress(): string | undefined {
  const [, key] = /^#key=([0-9a-f]{64})$/.exec(location.hash) ?? [];
  if (key !== undefined) history.replaceState(null, '', location.pathname);
  return key;
}

/**
 * Drops a revoked secret, so that the next page generates a new secret. A newer secret, stored by another page, is
 * kept.
 */
export function forgetBrowserSecret(): void {
  try {
    if (localStorage.getItem(storageKey) === secret) localStorage.removeItem(storageKey);
  } catch {
    // Without browser storage nothing has to be removed.
  }
}
