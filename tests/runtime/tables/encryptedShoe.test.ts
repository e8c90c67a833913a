import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { DamagedBlobError, checkOrAdoptDataKey } from '../../../src/runtime/encryption/encryptedBlobs.ts';
import { saveEncryptedShoe, readEncryptedShoe } from '../../../src/runtime/tables/encryptedShoes.ts';
import { UnusableDataKeyError } from '../../../src/runtime/encryption/dataKey.ts';
import { shuffleVirtualShoe } from '../../../src/runtime/tables/virtualShoe.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';

const key = randomBytes(32);
const shoe = shuffleVirtualShoe('s1', { deck: 'french', decks: 8 }, createSeededRandom('seal'));

test('encrypted shoe decrypts to the same order, which cannot be read in the store', async () => {
  const store = createMemoryStore();
  await saveEncryptedShoe(store, shoe, key);
  const back = await readEncryptedShoe(store, 's1', key);
  expect(back).toMatchObject({ id: 's1', cards: shoe.cards, salts: shoe.salts, root: shoe.root });
  const bytes = Buffer.from((await store.blob('shoe/s1'))!);
  for (const salt of shoe.salts) expect(bytes.includes(salt)).toBe(false);
  expect(bytes.includes(shoe.cards.slice(0, 2).join('","'))).toBe(false);
  expect(await readEncryptedShoe(store, 's2', key)).toBeUndefined();
});

test("decryption fails with another key, a flipped bit or another shoe's blob", async () => {
  const store = createMemoryStore();
  await saveEncryptedShoe(store, shoe, key);
  const bytes = (await store.blob('shoe/s1'))!;
  await expect(readEncryptedShoe(store, 's1', randomBytes(32))).rejects.toThrow(DamagedBlobError);
  await store.putBlob('shoe/s2', bytes);
  await expect(readEncryptedShoe(store, 's2', key)).rejects.toThrow(DamagedBlobError);
  for (const index of [0, 11, 12, 5000, bytes.length - 1]) {
    const flipped = bytes.slice();
    flipped[index]! ^= 1;
    await store.putBlob('shoe/s1', flipped);
    await expect(readEncryptedShoe(store, 's1', key), `byte ${index}`).rejects.toThrow(DamagedBlobError);
  }
});

test('two encryptions of one shoe have nothing in common', async () => {
  const store = createMemoryStore();
  await saveEncryptedShoe(store, shoe, key);
  const one = Buffer.from((await store.blob('shoe/s1'))!);
  await saveEncryptedShoe(store, shoe, key);
  expect(one.equals(Buffer.from((await store.blob('shoe/s1'))!))).toBe(false);
});

test('store adopts the first key and refuses any other', async () => {
  const store = createMemoryStore();
  await checkOrAdoptDataKey(store, key);
  await checkOrAdoptDataKey(store, key);
  await expect(checkOrAdoptDataKey(store, randomBytes(32))).rejects.toThrow(UnusableDataKeyError);
});
