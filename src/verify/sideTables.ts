import { countText } from '../base/countText.ts';
import { type AuthenticatedKind, authenticatedKinds } from '../store/authenticatedValues.ts';
import { type StoreReader } from '../store/store.ts';
import { ticketKeyId } from '../terminal/ticketNumbers.ts';
import { VerifyError } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

// What is kept beside the chain, held against it.

/** What every floor says that it is alive as. */
const pulse = 'floor';
/** What a key is tried on. */
const trial = 'key';
const shoePrefix = 'shoe/';
const ticketPrefix = 'tickets/';
/** What PINs are keyed with. */
const pins = 'pins';

/**
 * Opens what is sealed under an id with the key at hand: of a shoe it gives the root, of a key of tickets the key. Throws where
 * it cannot be opened.
 */
export type Opens = (id: string) => Promise<string | undefined>;

/** Whether what is kept of a kind under an id was written with the key at hand. */
export type IsBound = (kind: AuthenticatedKind, id: string, value: string) => boolean;

/** What proves who somebody is was written by whoever has the key. */
export async function verifyBound(store: StoreReader, isBound: IsBound): Promise<void> {
  for (const kind of authenticatedKinds) {
    const forged = [...(await store.listValues(kind))].find(([id, value]) => !isBound(kind, id, value));
    if (forged)
      throw new VerifyError(`The ${kind} ${forged[0]} beside the chain was not written with the key of the record.`);
  }
}

/** A floor that closes may beat once more while it does; it takes no hour. */
const closing = 3_600_000;

/** Only what is in the record has a heartbeat, none is later than the floor's, which beats for all, and none is from long after the floor was closed. */
export async function verifyBeats(store: StoreReader, found: ReadonlyMap<string, StreamSummary>): Promise<void> {
  const beats = await store.heartbeats();
  const floor = beats.get(pulse) ?? 0;
  for (const [name, at] of beats) {
    if (name !== pulse && !found.has(name))
      throw new VerifyError(`There is a heartbeat of ${name}, and no such stream.`);
    if (at > floor)
      throw new VerifyError(`The heartbeat of ${name} is later than that of the floor, which beats for all.`);
  }
  for (const { journal } of found.values()) {
    if (journal && !journal.open && floor > journal.at + closing) {
      throw new VerifyError('There is a heartbeat from long after the floor was closed.');
    }
  }
}

/** The record was opened at least as often as its journal says. */
export async function verifyEpochs(store: StoreReader, found: ReadonlyMap<string, StreamSummary>): Promise<void> {
  const opened = await store.epoch();
  for (const [stream, { journal: { epoch } = { epoch: 0 } }] of found) {
    if (epoch > opened)
      throw new VerifyError(
        `The stream ${stream} tells that it was opened ${countText(epoch, 'time')}, and the record of ${opened}.`,
      );
  }
}

/** How much of what is sealed was opened, and the keys of tickets, where the key is at hand. */
type Opened = { readonly opened: number; readonly ticketKeys: readonly string[] | undefined };

/** The keys of tickets are all there, by their numbers, and with the key at hand are those that the journal has named. */
function verifyTicketKeys(
  found: ReadonlyMap<string, StreamSummary>,
  sealed: ReadonlySet<string>,
  opened: ReadonlyMap<string, string> | undefined,
): void {
  for (const { journal } of found.values()) {
    for (const [place, name] of (journal?.ticketKeys ?? []).entries()) {
      const id = `${ticketPrefix}${place + 1}`;
      if (!sealed.has(id)) throw new VerifyError(`The key of tickets ${id} is not sealed any more.`);
      if (opened && ticketKeyId(opened.get(id)!) !== name)
        throw new VerifyError(`What is sealed as ${id} is not the key of tickets that the journal names.`);
    }
  }
  const count = [...sealed].filter((id) => id.startsWith(ticketPrefix)).length;
  for (let number = 1; number <= count; number++) {
    if (!sealed.has(`${ticketPrefix}${number}`))
      throw new VerifyError(`Keys of tickets are sealed, and none as ${ticketPrefix}${number}.`);
  }
}

/** Every shoe lies sealed that was not given up, and with the key at hand is the one that its table has committed to. */
export async function verifySeals(
  store: StoreReader,
  found: ReadonlyMap<string, StreamSummary>,
  opens: Opens | undefined,
): Promise<Opened> {
  const shoes = new Map([...found.values()].flatMap((part) => [...part.shoes]));
  const ids = await store.blobIds();
  let opened = 0;
  const ticketKeys = new Map<string, string>();
  for (const id of ids) {
    if (id !== trial && id !== pins && !id.startsWith(shoePrefix) && !id.startsWith(ticketPrefix))
      throw new VerifyError(`Something is sealed as ${id} that nobody knows.`);
    const shoe = id.startsWith(shoePrefix) ? shoes.get(id.slice(shoePrefix.length)) : undefined;
    if (opens === undefined || shoe?.given) continue;
    const inside = await opens(id).catch((error: unknown) => {
      throw new VerifyError((error as Error).message);
    });
    if (id.startsWith(ticketPrefix) && inside !== undefined) ticketKeys.set(id, inside);
    if (shoe && inside !== shoe.root)
      throw new VerifyError(`What is sealed as ${id} is not what its table has committed to.`);
    opened += 1;
  }
  const sealed = new Set(ids);
  // Where nothing at all is sealed, only the key tells that something once was.
  if (opens || ids.length > 0) verifyTicketKeys(found, sealed, opens && ticketKeys);
  if (opens && ids.length > 0 && !sealed.has(trial))
    throw new VerifyError('What the key is tried on is not sealed any more.');
  const keyed = [...found.values()].some(({ people }) =>
    Object.values(people?.members ?? {}).some(({ secrets }) => secrets.pin !== null),
  );
  if (opens && keyed && !sealed.has(pins)) throw new VerifyError('What PINs are keyed with is not sealed any more.');
  // No seal of a shoe goes by itself; but where there is none at all, only the key tells that they once were there.
  const isKept = opens !== undefined || ids.some((id) => id.startsWith(shoePrefix));
  const lost = [...shoes].find(([shoe, { own, given }]) => own && !given && !sealed.has(`${shoePrefix}${shoe}`));
  if (isKept && lost) throw new VerifyError(`The shoe ${lost[0]} is committed, and not sealed any more.`);
  return { opened, ticketKeys: opens && [...ticketKeys.values()] };
}
