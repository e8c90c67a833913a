import { EventEmitter } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAnchor } from '../../../src/checkpoint/anchorFile.ts';
import { run } from '../../../src/cli/run.ts';
import { temporaryFolder } from '../../temporary.ts';
import { Kept, punto, puntoUntilOutput } from '../support/punto.ts';
import { demoOf } from '../support/serverProcess.ts';

const folder = temporaryFolder('blobs');
const [data, property] = [join(folder, 'data'), join(folder, 'property.jsonc')];
const serve = ['serve', '--data', data, '--property', property];

/** Runs two demo tables until they have shoes. */
async function serveUntilShoes(): Promise<void> {
  writeFileSync(property, demoOf('B01', 'S02'));
  const [output, signals] = [new Kept(), new EventEmitter()];
  const ended = run(serve, { input: Readable.from([]), output, errors: output, signals });
  const reaches = (table: string): number =>
    readAnchor(`${data}.anchor`)?.heads.get(`demo/table/${table}`)?.sequence ?? 0;
  const over = ended.then(() => true);
  while (reaches('B01') < 2 || reaches('S02') < 2) if (await Promise.race([over, setTimeout(20, false)])) break;
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
}

test('verify and serve report a deleted blob of a shoe, with and without the key', async () => {
  await serveUntilShoes();
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
  const database = new DatabaseSync(join(data, 'record.sqlite'));
  expect(database.prepare("DELETE FROM blobs WHERE id LIKE 'shoe/B01-%'").run().changes).toBe(1);
  database.close();
  const named = /^punto: The shoe B01-1-\S+ is committed, but its blob is missing\. .+ \(damaged-record\)\n$/;
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 1, stderr: expect.stringMatching(named) });
  renameSync(`${data}.key`, `${data}.away`);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 1, stderr: expect.stringMatching(named) });
  renameSync(`${data}.away`, `${data}.key`);
  const { status, stderr } = await puntoUntilOutput(serve);
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^punto: problem with table B01: The encrypted order of the shoe B01-1-\S+ is committed, but its blob is missing; the shoe is discarded, and a round without a result is void: find out who wrote to the event store\. \(damaged-blob\)\n/,
  );
});

/** Changes the encrypted blobs by SQL. */
function changeBlobs(sql: string): void {
  const database = new DatabaseSync(join(data, 'record.sqlite'));
  expect(database.prepare(sql).run().changes).toBe(1);
  database.close();
}

const ticketKeyText =
  /The ticket key tickets\/1 is missing or damaged; it was derived from the data key and stored again/;

test('verify reports a deleted ticket key; serve derives it again, and refuses after rotate', async () => {
  changeBlobs("DELETE FROM blobs WHERE id = 'tickets/1'");
  expect(await punto(['verify', '--data', data])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^punto: The blob tickets\/1 with a ticket key is missing\. .+ \(damaged-record\)\n$/,
    ),
  });
  const { status, stderr } = await puntoUntilOutput(serve);
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^punto: problem with the tickets: .+: find out who wrote to the event store\. \(damaged-blob\)\n/m,
  );
  expect(stderr).toMatch(ticketKeyText);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });

  changeBlobs("UPDATE blobs SET bytes = zeroblob(40) WHERE id = 'tickets/1'");
  expect(await punto(['rotate', '--data', data])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(ticketKeyText),
  });
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });

  changeBlobs("UPDATE blobs SET bytes = zeroblob(40) WHERE id = 'tickets/1'");
  const refused = {
    status: 1,
    stderr: expect.stringMatching(
      /^punto: The ticket key tickets\/1 .+ cannot be derived from the data key again; restore .+ \(damaged-blob\)\n$/,
    ),
  };
  expect(await punto(serve)).toMatchObject(refused);
  expect(await punto(['rotate', '--data', data])).toMatchObject(refused);
});
