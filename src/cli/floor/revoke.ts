import { SecretBindings } from '../../runtime/terminals/secretBindings.ts';
import { loadOrCreateDataKey } from '../../runtime/encryption/dataKey.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { withExclusiveStore, exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand } from '../support/commandLine.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const revokeCommand: CliCommand = {
  help: `Usage: punto revoke [--data DIR] [--store ADDRESS] [--key FILE] TERMINAL

  --data DIR   the data folder; default "data". No floor may be running on it.
  --store ADDRESS
               a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE   with --store, the encryption key; default DIR.key
  TERMINAL     the terminal, such as T7

Revokes all keys of the terminal and of its devices, so that no browser or device can use it until \`punto enrol\` creates
new ones. Its credit, its bets and its history stay as they are.`,
  options: exclusiveStoreOptions,
  maxArguments: 1,
  run: async (values, [terminal], { output }) => {
    if (terminal === undefined)
      throw new CliError(2, 'missing-argument', 'Give the terminal, as in `punto revoke T7`.');
    await withExclusiveStore(values, async ({ store, key }) => {
      const bindings = new SecretBindings(store, loadOrCreateDataKey(key, false));
      await bindings.load();
      if ((await bindings.revokeAllOf(terminal)) === 0) {
        throw new CliError(
          1,
          'unknown-terminal',
          `No browser or device has a key for the terminal ${quoteForMessage(terminal)}; give another terminal.`,
        );
      }
    });
    print(output, `All keys of ${terminal} are revoked; no browser or device can use it.`);
    return 0;
  },
};
