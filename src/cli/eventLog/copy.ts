import { exportStore } from '../../store/storeExport.ts';
import { importIntoDatabase } from '../../store/postgres/importStore.ts';
import { type CliCommand, optionText } from '../support/command.ts';
import { openReadOnlyFolder, toCliError } from '../support/openStore.ts';
import { print, storeSizeText } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const copyCommand: CliCommand = {
  help: `Usage: punto copy --from sqlite:DIR --to ADDRESS

  --from sqlite:DIR  the data folder of a floor. No floor may be running on it; nothing in it is changed.
  --to ADDRESS       an empty PostgreSQL database, such as postgres://user@host:5432/punto

Copies a property: every entry byte for byte and in its order, balances, checkpoints, encrypted blobs and the key-value
table, all of it or nothing. Each entry is checked against its hash. Keys and anchor stay next to DIR; \`punto verify --data
DIR\` and \`punto verify --data DIR --store ADDRESS\` then give the same result.`,
  options: { from: { type: 'string' }, to: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output }) => {
    const [from, to] = [optionText(values, 'from'), optionText(values, 'to')];
    if (from === undefined || to === undefined) {
      throw new CliError(
        2,
        'missing-argument',
        'Say from where and to where, as in `punto copy --from sqlite:data --to postgres://user@host:5432/punto`.',
      );
    }
    const [, folder] = /^sqlite:(.+)$/.exec(from) ?? [];
    if (folder === undefined) {
      throw new CliError(2, 'malformed-argument', 'A store is copied from a data folder; write --from sqlite:DIR.');
    }
    const store = await openReadOnlyFolder(folder);
    try {
      const copied = await importIntoDatabase(to, exportStore(store));
      print(output, `${storeSizeText(copied)} are in the database as they were in ${folder}.`);
      return 0;
    } catch (error) {
      throw toCliError(folder, error);
    } finally {
      await store.close();
    }
  },
};
