import { createHmac } from 'node:crypto';
import { floorDecider } from '../../deciders/deciders.ts';
import { type Account, ticketOfAccount } from '../../ledger/accounts.ts';
import { ticketKeyId } from '../../terminal/ticketNumbers.ts';
import { type StoreReader, type Store } from '../../store/store.ts';
import { loadState } from '../stream/loadState.ts';
import { DamagedSeal, sealOpener, sealText } from '../encryption/encryptedBlobs.ts';

// The keys that tickets have their numbers from lie sealed in the record, numbered from 1. Each comes from the key of the
// record that was in use when it was made, so that one whose seal is damaged can be worked out again until that is changed.

const idOf = (number: number): string => `tickets/${number}`;

/** What a key of tickets may be, by its number: formerly that had no part in it. */
const keysFrom = (key: Buffer, number: number): readonly string[] =>
  ['tickets', `tickets ${number}`].map((text) => createHmac('sha256', key).update(text).digest('hex'));

export const newTicketKey = (key: Buffer, number: number): string => keysFrom(key, number)[1]!;

/** Whether a key of tickets was made with the key of the record that is in use. */
export const isMadeWith = (key: Buffer, number: number, ticketKey: string): boolean =>
  keysFrom(key, number).includes(ticketKey);

export const sealTicketKey = (store: Store, number: number, ticketKey: string, key: Buffer): Promise<void> =>
  sealText(store, idOf(number), ticketKey, key);

/** What is known elsewhere of the keys of tickets: the names that the journal tells, and whether a ticket was ever issued. */
type Noted = { readonly names: readonly string[]; readonly isIssued: boolean };

const isTicket = (account: Account): boolean => ticketOfAccount(account) !== undefined;

export const isAnyIssued = (balances: ReadonlyMap<Account, unknown>): boolean => [...balances.keys()].some(isTicket);

/** The same of a record that no floor runs on. */
export async function notedIn(store: Store, key: Buffer): Promise<Noted> {
  const isIssued = isAnyIssued(await store.balances());
  const stream = (await store.streams()).find((one) => one.endsWith('/journal/floor'));
  if (stream === undefined) return { names: [], isIssued };
  const { state } = await loadState({ store, stream, decider: floorDecider, key, trouble: () => {} });
  return { names: state?.ticketKeys ?? [], isIssued };
}

/**
 * All keys of tickets, the oldest first, and the numbers of those whose seal is gone or not what it was and that were worked
 * out again. Where that cannot be done, nobody could find the tickets, and it is damage.
 */
export async function ticketKeysIn(
  store: Pick<StoreReader, 'blobIds' | 'blob'>,
  key: Buffer,
  { names, isIssued }: Noted,
): Promise<{ readonly keys: readonly string[]; readonly mended: readonly number[] }> {
  const ids = new Set(await store.blobIds());
  const due = Math.max(names.length, isIssued ? 1 : 0);
  const keys: string[] = [];
  const mended: number[] = [];
  for (let number = 1; number <= due || ids.has(idOf(number)); number++) {
    const name = names[number - 1];
    const fits = (one: string): boolean => name === undefined || ticketKeyId(one) === name;
    const inside = await opened(store, key, number);
    const isWhole = inside !== undefined && fits(inside);
    const ticketKey = isWhole ? inside : keysFrom(key, number).find(fits);
    if (ticketKey === undefined) {
      throw new DamagedSeal(
        `What was sealed as ${idOf(number)} is gone or not what it was, and the key of the record does not give it again.`,
      );
    }
    if (!isWhole) mended.push(number);
    keys.push(ticketKey);
  }
  return { keys, mended };
}

async function opened(store: Pick<StoreReader, 'blob'>, key: Buffer, number: number): Promise<string | undefined> {
  try {
    return await sealOpener(store, key)(idOf(number));
  } catch (error) {
    if (error instanceof DamagedSeal) return undefined;
    throw error;
  }
}

/** What the operator is told of one that was worked out again. */
export const mendedSeal = (number: number): DamagedSeal =>
  new DamagedSeal(
    `What was sealed as ${idOf(number)} is gone or not what it was.`,
    'it was worked out from the key of the record and sealed again, and its tickets are paid as before',
  );
