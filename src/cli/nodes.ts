import { Ground } from '../store/postgres/ground.ts';
import { type Command, textOf } from './command.ts';
import { troubleIn } from './data.ts';
import { columns, print } from './print.ts';
import { Stop } from './stop.ts';

export const nodes: Command = {
  help: `Usage: punto nodes --store ADDRESS

  --store ADDRESS  the PostgreSQL database of a property, such as postgres://user@host:5432/punto

Shows every program that is there: where others reach it, since when it is there, when it was last heard of, and which of them
drives the floor.`,
  options: { store: { type: 'string' } },
  mostArguments: 0,
  run: async (values, _, { output }) => {
    const address = textOf(values, 'store');
    if (address === undefined) {
      throw new Stop(
        2,
        'missing-argument',
        'Name the database, as in `punto nodes --store postgres://user@host/punto`.',
      );
    }
    try {
      const there = await Ground.look(address);
      if (there.length === 0) print(output, 'Nobody is there.');
      else {
        const rows = there.map(({ id, address: at, since, silent, holds }) => [
          id,
          at === '' ? '-' : at,
          new Date(since).toISOString(),
          `${(silent / 1_000).toFixed(1)} s ago`,
          holds.length > 0 ? `drives the ${holds.join(', ')}` : 'waits',
        ]);
        print(output, ...columns(['node', 'at', 'there since', 'last heard', ''], rows));
      }
      return 0;
    } catch (error) {
      throw troubleIn(address, error);
    }
  },
};
