import { Links } from '../../runtime/terminals/secretBindings.ts';
import { keyIn } from '../../runtime/encryption/encryptedBlobs.ts';
import { quoted } from '../../base/refusal.ts';
import { alone, aloneOptions } from '../support/exclusiveStore.ts';
import { type Command } from '../support/command.ts';
import { print } from '../support/print.ts';
import { Stop } from '../support/cliError.ts';

export const revoke: Command = {
  help: `Usage: punto revoke [--data DIR] [--store ADDRESS] [--key FILE] TERMINAL

  --data DIR   the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS
               a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE   with --store, the key that seals; DIR.key unless given
  TERMINAL     the terminal, such as T7

Whoever holds the secret of the terminal reaches it no more, and no other secret leads there. Its credit, its slips and all
that is recorded of it stay as they are.`,
  options: aloneOptions,
  mostArguments: 1,
  run: async (values, [terminal], { output }) => {
    if (terminal === undefined) throw new Stop(2, 'missing-argument', 'Name the terminal, as in `punto revoke T7`.');
    await alone(values, async ({ store, key }) => {
      const links = new Links(store, keyIn(key, false));
      await links.load();
      if ((await links.revoke(terminal)) === 0) {
        throw new Stop(1, 'unknown-terminal', `No secret leads to a terminal ${quoted(terminal)}; name another.`);
      }
    });
    print(output, `No secret leads to ${terminal} any more.`);
    return 0;
  },
};
