import { describe, expect, test } from 'vitest';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedAnchor, readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { type BehindAnchor, confirmationPhrase } from '../../src/checkpoint/rollbackCheck.ts';
import { CheckpointWriter } from '../../src/checkpoint/checkpointWriter.ts';
import { signValue } from '../../src/checkpoint/checkpointFormat.ts';
import { loadSigner } from '../../src/checkpoint/signingKey.ts';
import { followCheckpoints } from '../../src/checkpoint/checks.ts';
import { checkStore, openChecked } from '../../src/checkpoint/openStore.ts';
import { Memory, memoryStore } from '../../src/store/memoryStore.ts';
import { clock, entry, grow, room, turnedBack } from './made.ts';

const { root, places, kept } = room();

describe('a start', () => {
  test('goes on where the record reaches as far as the anchor, or further', async () => {
    const { store, files } = await kept();
    await grow(store, 'c', 1);
    expect((await openChecked(store, files, clock, undefined)).issue).toBeUndefined();
  });

  test('behind the anchor is refused, with what is missing and the words that go with it', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const refused = openChecked(older, one.files, clock, undefined);
    await expect(refused).rejects.toMatchObject({
      doubt: {
        why: 'behind-anchor',
        missing: [
          { stream: 'a', has: 3, known: 5 },
          { stream: 'b', has: 0, known: 1 },
        ],
      },
    });
    await expect(refused).rejects.toThrow(/3 entries of 2 streams .* after entry 3 up to 5; .* --go-on "\S+ \S+"\.$/);
  });

  const wordsOf = async (start: Promise<unknown>): Promise<string> =>
    ((await start.catch((error: unknown) => error)) as BehindAnchor).issue.words;
  const keptOf = (file: string): readonly string[] =>
    readdirSync(root).filter((name) => join(root, name).startsWith(`${file}.before-`));

  test('goes on by those words alone; what the old anchor knew is kept, each time', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const before = readFileSync(one.files.anchor);
    const words = await wordsOf(openChecked(older, one.files, clock, undefined));
    await expect(openChecked(older, one.files, clock, confirmationPhrase('something else'))).rejects.toThrow(
      'ends too early',
    );
    // Words of one loss are not those of another.
    await expect(openChecked(await turnedBack(one, { a: 4 }), one.files, clock, words)).rejects.toThrow(
      'ends too early',
    );
    expect(readFileSync(one.files.anchor)).toEqual(before);
    expect((await openChecked(older, one.files, clock, words)).issue).toMatchObject({ why: 'behind-anchor', words });
    expect(readFileSync(`${one.files.anchor}.before-1`)).toEqual(before);
    // The same copy once more, after more was written.
    const again = await turnedBack(one, { a: 3 });
    writeFileSync(one.files.anchor, before);
    await openChecked(again, one.files, clock, words);
    expect(keptOf(one.files.anchor)).toHaveLength(2);
  });

  test('remembers what it went on in spite of until the record tells it, however often it is started', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const words = await wordsOf(openChecked(older, one.files, clock, undefined));
    const { issue: doubt } = await openChecked(older, one.files, clock, words);
    const { writer: keeper, issue: same } = await openChecked(older, one.files, clock, undefined);
    expect(same).toEqual(doubt);
    expect(keptOf(one.files.anchor)).toHaveLength(1);
    await grow(keeper.trackedStore(), 'a', 1);
    await keeper.anchor();
    expect((await openChecked(older, one.files, clock, undefined)).issue).toBeUndefined();
  });

  test('believes no anchor that somebody else has signed', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const stranger = loadSigner(places().signer, true);
    const { last } = readAnchor(one.files.anchor)!;
    const [sequence, hash] = [3, (await older.heads()).get('a')!.hash];
    const forged = signValue({ ...last, whole: true, heads: { a: [sequence, hash] }, signer: stranger.name }, stranger);
    writeFileSync(one.files.anchor, `${forged.signature} ${forged.text}\n`);
    await expect(openChecked(older, one.files, clock, undefined)).rejects.toThrow(
      /^The anchor is signed by .* Put back/,
    );
  });

  test('finds checkpoints that were dropped by what the anchor knows of them', async () => {
    const { store, files } = await kept();
    const some: { number: number; text: string; signature: string }[] = [];
    for await (const ones of store.checkpoints()) some.push(...ones);
    for (const left of [some.slice(0, 1), []]) {
      const less = {
        ...store,
        checkpoints: async function* () {
          yield left;
        },
      };
      await expect(openChecked(less, files, clock, undefined)).rejects.toThrow(/The anchor knows of checkpoint 2, and/);
    }
  });

  test('a record without any signature, beside the key that signed it, is refused as one without its anchor', async () => {
    const { store, files } = await kept();
    rmSync(files.anchor);
    const unsigned = { ...store, checkpoints: async function* () {} };
    await expect(openChecked(unsigned, files, clock, undefined)).rejects.toMatchObject({
      doubt: { why: 'anchor-missing' },
    });
  });

  test('a program that was taken over leaves the anchor to its successor', async () => {
    const memory = new Memory();
    const files = places();
    const first = await openChecked(memoryStore(memory), files, clock, undefined);
    await grow(first.writer.trackedStore(), 'a', 1);
    const second = await openChecked(memoryStore(memory), files, clock, undefined);
    await expect(first.writer.anchor()).rejects.toThrow('Another program has opened the record.');
    // Also where it was about to write when that happened.
    const { last } = readAnchor(files.anchor)!;
    const late = signValue({ ...last, epoch: 1, whole: false, heads: {} }, loadSigner(files.signer, false));
    writeFileSync(files.anchor, `${readFileSync(files.anchor, 'utf8')}${late.signature} ${late.text}\n`);
    expect(readAnchor(files.anchor)!.last.epoch).toBe(2);
    expect(second.issue).toBeUndefined();
  });

  test('an anchor that cannot be written refuses the start, and keys that are being changed do', async () => {
    const { store, files } = await kept();
    const nowhere = { ...files, anchor: join(root, 'none', 'anchor') };
    await expect(openChecked(memoryStore(), { ...nowhere, signer: places().signer }, clock, undefined)).rejects.toThrow(
      /cannot be written \(ENOENT\); see to its folder, or name another\.$/,
    );
    writeFileSync(`${files.signer}.next`, '');
    await expect(openChecked(store, files, clock, undefined)).rejects.toThrow('run `punto rotate` again first');
  });

  test('tells what neither a signature nor the anchor covers, and the first of it', async () => {
    const { store, files } = await kept();
    expect((await openChecked(store, files, clock, undefined)).unsigned).toBeUndefined();
    await grow(store, 'b', 2);
    await grow(store, 'c', 1);
    const { issue: doubt, unsigned: uncovered } = await openChecked(store, files, clock, undefined);
    expect(doubt).toBeUndefined();
    expect(uncovered).toMatchObject({ stream: 'b', sequence: 2, count: 3 });
  });

  test('is refused where something stands behind the close, and goes on by words that go with just that', async () => {
    const { behind, store, files, keeper } = await kept();
    await keeper.checkpoint(true);
    await expect(grow(store, 'a', 1)).rejects.toThrow('It is signed that nothing follows in the record.');
    await keeper.anchor();
    expect((await followCheckpoints(behind)).last).toMatchObject({ number: 3, closed: true });
    await grow(behind, 'b', 1);
    const refused = openChecked(behind, files, clock, undefined);
    await expect(refused).rejects.toThrow(/covers 1 entry, .* entry 2 of b, and they stand behind the close/);
    const words = await wordsOf(refused);
    await grow(behind, 'b', 1);
    await expect(openChecked(behind, files, clock, words)).rejects.toThrow('covers 2 entries');
    const { issue: doubt } = await openChecked(
      behind,
      files,
      clock,
      await wordsOf(openChecked(behind, files, clock, undefined)),
    );
    expect(doubt).toMatchObject({ why: 'unsigned-entries' });
    // It is remembered, and what follows stands behind no close.
    expect((await openChecked(behind, files, clock, undefined)).issue).toEqual(doubt);
  });

  test('is refused where something is later than the anchor can be behind, unless the anchor could not be written', async () => {
    const memory = new Memory();
    const files = places();
    const first = await openChecked(memoryStore(memory), files, () => 1_000, undefined);
    await first.writer.anchor();
    const late = entry('late');
    const store = memoryStore(memory);
    await store.append({ stream: 'a', after: 0, entries: [{ ...late, event: { ...late.event, at: 31_001 } }] });
    await expect(openChecked(store, files, () => 31_001, undefined)).rejects.toMatchObject({
      doubt: { why: 'unsigned-entries', missing: [] },
    });
    const followed = await followCheckpoints(store);
    const signer = loadSigner(files.signer, false);
    // Signed in the record while the anchor was told nothing.
    const keeper = new CheckpointWriter({
      store,
      signer: () => signer,
      file: files.anchor,
      clock: () => 2_000,
      chain: followed,
    });
    await keeper.checkpoint();
    await store.append({
      stream: 'a',
      after: 1,
      entries: [{ ...entry('later'), event: { ...late.event, at: 40_000 } }],
    });
    const { issue: doubt, unsigned: uncovered } = await openChecked(store, files, () => 40_000, undefined);
    expect([doubt, uncovered]).toEqual([undefined, { stream: 'a', sequence: 2, at: 40_000, count: 1, until: 40_000 }]);
  });

  test('that is refused has written nothing, nor made a key', async () => {
    const memory = new Memory();
    const files = places();
    const { writer: keeper } = await openChecked(memoryStore(memory), files, clock, undefined);
    await grow(keeper.trackedStore(), 'a', 2);
    await keeper.anchor();
    const before = [memory.epoch, memory.checkpoints.length, readFileSync(files.anchor, 'utf8')];
    const nobody = { ...files, signer: places().signer };
    await expect(openChecked(memoryStore(memory), nobody, clock, undefined)).rejects.toThrow('is missing; put back');
    await expect(openChecked(memoryStore(), nobody, clock, undefined)).rejects.toThrow('is missing; put back');
    expect(existsSync(nobody.signer)).toBe(false);
    // Also where it is looked at, and given up before anything was signed.
    const { startSigning: keeping } = await checkStore(memoryStore(memory), files, undefined);
    keeping(clock);
    expect([memory.epoch, memory.checkpoints.length, readFileSync(files.anchor, 'utf8')]).toEqual(before);
  });

  test('finds epochs that were lost by those of its checkpoints', async () => {
    const memory = new Memory();
    const files = places();
    for (let opened = 0; opened < 2; opened++) await openChecked(memoryStore(memory), files, clock, undefined);
    memory.epoch = 0;
    await expect(openChecked(memoryStore(memory), files, clock, undefined)).rejects.toThrow(
      'Checkpoint 2 was signed in epoch 2, and the record knows of 0 epochs.',
    );
    expect(memory.checkpoints).toHaveLength(2);
  });

  test('without the anchor of a signed record is refused', async () => {
    const { store, files } = await kept();
    rmSync(files.anchor);
    await expect(openChecked(store, files, clock, undefined)).rejects.toMatchObject({
      doubt: { why: 'anchor-missing', missing: [] },
    });
  });

  test('without its anchor goes on by words that go with the record as it is', async () => {
    const one = await kept();
    rmSync(one.files.anchor);
    const words = await wordsOf(openChecked(one.behind, one.files, clock, undefined));
    const older = await turnedBack(one, { a: 5 });
    expect(await wordsOf(openChecked(older, one.files, clock, words))).not.toBe(words);
    expect((await openChecked(one.behind, one.files, clock, words)).issue).toMatchObject({ why: 'anchor-missing' });
  });

  test('names the anchor that was kept where the newest record comes back after all', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const words = await wordsOf(openChecked(older, one.files, clock, undefined));
    const { writer: keeper } = await openChecked(older, one.files, clock, words);
    await keeper.trackedStore().append({ stream: 'a', after: 3, entries: [entry('other', 1)] });
    await keeper.anchor();
    const refused = openChecked(one.behind, one.files, clock, undefined);
    await expect(refused).rejects.toThrow(/ as (.+)\.before-1 knows it; .+ put \1\.before-1 in its place\.$/);
    await expect(refused).rejects.toThrow(DamagedAnchor);
    writeFileSync(one.files.anchor, readFileSync(`${one.files.anchor}.before-1`));
    expect((await openChecked(one.behind, one.files, clock, undefined)).issue).toBeUndefined();
  });

  test('a record that was never signed has no anchor to miss, and is signed from now on', async () => {
    const store = memoryStore();
    await grow(store, 'a', 3);
    const { writer: keeper } = await openChecked(store, places(), clock, undefined);
    await keeper.checkpoint();
    expect((await followCheckpoints(store)).last).toMatchObject({ number: 1, whole: true });
  });

  test('an empty record beside an anchor is behind it', async () => {
    const { files } = await kept();
    await expect(openChecked(memoryStore(), files, clock, undefined)).rejects.toMatchObject({
      doubt: { why: 'behind-anchor' },
    });
  });

  test('a record that was made anew is another than the one that was signed', async () => {
    const { files, store } = await kept();
    const other = memoryStore();
    for (const [stream, count] of [
      ['b', 1],
      ['a', 5],
    ] as const)
      await grow(other, stream, count);
    await expect(openChecked(other, files, clock, undefined)).rejects.toThrow(
      'is another than the one that was signed',
    );
    for await (const some of store.checkpoints()) for (const one of some) await other.checkpoint(one);
    await expect(openChecked(other, files, clock, undefined)).rejects.toThrow(
      'is another than the one that was signed',
    );
    const short = memoryStore();
    for await (const some of store.checkpoints()) for (const one of some) await short.checkpoint(one);
    await expect(openChecked(short, files, clock, undefined)).rejects.toThrow(
      'ends with entry 0, and entry 3 is signed',
    );
  });

  test('with another signing key is refused', async () => {
    const { store, files } = await kept();
    const other = { ...files, signer: places().signer };
    await expect(openChecked(store, other, clock, undefined)).rejects.toThrow('is missing; put back the key');
    loadSigner(other.signer, true);
    await expect(openChecked(store, other, clock, undefined)).rejects.toThrow('put back its own key');
  });
});
