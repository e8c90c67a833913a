import { type PropertyAndCurrency } from '../../runtime/ports/runtimeDependencies.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { type Store } from '../../store/store.ts';
import { type ErrorCode } from '../support/errorCodes.ts';
import { exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand } from '../support/commandLine.ts';
import { withFloorWithoutTables } from '../support/withFloorWithoutTables.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const staffPasswordResetCommand: CliCommand = {
  help: `Usage: punto staff reset [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE] NUMBER

  --data DIR     the data folder; default "data". No floor may be running on it.
  --store ADDRESS
                 a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE     with --store, the encryption key; default DIR.key
  --anchor FILE  the anchor; default DIR.anchor
  --signer FILE  the signing key; default DIR.signer
  NUMBER         the staff number of an administrator, such as N-1

Resets the password of an administrator who has lost it, if no other administrator can do so. The new password is shown only
once and is not stored. It works only once, on the sign-in page, where it must be changed. The event log shows the reset,
and all sign-in sessions of the administrator end. All other staff get a new PIN or password from an administrator.`,
  options: { ...exclusiveStoreOptions, anchor: { type: 'string' }, signer: { type: 'string' } },
  maxArguments: 2,
  run: async (values, [action, number], { output, errors }) => {
    if (action === undefined || number === undefined) {
      throw new CliError(2, 'missing-argument', 'Give an action and a staff number, as in `punto staff reset N-1`.');
    }
    if (action !== 'reset') {
      throw new CliError(2, 'malformed-argument', `punto staff has no action ${quoteForMessage(action)}; write reset.`);
    }
    const line = await withFloorWithoutTables(values, errors, readOwner, async (floor) => {
      const result = await floor.staff.secrets.reset(number);
      if ('refused' in result) throw new CliError(1, result.refused as ErrorCode, result.message);
      return `The password of ${result.number} is ${result.secret}. The password must be changed at the first sign-in and is shown only this once.`;
    });
    print(output, line);
    return 0;
  },
};

/** Reads property and currency of a store from the first entry of its staff stream. */
async function readOwner(store: Store): Promise<PropertyAndCurrency> {
  const stream = (await store.streams()).find((one) => one.endsWith('/staff/main'));
  for await (const [first] of stream === undefined ? [] : store.read(stream, 0, 1)) {
    const { property, currency } = first!.event as unknown as PropertyAndCurrency;
    return { property, currency };
  }
  throw new CliError(
    1,
    'staff-register-not-started',
    'This store has no staff yet; start the floor once with `punto serve`.',
  );
}
