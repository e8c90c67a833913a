import { resolve } from 'node:path';
import { entryBodyOf } from '../../store/hashChain.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import { openReadOnlyStore, storeErrorToCliError } from '../support/openStore.ts';
import { print } from '../support/print.ts';

export const exportCommand: CliCommand = {
  help: `Usage: punto export [--data DIR | --store ADDRESS] [--stream NAME]

  --data DIR       the data folder; default "data". No floor may be running on it.
  --store ADDRESS  a PostgreSQL database instead, such as postgres://user@host:5432/punto; it is read as of one moment, and
                   nodes may be running on it
  --stream NAME    only this stream, such as demo/table/X09

Prints {"hash":"sha256:...","body":{...}} for each entry, stream by stream. The hash is that of the body, byte for byte.
docs/record.md describes the body. docs/check.mjs checks the hashes of an export, and docs/settle.mjs its money.`,
  options: { data: { type: 'string' }, store: { type: 'string' }, stream: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output }) => {
    const onlyStream = optionText(values, 'stream');
    const folder = resolve(optionText(values, 'data') ?? 'data');
    const store = await openReadOnlyStore(optionText(values, 'store'), folder);
    try {
      for (const stream of (await store.streams()).toSorted()) {
        if (onlyStream !== undefined && stream !== onlyStream) continue;
        for await (const entries of store.read(stream)) {
          for (const entry of entries)
            print(output, `{"hash":${JSON.stringify(entry.hash)},"body":${entryBodyOf(entry)}}`);
        }
      }
      return 0;
    } catch (error) {
      throw storeErrorToCliError(folder, error);
    } finally {
      await store.close();
    }
  },
};
