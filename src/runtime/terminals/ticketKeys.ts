import { createHmac } from 'node:crypto';
import { floorDecider } from '../../deciders/deciders.ts';
import { type Account, ticketOfAccount } from '../../ledger/accounts.ts';
import { ticketKeyId } from '../../terminal/ticketNumbers.ts';
import { type StoreReader, type Store } from '../../store/store.ts';
import { loadState } from '../stream/loadState.ts';
import { DamagedBlob, putEncrypted, readEncrypted } from '../encryption/encryptedBlobs.ts';

// Ticket keys, from which validation numbers are computed, are encrypted blobs numbered from 1. Each is derived from
// the data key of its time, so a damaged one can be derived again until the data key is rotated.

const blobIdOf = (number: number): string => `tickets/${number}`;

/** Possible ticket keys by number: the first key was once derived without its number. */
const candidateKeys = (key: Buffer, number: number): readonly string[] =>
  ['tickets', `tickets ${number}`].map((text) => createHmac('sha256', key).update(text).digest('hex'));

export const newTicketKey = (key: Buffer, number: number): string => candidateKeys(key, number)[1]!;

/** True if a ticket key was derived from the current data key. */
export const isDerivedFrom = (key: Buffer, number: number, ticketKey: string): boolean =>
  candidateKeys(key, number).includes(ticketKey);

export const putTicketKey = (store: Store, number: number, ticketKey: string, key: Buffer): Promise<void> =>
  putEncrypted(store, blobIdOf(number), ticketKey, key);

/** What is known of the ticket keys: names in the floor stream, and whether any ticket was issued. */
type TicketKeyFacts = { readonly names: readonly string[]; readonly isIssued: boolean };

const isTicket = (account: Account): boolean => ticketOfAccount(account) !== undefined;

export const isAnyIssued = (balances: ReadonlyMap<Account, unknown>): boolean => [...balances.keys()].some(isTicket);

/** The same from a store without a running floor. */
export async function readTicketKeyFacts(store: Store, key: Buffer): Promise<TicketKeyFacts> {
  const isIssued = isAnyIssued(await store.balances());
  const stream = (await store.streams()).find((one) => one.endsWith('/floor/main'));
  if (stream === undefined) return { names: [], isIssued };
  const { state } = await loadState({ store, stream, decider: floorDecider, key, onWarning: () => {} });
  return { names: state?.ticketKeys ?? [], isIssued };
}

/**
 * All ticket keys, oldest first, and the numbers of those that were damaged and derived again. Throws if that fails,
 * because no ticket could be found any more.
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
    const fits = (one: string): boolean => name === undefined || ticketKeyId(one) === name;
    const decrypted = await decryptedKey(store, key, number);
    const isIntact = decrypted !== undefined && fits(decrypted);
    const ticketKey = isIntact ? decrypted : candidateKeys(key, number).find(fits);
    if (ticketKey === undefined) {
      throw new DamagedBlob(
        `What was sealed as ${blobIdOf(number)} is gone or not what it was, and the key of the record does not give it again.`,
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
    return await readEncrypted(store, blobIdOf(number), key);
  } catch (error) {
    if (error instanceof DamagedBlob) return undefined;
    throw error;
  }
}

/** Warning that a ticket key was derived again. */
export const rederivedKeyWarning = (number: number): DamagedBlob =>
  new DamagedBlob(
    `What was sealed as ${blobIdOf(number)} is gone or not what it was.`,
    'it was worked out from the key of the record and sealed again, and its tickets are paid as before',
  );
