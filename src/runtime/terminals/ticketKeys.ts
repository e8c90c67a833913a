import { createHmac } from 'node:crypto';
import { floorDecider } from '../../deciders/deciders.ts';
import { type Account, ticketOfAccount } from '../../ledger/accounts.ts';
import { idOfTicketKey } from '../../terminal/ticketNumbers.ts';
import { type StoreReader, type Store } from '../../store/store.ts';
import { loadState } from '../stream/loadState.ts';
import { DamagedBlobError, putEncryptedBlob, readEncryptedBlob } from '../encryption/encryptedBlobs.ts';

// Ticket keys: the validation numbers of tickets are computed from them. Ticket keys are stored as encrypted blobs,
// numbered from 1. A ticket key is derived from the data key that is in use when it is made. So a damaged ticket key
// can be derived again until the data key is rotated.

const blobIdOf = (number: number): string => `tickets/${number}`;

/** The two possible ticket keys of a number. Earlier versions derived the first ticket key without its number. */
const candidateKeys = (key: Buffer, number: number): readonly string[] =>
  ['tickets', `tickets ${number}`].map((text) => createHmac('sha256', key).update(text).digest('hex'));

export const deriveTicketKey = (key: Buffer, number: number): string => candidateKeys(key, number)[1]!;

/** True if a ticket key was derived from the current data key. */
export const isTicketKeyDerivedFromDataKey = (key: Buffer, number: number, ticketKey: string): boolean =>
  candidateKeys(key, number).includes(ticketKey);

export const putTicketKey = (store: Store, number: number, ticketKey: string, key: Buffer): Promise<void> =>
  putEncryptedBlob(store, blobIdOf(number), ticketKey, key);

/** What is known about the ticket keys: their names in the floor stream, and whether any ticket was issued. */
type TicketKeyFacts = { readonly names: readonly string[]; readonly isIssued: boolean };

const isTicket = (account: Account): boolean => ticketOfAccount(account) !== undefined;

export const hasIssuedTickets = (balances: ReadonlyMap<Account, unknown>): boolean =>
  [...balances.keys()].some(isTicket);

/** Reads the names of the ticket keys from the floor stream, and whether any ticket was issued, without a running floor. */
export async function readRecordedTicketKeyNames(store: Store, key: Buffer): Promise<TicketKeyFacts> {
  const isIssued = hasIssuedTickets(await store.balances());
  const stream = (await store.streams()).find((one) => one.endsWith('/floor/main'));
  if (stream === undefined) return { names: [], isIssued };
  const { state } = await loadState({ store, stream, decider: floorDecider, key, onWarning: () => {} });
  return { names: state?.ticketKeys ?? [], isIssued };
}

/**
 * Reads all ticket keys, oldest first. A damaged key is derived again, and its number is in `rederived`. Throws
 * `DamagedBlobError` if a key cannot be derived again, because the tickets of that key could not be found any more.
 */
export async function readTicketKeys(
  store: Pick<StoreReader, 'blobIds' | 'blob'>,
  key: Buffer,
  { names, isIssued }: TicketKeyFacts,
): Promise<{ readonly keys: readonly string[]; readonly rederived: readonly number[] }> {
  const ids = new Set(await store.blobIds());
  const expectedCount = Math.max(names.length, isIssued ? 1 : 0);
  const keys: string[] = [];
  const rederived: number[] = [];
  for (let number = 1; number <= expectedCount || ids.has(blobIdOf(number)); number++) {
    const name = names[number - 1];
    const fits = (one: string): boolean => name === undefined || idOfTicketKey(one) === name;
    const decrypted = await decryptedKey(store, key, number);
    const isIntact = decrypted !== undefined && fits(decrypted);
    const ticketKey = isIntact ? decrypted : candidateKeys(key, number).find(fits);
    if (ticketKey === undefined) {
      throw new DamagedBlobError(
        `The ticket key ${blobIdOf(number)} is missing or damaged, and cannot be derived from the data key again.`,
      );
    }
    if (!isIntact) rederived.push(number);
    keys.push(ticketKey);
  }
  return { keys, rederived };
}

async function decryptedKey(
  store: Pick<StoreReader, 'blob'>,
  key: Buffer,
  number: number,
): Promise<string | undefined> {
  try {
    return await readEncryptedBlob(store, blobIdOf(number), key);
  } catch (error) {
    if (error instanceof DamagedBlobError) return undefined;
    throw error;
  }
}

export const rederivedKeyWarning = (number: number): DamagedBlobError =>
  new DamagedBlobError(
    `The ticket key ${blobIdOf(number)} is missing or damaged.`,
    'it was derived from the data key and stored again, and its tickets are paid as before',
  );
