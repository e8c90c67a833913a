import { existsSync, renameSync } from 'node:fs';
import { readAnchor } from '../../checkpoint/anchorFile.ts';
import { CheckpointWriter } from '../../checkpoint/checkpointWriter.ts';
import { loadSigner } from '../../checkpoint/signingKey.ts';
import { followCheckpoints } from '../../checkpoint/checks.ts';
import { openChecked } from '../../checkpoint/openStore.ts';
import { SecretBindings } from '../../runtime/terminals/secretBindings.ts';
import { checkKey, reencryptBlobs } from '../../runtime/encryption/encryptedBlobs.ts';
import { openDataKey } from '../../runtime/encryption/dataKey.ts';
import {
  rederivedKeyWarning,
  readTicketKeyFacts,
  putTicketKey,
  readTicketKeys,
} from '../../runtime/terminals/ticketKeys.ts';
import { quoted } from '../../base/refusal.ts';
import { reauthenticateValues } from '../../store/authenticatedValues.ts';
import { rebindSnapshots } from '../../store/snapshot.ts';
import { type Store } from '../../store/store.ts';
import { withExclusiveStore, exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand } from '../support/command.ts';
import { print } from '../support/print.ts';

export const rotate: CliCommand = {
  help: `Usage: punto rotate [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE]

  --data DIR     the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS
                 a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it, and all
                 of them need the new keys afterwards.
  --key FILE     with --store, the key that seals; DIR.key unless given
  --anchor FILE  its anchor; DIR.anchor unless given
  --signer FILE  its signing key; DIR.signer unless given

Gives a record other keys. The signing key hands over to a new one in the record itself, so that whoever knows the old one
can follow; what is sealed is sealed again with a new key, and snapshots, the links of terminals and what proves who people are, are bound with it. The
old keys are kept beside the new ones, as FILE.former-N: put them away safely, since older copies of the record open with
them alone. Run it again if it was interrupted.`,
  options: { ...exclusiveStoreOptions, anchor: { type: 'string' }, signer: { type: 'string' } },
  mostArguments: 0,
  run: (values, _, { output }) =>
    withExclusiveStore(values, async ({ store, key: file, places: { signer, anchor } }) => {
      // Nothing is begun with a key that is not the record's.
      const isBegun = existsSync(`${file}.next`);
      if (!isBegun) {
        const key = openDataKey(file, false, false);
        await checkKey(store, key);
        for (const number of await mendTicketKeys(store, key)) print(output, mendedLine(number));
      }
      print(output, await handOver(store, signer, anchor));
      const { sealed, lost, dropped, strange, foreign } = await sealAgain(store, file);
      print(
        output,
        `What is sealed (${sealed}) is sealed with the new key ${file}.`,
        ...lost.map(lostLine),
        ...dropped.map(droppedLine),
        ...strange.map(strangeLine),
        ...foreign.map(foreignLine),
      );
      return 0;
    }),
};

/** Puts the next key in the place of the present one, which is kept. */
function takePlace(file: string): void {
  let number = 1;
  while (existsSync(`${file}.former-${number}`)) number += 1;
  if (existsSync(file)) renameSync(file, `${file}.former-${number}`);
  renameSync(`${file}.next`, file);
}

/** The signer hands over to a new one, in a checkpoint of its own. */
async function handOver(store: Store, file: string, anchor: string): Promise<string> {
  // The time of a record may be ahead of this machine's.
  const since = readAnchor(anchor)?.last.at ?? 0;
  const clock = (): number => Math.max(Date.now(), since);
  const isBegun = existsSync(`${file}.next`);
  // Nothing is begun on a record that a start would refuse.
  if (!isBegun) await openChecked(store, { signer: file, anchor }, clock, undefined, true);
  const next = loadSigner(`${file}.next`, true);
  // One that was interrupted may have handed over already, and only has to take its place.
  if ((await followCheckpoints(store)).last?.signer !== next.name) {
    const former = loadSigner(file, false);
    const followed = await followCheckpoints(store);
    await new CheckpointWriter({
      store,
      signer: () => next,
      previousSigner: former,
      file: anchor,
      clock,
      chain: followed,
    }).checkpoint(true);
  }
  takePlace(file);
  const followed = await followCheckpoints(store);
  const signer = loadSigner(file, false);
  const keeper = new CheckpointWriter({ store, signer: () => signer, file: anchor, clock, chain: followed });
  // What the operator went on in spite of stands there until the record tells it.
  await keeper.beginAnchor(readAnchor(anchor)?.last.doubt, true);
  return `From checkpoint ${followed.last?.number ?? 0} on ${next.name} signs.`;
}

/** With another key those of tickets could not be worked out any more: all of them must be there before. */
async function mendTicketKeys(store: Store, key: Buffer): Promise<readonly number[]> {
  const { keys, rederived } = await readTicketKeys(store, key, await readTicketKeyFacts(store, key));
  for (const number of rederived) await putTicketKey(store, number, keys[number - 1]!, key);
  return rederived;
}

const mendedLine = (number: number): string =>
  `${rederivedKeyWarning(number).message.replace(/\.$/, '')}; ${rederivedKeyWarning(number).consequence}.`;

const lostLine = (id: string): string =>
  id === 'pins'
    ? 'What PINs are keyed with cannot be opened, and stays as it is; nobody signs in by a PIN before another is given.'
    : id.startsWith('tickets/')
      ? `What is sealed as ${id} cannot be opened, and stays as it is; no ticket has its number from it.`
      : lostShoeLine(id);

const lostShoeLine = (shoe: string): string =>
  `What is sealed as the shoe ${shoe} cannot be opened, and stays as it is; a start gives the shoe up if it is at a table.`;

const droppedLine = (stream: string): string =>
  `The snapshot of ${stream} is not one that the former key has saved, and was dropped; the next start works the state out from the entries.`;

const strangeLine = (terminal: string): string =>
  `A link to the terminal ${quoted(terminal)} is not one that the former key has written, and is not followed with the new one either; find out who wrote to the folder.`;

const foreignLine = (what: string): string =>
  `The ${what} beside the chain is not one that the former key has written, and does not count with the new one either; find out who wrote to the folder.`;

/** Seals, links, what proves who people are, and snapshots go over to a new key, which takes its place when all are done. */
async function sealAgain(
  store: Store,
  file: string,
): Promise<
  { readonly sealed: number } & { readonly [left in 'lost' | 'dropped' | 'strange' | 'foreign']: readonly string[] }
> {
  // One that was interrupted at the very end only has to take its place.
  if (!existsSync(file) && existsSync(`${file}.next`)) takePlace(file);
  const former = openDataKey(file, false, false);
  const next = openDataKey(`${file}.next`, !existsSync(`${file}.next`), false);
  const links = new SecretBindings(store, former);
  await links.load();
  const { sealed, lost } = await reencryptBlobs(store, former, next);
  await links.rewriteWith(next);
  // Those of one that was interrupted may be bound with the next key already.
  const strange = await new SecretBindings(store, next).load();
  const foreign = await reauthenticateValues(store, former, next);
  const dropped = await rebindSnapshots(store, former, next);
  takePlace(file);
  return { sealed, lost, dropped, strange, foreign };
}
