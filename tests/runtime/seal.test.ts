import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededChance } from '../../src/runtime/ports/random.ts';
import { DamagedSeal, WrongKey, encryptShoe, tryKey, unsealShoe } from '../../src/runtime/encryption/encryptedBlobs.ts';
import { hiddenShoe } from '../../src/runtime/tables/virtualShoe.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';

const key = randomBytes(32);
const shoe = hiddenShoe('s1', { deck: 'french', decks: 8 }, seededChance('seal'));

test('a sealed shoe comes back whole, and its order cannot be read where it lies', async () => {
  const store = memoryStore();
  await encryptShoe(store, shoe, key);
  const back = await unsealShoe(store, 's1', key);
  expect(back).toMatchObject({ id: 's1', cards: shoe.cards, salts: shoe.salts, root: shoe.root });
  const bytes = Buffer.from((await store.blob('shoe/s1'))!);
  for (const salt of shoe.salts) expect(bytes.includes(salt)).toBe(false);
  expect(bytes.includes(shoe.cards.slice(0, 2).join('","'))).toBe(false);
  expect(await unsealShoe(store, 's2', key)).toBeUndefined();
});

test('another key, a flipped bit or a shoe under another name is noticed', async () => {
  const store = memoryStore();
  await encryptShoe(store, shoe, key);
  const bytes = (await store.blob('shoe/s1'))!;
  await expect(unsealShoe(store, 's1', randomBytes(32))).rejects.toThrow(DamagedSeal);
  await store.putBlob('shoe/s2', bytes);
  await expect(unsealShoe(store, 's2', key)).rejects.toThrow(DamagedSeal);
  for (const place of [0, 11, 12, 5000, bytes.length - 1]) {
    const flipped = bytes.slice();
    flipped[place]! ^= 1;
    await store.putBlob('shoe/s1', flipped);
    await expect(unsealShoe(store, 's1', key), `byte ${place}`).rejects.toThrow(DamagedSeal);
  }
});

test('two seals of one shoe have nothing in common', async () => {
  const store = memoryStore();
  await encryptShoe(store, shoe, key);
  const one = Buffer.from((await store.blob('shoe/s1'))!);
  await encryptShoe(store, shoe, key);
  expect(one.equals(Buffer.from((await store.blob('shoe/s1'))!))).toBe(false);
});

test('a record takes the first key as its own, and no other afterwards', async () => {
  const store = memoryStore();
  await tryKey(store, key);
  await tryKey(store, key);
  await expect(tryKey(store, randomBytes(32))).rejects.toThrow(WrongKey);
});
