import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { withCheckDigit } from '../base/validationNumber.ts';

// A ticket has two names. Its validation number is printed and never stored; its id is an HMAC of the number, and only
// the id is stored. Without the key the number cannot be found from the id.

const hmacHex = (key: string, text: string): string => bytesToHex(hmac(sha256, hexToBytes(key), utf8ToBytes(text)));

export const ticketId = (key: string, number: string): string => hmacHex(key, `ticket ${number}`).slice(0, 32);

/** Public id of a ticket key. */
export const ticketKeyId = (key: string): string => hmacHex(key, 'name').slice(0, 32);

/**
 * Validation number for a command, from a stored salt: a repeated request after a crash gets the same ticket. No number
 * ever repeats, even after a rollback of the store.
 */
export function validationNumberFor(key: string, terminal: string, command: string, salt: string | number): string {
  const drawnNumber = BigInt(`0x${hmacHex(key, `number ${salt} ${terminal} ${command}`).slice(0, 32)}`);
  return withCheckDigit(String(drawnNumber % 10n ** 17n).padStart(17, '0'));
}

/** Older tickets used one of these numbers as salt. */
const formerSalts = [0, 1, 2, 3];

/** The validation number of a ticket, when one of the keys gives it. */
export function findValidationNumber(
  ticket: string,
  keys: readonly string[],
  terminal: string,
  command: string,
  salt: string | undefined,
): string | undefined {
  for (const key of keys) {
    for (const one of salt === undefined ? formerSalts : [salt]) {
      const number = validationNumberFor(key, terminal, command, one);
      if (ticketId(key, number) === ticket) return number;
    }
  }
  return undefined;
}
