import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { withCheckDigit } from '../rules/ticket.ts';

// A ticket is known by two names. Its validation number is printed and nowhere kept; its id is what the number gives under a
// key, and all that the record holds. Without the key nobody finds a number by its id, however many are tried.

const keyed = (key: string, text: string): string => bytesToHex(hmac(sha256, hexToBytes(key), utf8ToBytes(text)));

/** What a ticket is called in the record. */
export const ticketOf = (key: string, number: string): string => keyed(key, `ticket ${number}`).slice(0, 32);

/**
 * The number of the ticket that a terminal gives for a command: always the same, so that whoever asks again after a crash
 * gets the same ticket. Where it was given to another ticket once, the next turn gives another.
 */
export function numberFor(key: string, terminal: string, command: string, turn: number): string {
  const drawn = BigInt(`0x${keyed(key, `number ${turn} ${terminal} ${command}`).slice(0, 32)}`);
  return withCheckDigit(String(drawn % 10n ** 17n).padStart(17, '0'));
}

/** So many turns there are. */
export const turns = 4;

/** The number behind a ticket of a terminal, if one of the keys leads to it. */
export function numberBehind(
  ticket: string,
  keys: readonly string[],
  terminal: string,
  command: string,
): string | undefined {
  for (const key of keys) {
    for (let turn = 0; turn < turns; turn++) {
      const number = numberFor(key, terminal, command, turn);
      if (ticketOf(key, number) === ticket) return number;
    }
  }
  return undefined;
}
