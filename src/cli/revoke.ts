import { resolve } from 'node:path';
import { Links } from '../floor/links.ts';
import { keyIn } from '../floor/seal.ts';
import { quoted } from '../rules/refusal.ts';
import { type Command, textOf } from './command.ts';
import { openData, troubleWith } from './data.ts';
import { print } from './print.ts';
import { Stop } from './stop.ts';

export const revoke: Command = {
  help: `Usage: punto revoke [--data DIR] TERMINAL

  --data DIR   the data folder; "data" unless given. No floor may be running on it.
  TERMINAL     the terminal, such as T7

Whoever holds the secret of the terminal reaches it no more, and no other secret leads there. Its credit, its slips and all
that is recorded of it stay as they are.`,
  options: { data: { type: 'string' } },
  mostArguments: 1,
  run: async (values, [terminal], { output }) => {
    if (terminal === undefined) throw new Stop(2, 'missing-argument', 'Name the terminal, as in `punto revoke T7`.');
    const data = resolve(textOf(values, 'data') ?? 'data');
    const store = await openData(data, `${data}.anchor`, false);
    try {
      const links = new Links(store, keyIn(`${data}.key`, false));
      await links.load();
      if ((await links.revoke(terminal)) === 0) {
        throw new Stop(1, 'unknown-terminal', `No secret leads to a terminal ${quoted(terminal)}; name another.`);
      }
    } catch (error) {
      throw troubleWith(data, error);
    } finally {
      await store.close();
    }
    print(output, `No secret leads to ${terminal} any more.`);
    return 0;
  },
};
