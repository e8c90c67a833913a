import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { type Account } from '../../../src/ledger/accounts.ts';
import { type AppendPlan, planAppend, serializeAppend } from '../../../src/store/planAppend.ts';
import { type Balance, type StreamHead, type StoredEntry } from '../../../src/store/store.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { temporaryFolder } from '../../temporary.ts';
import { Kept, punto, stoppingLine } from '../support/punto.ts';
import { demoOf } from '../support/serverProcess.ts';

const folder = temporaryFolder('foreign');
const stream = 'demo/terminal/T1';

/** Forges one more bill at the terminal, in the right format but without the keys. */
function forgeBill(record: DatabaseSync): void {
  const bodies = record.prepare('SELECT body FROM entries WHERE stream = ? ORDER BY sequence').all(stream);
  const entries = bodies.map(({ body }) => JSON.parse(String(body)) as StoredEntry);
  const { event, command, postings } = entries.find((entry) => entry.event['method'] === 'bill')!;
  const forged = { event: { ...event, at: Date.now() }, command: { ...command, id: 'another-1/T1' }, postings };
  const planned = planAppend(serializeAppend({ stream, after: entries.length, entries: [forged] }), {
    head: () => record.prepare('SELECT sequence, hash, epoch FROM heads WHERE stream = ?').get(stream) as StreamHead,
    balance: (account: Account) =>
      record.prepare('SELECT amount, version FROM balances WHERE account = ?').get(account) as Balance,
    existingCommands: () => new Set(),
  }) as AppendPlan;
  for (const { sequence, hash, body, command: id } of planned.entries) {
    record.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, NULL)').run(stream, sequence, hash, body, id);
    record.prepare('UPDATE heads SET sequence = ?, hash = ? WHERE stream = ?').run(sequence, hash, stream);
  }
  const updateBalance = record.prepare('UPDATE balances SET amount = ?, version = ? WHERE account = ?');
  for (const [account, { amount, version }] of planned.balances) updateBalance.run(amount, version, account);
}

test.each([
  [
    'a balance',
    (record: DatabaseSync) => record.exec(`UPDATE balances SET amount = 9000000 WHERE account LIKE '%/terminal/T1.1'`),
    /^punto: The account demo\/XTS\/terminal\/T1\.1 does not have the balance that this process wrote; .+ \(damaged-record\)\n$/,
  ],
  [
    'an entry that fits',
    forgeBill,
    /^punto: Entry 4 of demo\/terminal\/T1 was not written by this process, which must be the only writer; .+ \(damaged-record\)\n$/,
  ],
])(
  '%s that another program writes while a floor runs is not signed: the floor ends and names it',
  async (name, forge, expectedError) => {
    const data = join(folder, name, 'data');
    const property = join(folder, 'property.jsonc');
    writeFileSync(property, demoOf('B01'));
    const [output, errors, signals] = [new Kept(), new Kept(), new EventEmitter()];
    const firstOutput = once(output, 'kept');
    const ended = run(['serve', '--data', data, '--property', property], {
      input: Readable.from([]),
      output,
      errors,
      signals,
    });
    await Promise.race([firstOutput, ended]);
    const guest = await PatronSocket.join({ address: /http:\S+/.exec(output.text)![0] }, secretOf('1'), 'B01');
    guest.send({ type: 'load', id: 'load-0001', amount: 5_000 });
    await guest.receive('loaded');
    guest.terminate();
    const record = new DatabaseSync(join(data, 'record.sqlite'), { timeout: 10_000 });
    record.exec('BEGIN IMMEDIATE');
    forge(record);
    record.exec('COMMIT');
    record.close();
    signals.emit('SIGTERM');
    expect([await ended, errors.text.replace(stoppingLine, '')]).toEqual([1, expect.stringMatching(expectedError)]);
    const { stdout, stderr } = await punto(['verify', '--data', data]);
    expect(stdout + stderr).toMatch(/entries without a signature|postings? adds? up to/);
  },
);
