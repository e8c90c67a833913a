import { createHash, randomBytes } from 'node:crypto';
import { SecretBindings, deviceKinds } from '../../runtime/terminals/secretBindings.ts';
import { openDataKey } from '../../runtime/encryption/dataKey.ts';
import { isId } from '../../base/commonSchemas.ts';
import { quoted } from '../../base/refusal.ts';
import { withExclusiveStore, exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand, optionText } from '../support/command.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const enrolCommand: CliCommand = {
  help: `Usage: punto enrol [--data DIR] [--store ADDRESS] [--key FILE] [--as ROLE] TERMINAL
       punto enrol [--data DIR] [--store ADDRESS] [--key FILE] --as shoe TABLE

  --data DIR   the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS
               a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE   with --store, the encryption key; DIR.key unless given
  --as ROLE    what gets the key: terminal, unless it is the acceptor (of bills) or the printer (of tickets) at one, or the shoe (a reader
               of cards) of a table
  TERMINAL     the terminal, such as T7
  TABLE        the table whose shoe reads its cards, such as L11; \`punto shoe\` takes the key

Where money is real, no patron sits down, loads or collects without such a key. It is printed once and not stored; the
event log has its hash. A page is given its key by the address it is first opened at, as in http://HOST/#key=KEY, and keeps
it from then on. A terminal or device has one key; \`punto revoke\` takes all keys of a terminal away.`,
  options: { ...exclusiveStoreOptions, as: { type: 'string' } },
  maxArguments: 1,
  run: async (values, [terminal], { output }) => {
    if (terminal === undefined) throw new CliError(2, 'missing-argument', 'Name the terminal, as in `punto enrol T7`.');
    if (!isId(terminal)) {
      const message = `The terminal is ${quoted(terminal)}; give a name of letters, digits, points and lines.`;
      throw new CliError(2, 'malformed-argument', message);
    }
    const roleOption = optionText(values, 'as') ?? 'terminal';
    const role = deviceKinds.find((kind) => kind === roleOption);
    if (role === undefined) {
      throw new CliError(
        2,
        'malformed-argument',
        `--as is ${quoted(roleOption)}; write one of ${deviceKinds.join(', ')}.`,
      );
    }
    const secret = randomBytes(32).toString('hex');
    await withExclusiveStore(values, async ({ store, key }) => {
      const bindings = new SecretBindings(store, openDataKey(key, false));
      await bindings.load();
      if (bindings.has(terminal, role)) {
        const message = `The ${role} of ${terminal} has a key; take it away first, with \`punto revoke ${terminal}\`.`;
        throw new CliError(1, 'already-enrolled', message);
      }
      await bindings.bind(createHash('sha256').update(secret).digest('hex'), terminal, role);
    });
    print(output, `The key of the ${role} ${terminal}, shown this once: ${secret}`);
    return 0;
  },
};
