import { countText } from '../base/countText.ts';
import { type AuthenticatedValueKind, authenticatedValueKinds } from '../store/authenticatedValues.ts';
import { type StoreReader } from '../store/store.ts';
import { ticketKeyId } from '../terminal/ticketNumbers.ts';
import { VerifyError } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

// Checks of the data outside the hash chain: key-value table, heartbeats, blobs.

const floorHeartbeat = 'floor';
/** Blob that the encryption key is tested with. */
const keyCheckId = 'key';
const shoePrefix = 'shoe/';
const ticketPrefix = 'tickets/';
/** Blob with the key for the hashes of PINs. */
const pinKeyId = 'pins';

/** Decrypts a blob: returns the root of a shoe, or a ticket key. Throws when it cannot be decrypted. */
export type DecryptBlob = (id: string) => Promise<string | undefined>;

/** Whether a value of the key-value table has a valid MAC. */
export type IsValueAuthentic = (kind: AuthenticatedValueKind, id: string, value: string) => boolean;

/** Credentials in the key-value table must be authentic. */
export async function verifyAuthenticatedValues(store: StoreReader, isAuthentic: IsValueAuthentic): Promise<void> {
  for (const kind of authenticatedValueKinds) {
    const forged = [...(await store.listValues(kind))].find(([id, value]) => !isAuthentic(kind, id, value));
    if (forged)
      throw new VerifyError(`The ${kind} ${forged[0]} beside the chain was not written with the key of the record.`);
  }
}

/** The heartbeat may go on while a floor closes. */
const maxCloseMs = 3_600_000;

/** Heartbeats belong to streams, none is later than that of the floor, and none is from long after its close. */
export async function verifyHeartbeats(
  store: StoreReader,
  summaries: ReadonlyMap<string, StreamSummary>,
): Promise<void> {
  const heartbeats = await store.heartbeats();
  const floorAt = heartbeats.get(floorHeartbeat) ?? 0;
  for (const [name, at] of heartbeats) {
    if (name !== floorHeartbeat && !summaries.has(name))
      throw new VerifyError(`There is a heartbeat of ${name}, and no such stream.`);
    if (at > floorAt)
      throw new VerifyError(`The heartbeat of ${name} is later than that of the floor, which beats for all.`);
  }
  for (const { floor } of summaries.values()) {
    if (floor && !floor.open && floorAt > floor.at + maxCloseMs) {
      throw new VerifyError('There is a heartbeat from long after the floor was closed.');
    }
  }
}

/** The store has at least as many epochs as its floor stream. */
export async function verifyEpochs(store: StoreReader, summaries: ReadonlyMap<string, StreamSummary>): Promise<void> {
  const storeEpoch = await store.epoch();
  for (const [stream, { floor: { epoch } = { epoch: 0 } }] of summaries) {
    if (epoch > storeEpoch)
      throw new VerifyError(
        `The stream ${stream} tells that it was opened ${countText(epoch, 'time')}, and the record of ${storeEpoch}.`,
      );
  }
}

/** Ticket keys are undefined without the encryption key. */
type OpenedBlobs = { readonly opened: number; readonly ticketKeys: readonly string[] | undefined };

/** Ticket keys are numbered without gaps; with the encryption key they match the names in the floor stream. */
function verifyTicketKeys(
  summaries: ReadonlyMap<string, StreamSummary>,
  blobIds: ReadonlySet<string>,
  openedKeys: ReadonlyMap<string, string> | undefined,
): void {
  for (const { floor } of summaries.values()) {
    for (const [index, name] of (floor?.ticketKeys ?? []).entries()) {
      const id = `${ticketPrefix}${index + 1}`;
      if (!blobIds.has(id)) throw new VerifyError(`The key of tickets ${id} is not sealed any more.`);
      if (openedKeys && ticketKeyId(openedKeys.get(id)!) !== name)
        throw new VerifyError(`What is sealed as ${id} is not the key of tickets that the journal names.`);
    }
  }
  const count = [...blobIds].filter((id) => id.startsWith(ticketPrefix)).length;
  for (let number = 1; number <= count; number++) {
    if (!blobIds.has(`${ticketPrefix}${number}`))
      throw new VerifyError(`Keys of tickets are sealed, and none as ${ticketPrefix}${number}.`);
  }
}

/** Every committed shoe has its blob unless it was retired; with the encryption key its root is compared. */
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
      throw new VerifyError(`Something is sealed as ${id} that nobody knows.`);
    const shoe = id.startsWith(shoePrefix) ? shoes.get(id.slice(shoePrefix.length)) : undefined;
    if (openBlob === undefined || shoe?.isRetired) continue;
    const content = await openBlob(id).catch((error: unknown) => {
      throw new VerifyError((error as Error).message);
    });
    if (id.startsWith(ticketPrefix) && content !== undefined) ticketKeys.set(id, content);
    if (shoe && content !== shoe.root)
      throw new VerifyError(`What is sealed as ${id} is not what its table has committed to.`);
    opened += 1;
  }
  const blobIds = new Set(ids);
  // Without any blob, only the key shows that there must be some.
  if (openBlob || ids.length > 0) verifyTicketKeys(summaries, blobIds, openBlob && ticketKeys);
  if (openBlob && ids.length > 0 && !blobIds.has(keyCheckId))
    throw new VerifyError('What the key is tried on is not sealed any more.');
  const hasPins = [...summaries.values()].some(({ staff }) =>
    Object.values(staff?.members ?? {}).some(({ secrets }) => secrets.pin !== null),
  );
  if (openBlob && hasPins && !blobIds.has(pinKeyId))
    throw new VerifyError('What PINs are keyed with is not sealed any more.');
  // Blobs of shoes are never deleted; without any, only the key shows that there must be some.
  const mustExist = openBlob !== undefined || ids.some((id) => id.startsWith(shoePrefix));
  const lostShoe = [...shoes].find(
    ([shoe, { isFloorShuffled, isRetired }]) => isFloorShuffled && !isRetired && !blobIds.has(`${shoePrefix}${shoe}`),
  );
  if (mustExist && lostShoe) throw new VerifyError(`The shoe ${lostShoe[0]} is committed, and not sealed any more.`);
  return { opened, ticketKeys: openBlob && [...ticketKeys.values()] };
}
