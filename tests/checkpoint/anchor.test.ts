import { describe, expect, test } from 'vitest';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableAnchorError, readAnchor, replaceAnchor } from '../../src/checkpoint/anchorFile.ts';
import { type AnchorLine, parseSignedCheckpoint, signCheckpointOrLine } from '../../src/checkpoint/checkpointFormat.ts';
import { verifySignature, parseSigner, loadOrCreateSigner } from '../../src/checkpoint/signingKey.ts';
import { checkStoredBalances, verifyCheckpointChain } from '../../src/checkpoint/checks.ts';
import { checkAndSignStore } from '../../src/checkpoint/storeCheck.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type Balance } from '../../src/store/store.ts';
import { clock, credit, grow, checkpointFolder } from './fixtures.ts';

const { root, newKeyPaths, openSigned } = checkpointFolder();

describe('the signing key', () => {
  test('is created once with mode 0600 and signs texts that its public key verifies', () => {
    const { signer: file } = newKeyPaths();
    const signer = loadOrCreateSigner(file, true);
    expect(loadOrCreateSigner(file, false).name).toBe(signer.name);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const signature = signer.sign('so far');
    expect(verifySignature('so far', signature, signer.name)).toBe(true);
    expect(verifySignature('so fat', signature, signer.name)).toBe(false);
    expect(verifySignature('so far', signature, loadOrCreateSigner(newKeyPaths().signer, true).name)).toBe(false);
    expect(verifySignature('so far', signature, 'nobody')).toBe(false);
    expect(verifySignature('so far', '', signer.name)).toBe(false);
  });

  test('is refused when it is missing, no key or no Ed25519 key', () => {
    expect(() => loadOrCreateSigner(newKeyPaths().signer, false)).toThrow(
      /is missing; restore the key that signed the event store\./,
    );
    expect(() => parseSigner('no key', 'F')).toThrow(/^The signing key F cannot be read/);
  });
});

describe('the anchor', () => {
  test('holds the heads of all streams as lines are appended', async () => {
    const { files, store } = await openSigned();
    const { heads: anchored, last } = readAnchor(files.anchor)!;
    const heads = await store.heads();
    expect(anchored).toEqual(new Map([...heads].map(([stream, { sequence, hash }]) => [stream, { sequence, hash }])));
    expect(last).toMatchObject({ epoch: 1, at: clock(), whole: false, checkpoint: { number: 2 } });
    expect(readFileSync(files.anchor, 'utf8').split('\n')).toHaveLength(4);
  });

  test('is not written when nothing has moved', async () => {
    const { files, writer } = await openSigned();
    const before = readFileSync(files.anchor, 'utf8');
    await writer.anchor();
    expect(readFileSync(files.anchor, 'utf8')).toBe(before);
  });

  test('is written at intervals even when nothing has moved', async () => {
    const files = newKeyPaths();
    let now = 1_000;
    const { writer } = await checkAndSignStore(createMemoryStore(), files, () => now, undefined);
    for (now = 2_000; now < 20_000; now += 1_000) await writer.anchor();
    // Right after a checkpoint.
    expect(readAnchor(files.anchor)!.last.at).toBe(17_000);
    expect(readFileSync(files.anchor, 'utf8').split('\n')).toHaveLength(6);
  });

  test('is rewritten when it is missing', async () => {
    const { files, writer, store } = await openSigned();
    rmSync(files.anchor);
    await grow(store, 'b', 1);
    await writer.anchor();
    expect(readAnchor(files.anchor)!.last.whole).toBe(true);
    expect(readAnchor(files.anchor)!.heads.size).toBe(2);
  });

  test('is rewritten as one line when it has grown too large', async () => {
    const { files, writer, store } = await openSigned();
    const [line] = readFileSync(files.anchor, 'utf8').split('\n');
    writeFileSync(files.anchor, `${line}\n`.repeat(Math.ceil(2 ** 20 / line!.length)));
    await grow(store, 'b', 1);
    await writer.anchor();
    expect(readFileSync(files.anchor, 'utf8').split('\n')).toHaveLength(2);
    expect(readAnchor(files.anchor)!.heads.get('b')!.sequence).toBe(2);
  });

  describe('in an append-only file', () => {
    const mayNot = async (): Promise<never> => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    };
    const lineOf = async (files: { readonly signer: string; readonly anchor: string }, more: Partial<AnchorLine>) =>
      signCheckpointOrLine(
        { ...readAnchor(files.anchor)!.last, whole: true, ...more },
        loadOrCreateSigner(files.signer, false),
      );
    const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`];

    test('goes on with a line of all heads, even after an incomplete line', async () => {
      const { files } = await openSigned();
      const before = readFileSync(files.anchor, 'utf8');
      const line = await lineOf(files, { heads: { a: [6, one], b: [1, two] } });
      for (const half of ['', 'half of']) {
        writeFileSync(files.anchor, `${before}${half}`);
        const size = await replaceAnchor(files.anchor, line, mayNot);
        expect(size).toBe(statSync(files.anchor).size);
        expect(readFileSync(files.anchor, 'utf8').startsWith(before)).toBe(true);
        expect(readAnchor(files.anchor)!.heads.get('a')).toEqual({ sequence: 6, hash: one });
      }
      expect(existsSync(`${files.anchor}.part`)).toBe(false);
      // A missing file is not created by an append.
      rmSync(files.anchor);
      await expect(replaceAnchor(files.anchor, line, mayNot)).rejects.toThrow('not permitted');
    });

    test('is damaged by a line that goes back within an epoch', async () => {
      const { files } = await openSigned();
      const before = readFileSync(files.anchor, 'utf8');
      const [first, second] = before.split('\n');
      for (const again of [first, second]) {
        writeFileSync(files.anchor, `${before}${again}\n`);
        expect(() => readAnchor(files.anchor)).toThrow('Line 4 of the anchor');
      }
      writeFileSync(files.anchor, before);
      await replaceAnchor(files.anchor, await lineOf(files, { epoch: 2, heads: { a: [2, one] } }), mayNot);
      expect(readAnchor(files.anchor)!.heads).toEqual(new Map([['a', { sequence: 2, hash: one }]]));
    });
  });

  test('is refused when its path is a folder', () => {
    const { anchor } = newKeyPaths();
    mkdirSync(anchor);
    expect(() => readAnchor(anchor)).toThrow(
      /^The anchor .+ cannot be read \(EISDIR\); check it, or name another file\.$/,
    );
    expect(() => readAnchor(anchor)).toThrow(UnusableAnchorError);
  });

  test('is rewritten with all heads after a failed write', async () => {
    const { files, writer, store } = await openSigned();
    rmSync(files.anchor);
    await writer.anchor();
    const before = readFileSync(files.anchor);
    // A folder at this path fails even for an owner with all permissions.
    rmSync(files.anchor);
    await grow(store, 'a', 1);
    const other = join(files.anchor, 'x');
    rmSync(`${files.anchor}.part`, { force: true });
    mkdirSync(other, { recursive: true });
    await expect(writer.anchor()).rejects.toThrow(/EISDIR/);
    rmSync(files.anchor, { recursive: true });
    writeFileSync(files.anchor, before);
    await grow(store, 'b', 1);
    await writer.anchor();
    const { heads: anchored } = readAnchor(files.anchor)!;
    expect([anchored.get('a')!.sequence, anchored.get('b')!.sequence]).toEqual([6, 2]);
  });

  test('ignores an incomplete last line and is damaged by a changed line', async () => {
    const { files } = await openSigned();
    const text = readFileSync(files.anchor, 'utf8');
    writeFileSync(files.anchor, text.slice(0, -5));
    expect(readAnchor(files.anchor)!.heads.get('a')!.sequence).toBe(3);
    for (const bad of [text.replace('"a":[5', '"a":[4'), text.slice(10), '\n', '', `${text}x y\n`]) {
      writeFileSync(files.anchor, bad);
      expect(() => readAnchor(files.anchor)).toThrow(
        /; restore the anchor, or move it away, start again and confirm with the phrase that the start prints\.$/,
      );
    }
    expect(readAnchor(join(root, 'none'))).toBeUndefined();
  });
});

describe('checkpoints', () => {
  test('list all streams first, then those that moved, and are not written when nothing has', async () => {
    const { store, writer } = await openSigned();
    await writer.checkpoint();
    await writer.checkpoint();
    const found: (readonly [boolean, readonly string[]])[] = [];
    const { last, heads: all } = await verifyCheckpointChain(store, ({ whole, heads }) =>
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

  test('are damaged when one is changed, missing or of a signer without handover', async () => {
    const { store, writer } = await openSigned();
    await writer.checkpoint();
    const own: { number: number; text: string; signature: string }[] = [];
    for await (const some of store.checkpoints()) own.push(...some);
    const withThese = (some: typeof own) =>
      verifyCheckpointChain({
        checkpoints: async function* () {
          yield some;
        },
      });
    const [first, second] = own as [(typeof own)[0], (typeof own)[0]];
    await expect(withThese([second])).rejects.toThrow('Checkpoint 1 is missing.');
    await expect(withThese([first, { ...second, text: second.text.replace('"a":[3', '"a":[2') }])).rejects.toThrow(
      'was changed after it was signed',
    );
    await expect(withThese([{ ...first, signature: second.signature }])).rejects.toThrow(
      'was changed after it was signed',
    );
    const stranger = loadOrCreateSigner(newKeyPaths().signer, true);
    const forged = { ...parseSignedCheckpoint(second)!, signer: stranger.name };
    await expect(withThese([first, { ...second, ...signCheckpointOrLine(forged, stranger) }])).rejects.toThrow(
      'has not handed over',
    );
    const otherFirst = { ...parseSignedCheckpoint(first)!, signer: stranger.name };
    await expect(withThese([{ ...first, ...signCheckpointOrLine(otherFirst, stranger) }, second])).rejects.toThrow(
      'does not follow the one before it',
    );
    expect((await withThese(own)).signers).toHaveLength(1);
  });
});

describe('balances at a start', () => {
  const withBalance = async (change: (balance: Balance) => Balance) => {
    const { store } = await openSigned();
    const balances = new Map(await store.balances());
    balances.set(credit, change(balances.get(credit)!));
    return checkStoredBalances({ ...store, balances: async () => balances }, await verifyCheckpointChain(store));
  };

  test('equal those of the last checkpoint plus later postings', async () => {
    await expect(withBalance((same) => same)).resolves.toBeUndefined();
    await expect(withBalance(({ amount, version }) => ({ amount: amount + 1, version }))).rejects.toThrow(
      /does not have the balance/,
    );
    await expect(withBalance(({ amount, version }) => ({ amount, version: version + 1 }))).rejects.toThrow(
      /does not have the balance/,
    );
  });

  test('are checked for accounts without later postings too', async () => {
    const { store, writer } = await openSigned();
    await writer.checkpoint();
    const followed = await verifyCheckpointChain(store);
    await expect(checkStoredBalances(store, followed)).resolves.toBeUndefined();
    const balances = new Map(await store.balances());
    const { amount, version } = balances.get(credit)!;
    for (const other of [
      { amount: amount + 1, version },
      { amount: amount - 1, version: version - 1 },
    ]) {
      const changed = { ...store, balances: async () => new Map([...balances, [credit, other] as const]) };
      await expect(checkStoredBalances(changed, followed)).rejects.toThrow(
        'The stored balances differ from the signed balances plus all later postings.',
      );
    }
    const stray = new Map([...balances, ['sg1/SGD/terminal/T8.1', { amount: 5, version: 1 }] as const]);
    await expect(checkStoredBalances({ ...store, balances: async () => stray }, followed)).rejects.toThrow(
      'The stored balances differ',
    );
  });

  test('are computed from the first entry when there is no checkpoint', async () => {
    const store = createMemoryStore();
    await grow(store, 'a', 3);
    const none = { last: undefined, heads: new Map() };
    await expect(checkStoredBalances(store, none)).resolves.toBeUndefined();
    const balances = new Map([...(await store.balances()), [credit, { amount: 9, version: 3 }] as const]);
    await expect(checkStoredBalances({ ...store, balances: async () => balances }, none)).rejects.toThrow(
      /does not have the balance/,
    );
  });
});
