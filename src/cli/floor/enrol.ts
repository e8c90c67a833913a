import { createHash, randomBytes } from 'node:crypto';
import { SecretBindings, deviceKinds } from '../../runtime/terminals/secretBindings.ts';
import { loadOrCreateDataKey } from '../../runtime/encryption/dataKey.ts';
import { isId } from '../../base/commonSchemas.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { withExclusiveStore, exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const enrolCommand: CliCommand = {
  help: `Usage: punto enrol [--data DIR] [--store ADDRESS] [--key FILE] [--as ROLE] TERMINAL
       punto enrol [--data DIR] [--store ADDRESS] [--key FILE] --as shoe TABLE

  --data DIR   the data folder; default "data". No floor may be running on it.
  --store ADDRESS
               a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE   with --store, the encryption key; default DIR.key
  --as ROLE    the device that gets the key; default terminal. acceptor: the bill acceptor of a terminal; printer: the
               ticket printer of a terminal; shoe: the card reader of a table
  TERMINAL     the terminal, such as T7
  TABLE        the table of the card reader, such as L11; give the key to \`punto shoe\`

Creates a key for a terminal or device and prints it. With real money no patron can sit down, load or collect at a terminal
without a key. The key is shown only once; the store keeps only its hash. Open the page of a terminal once with its key, as
in http://HOST/#key=KEY; the browser keeps the key. A terminal or device has one key; \`punto revoke\` revokes all keys of a
terminal.`,
  options: { ...exclusiveStoreOptions, as: { type: 'string' } },
  maxArguments: 1,
  run: async (values, [terminal], { output }) => {
    if (terminal === undefined) throw new CliError(2, 'missing-argument', 'Give the terminal, as in `punto enrol T7`.');
    if (!isId(terminal)) {
      const message = `The terminal is ${quoteForMessage(terminal)}; give a name of letters, digits, dots, underscores and hyphens.`;
      throw new CliError(2, 'malformed-argument', message);
    }
    const roleOption = optionText(values, 'as') ?? 'terminal';
    const role = deviceKinds.find((kind) => kind === roleOption);
    if (role === undefined) {
      throw new CliError(
        2,
        'malformed-argument',
        `--as is ${quoteForMessage(roleOption)}; write one of ${deviceKinds.join(', ')}.`,
      );
    }
    const secret = randomBytes(32).toString('hex');
    await withExclusiveStore(values, async ({ store, key }) => {
      const bindings = new SecretBindings(store, loadOrCreateDataKey(key, false));
      await bindings.load();
      if (bindings.has(terminal, role)) {
        const message = `The ${role} of ${terminal} has a key already; revoke it first, with \`punto revoke ${terminal}\`.`;
        throw new CliError(1, 'already-enrolled', message);
      }
      await bindings.bind(createHash('sha256').update(secret).digest('hex'), terminal, role);
    });
    print(output, `The key of the ${role} ${terminal}, shown only this once: ${secret}`);
    return 0;
  },
};
