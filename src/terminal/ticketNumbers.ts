import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { withCheckDigit } from '../base/validationNumber.ts';

// A ticket is known by two names. Its validation number is printed and nowhere kept; its id is what the number gives under a
// key, and all that the record holds. Without the key nobody finds a number by its id, however many are tried.

const hmacHex = (key: string, text: string): string => bytesToHex(hmac(sha256, hexToBytes(key), utf8ToBytes(text)));

/** What a ticket is called in the record. */
export const ticketId = (key: string, number: string): string => hmacHex(key, `ticket ${number}`).slice(0, 32);

/** What a key of tickets is called where it must not be told. */
export const ticketKeyId = (key: string): string => hmacHex(key, 'name').slice(0, 32);

/**
 * The number of the ticket that a terminal gives for a command, by a salt that stands in the record with it: whoever asks
 * again after a crash gets the same ticket, and no number ever comes again, not even where a record is turned back.
 */
export function validationNumberFor(key: string, terminal: string, command: string, salt: string | number): string {
  const drawnNumber = BigInt(`0x${hmacHex(key, `number ${salt} ${terminal} ${command}`).slice(0, 32)}`);
  return withCheckDigit(String(drawnNumber % 10n ** 17n).padStart(17, '0'));
}

/** In place of a salt tickets once had one of these. */
const formerSalts = [0, 1, 2, 3];

/** The number behind a ticket of a terminal, if one of the keys leads to it. */
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
