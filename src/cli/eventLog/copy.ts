import { exportStore } from '../../store/storeExport.ts';
import { importIntoDatabase } from '../../store/postgres/importStore.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import { openReadOnlyFolder, storeErrorToCliError } from '../support/openStore.ts';
import { print, storeSizeText } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const copyCommand: CliCommand = {
  help: `Usage: punto copy --from sqlite:DIR --to ADDRESS

  --from sqlite:DIR  the data folder of a property. No floor may be running on it; it is not changed.
  --to ADDRESS       an empty PostgreSQL database, such as postgres://user@host:5432/punto

Copies the whole store, or nothing if it fails: every entry byte for byte and in order, balances, checkpoints, encrypted
blobs and the key-value table. Each entry is checked against its hash. The keys and the anchor stay next to DIR. Afterwards
\`punto verify --data DIR\` and \`punto verify --data DIR --store ADDRESS\` give the same result.`,
  options: { from: { type: 'string' }, to: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output }) => {
    const [from, to] = [optionText(values, 'from'), optionText(values, 'to')];
    if (from === undefined || to === undefined) {
      throw new CliError(
        2,
        'missing-argument',
        'Give the source and the target, as in `punto copy --from sqlite:data --to postgres://user@host:5432/punto`.',
      );
    }
    const [, folder] = /^sqlite:(.+)$/.exec(from) ?? [];
    if (folder === undefined) {
      throw new CliError(2, 'malformed-argument', 'Only a data folder can be copied; write --from sqlite:DIR.');
    }
    const store = await openReadOnlyFolder(folder);
    try {
      const copied = await importIntoDatabase(to, exportStore(store));
      print(output, `${storeSizeText(copied)} are copied from ${folder} into the database.`);
      return 0;
    } catch (error) {
      throw storeErrorToCliError(folder, error);
    } finally {
      await store.close();
    }
  },
};
