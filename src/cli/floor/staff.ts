import { type PropertyAndCurrency } from '../../runtime/ports/runtimeDependencies.ts';
import { quoted } from '../../base/refusal.ts';
import { type Store } from '../../store/store.ts';
import { type ErrorCode } from '../support/codes.ts';
import { exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand } from '../support/command.ts';
import { withFloor } from '../support/withFloor.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const staffCommand: CliCommand = {
  help: `Usage: punto staff reset [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE] NUMBER

  --data DIR     the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS
                 a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE     with --store, the encryption key; DIR.key unless given
  --anchor FILE  its anchor; DIR.anchor unless given
  --signer FILE  its signing key; DIR.signer unless given
  NUMBER         the number of an administrator, such as N-1

Gives an administrator whose password is lost another one, where no other administrator can. It is printed once, not
stored, and only good for being changed at the sign-in page. The event log shows that it was given, and the sign-in sessions
of that person end. All other staff get a secret from an administrator.`,
  options: { ...exclusiveStoreOptions, anchor: { type: 'string' }, signer: { type: 'string' } },
  maxArguments: 2,
  run: async (values, [action, number], { output, errors }) => {
    if (action === undefined || number === undefined) {
      throw new CliError(2, 'missing-argument', 'Say what to do and for whom, as in `punto staff reset N-1`.');
    }
    if (action !== 'reset') {
      throw new CliError(2, 'malformed-argument', `punto staff does not know ${quoted(action)}; write reset.`);
    }
    const line = await withFloor(values, errors, readOwner, async (floor) => {
      const result = await floor.staff.secrets.reset(number);
      if ('refused' in result) throw new CliError(1, result.refused as ErrorCode, result.message);
      return `The password of ${result.number} is ${result.secret}, to be changed when it is first used. It is shown this once.`;
    });
    print(output, line);
    return 0;
  },
};

/** Owner by the first entry of the staff stream. */
async function readOwner(store: Store): Promise<PropertyAndCurrency> {
  const stream = (await store.streams()).find((one) => one.endsWith('/staff/main'));
  for await (const [first] of stream === undefined ? [] : store.read(stream, 0, 1)) {
    const { property, currency } = first!.event as unknown as PropertyAndCurrency;
    return { property, currency };
  }
  throw new CliError(
    1,
    'staff-register-not-started',
    'There is no staff in this store; start the floor once with `punto serve`.',
  );
}
