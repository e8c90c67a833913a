import { type AuthenticatedValueKind, authenticatedValueKinds } from '../store/authenticatedValues.ts';
import { type StoreReader } from '../store/store.ts';
import { ticketKeyId } from '../terminal/ticketNumbers.ts';
import { VerifyError } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

// Checks of the data outside the hash chain: key-value table, heartbeats, blobs.

const floorHeartbeat = 'floor';
/** Id of the blob that shows whether an encryption key is the right one. */
const keyCheckId = 'key';
const shoePrefix = 'shoe/';
const ticketPrefix = 'tickets/';
/** Id of the blob with the key for the hashes of PINs. */
const pinKeyId = 'pins';

/**
 * Decrypts a blob. Returns the root of a shoe, a ticket key, or undefined for other blobs. Throws if decryption fails.
 */
export type DecryptBlob = (id: string) => Promise<string | undefined>;

/** Whether a value of the key-value table has a valid MAC. */
export type IsValueAuthentic = (kind: AuthenticatedValueKind, id: string, value: string) => boolean;

/** Throws when a credential or name in the key-value table has no valid MAC. */
export async function verifyAuthenticatedValues(store: StoreReader, isAuthentic: IsValueAuthentic): Promise<void> {
  for (const kind of authenticatedValueKinds) {
    const forged = [...(await store.listValues(kind))].find(([id, value]) => !isAuthentic(kind, id, value));
    if (forged)
      throw new VerifyError(`The ${kind} ${forged[0]} in the key-value table was not written with the property key.`);
  }
}

/** A floor that is closing may record heartbeats for this long, in milliseconds. */
const maxCloseMs = 3_600_000;

/**
 * Throws unless every heartbeat belongs to the floor or to a stream, none is later than that of the floor, and that one
 * is not from long after the close of the floor.
 */
export async function verifyHeartbeats(
  store: StoreReader,
  summaries: ReadonlyMap<string, StreamSummary>,
): Promise<void> {
  const heartbeats = await store.heartbeats();
  const floorAt = heartbeats.get(floorHeartbeat) ?? 0;
  for (const [name, at] of heartbeats) {
    if (name !== floorHeartbeat && !summaries.has(name))
      throw new VerifyError(`There is a heartbeat of ${name}, but no such stream.`);
    if (at > floorAt) throw new VerifyError(`The heartbeat of ${name} is later than that of the floor.`);
  }
  for (const { floor } of summaries.values()) {
    if (floor && !floor.open && floorAt > floor.at + maxCloseMs) {
      throw new VerifyError('There is a heartbeat from long after the floor was closed.');
    }
  }
}

/** Throws when the floor stream names a later epoch than the last one of the store. */
export async function verifyEpochs(store: StoreReader, summaries: ReadonlyMap<string, StreamSummary>): Promise<void> {
  const storeEpoch = await store.epoch();
  for (const [stream, { floor: { epoch } = { epoch: 0 } }] of summaries) {
    if (epoch > storeEpoch)
      throw new VerifyError(
        `The stream ${stream} has epoch ${epoch}, but the last epoch of the event store is ${storeEpoch}.`,
      );
  }
}

/** Number of decrypted blobs, and the ticket keys among them; undefined without the encryption key. */
type OpenedBlobs = { readonly opened: number; readonly ticketKeys: readonly string[] | undefined };

/**
 * Throws unless ticket keys are numbered without gaps and, given the encryption key, are those that the floor stream
 * names.
 */
function verifyTicketKeys(
  summaries: ReadonlyMap<string, StreamSummary>,
  blobIds: ReadonlySet<string>,
  openedKeys: ReadonlyMap<string, string> | undefined,
): void {
  for (const { floor } of summaries.values()) {
    for (const [index, name] of (floor?.ticketKeys ?? []).entries()) {
      const id = `${ticketPrefix}${index + 1}`;
      if (!blobIds.has(id)) throw new VerifyError(`The blob ${id} with a ticket key is missing.`);
      if (openedKeys && ticketKeyId(openedKeys.get(id)!) !== name)
        throw new VerifyError(`The blob ${id} is not the ticket key that the floor stream names.`);
    }
  }
  const count = [...blobIds].filter((id) => id.startsWith(ticketPrefix)).length;
  for (let number = 1; number <= count; number++) {
    if (!blobIds.has(`${ticketPrefix}${number}`))
      throw new VerifyError(`There are ticket keys, but none in the blob ${ticketPrefix}${number}.`);
  }
}

/**
 * Throws unless every committed shoe has its blob or was retired. With the encryption key, the root in each blob must
 * be the committed one.
 */
export async function verifyBlobs(
  store: StoreReader,
  summaries: ReadonlyMap<string, StreamSummary>,
  openBlob: DecryptBlob | undefined,
): Promise<OpenedBlobs> {
  const shoes = new Map([...summaries.values()].flatMap((summary) => [...summary.shoes]));
  const ids = await store.blobIds();
  let opened = 0;
  const ticketKeys = new Map<string, string>();
  for (const id of ids) {
    if (id !== keyCheckId && id !== pinKeyId && !id.startsWith(shoePrefix) && !id.startsWith(ticketPrefix))
      throw new VerifyError(`The blob ${id} is of no known kind.`);
    const shoe = id.startsWith(shoePrefix) ? shoes.get(id.slice(shoePrefix.length)) : undefined;
    if (openBlob === undefined || shoe?.isRetired) continue;
    const content = await openBlob(id).catch((error: unknown) => {
      throw new VerifyError((error as Error).message);
    });
    if (id.startsWith(ticketPrefix) && content !== undefined) ticketKeys.set(id, content);
    if (shoe && content !== shoe.root)
      throw new VerifyError(`The blob ${id} is not the shoe that its table has committed to.`);
    opened += 1;
  }
  const blobIds = new Set(ids);
  // If there is no blob at all, only the encryption key shows that there must be some.
  if (openBlob || ids.length > 0) verifyTicketKeys(summaries, blobIds, openBlob && ticketKeys);
  if (openBlob && ids.length > 0 && !blobIds.has(keyCheckId))
    throw new VerifyError('The blob that tests the encryption key is missing.');
  const hasPins = [...summaries.values()].some(({ staff }) =>
    Object.values(staff?.members ?? {}).some(({ secrets }) => secrets.pin !== null),
  );
  if (openBlob && hasPins && !blobIds.has(pinKeyId))
    throw new VerifyError('The blob with the key for PINs is missing.');
  // Blobs of shoes are never deleted. If there is none at all, only the encryption key shows that there must be some.
  const mustExist = openBlob !== undefined || ids.some((id) => id.startsWith(shoePrefix));
  const lostShoe = [...shoes].find(
    ([shoe, { isFloorShuffled, isRetired }]) => isFloorShuffled && !isRetired && !blobIds.has(`${shoePrefix}${shoe}`),
  );
  if (mustExist && lostShoe) throw new VerifyError(`The shoe ${lostShoe[0]} is committed, but its blob is missing.`);
  return { opened, ticketKeys: openBlob && [...ticketKeys.values()] };
}
