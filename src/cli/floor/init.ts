import { copyFileSync, constants } from 'node:fs';
import { type CliCommand } from '../support/commandLine.ts';
import { print } from '../support/print.ts';
import { propertyTemplatePath } from '../support/readProperty.ts';
import { CliError } from '../support/cliError.ts';

const defaultFile = 'property.jsonc';

export const initCommand: CliCommand = {
  help: `Usage: punto init [FILE]

Writes an example property with comments to FILE, default ${defaultFile}: owner, time zone, gaming day, profile, and tables
with their games, limits and times. Adapt it to your floor and start it with \`punto serve --property FILE\`. An existing
file is never overwritten.`,
  options: {},
  maxArguments: 1,
  run: (_, [file = defaultFile], { output }) => {
    try {
      copyFileSync(propertyTemplatePath, file, constants.COPYFILE_EXCL);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') {
        throw new CliError(
          1,
          'file-exists',
          `The file ${JSON.stringify(file)} exists already; give another name, or move it away.`,
        );
      }
      throw new CliError(
        1,
        'unwritable-output',
        `The file ${JSON.stringify(file)} cannot be written (${code}); give another path.`,
      );
    }
    print(output, `Wrote ${file}; adapt it to your floor, then run \`punto serve --property ${file}\`.`);
    return 0;
  },
};
