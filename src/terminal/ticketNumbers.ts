import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { withCheckDigit } from '../base/validationNumber.ts';

// A ticket has a validation number, which is printed and never stored, and an id, which is stored. The id is an HMAC of
// the validation number, so the id reveals the number only to a holder of the ticket key.

const hmacHex = (key: string, text: string): string => bytesToHex(hmac(sha256, hexToBytes(key), utf8ToBytes(text)));

export const ticketId = (key: string, number: string): string => hmacHex(key, `ticket ${number}`).slice(0, 32);

/** Id of a ticket key: it names the key in the event log without revealing the key. */
export const idOfTicketKey = (key: string): string => hmacHex(key, 'name').slice(0, 32);

/**
 * Validation number of the ticket that a command issues. The number is derived from the stored salt, so that the same
 * command after a crash gets the same ticket. Because salts are random, numbers do not repeat even after a rollback of
 * the store.
 */
export function validationNumberFor(key: string, terminal: string, command: string, salt: string | number): string {
  const drawnNumber = BigInt(`0x${hmacHex(key, `number ${salt} ${terminal} ${command}`).slice(0, 32)}`);
  return withCheckDigit(String(drawnNumber % 10n ** 17n).padStart(17, '0'));
}

/** Salts of tickets that were issued before salts were random. */
const formerSalts = [0, 1, 2, 3];

/** The validation number of a stored ticket; undefined if the ticket was made with none of these ticket keys. */
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
