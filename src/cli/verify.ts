import { verify as verifyStore } from '../verify/verify.ts';
import { type Command, textOf } from './command.ts';
import { openExisting } from './data.ts';
import { print } from './print.ts';
import { Stop } from './stop.ts';

export const verify: Command = {
  help: `Usage: punto verify [--data DIR]

  --data DIR   the data folder; "data" unless given. No floor may be running on it.

Recomputes every hash chain, and decides every command once more: the record holds just what the tables lead to. Settles
every round again from its cards, holds every card and every opened shoe against its commitment, works out every posting,
balance and stake, and finds every command by its id. Names the first entry that is not as it must be; exit code 1.`,
  options: { data: { type: 'string' } },
  mostArguments: 0,
  run: async (values, _, { output }) => {
    const folder = textOf(values, 'data') ?? 'data';
    const store = await openExisting(folder);
    try {
      const { streams, entries, rounds, voids, shoes, accounts, problem } = await verifyStore(store);
      print(
        output,
        `${streams} streams, ${entries} entries, ${rounds} rounds settled, ${voids} void, ${shoes} shoes ended, ${accounts} accounts`,
      );
      if (problem !== undefined)
        throw new Stop(
          1,
          'damaged-record',
          `${problem} Nothing after it was checked; keep the folder as it is and call the auditor.`,
        );
      print(output, 'Everything is as it was written, and adds up.');
      return 0;
    } finally {
      await store.close();
    }
  },
};
