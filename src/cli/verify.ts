import { availableParallelism } from 'node:os';
import { amendments } from '../verify/amendments.ts';
import { threads } from '../verify/threads.ts';
import { type Verified, verify as verifyStore } from '../verify/verify.ts';
import { snapshotForm } from '../store/snapshot.ts';
import { type Looked } from '../store/looking.ts';
import { type Command, textOf } from './command.ts';
import { lookAt, tornLine, troubleWith } from './data.ts';
import { print } from './print.ts';
import { Stop } from './stop.ts';

export const verify: Command = {
  help: `Usage: punto verify [--data DIR]

  --data DIR   the data folder; "data" unless given. No floor may be running on it.

Recomputes every hash chain, and decides every command once more: the record holds just what the tables lead to. Settles
every round again from its cards, holds every card and every opened shoe against its commitment, works out every posting,
balance and stake, and finds every command by its id. Where a decider leads to something else today, a numbered amendment
must say so; those that were used are listed. A large record takes all cores, and how far it is goes to standard error.
Names the first entry that is not as it must be; exit code 1. Nothing is written: a folder that cannot be written to will do.`,
  options: { data: { type: 'string' } },
  mostArguments: 0,
  run: async (values, _, { output, errors }) => {
    const folder = textOf(values, 'data') ?? 'data';
    const store = await lookAt(folder);
    const say = (line: string): void => print(errors, line);
    try {
      const { streams, entries, rounds, voids, shoes, accounts, ...more } = await checked(store, say);
      const { amended, passedOver, problem } = more;
      print(
        output,
        `${streams} streams, ${entries} entries, ${rounds} rounds settled, ${voids} void, ${shoes} shoes ended, ${accounts} accounts`,
        ...amendments.flatMap(({ number, says }) => {
          const times = amended.get(number);
          return times === undefined ? [] : [amendedLine(number, says, times)];
        }),
        ...(store.torn > 0 ? [tornLine(store.torn)] : []),
        ...Array.from(passedOver, ([stream, form]) => passedOverLine(stream, form)),
      );
      if (problem !== undefined)
        throw new Stop(
          1,
          'damaged-record',
          `${problem} Nothing after it was checked; keep the folder as it is and call the auditor.`,
        );
      print(output, 'Everything is as it was written, and adds up.');
      return 0;
    } catch (error) {
      throw troubleWith(folder, error);
    } finally {
      await store.close();
    }
  },
};

export const amendedLine = (number: number, says: string, times: number): string =>
  `Amendment ${number} (${says.replace(/\.$/, '')}) let ${times.toLocaleString('en')} command${times === 1 ? '' : 's'} stand.`;

const passedOverLine = (stream: string, form: number): string =>
  `The snapshot of ${stream} is of form ${form}, and this program reads form ${snapshotForm}; it was passed over.`;

/** From so many entries on it is worth while to start threads. */
const large = 20_000;
const mostThreads = 4;

async function checked(store: Looked, say: (line: string) => void): Promise<Verified> {
  const told = telling(Date.now, say);
  const heads = await store.heads();
  const entries = [...heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  const count = entries > large ? Math.min(availableParallelism(), mostThreads) : 1;
  if (count === 1) return verifyStore(store, { told });
  const checkers = threads(store.folder, count);
  try {
    return await verifyStore(store, { told, checkers });
  } finally {
    await checkers.close();
  }
}

/** So many milliseconds lie between two words on how far it is. */
const between = 2_000;

/** Says now and then how far it is. */
export function telling(clock: () => number, say: (line: string) => void): (read: number, all: number) => void {
  let said = clock();
  return (read, all) => {
    if (clock() - said < between) return;
    said = clock();
    say(`${read.toLocaleString('en')} of ${all.toLocaleString('en')} entries checked`);
  };
}
