import { SecretBindings } from '../../runtime/terminals/secretBindings.ts';
import { openDataKey } from '../../runtime/encryption/dataKey.ts';
import { quoted } from '../../base/refusal.ts';
import { withExclusiveStore, exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand } from '../support/command.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const revokeCommand: CliCommand = {
  help: `Usage: punto revoke [--data DIR] [--store ADDRESS] [--key FILE] TERMINAL

  --data DIR   the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS
               a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE   with --store, the encryption key; DIR.key unless given
  TERMINAL     the terminal, such as T7

The secret of the terminal opens it no more, and neither does any other secret. Its credit, its slips and its events stay
as they are.`,
  options: exclusiveStoreOptions,
  maxArguments: 1,
  run: async (values, [terminal], { output }) => {
    if (terminal === undefined)
      throw new CliError(2, 'missing-argument', 'Name the terminal, as in `punto revoke T7`.');
    await withExclusiveStore(values, async ({ store, key }) => {
      const bindings = new SecretBindings(store, openDataKey(key, false));
      await bindings.load();
      if ((await bindings.revokeAllOf(terminal)) === 0) {
        throw new CliError(1, 'unknown-terminal', `No secret leads to a terminal ${quoted(terminal)}; name another.`);
      }
    });
    print(output, `No secret leads to ${terminal} any more.`);
    return 0;
  },
};
