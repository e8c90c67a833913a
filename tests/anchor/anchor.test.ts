import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DamagedAnchor, UnusableAnchor, anchorIn, beginWith } from '../../src/anchor/file.ts';
import { Keeper } from '../../src/anchor/keeper.ts';
import { type Line, checkpointIn, signed } from '../../src/anchor/mark.ts';
import { isSigned, signerFrom, signerIn } from '../../src/anchor/signer.ts';
import { checkBalances, followCheckpoints } from '../../src/anchor/standing.ts';
import { type BehindAnchor, wordsFor } from '../../src/anchor/doubt.ts';
import { looked, trusted } from '../../src/anchor/start.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { Memory, memoryStore } from '../../src/store/memory.ts';
import { type Balance, type NewEntry, type Store } from '../../src/store/store.ts';

const root = mkdtempSync(join(tmpdir(), 'punto-anchor-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const places = () => {
  const folder = join(root, String(folders++));
  return { signer: `${folder}.signer`, anchor: `${folder}.anchor` };
};
const clock = (): number => 1_700_000_000_000;
const external: Account = 'sg1/SGD/external/T7';
const credit: Account = 'sg1/SGD/terminal/T7.1';

const entry = (id: string, amount = 0): NewEntry => ({
  event: { type: 'Noted', v: 1, at: 1 },
  postings: amount === 0 ? [] : [{ from: external, to: credit, amount }],
  command: {
    id,
    hash: `sha256:${'1'.repeat(64)}`,
    asked: { type: 'Note', who: { system: 'x' } },
    brought: {},
    decider: 'x@1',
  },
});

/** Adds so many entries to a stream, each of which loads one. */
async function grow(store: Store, stream: string, count: number): Promise<void> {
  const after = (await store.heads()).get(stream)?.sequence ?? 0;
  const entries = Array.from({ length: count }, (_, n) => entry(`${stream}-${after + n}`, 1));
  expect(await store.append({ stream, after, entries })).toHaveProperty('entries');
}

/** A record of two streams with what is kept of it elsewhere. */
async function kept() {
  const behind = memoryStore();
  const files = places();
  const { keeper, doubt } = await trusted(behind, files, clock, undefined);
  expect(doubt).toBeUndefined();
  const store = keeper.watched();
  await grow(store, 'a', 3);
  await keeper.checkpoint();
  await keeper.anchor();
  await grow(store, 'a', 2);
  await grow(store, 'b', 1);
  await keeper.anchor();
  return { behind, store, files, keeper };
}

/** The same record, with the tail of a stream and all that came of it cut off, as an older copy has it. */
async function turnedBack(
  { store }: { readonly store: Store },
  ends: { readonly [stream: string]: number },
): Promise<Store> {
  const copy = memoryStore();
  for (const [stream, end] of Object.entries(ends)) {
    for await (const entries of store.read(stream)) {
      const some = entries.slice(0, end).map(({ event, postings, command }) => ({
        event,
        postings: postings.map(({ from, to, amount }) => ({ from, to, amount })),
        command,
      }));
      if (some.length > 0) await copy.append({ stream, after: 0, entries: some });
    }
  }
  for await (const some of store.checkpoints()) for (const one of some) await copy.checkpoint(one);
  return copy;
}

describe('a signer', () => {
  test('is made once, for its owner alone, and signs what everyone can check', () => {
    const { signer: file } = places();
    const signer = signerIn(file, true);
    expect(signerIn(file, false).name).toBe(signer.name);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const signature = signer.sign('so far');
    expect(isSigned('so far', signature, signer.name)).toBe(true);
    expect(isSigned('so fat', signature, signer.name)).toBe(false);
    expect(isSigned('so far', signature, signerIn(places().signer, true).name)).toBe(false);
    expect(isSigned('so far', signature, 'nobody')).toBe(false);
    expect(isSigned('so far', '', signer.name)).toBe(false);
  });

  test('that is missing, no key or another kind of key is refused', () => {
    expect(() => signerIn(places().signer, false)).toThrow(/is missing; put back the key that signed the record\./);
    expect(() => signerFrom('no key', 'F')).toThrow(/^The signing key F cannot be read/);
  });
});

describe('an anchor', () => {
  test('knows how far each stream has got, by what was added since it began', async () => {
    const { files, store } = await kept();
    const { places: known, last } = anchorIn(files.anchor)!;
    const heads = await store.heads();
    expect(known).toEqual(new Map([...heads].map(([stream, { sequence, hash }]) => [stream, { sequence, hash }])));
    expect(last).toMatchObject({ epoch: 1, at: clock(), whole: false, checkpoint: { number: 2 } });
    expect(readFileSync(files.anchor, 'utf8').split('\n')).toHaveLength(4);
  });

  test('is not written where nothing has moved', async () => {
    const { files, keeper } = await kept();
    const before = readFileSync(files.anchor, 'utf8');
    await keeper.anchor();
    expect(readFileSync(files.anchor, 'utf8')).toBe(before);
  });

  test('is told now and then that nothing has moved', async () => {
    const files = places();
    let now = 1_000;
    const { keeper } = await trusted(memoryStore(), files, () => now, undefined);
    for (now = 2_000; now < 20_000; now += 1_000) await keeper.anchor();
    // At once of a checkpoint.
    expect(anchorIn(files.anchor)!.last.at).toBe(17_000);
    expect(readFileSync(files.anchor, 'utf8').split('\n')).toHaveLength(6);
  });

  test('that was taken away is begun anew', async () => {
    const { files, keeper, store } = await kept();
    rmSync(files.anchor);
    await grow(store, 'b', 1);
    await keeper.anchor();
    expect(anchorIn(files.anchor)!.last.whole).toBe(true);
    expect(anchorIn(files.anchor)!.places.size).toBe(2);
  });

  test('that has grown long is written anew as one line', async () => {
    const { files, keeper, store } = await kept();
    const [line] = readFileSync(files.anchor, 'utf8').split('\n');
    writeFileSync(files.anchor, `${line}\n`.repeat(Math.ceil(2 ** 20 / line!.length)));
    await grow(store, 'b', 1);
    await keeper.anchor();
    expect(readFileSync(files.anchor, 'utf8').split('\n')).toHaveLength(2);
    expect(anchorIn(files.anchor)!.places.get('b')!.sequence).toBe(2);
  });

  describe('that can only be added to', () => {
    const mayNot = async (): Promise<never> => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    };
    const lineOf = async (files: { readonly signer: string; readonly anchor: string }, more: Partial<Line>) =>
      signed({ ...anchorIn(files.anchor)!.last, whole: true, ...more }, signerIn(files.signer, false));
    const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`];

    test('goes on with a line that names all, be it behind half a line', async () => {
      const { files } = await kept();
      const before = readFileSync(files.anchor, 'utf8');
      const line = await lineOf(files, { heads: { a: [6, one], b: [1, two] } });
      for (const half of ['', 'half of']) {
        writeFileSync(files.anchor, `${before}${half}`);
        const size = await beginWith(files.anchor, line, mayNot);
        expect(size).toBe(statSync(files.anchor).size);
        expect(readFileSync(files.anchor, 'utf8').startsWith(before)).toBe(true);
        expect(anchorIn(files.anchor)!.places.get('a')).toEqual({ sequence: 6, hash: one });
      }
      expect(existsSync(`${files.anchor}.part`)).toBe(false);
      // One that is not there is not begun by adding to it.
      rmSync(files.anchor);
      await expect(beginWith(files.anchor, line, mayNot)).rejects.toThrow('not permitted');
    });

    test('is damaged by a line that goes back, unless a later epoch has gone on with less', async () => {
      const { files } = await kept();
      const before = readFileSync(files.anchor, 'utf8');
      const [first, second] = before.split('\n');
      for (const again of [first, second]) {
        writeFileSync(files.anchor, `${before}${again}\n`);
        expect(() => anchorIn(files.anchor)).toThrow('Line 4 of the anchor');
      }
      writeFileSync(files.anchor, before);
      await beginWith(files.anchor, await lineOf(files, { epoch: 2, heads: { a: [2, one] } }), mayNot);
      expect(anchorIn(files.anchor)!.places).toEqual(new Map([['a', { sequence: 2, hash: one }]]));
    });
  });

  test('that is a folder is called what it is', () => {
    const { anchor } = places();
    mkdirSync(anchor);
    expect(() => anchorIn(anchor)).toThrow(/^The anchor .+ cannot be read \(EISDIR\); see to it, or name another\.$/);
    expect(() => anchorIn(anchor)).toThrow(UnusableAnchor);
  });

  test('that could not be written is told all of it the next time', async () => {
    const { files, keeper, store } = await kept();
    rmSync(files.anchor);
    await keeper.anchor();
    const before = readFileSync(files.anchor);
    // A folder in its place is what no right of an owner gets past.
    rmSync(files.anchor);
    await grow(store, 'a', 1);
    const other = join(files.anchor, 'x');
    rmSync(`${files.anchor}.part`, { force: true });
    mkdirSync(other, { recursive: true });
    await expect(keeper.anchor()).rejects.toThrow(/EISDIR/);
    rmSync(files.anchor, { recursive: true });
    writeFileSync(files.anchor, before);
    await grow(store, 'b', 1);
    await keeper.anchor();
    const { places: known } = anchorIn(files.anchor)!;
    expect([known.get('a')!.sequence, known.get('b')!.sequence]).toEqual([6, 2]);
  });

  test('a line that was cut off was never written; one that was changed is damage', async () => {
    const { files } = await kept();
    const text = readFileSync(files.anchor, 'utf8');
    writeFileSync(files.anchor, text.slice(0, -5));
    expect(anchorIn(files.anchor)!.places.get('a')!.sequence).toBe(3);
    for (const bad of [text.replace('"a":[5', '"a":[4'), text.slice(10), '\n', '', `${text}x y\n`]) {
      writeFileSync(files.anchor, bad);
      expect(() => anchorIn(files.anchor)).toThrow(
        /; put back the anchor, or move it away, which asks for two words at the next start\.$/,
      );
    }
    expect(anchorIn(join(root, 'none'))).toBeUndefined();
  });
});

describe('a start', () => {
  test('goes on where the record reaches as far as the anchor, or further', async () => {
    const { store, files } = await kept();
    await grow(store, 'c', 1);
    expect((await trusted(store, files, clock, undefined)).doubt).toBeUndefined();
  });

  test('behind the anchor is refused, with what is missing and the words that go with it', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const refused = trusted(older, one.files, clock, undefined);
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
    ((await start.catch((error: unknown) => error)) as BehindAnchor).doubt.words;
  const keptOf = (file: string): readonly string[] =>
    readdirSync(root).filter((name) => join(root, name).startsWith(`${file}.before-`));

  test('goes on by those words alone; what the old anchor knew is kept, each time', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const before = readFileSync(one.files.anchor);
    const words = await wordsOf(trusted(older, one.files, clock, undefined));
    await expect(trusted(older, one.files, clock, wordsFor('something else'))).rejects.toThrow('ends too early');
    // Words of one loss are not those of another.
    await expect(trusted(await turnedBack(one, { a: 4 }), one.files, clock, words)).rejects.toThrow('ends too early');
    expect(readFileSync(one.files.anchor)).toEqual(before);
    expect((await trusted(older, one.files, clock, words)).doubt).toMatchObject({ why: 'behind-anchor', words });
    expect(readFileSync(`${one.files.anchor}.before-1`)).toEqual(before);
    // The same copy once more, after more was written.
    const again = await turnedBack(one, { a: 3 });
    writeFileSync(one.files.anchor, before);
    await trusted(again, one.files, clock, words);
    expect(keptOf(one.files.anchor)).toHaveLength(2);
  });

  test('remembers what it went on in spite of until the record tells it, however often it is started', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const words = await wordsOf(trusted(older, one.files, clock, undefined));
    const { doubt } = await trusted(older, one.files, clock, words);
    const { keeper, doubt: same } = await trusted(older, one.files, clock, undefined);
    expect(same).toEqual(doubt);
    expect(keptOf(one.files.anchor)).toHaveLength(1);
    await grow(keeper.watched(), 'a', 1);
    await keeper.anchor();
    expect((await trusted(older, one.files, clock, undefined)).doubt).toBeUndefined();
  });

  test('believes no anchor that somebody else has signed', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const stranger = signerIn(places().signer, true);
    const { last } = anchorIn(one.files.anchor)!;
    const [sequence, hash] = [3, (await older.heads()).get('a')!.hash];
    const forged = signed({ ...last, whole: true, heads: { a: [sequence, hash] }, signer: stranger.name }, stranger);
    writeFileSync(one.files.anchor, `${forged.signature} ${forged.text}\n`);
    await expect(trusted(older, one.files, clock, undefined)).rejects.toThrow(/^The anchor is signed by .* Put back/);
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
      await expect(trusted(less, files, clock, undefined)).rejects.toThrow(/The anchor knows of checkpoint 2, and/);
    }
  });

  test('a record without any signature, beside the key that signed it, is refused as one without its anchor', async () => {
    const { store, files } = await kept();
    rmSync(files.anchor);
    const unsigned = { ...store, checkpoints: async function* () {} };
    await expect(trusted(unsigned, files, clock, undefined)).rejects.toMatchObject({
      doubt: { why: 'anchor-missing' },
    });
  });

  test('a program that was taken over leaves the anchor to its successor', async () => {
    const memory = new Memory();
    const files = places();
    const first = await trusted(memoryStore(memory), files, clock, undefined);
    await grow(first.keeper.watched(), 'a', 1);
    const second = await trusted(memoryStore(memory), files, clock, undefined);
    await expect(first.keeper.anchor()).rejects.toThrow('Another program has opened the record.');
    // Also where it was about to write when that happened.
    const { last } = anchorIn(files.anchor)!;
    const late = signed({ ...last, epoch: 1, whole: false, heads: {} }, signerIn(files.signer, false));
    writeFileSync(files.anchor, `${readFileSync(files.anchor, 'utf8')}${late.signature} ${late.text}\n`);
    expect(anchorIn(files.anchor)!.last.epoch).toBe(2);
    expect(second.doubt).toBeUndefined();
  });

  test('an anchor that cannot be written refuses the start, and keys that are being changed do', async () => {
    const { store, files } = await kept();
    const nowhere = { ...files, anchor: join(root, 'none', 'anchor') };
    await expect(trusted(memoryStore(), { ...nowhere, signer: places().signer }, clock, undefined)).rejects.toThrow(
      /cannot be written \(ENOENT\); see to its folder, or name another\.$/,
    );
    writeFileSync(`${files.signer}.next`, '');
    await expect(trusted(store, files, clock, undefined)).rejects.toThrow('run `punto rotate` again first');
  });

  test('tells what neither a signature nor the anchor covers, and the first of it', async () => {
    const { store, files } = await kept();
    expect((await trusted(store, files, clock, undefined)).uncovered).toBeUndefined();
    await grow(store, 'b', 2);
    await grow(store, 'c', 1);
    const { doubt, uncovered } = await trusted(store, files, clock, undefined);
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
    const refused = trusted(behind, files, clock, undefined);
    await expect(refused).rejects.toThrow(/covers 1 entry, .* entry 2 of b, and they stand behind the close/);
    const words = await wordsOf(refused);
    await grow(behind, 'b', 1);
    await expect(trusted(behind, files, clock, words)).rejects.toThrow('covers 2 entries');
    const { doubt } = await trusted(behind, files, clock, await wordsOf(trusted(behind, files, clock, undefined)));
    expect(doubt).toMatchObject({ why: 'unsigned-entries' });
    // It is remembered, and what follows stands behind no close.
    expect((await trusted(behind, files, clock, undefined)).doubt).toEqual(doubt);
  });

  test('is refused where something is later than the anchor can be behind, unless the anchor could not be written', async () => {
    const memory = new Memory();
    const files = places();
    const first = await trusted(memoryStore(memory), files, () => 1_000, undefined);
    await first.keeper.anchor();
    const late = entry('late');
    const store = memoryStore(memory);
    await store.append({ stream: 'a', after: 0, entries: [{ ...late, event: { ...late.event, at: 31_001 } }] });
    await expect(trusted(store, files, () => 31_001, undefined)).rejects.toMatchObject({
      doubt: { why: 'unsigned-entries', missing: [] },
    });
    const followed = await followCheckpoints(store);
    const signer = signerIn(files.signer, false);
    // Signed in the record while the anchor was told nothing.
    const keeper = new Keeper({ store, signer: () => signer, file: files.anchor, clock: () => 2_000, followed });
    await keeper.checkpoint();
    await store.append({
      stream: 'a',
      after: 1,
      entries: [{ ...entry('later'), event: { ...late.event, at: 40_000 } }],
    });
    const { doubt, uncovered } = await trusted(store, files, () => 40_000, undefined);
    expect([doubt, uncovered]).toEqual([undefined, { stream: 'a', sequence: 2, at: 40_000, count: 1, until: 40_000 }]);
  });

  test('that is refused has written nothing, nor made a key', async () => {
    const memory = new Memory();
    const files = places();
    const { keeper } = await trusted(memoryStore(memory), files, clock, undefined);
    await grow(keeper.watched(), 'a', 2);
    await keeper.anchor();
    const before = [memory.epoch, memory.checkpoints.length, readFileSync(files.anchor, 'utf8')];
    const nobody = { ...files, signer: places().signer };
    await expect(trusted(memoryStore(memory), nobody, clock, undefined)).rejects.toThrow('is missing; put back');
    await expect(trusted(memoryStore(), nobody, clock, undefined)).rejects.toThrow('is missing; put back');
    expect(existsSync(nobody.signer)).toBe(false);
    // Also where it is looked at, and given up before anything was signed.
    const { keeping } = await looked(memoryStore(memory), files, undefined);
    keeping(clock);
    expect([memory.epoch, memory.checkpoints.length, readFileSync(files.anchor, 'utf8')]).toEqual(before);
  });

  test('finds epochs that were lost by those of its checkpoints', async () => {
    const memory = new Memory();
    const files = places();
    for (let opened = 0; opened < 2; opened++) await trusted(memoryStore(memory), files, clock, undefined);
    memory.epoch = 0;
    await expect(trusted(memoryStore(memory), files, clock, undefined)).rejects.toThrow(
      'Checkpoint 2 was signed in epoch 2, and the record knows of 0 epochs.',
    );
    expect(memory.checkpoints).toHaveLength(2);
  });

  test('without the anchor of a signed record is refused', async () => {
    const { store, files } = await kept();
    rmSync(files.anchor);
    await expect(trusted(store, files, clock, undefined)).rejects.toMatchObject({
      doubt: { why: 'anchor-missing', missing: [] },
    });
  });

  test('without its anchor goes on by words that go with the record as it is', async () => {
    const one = await kept();
    rmSync(one.files.anchor);
    const words = await wordsOf(trusted(one.behind, one.files, clock, undefined));
    const older = await turnedBack(one, { a: 5 });
    expect(await wordsOf(trusted(older, one.files, clock, words))).not.toBe(words);
    expect((await trusted(one.behind, one.files, clock, words)).doubt).toMatchObject({ why: 'anchor-missing' });
  });

  test('names the anchor that was kept where the newest record comes back after all', async () => {
    const one = await kept();
    const older = await turnedBack(one, { a: 3 });
    const words = await wordsOf(trusted(older, one.files, clock, undefined));
    const { keeper } = await trusted(older, one.files, clock, words);
    await keeper.watched().append({ stream: 'a', after: 3, entries: [entry('other', 1)] });
    await keeper.anchor();
    const refused = trusted(one.behind, one.files, clock, undefined);
    await expect(refused).rejects.toThrow(/ as (.+)\.before-1 knows it; .+ put \1\.before-1 in its place\.$/);
    await expect(refused).rejects.toThrow(DamagedAnchor);
    writeFileSync(one.files.anchor, readFileSync(`${one.files.anchor}.before-1`));
    expect((await trusted(one.behind, one.files, clock, undefined)).doubt).toBeUndefined();
  });

  test('a record that was never signed has no anchor to miss, and is signed from now on', async () => {
    const store = memoryStore();
    await grow(store, 'a', 3);
    const { keeper } = await trusted(store, places(), clock, undefined);
    await keeper.checkpoint();
    expect((await followCheckpoints(store)).last).toMatchObject({ number: 1, whole: true });
  });

  test('an empty record beside an anchor is behind it', async () => {
    const { files } = await kept();
    await expect(trusted(memoryStore(), files, clock, undefined)).rejects.toMatchObject({
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
    await expect(trusted(other, files, clock, undefined)).rejects.toThrow('is another than the one that was signed');
    for await (const some of store.checkpoints()) for (const one of some) await other.checkpoint(one);
    await expect(trusted(other, files, clock, undefined)).rejects.toThrow('is another than the one that was signed');
    const short = memoryStore();
    for await (const some of store.checkpoints()) for (const one of some) await short.checkpoint(one);
    await expect(trusted(short, files, clock, undefined)).rejects.toThrow('ends with entry 0, and entry 3 is signed');
  });

  test('with another signing key is refused', async () => {
    const { store, files } = await kept();
    const other = { ...files, signer: places().signer };
    await expect(trusted(store, other, clock, undefined)).rejects.toThrow('is missing; put back the key');
    signerIn(other.signer, true);
    await expect(trusted(store, other, clock, undefined)).rejects.toThrow('put back its own key');
  });
});

describe('checkpoints', () => {
  test('name all streams at first and then those that moved; none where nothing has', async () => {
    const { store, keeper } = await kept();
    await keeper.checkpoint();
    await keeper.checkpoint();
    const found: (readonly [boolean, readonly string[]])[] = [];
    const { last, places: all } = await followCheckpoints(store, ({ whole, heads }) =>
      found.push([whole, Object.keys(heads)]),
    );
    expect(found).toEqual([
      [true, []],
      [false, ['a']],
      [false, ['a', 'b']],
    ]);
    expect(last!.number).toBe(3);
    expect(all.get('a')!.sequence).toBe(5);
  });

  test('one that is changed, missing, or of a signer to whom nobody handed over is damage', async () => {
    const { store, keeper } = await kept();
    await keeper.checkpoint();
    const own: { number: number; text: string; signature: string }[] = [];
    for await (const some of store.checkpoints()) own.push(...some);
    const withThese = (some: typeof own) =>
      followCheckpoints({
        checkpoints: async function* () {
          yield some;
        },
      });
    const [first, second] = own as [(typeof own)[0], (typeof own)[0]];
    await expect(withThese([second])).rejects.toThrow('Checkpoint 1 is missing.');
    await expect(withThese([first, { ...second, text: second.text.replace('"a":[3', '"a":[2') }])).rejects.toThrow(
      'is not as it was signed',
    );
    await expect(withThese([{ ...first, signature: second.signature }])).rejects.toThrow('is not as it was signed');
    const stranger = signerIn(places().signer, true);
    const forged = { ...checkpointIn(second)!, signer: stranger.name };
    await expect(withThese([first, { ...second, ...signed(forged, stranger) }])).rejects.toThrow('has not handed over');
    const otherFirst = { ...checkpointIn(first)!, signer: stranger.name };
    await expect(withThese([{ ...first, ...signed(otherFirst, stranger) }, second])).rejects.toThrow(
      'does not follow the one before it',
    );
    expect((await withThese(own)).signers).toHaveLength(1);
  });
});

describe('balances at a start', () => {
  const withBalance = async (change: (balance: Balance) => Balance) => {
    const { store } = await kept();
    const balances = new Map(await store.balances());
    balances.set(credit, change(balances.get(credit)!));
    return checkBalances({ ...store, balances: async () => balances }, await followCheckpoints(store));
  };

  test('are what the last checkpoint vouches for and the entries behind it lead to', async () => {
    await expect(withBalance((same) => same)).resolves.toBeUndefined();
    await expect(withBalance(({ amount, version }) => ({ amount: amount + 1, version }))).rejects.toThrow(
      /does not hold what/,
    );
    await expect(withBalance(({ amount, version }) => ({ amount, version: version + 1 }))).rejects.toThrow(
      /does not hold what/,
    );
  });

  test('also of accounts that nothing was posted to since', async () => {
    const { store, keeper } = await kept();
    await keeper.checkpoint();
    const followed = await followCheckpoints(store);
    await expect(checkBalances(store, followed)).resolves.toBeUndefined();
    const balances = new Map(await store.balances());
    const { amount, version } = balances.get(credit)!;
    for (const other of [
      { amount: amount + 1, version },
      { amount: amount - 1, version: version - 1 },
    ]) {
      const changed = { ...store, balances: async () => new Map([...balances, [credit, other] as const]) };
      await expect(checkBalances(changed, followed)).rejects.toThrow('The balances are not those');
    }
    const stray = new Map([...balances, ['sg1/SGD/terminal/T8.1', { amount: 5, version: 1 }] as const]);
    await expect(checkBalances({ ...store, balances: async () => stray }, followed)).rejects.toThrow('The balances');
  });

  test('of a record that was never signed are worked out from its first entry', async () => {
    const store = memoryStore();
    await grow(store, 'a', 3);
    const none = { last: undefined, places: new Map() };
    await expect(checkBalances(store, none)).resolves.toBeUndefined();
    const balances = new Map([...(await store.balances()), [credit, { amount: 9, version: 3 }] as const]);
    await expect(checkBalances({ ...store, balances: async () => balances }, none)).rejects.toThrow(/does not hold/);
  });
});
