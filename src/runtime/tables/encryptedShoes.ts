import { type Store, type StoreReader } from '../../store/store.ts';
import { putEncrypted, readEncrypted } from '../encryption/encryptedBlobs.ts';
import { type VirtualShoe, virtualShoe } from './virtualShoe.ts';

const shoePrefix = 'shoe/';

export const encryptShoe = (store: Store, { id, cards, salts }: VirtualShoe, key: Buffer): Promise<void> =>
  putEncrypted(store, `${shoePrefix}${id}`, JSON.stringify({ cards, salts }), key);

/** A stored shoe; undefined if there is none. */
export async function decryptShoe(
  store: Pick<StoreReader, 'blob'>,
  id: string,
  key: Buffer,
): Promise<VirtualShoe | undefined> {
  const text = await readEncrypted(store, `${shoePrefix}${id}`, key);
  if (text === undefined) return undefined;
  const { cards, salts } = JSON.parse(text) as Pick<VirtualShoe, 'cards' | 'salts'>;
  return virtualShoe(id, cards, salts);
}

/** Decrypts a blob by its id: of a shoe it returns the root, of any other blob the text. */
export const blobReader =
  (store: Pick<StoreReader, 'blob'>, key: Buffer) =>
  async (id: string): Promise<string | undefined> =>
    id.startsWith(shoePrefix)
      ? (await decryptShoe(store, id.slice(shoePrefix.length), key))?.root
      : readEncrypted(store, id, key);
