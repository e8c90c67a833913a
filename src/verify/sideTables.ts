import { type AuthenticatedValueKind, authenticatedValueKinds } from '../store/authenticatedValues.ts';
import { type StoreReader } from '../store/store.ts';
import { secretValueId } from '../staff/secretValueId.ts';
import { idOfTicketKey } from '../terminal/ticketNumbers.ts';
import { VerifyError } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

// Checks of the data outside the hash chain: key-value table, heartbeats and blobs.

const floorHeartbeat = 'floor';
/** Id of the blob by which a data key is tested: only the data key of this store decrypts the blob. */
const keyCheckId = 'key';
const shoePrefix = 'shoe/';
const ticketPrefix = 'tickets/';
/** Id of the blob with the key for the hashes of PINs. */
const pinKeyId = 'pins';

/**
 * Decrypts a blob. For a shoe, returns its root; for a ticket key, the key; for any other blob, undefined. Throws if
 * decryption fails.
 */
export type DecryptBlob = (id: string) => Promise<string | undefined>;

export type IsValueAuthentic = (kind: AuthenticatedValueKind, id: string, value: string) => boolean;

/** Throws when a value of the key-value table must have a MAC, but has no valid one. */
export async function verifyAuthenticatedValues(store: StoreReader, isAuthentic: IsValueAuthentic): Promise<void> {
  for (const kind of authenticatedValueKinds) {
    const forged = [...(await store.listValues(kind))].find(([id, value]) => !isAuthentic(kind, id, value));
    if (forged)
      throw new VerifyError(`The ${kind} ${forged[0]} in the key-value table was not written with the encryption key.`);
  }
}

/** Throws when a PIN or password that the staff stream names has no hash in the key-value table. */
export async function verifyStaffSecretHashesExist(
  store: StoreReader,
  summaries: ReadonlyMap<string, StreamSummary>,
): Promise<void> {
  // A hash is written before the entry that sets the PIN or password, and deleted after the entry that ends it. So in
  // between the hash must exist.
  const ids = await store.listValues('secret');
  for (const { staff } of summaries.values()) {
    for (const { person, number, ended, secrets } of Object.values(staff?.members ?? {})) {
      for (const kind of ended ? [] : (['pin', 'password'] as const)) {
        const secret = secrets[kind];
        if (secret && !ids.has(secretValueId(person, kind, secret.mark)))
          throw new VerifyError(`The hash of the ${kind} of staff member ${number} is missing.`);
      }
    }
  }
}

/** Maximum time after the close of a floor in which the floor may still record heartbeats, in milliseconds. */
const maxCloseMs = 3_600_000;

/**
 * Throws when a heartbeat belongs neither to the floor nor to a stream, or is later than the heartbeat of the floor.
 * Throws when the heartbeat of a closed floor is missing, or more than `maxCloseMs` after the close of the floor.
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
    // A floor records a heartbeat right before its close. A floor that was killed in its first second may have none.
    if (floor && !floor.open && !heartbeats.has(floorHeartbeat))
      throw new VerifyError('The floor was closed, but its heartbeat is missing.');
    if (floor && !floor.open && floorAt > floor.at + maxCloseMs) {
      throw new VerifyError('The floor was closed, but its heartbeat is more than an hour later.');
    }
  }
}

/** Throws when the floor stream names a later epoch than the last epoch of the store. */
export async function verifyFloorEpochs(
  store: StoreReader,
  summaries: ReadonlyMap<string, StreamSummary>,
): Promise<void> {
  const storeEpoch = await store.epoch();
  for (const [stream, { floor: { epoch } = { epoch: 0 } }] of summaries) {
    if (epoch > storeEpoch)
      throw new VerifyError(
        `The stream ${stream} has epoch ${epoch}, but the last epoch of the event store is ${storeEpoch}.`,
      );
  }
}

/** `opened`: number of decrypted blobs. `ticketKeys`: the ticket keys among them; undefined without the data key. */
type OpenedBlobs = { readonly opened: number; readonly ticketKeys: readonly string[] | undefined };

/**
 * Throws unless ticket keys are numbered without gaps, and all ticket keys that the floor stream names exist. With the
 * data key, each decrypted ticket key must also match its name in the floor stream.
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
      if (openedKeys && idOfTicketKey(openedKeys.get(id)!) !== name)
        throw new VerifyError(`The blob ${id} is not the ticket key that the floor stream names.`);
    }
  }
  const count = [...blobIds].filter((id) => id.startsWith(ticketPrefix)).length;
  for (let number = 1; number <= count; number++) {
    if (!blobIds.has(`${ticketPrefix}${number}`))
      throw new VerifyError(
        `The blob ${ticketPrefix}${number} with a ticket key is missing, but there are later ones.`,
      );
  }
}

/**
 * Checks the blobs. Each shoe that the floor shuffled must have a blob, unless the shoe was retired. With the data key,
 * the root in each blob must be the committed root.
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
  // Only the data key shows that a store must have blobs. So without the data key, a store may have none at all.
  if (openBlob || ids.length > 0) verifyTicketKeys(summaries, blobIds, openBlob && ticketKeys);
  if (openBlob && ids.length > 0 && !blobIds.has(keyCheckId))
    throw new VerifyError('The blob that tests the encryption key is missing.');
  const hasPins = [...summaries.values()].some(({ staff }) =>
    Object.values(staff?.members ?? {}).some(({ secrets }) => secrets.pin !== null),
  );
  if (openBlob && hasPins && !blobIds.has(pinKeyId))
    throw new VerifyError('The blob with the key for PINs is missing.');
  // Blobs of shoes are never deleted, so none may be missing. Only without the data key may a store have no blob of any
  // shoe.
  const mustExist = openBlob !== undefined || ids.some((id) => id.startsWith(shoePrefix));
  const lostShoe = [...shoes].find(
    ([shoe, { isFloorShuffled, isRetired }]) => isFloorShuffled && !isRetired && !blobIds.has(`${shoePrefix}${shoe}`),
  );
  if (mustExist && lostShoe) throw new VerifyError(`The shoe ${lostShoe[0]} is committed, but its blob is missing.`);
  return { opened, ticketKeys: openBlob && [...ticketKeys.values()] };
}
