import { copyFileSync, constants } from 'node:fs';
import { type CliCommand } from '../support/command.ts';
import { print } from '../support/print.ts';
import { examplePropertyFile } from '../support/readProperty.ts';
import { CliError } from '../support/cliError.ts';

const defaultFile = 'property.jsonc';

export const initCommand: CliCommand = {
  help: `Usage: punto init [FILE]

Writes a property with comments to FILE, ${defaultFile} unless given: its owner, time zone, gaming day and profile, and tables
with their games, limits and times. Change it to yours and run it with \`punto serve --property FILE\`. A file that is there
already is left alone.`,
  options: {},
  maxArguments: 1,
  run: (_, [file = defaultFile], { output }) => {
    try {
      copyFileSync(examplePropertyFile, file, constants.COPYFILE_EXCL);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') {
        throw new CliError(
          1,
          'file-exists',
          `There is a file ${JSON.stringify(file)} already; name another, or move it away.`,
        );
      }
      throw new CliError(
        1,
        'unwritable-output',
        `The file ${JSON.stringify(file)} cannot be written (${code}); name another.`,
      );
    }
    print(output, `Written to ${file}; change it to yours, then run \`punto serve --property ${file}\`.`);
    return 0;
  },
};
