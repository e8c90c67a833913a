import { existsSync, renameSync } from 'node:fs';
import { DamagedRecord, type Store } from '../store/store.ts';
import { type Anchored, anchorIn } from './file.ts';
import { Keeper } from './keeper.ts';
import { hashOfText } from './mark.ts';
import { type Signer, WrongSigner, signerIn } from './signer.ts';
import { type Followed, checkBalances, endingEarly, findOther, followCheckpoints } from './standing.ts';

/** Where the signing key and the anchor of a record lie: both away from the data. */
export type Places = { readonly signer: string; readonly anchor: string };

/** Streams that end before what is known of them elsewhere. */
type Missing = ReturnType<typeof endingEarly>;

/** The record does not reach as far as it once did, or nobody can tell whether it does. */
export class BehindAnchor extends Error {
  readonly why: 'behind-anchor' | 'anchor-missing';
  readonly missing: Missing;
  /** What the operator says to go on all the same. */
  readonly words: string;

  constructor(why: BehindAnchor['why'], missing: Missing, words: string, message: string) {
    super(message);
    this.why = why;
    this.missing = missing;
    this.words = words;
  }
}

/** The record is another than the one that was signed. */
class OtherRecord extends DamagedRecord {}

/** What a start finds: who keeps the anchor from now on, and what the operator went on in spite of. */
export type Trusted = {
  readonly keeper: Keeper;
  readonly doubt: Pick<BehindAnchor, 'why' | 'missing' | 'words'> | undefined;
};

/**
 * Looks at what a start trusts: the signatures in the record, the balances, and whether the record reaches as far as its
 * anchor knows. One that does not is refused, unless the operator says the words that go with just this loss.
 */
export async function trusted(
  store: Store,
  { signer: keyFile, anchor: file }: Places,
  clock: () => number,
  said: string | undefined,
): Promise<Trusted> {
  const isNew = (await store.streams()).length === 0;
  const followed = await followCheckpoints(store);
  const signer = signerIn(keyFile, followed.last === undefined);
  const [early] = endingEarly(await store.heads(), followed.places);
  if (early) {
    throw new OtherRecord(
      `The stream ${early.stream} ends with entry ${early.has}, and entry ${early.known} is signed.`,
    );
  }
  const other = await findOther(store, followed.places);
  if (other !== undefined) throw new OtherRecord(other);
  checkSigner(signer, followed);
  await checkBalances(store, followed);
  const doubt = isNew && !existsSync(file) ? undefined : await doubted(store, file, followed);
  if (doubt && said !== doubt.words) throw doubt;
  // What was known before is kept for the auditor.
  if (doubt && existsSync(file)) renameSync(file, `${file}.before-${store.held}`);
  return { keeper: new Keeper({ store, signer, file, clock, followed }), doubt };
}

function checkSigner({ name }: Signer, { last }: Followed): void {
  if (last === undefined || last.signer === name) return;
  throw new WrongSigner(`The record is signed by ${last.signer} and the key at hand is ${name}; put back its own key.`);
}

/** Why the operator has to be asked, if so. */
async function doubted(store: Store, file: string, followed: Followed): Promise<BehindAnchor | undefined> {
  const heads = await store.heads();
  const anchor = anchorIn(file);
  if (anchor === undefined) {
    // A record that was never signed has no anchor to miss.
    if (followed.last === undefined) return undefined;
    const words = wordsFor(`${followed.hash} without ${file}`);
    const message =
      `The anchor ${file} of the record is missing, so nobody can tell whether the record was turned back; put the ` +
      `anchor back, or go on with every shoe given up by --go-on "${words}".`;
    return new BehindAnchor('anchor-missing', endingEarly(heads, followed.places), words, message);
  }
  const other = await findOther(store, anchor.places);
  if (other !== undefined) throw new OtherRecord(other);
  const missing = endingEarly(heads, anchor.places);
  return missing.length === 0 ? undefined : behind(missing, anchor);
}

function behind(missing: Missing, { last }: Anchored): BehindAnchor {
  const lost = missing.reduce((sum, { has, known }) => sum + known - has, 0);
  const words = wordsFor(JSON.stringify([missing, last.at, last.epoch]));
  const [first] = missing;
  const message =
    `The record ends too early: ${lost} entries of ${missing.length} streams that its anchor knows of are missing, among ` +
    `them those of ${first!.stream} after entry ${first!.has} up to ${first!.known}; put back the newest record, or go ` +
    `on without them and with every shoe given up by --go-on "${words}".`;
  return new BehindAnchor('behind-anchor', missing, words, message);
}

const ranks = ['ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'];
const suits = ['clubs', 'diamonds', 'hearts', 'spades'];

/** Two words that go with one state of things and hardly with another, so that nobody says them out of habit. */
export function wordsFor(what: string): string {
  const bytes = Buffer.from(hashOfText(what).slice(-8), 'hex');
  const cardAt = (place: number): string => `${ranks[bytes[place]! % 13]}-of-${suits[bytes[place + 1]! % 4]}`;
  return `${cardAt(0)} ${cardAt(2)}`;
}
