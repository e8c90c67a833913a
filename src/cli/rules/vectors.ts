import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vectorFamilies, vectorFileText } from '../../labpack/vectors/vectors.ts';
import { type CliCommand } from '../support/commandLine.ts';
import { createEmptyOutputFolder, withWriteErrorsAsCliError } from '../support/outputFolder.ts';
import { print } from '../support/print.ts';

export const vectorsCommand: CliCommand = {
  help: `Usage: punto vectors --out DIR

  --out DIR   the folder to write into: a new or an empty one
Writes conformance vectors as JSON lines, which a program in any language can run, and a README about their format. There
are vectors for settlements in all ten games, partial deals with the wagers already decided, exact counts, roads, canonical
JSON, hash chains and committed shoes. The same version writes the same bytes each time.`,
  options: { out: { type: 'string' } },
  maxArguments: 0,
  run: (values, _, { output }) => {
    const folder = createEmptyOutputFolder(values, 'vectors');
    const readme = readFileSync(new URL('../../../docs/vectors.md', import.meta.url), 'utf8');
    let count = 0;
    withWriteErrorsAsCliError(() => {
      for (const family of Object.keys(vectorFamilies)) {
        const text = vectorFileText(family);
        count += text.split('\n').length - 2;
        writeFileSync(join(folder, `${family}.jsonl`), text);
      }
      writeFileSync(join(folder, 'README.md'), readme);
    });
    print(output, `${count.toLocaleString('en')} vectors are in ${folder}; README.md describes them.`);
    return 0;
  },
};
