import { isGuarded } from '../../ledger/accounts.ts';
import { entryFrom, subjectOf } from '../chain.ts';
import { type Looked } from '../looking.ts';
import { UnusableData } from '../store.ts';
import { type Address, addressOf, shown } from './address.ts';
import { troubleOf } from './failing.ts';
import { found } from './finding.ts';
import { type Link } from './link.ts';
import { makeUpTo } from './schema.ts';

/** So long a step of it may take, and the commit of all of it, in milliseconds. */
const longest = 3_600_000;

/** So many rows go at once. */
const atOnce = 1000;

export type Copied = { readonly streams: number; readonly entries: number; readonly accounts: number };

/** Copies a whole record into an empty database: all of it, or nothing. */
export async function copyInto(text: string, from: Looked): Promise<Copied> {
  const address = addressOf(text);
  const link = await found(address, { patience: 10_000, check: async () => undefined });
  try {
    await makeUpTo(link, address, false, longest);
    return await link.together('BEGIN', () => copyAll(link, address, from), longest);
  } catch (error) {
    throw troubleOf(error);
  } finally {
    await link.close();
  }
}

async function copyAll(link: Link, address: Address, from: Looked): Promise<Copied> {
  // Whoever opens it meanwhile waits until it is there.
  await link.ask('LOCK TABLE epochs IN EXCLUSIVE MODE');
  if ((await link.ask('SELECT 1 FROM epochs UNION ALL SELECT 1 FROM entries LIMIT 1')).length > 0) {
    throw new UnusableData(`The database ${shown(address)} holds a record already; name an empty one.`);
  }
  const put = async (
    table: string,
    columns: readonly (readonly [name: string, type: string])[],
    rows: readonly (readonly unknown[])[],
  ) => {
    const [names, types] = [
      columns.map(([name]) => name).join(', '),
      columns.map(([, type], place) => `$${place + 1}::${type}[]`),
    ];
    for (let at = 0; at < rows.length; at += atOnce) {
      const part = rows.slice(at, at + atOnce);
      await link.ask(
        `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${types.join(', ')})`,
        columns.map((_, place) => part.map((row) => row[place])),
        longest,
      );
    }
  };
  const text = (name: string): readonly [string, string] => [name, 'text'];
  const whole = (name: string): readonly [string, string] => [name, 'bigint'];

  let entries = 0;
  const entryColumns = [
    text('stream'),
    whole('sequence'),
    text('hash'),
    text('body'),
    text('command'),
    text('subject'),
  ];
  for (const rows of from.entries()) {
    entries += rows.length;
    await put(
      'entries',
      entryColumns,
      rows.map((row) => {
        const { event } = entryFrom(row);
        return [row.stream, row.sequence, row.hash, row.body, row.command, subjectOf(event)];
      }),
    );
  }
  const heads = [...(await from.heads())];
  await put(
    'heads',
    [text('stream'), whole('sequence'), text('hash'), whole('epoch')],
    heads.map(([stream, { sequence, hash, epoch }]) => [stream, sequence, hash, epoch]),
  );
  const balances = [...(await from.balances())];
  await put(
    'balances',
    [text('account'), whole('amount'), whole('version'), ['guarded', 'integer']],
    balances.map(([account, { amount, version }]) => [account, amount, version, isGuarded(account) ? 1 : 0]),
  );
  for (const stream of await from.snapshots()) {
    const { sequence, form, state, hash } = (await from.snapshot(stream))!;
    await put(
      'snapshots',
      [text('stream'), whole('sequence'), whole('form'), text('state'), text('hash')],
      [[stream, sequence, form, state, hash]],
    );
  }
  for (const id of await from.seals()) {
    await put(
      'sealed',
      [text('id'), ['bytes', 'bytea']],
      [[id, `\\x${Buffer.from((await from.sealed(id))!).toString('hex')}`]],
    );
  }
  await put('beats', [text('name'), whole('at')], [...(await from.beats())]);
  for (const kind of from.kinds()) {
    await put(
      'aside',
      [text('kind'), text('id'), text('value')],
      Array.from(await from.aside(kind), ([id, value]) => [kind, id, value]),
    );
  }
  for await (const part of from.checkpoints()) {
    await put(
      'checkpoints',
      [whole('number'), text('text'), text('signature')],
      part.map(({ number, text: said, signature }) => [number, said, signature]),
    );
  }
  const epochs = Array.from({ length: await from.epoch() }, (_, place) => [place + 1, 0, true, 0]);
  await put('epochs', [whole('epoch'), whole('at'), ['begun', 'boolean'], whole('seen')], epochs);
  return { streams: heads.length, entries, accounts: balances.length };
}
