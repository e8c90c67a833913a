import { type Store, type StoreReader } from '../../store/store.ts';
import { putEncryptedBlob, readEncryptedBlob } from '../encryption/encryptedBlobs.ts';
import { type VirtualShoe, virtualShoeOfCards } from './virtualShoe.ts';

const shoePrefix = 'shoe/';

export const saveEncryptedShoe = (store: Store, { id, cards, salts }: VirtualShoe, key: Buffer): Promise<void> =>
  putEncryptedBlob(store, `${shoePrefix}${id}`, JSON.stringify({ cards, salts }), key);

/**
 * Reads and decrypts the virtual shoe with this id; undefined if it is not stored. Throws `DamagedBlobError` if the shoe
 * cannot be decrypted.
 */
export async function readEncryptedShoe(
  store: Pick<StoreReader, 'blob'>,
  id: string,
  key: Buffer,
): Promise<VirtualShoe | undefined> {
  const text = await readEncryptedBlob(store, `${shoePrefix}${id}`, key);
  if (text === undefined) return undefined;
  const { cards, salts } = JSON.parse(text) as Pick<VirtualShoe, 'cards' | 'salts'>;
  return virtualShoeOfCards(id, cards, salts);
}

/**
 * Makes a function that decrypts a blob by its id. The function returns the root of a shoe, and the text of any other
 * blob.
 */
export const createBlobDecrypter =
  (store: Pick<StoreReader, 'blob'>, key: Buffer) =>
  async (id: string): Promise<string | undefined> =>
    id.startsWith(shoePrefix)
      ? (await readEncryptedShoe(store, id.slice(shoePrefix.length), key))?.root
      : readEncryptedBlob(store, id, key);
