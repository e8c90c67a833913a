import { describe, expect, test } from 'vitest';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedAnchorError, readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { type RollbackSuspectedError } from '../../src/checkpoint/rollbackCheck.ts';
import { CheckpointWriter } from '../../src/checkpoint/checkpointWriter.ts';
import { signCheckpointOrLine } from '../../src/checkpoint/checkpointFormat.ts';
import { loadOrCreateSigner } from '../../src/checkpoint/signingKey.ts';
import { verifyCheckpointChain } from '../../src/checkpoint/checks.ts';
import { checkStoreBeforeStart, checkAndSignStore } from '../../src/checkpoint/storeCheck.ts';
import { MemoryStoreContents, createMemoryStore } from '../../src/store/memoryStore.ts';
import { clock, entry, grow, checkpointFolder, rolledBackCopy } from './fixtures.ts';

const { root, newKeyPaths, openSigned } = checkpointFolder();

describe('a start of the store', () => {
  test('succeeds when the store reaches at least as far as the anchor', async () => {
    const { store, files } = await openSigned();
    await grow(store, 'c', 1);
    expect((await checkAndSignStore(store, files, clock, undefined)).issue).toBeUndefined();
  });

  test('is refused behind the anchor, with the missing entries and the confirmation phrase', async () => {
    const one = await openSigned();
    const older = await rolledBackCopy(one, { a: 3 });
    const refused = checkAndSignStore(older, one.files, clock, undefined);
    await expect(refused).rejects.toMatchObject({
      issue: {
        reason: 'behind-anchor',
        missing: [
          { stream: 'a', has: 3, expected: 5 },
          { stream: 'b', has: 0, expected: 1 },
        ],
      },
    });
    await expect(refused).rejects.toThrow(
      /its anchor lists 3 more entries of 2 streams, such as entries 4 to 5 of a; .* --go-on "\S+ \S+"\.$/,
    );
  });

  const phraseOf = async (start: Promise<unknown>): Promise<string> =>
    ((await start.catch((error: unknown) => error)) as RollbackSuspectedError).issue.confirmation;
  const previousAnchorsOf = (file: string): readonly string[] =>
    readdirSync(root).filter((name) => join(root, name).startsWith(`${file}.before-`));

  test('succeeds only with the confirmation phrase and keeps a copy of each previous anchor', async () => {
    const one = await openSigned();
    const older = await rolledBackCopy(one, { a: 3 });
    const before = readFileSync(one.files.anchor);
    const phrase = await phraseOf(checkAndSignStore(older, one.files, clock, undefined));
    await expect(checkAndSignStore(older, one.files, clock, 'something else')).rejects.toThrow('ends too early');
    // The confirmation phrase of one loss does not confirm another.
    await expect(checkAndSignStore(await rolledBackCopy(one, { a: 4 }), one.files, clock, phrase)).rejects.toThrow(
      'ends too early',
    );
    expect(readFileSync(one.files.anchor)).toEqual(before);
    expect((await checkAndSignStore(older, one.files, clock, phrase)).issue).toMatchObject({
      reason: 'behind-anchor',
      confirmation: phrase,
    });
    expect(readFileSync(`${one.files.anchor}.before-1`)).toEqual(before);
    // The same copy again, after later appends.
    const again = await rolledBackCopy(one, { a: 3 });
    writeFileSync(one.files.anchor, before);
    await checkAndSignStore(again, one.files, clock, phrase);
    expect(previousAnchorsOf(one.files.anchor)).toHaveLength(2);
  });

  test('keeps the confirmed issue in the anchor over restarts until the store records it', async () => {
    const one = await openSigned();
    const older = await rolledBackCopy(one, { a: 3 });
    const phrase = await phraseOf(checkAndSignStore(older, one.files, clock, undefined));
    const { issue } = await checkAndSignStore(older, one.files, clock, phrase);
    const { writer, issue: same } = await checkAndSignStore(older, one.files, clock, undefined);
    expect(same).toEqual(issue);
    expect(previousAnchorsOf(one.files.anchor)).toHaveLength(1);
    await grow(writer.trackedStore(), 'a', 1);
    await writer.anchor();
    expect((await checkAndSignStore(older, one.files, clock, undefined)).issue).toBeUndefined();
  });

  test('refuses an anchor of a foreign signer', async () => {
    const one = await openSigned();
    const older = await rolledBackCopy(one, { a: 3 });
    const stranger = loadOrCreateSigner(newKeyPaths().signer, true);
    const { last } = readAnchor(one.files.anchor)!;
    const [sequence, hash] = [3, (await older.heads()).get('a')!.hash];
    const forged = signCheckpointOrLine(
      { ...last, whole: true, heads: { a: [sequence, hash] }, signer: stranger.name },
      stranger,
    );
    writeFileSync(one.files.anchor, `${forged.signature} ${forged.text}\n`);
    await expect(checkAndSignStore(older, one.files, clock, undefined)).rejects.toThrow(
      /^The anchor is signed by .* Restore/,
    );
  });

  test('is refused when checkpoints that the anchor names are missing', async () => {
    const { store, files } = await openSigned();
    const some: { number: number; text: string; signature: string }[] = [];
    for await (const ones of store.checkpoints()) some.push(...ones);
    for (const left of [some.slice(0, 1), []]) {
      const less = {
        ...store,
        checkpoints: async function* () {
          yield left;
        },
      };
      await expect(checkAndSignStore(less, files, clock, undefined)).rejects.toThrow(
        /The anchor lists checkpoint 2, but/,
      );
    }
  });

  test('is refused as one without anchor when a key exists and the store has no signature', async () => {
    const { store, files } = await openSigned();
    rmSync(files.anchor);
    const unsigned = { ...store, checkpoints: async function* () {} };
    await expect(checkAndSignStore(unsigned, files, clock, undefined)).rejects.toMatchObject({
      issue: { reason: 'anchor-missing' },
    });
  });

  test('leaves the anchor to the successor after a take-over', async () => {
    const memory = new MemoryStoreContents();
    const files = newKeyPaths();
    const first = await checkAndSignStore(createMemoryStore(memory), files, clock, undefined);
    await grow(first.writer.trackedStore(), 'a', 1);
    const second = await checkAndSignStore(createMemoryStore(memory), files, clock, undefined);
    await expect(first.writer.anchor()).rejects.toThrow('Another process has opened the event store.');
    // Also when it was about to write at that moment.
    const { last } = readAnchor(files.anchor)!;
    const late = signCheckpointOrLine(
      { ...last, epoch: 1, whole: false, heads: {} },
      loadOrCreateSigner(files.signer, false),
    );
    writeFileSync(files.anchor, `${readFileSync(files.anchor, 'utf8')}${late.signature} ${late.text}\n`);
    expect(readAnchor(files.anchor)!.last.epoch).toBe(2);
    expect(second.issue).toBeUndefined();
  });

  test('is refused when the anchor cannot be written, or during a rotation of keys', async () => {
    const { store, files } = await openSigned();
    const nowhere = { ...files, anchor: join(root, 'none', 'anchor') };
    await expect(
      checkAndSignStore(createMemoryStore(), { ...nowhere, signer: newKeyPaths().signer }, clock, undefined),
    ).rejects.toThrow(/cannot be written \(ENOENT\); check its folder, or name another file\.$/);
    writeFileSync(`${files.signer}.next`, '');
    await expect(checkAndSignStore(store, files, clock, undefined)).rejects.toThrow('run `punto rotate` again first');
  });

  test('reports the range of entries that neither a checkpoint nor the anchor covers', async () => {
    const { store, files } = await openSigned();
    expect((await checkAndSignStore(store, files, clock, undefined)).unsigned).toBeUndefined();
    await grow(store, 'b', 2);
    await grow(store, 'c', 1);
    const { issue, unsigned } = await checkAndSignStore(store, files, clock, undefined);
    expect(issue).toBeUndefined();
    expect(unsigned).toMatchObject({ stream: 'b', sequence: 2, count: 3 });
  });

  test('is refused when entries follow the close, unless confirmed', async () => {
    const { inner, store, files, writer } = await openSigned();
    await writer.checkpoint(true);
    await expect(grow(store, 'a', 1)).rejects.toThrow(
      'The floor is closed; nothing more can be written to the event log.',
    );
    await writer.anchor();
    expect((await verifyCheckpointChain(inner)).last).toMatchObject({ number: 3, closed: true });
    await grow(inner, 'b', 1);
    const refused = checkAndSignStore(inner, files, clock, undefined);
    await expect(refused).rejects.toThrow(/covers 1 entry, .* entry 2 of b, and they follow the close/);
    const phrase = await phraseOf(refused);
    await grow(inner, 'b', 1);
    await expect(checkAndSignStore(inner, files, clock, phrase)).rejects.toThrow('covers 2 entries');
    const { issue } = await checkAndSignStore(
      inner,
      files,
      clock,
      await phraseOf(checkAndSignStore(inner, files, clock, undefined)),
    );
    expect(issue).toMatchObject({ reason: 'unsigned-entries' });
    // The confirmation is kept, and later entries do not follow a close.
    expect((await checkAndSignStore(inner, files, clock, undefined)).issue).toEqual(issue);
  });

  test('is refused when an unsigned entry is too late for the anchor, unless the anchor could not be written', async () => {
    const memory = new MemoryStoreContents();
    const files = newKeyPaths();
    const first = await checkAndSignStore(createMemoryStore(memory), files, () => 1_000, undefined);
    await first.writer.anchor();
    const late = entry('late');
    const store = createMemoryStore(memory);
    await store.append({ stream: 'a', after: 0, entries: [{ ...late, event: { ...late.event, at: 31_001 } }] });
    await expect(checkAndSignStore(store, files, () => 31_001, undefined)).rejects.toMatchObject({
      issue: { reason: 'unsigned-entries', missing: [] },
    });
    const followed = await verifyCheckpointChain(store);
    const signer = loadOrCreateSigner(files.signer, false);
    // Signed in the store while the anchor was not written.
    const writer = new CheckpointWriter({
      store,
      signer: () => signer,
      file: files.anchor,
      clock: () => 2_000,
      chain: followed,
    });
    await writer.checkpoint();
    await store.append({
      stream: 'a',
      after: 1,
      entries: [{ ...entry('later'), event: { ...late.event, at: 40_000 } }],
    });
    const { issue, unsigned } = await checkAndSignStore(store, files, () => 40_000, undefined);
    expect([issue, unsigned]).toEqual([undefined, { stream: 'a', sequence: 2, at: 40_000, count: 1, until: 40_000 }]);
  });

  test('writes nothing and creates no key when it is refused', async () => {
    const memory = new MemoryStoreContents();
    const files = newKeyPaths();
    const { writer } = await checkAndSignStore(createMemoryStore(memory), files, clock, undefined);
    await grow(writer.trackedStore(), 'a', 2);
    await writer.anchor();
    const before = [memory.epoch, memory.checkpoints.length, readFileSync(files.anchor, 'utf8')];
    const withoutSigner = { ...files, signer: newKeyPaths().signer };
    await expect(checkAndSignStore(createMemoryStore(memory), withoutSigner, clock, undefined)).rejects.toThrow(
      'is missing; restore',
    );
    await expect(checkAndSignStore(createMemoryStore(), withoutSigner, clock, undefined)).rejects.toThrow(
      'is missing; restore',
    );
    expect(existsSync(withoutSigner.signer)).toBe(false);
    // Also when a start is abandoned after the check and before the first signature.
    const { startSigning } = await checkStoreBeforeStart(createMemoryStore(memory), files, undefined);
    startSigning(clock);
    expect([memory.epoch, memory.checkpoints.length, readFileSync(files.anchor, 'utf8')]).toEqual(before);
  });

  test('is refused when checkpoints have later epochs than the store', async () => {
    const memory = new MemoryStoreContents();
    const files = newKeyPaths();
    for (let opened = 0; opened < 2; opened++)
      await checkAndSignStore(createMemoryStore(memory), files, clock, undefined);
    memory.epoch = 0;
    await expect(checkAndSignStore(createMemoryStore(memory), files, clock, undefined)).rejects.toThrow(
      'Checkpoint 2 was signed in epoch 2, but the last epoch of the event store is 0.',
    );
    expect(memory.checkpoints).toHaveLength(2);
  });

  test('is refused without the anchor of a signed store', async () => {
    const { store, files } = await openSigned();
    rmSync(files.anchor);
    await expect(checkAndSignStore(store, files, clock, undefined)).rejects.toMatchObject({
      issue: { reason: 'anchor-missing', missing: [] },
    });
  });

  test('succeeds without anchor with the confirmation phrase of the present store', async () => {
    const one = await openSigned();
    rmSync(one.files.anchor);
    const phrase = await phraseOf(checkAndSignStore(one.inner, one.files, clock, undefined));
    const older = await rolledBackCopy(one, { a: 5 });
    expect(await phraseOf(checkAndSignStore(older, one.files, clock, phrase))).not.toBe(phrase);
    expect((await checkAndSignStore(one.inner, one.files, clock, phrase)).issue).toMatchObject({
      reason: 'anchor-missing',
    });
  });

  test('names the previous anchor that matches when the newest store comes back', async () => {
    const one = await openSigned();
    const older = await rolledBackCopy(one, { a: 3 });
    const phrase = await phraseOf(checkAndSignStore(older, one.files, clock, undefined));
    const { writer } = await checkAndSignStore(older, one.files, clock, phrase);
    await writer.trackedStore().append({ stream: 'a', after: 3, entries: [entry('other', 1)] });
    await writer.anchor();
    const refused = checkAndSignStore(one.inner, one.files, clock, undefined);
    await expect(refused).rejects.toThrow(/ anchor (.+)\.before-1, .+ replace \1 by \1\.before-1\.$/);
    await expect(refused).rejects.toThrow(DamagedAnchorError);
    writeFileSync(one.files.anchor, readFileSync(`${one.files.anchor}.before-1`));
    expect((await checkAndSignStore(one.inner, one.files, clock, undefined)).issue).toBeUndefined();
  });

  test('signs a store that was never signed and needs no anchor for it', async () => {
    const store = createMemoryStore();
    await grow(store, 'a', 3);
    const { writer } = await checkAndSignStore(store, newKeyPaths(), clock, undefined);
    await writer.checkpoint();
    expect((await verifyCheckpointChain(store)).last).toMatchObject({ number: 1, whole: true });
  });

  test('is refused behind the anchor when the store is empty', async () => {
    const { files } = await openSigned();
    await expect(checkAndSignStore(createMemoryStore(), files, clock, undefined)).rejects.toMatchObject({
      issue: { reason: 'behind-anchor' },
    });
  });

  test('is refused when the store was created again', async () => {
    const { files, store } = await openSigned();
    const other = createMemoryStore();
    for (const [stream, count] of [
      ['b', 1],
      ['a', 5],
    ] as const)
      await grow(other, stream, count);
    await expect(checkAndSignStore(other, files, clock, undefined)).rejects.toThrow('is not the one that was signed');
    for await (const some of store.checkpoints()) for (const one of some) await other.saveCheckpoint(one);
    await expect(checkAndSignStore(other, files, clock, undefined)).rejects.toThrow('is not the one that was signed');
    const short = createMemoryStore();
    for await (const some of store.checkpoints()) for (const one of some) await short.saveCheckpoint(one);
    await expect(checkAndSignStore(short, files, clock, undefined)).rejects.toThrow(
      'ends with entry 0, but entry 3 is signed',
    );
  });

  test('is refused with another signing key', async () => {
    const { store, files } = await openSigned();
    const other = { ...files, signer: newKeyPaths().signer };
    await expect(checkAndSignStore(store, other, clock, undefined)).rejects.toThrow('is missing; restore the key');
    loadOrCreateSigner(other.signer, true);
    await expect(checkAndSignStore(store, other, clock, undefined)).rejects.toThrow('restore the key that signed it');
  });
});
