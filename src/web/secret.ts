/** So many random bytes in hexadecimal digits. Needs no secure context, unlike random UUIDs. */
const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An id that nobody else has. It begins with the time, so that ids of one moment lie together in the record. */
export const freshId = (): string => Date.now().toString(16).padStart(12, '0') + randomHex(10);

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
