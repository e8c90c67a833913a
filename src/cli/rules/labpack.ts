import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSeededRandom, systemRandom } from '../../runtime/ports/random.ts';
import { games } from '../../games/registry.ts';
import {
  type ShuffleBatteryResult,
  type ShuffleBatteryInput,
  runShuffleBattery,
  hasShuffleBatteryPassed,
} from '../../labpack/battery.ts';
import { buildEventAndErrorCatalogue, eventAndErrorPage } from '../../labpack/catalogue.ts';
import { conformanceJson, conformancePage } from '../../labpack/conformance.ts';
import { type ProgramIdentity, digestListText, programDigest, readProgramIdentity } from '../../labpack/digests.ts';
import { labPackReadme } from '../../labpack/readme.ts';
import { shuffleBatteryJson, shuffleBatteryPage } from '../../labpack/report.ts';
import { readRulebookFolder } from '../../labpack/rulebook.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { parseWholeNumberOption } from '../support/arguments.ts';
import { type CliCommand, type OptionValues, optionText } from '../support/commandLine.ts';
import { createEmptyOutputFolder, makeFolder, withWriteErrorsAsCliError } from '../support/outputFolder.ts';
import { writeParSheets } from './odds.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

const defaultShoes = 80_000;

export const labpackCommand: CliCommand = {
  help: `Usage: punto labpack --out DIR [--shoes N] [--seed S | --source system]

  --out DIR         the folder to write into: a new or an empty one
  --shoes N         number of shoes for the shuffle tests, 100 to 1e8; default ${defaultShoes}
  --seed S          any text; the same seed and number of shoes give the same figures; default 1
  --source system   shuffle with the random source of the system, as a floor does: slower, and a run cannot be repeated
Writes the documents that a test lab asks for first: PAR sheets, the conformance page with all rulebook rows and their
tests, the report of the shuffle tests, digests of every file of the program, the catalogue of events and refusals, and a
README that shows how to reproduce each. Exit code 1 if the shuffle tests fail at 99 % (Holm-corrected over all tests).`,
  options: {
    out: { type: 'string' },
    shoes: { type: 'string' },
    seed: { type: 'string' },
    source: { type: 'string' },
  },
  maxArguments: 0,
  run: (values, _, { output, errors }) => {
    const trial: ShuffleBatteryInput = {
      source: sourceOption(values),
      shoe: { deck: 'french', decks: 8 },
      shoes: parseWholeNumberOption(values, 'shoes', 100, 1e8) ?? defaultShoes,
    };
    const folder = createEmptyOutputFolder(values, 'labpack');
    const printProgress = (text: string): void => void errors.write(`${text}\n`);
    printProgress('PAR sheets of all games ...');
    const parFolder = join(folder, 'par');
    withWriteErrorsAsCliError(() => makeFolder(parFolder));
    const sheets = writeParSheets(parFolder, games);
    printProgress(`Shuffle tests on ${trial.shoes.toLocaleString('en')} shoes ...`);
    const battery = runShuffleBattery(
      trial,
      trial.source === 'system' ? systemRandom : createSeededRandom(trial.source.seed),
    );
    const identity = readProgramIdentity(root);
    withWriteErrorsAsCliError(() => {
      for (const [name, text] of packFiles(battery, identity)) writeFileSync(join(folder, name), text);
    });
    print(
      output,
      `${sheets} PAR sheets, ${identity.files.length} digests and ${battery.verdict.findings.length} shuffle tests are in ${folder}; start with README.md.`,
      hasShuffleBatteryPassed(battery)
        ? 'The shuffle tests passed.'
        : 'The shuffle tests did NOT pass; see shuffle.html.',
    );
    return hasShuffleBatteryPassed(battery) ? 0 : 1;
  },
};

const root = fileURLToPath(new URL('../../../', import.meta.url));

const readText = (name: string): string => readFileSync(join(root, name), 'utf8');

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function packFiles(
  battery: ShuffleBatteryResult,
  identity: ProgramIdentity,
): readonly (readonly [name: string, text: string])[] {
  const rulebook = readRulebookFolder((name) => readText(join('rulebook', name)));
  const catalogue = buildEventAndErrorCatalogue(readText('docs/errors.md'));
  return [
    ['conformance.html', conformancePage(rulebook)],
    ['conformance.json', jsonText(conformanceJson(rulebook))],
    ['shuffle.html', shuffleBatteryPage(battery)],
    ['shuffle.json', jsonText(shuffleBatteryJson(battery))],
    ['catalogue.html', eventAndErrorPage(catalogue)],
    ['catalogue.json', jsonText(catalogue)],
    ['digests.txt', digestListText(identity)],
    ['digests.json', jsonText({ sha256: programDigest(identity), ...identity })],
    ['README.md', labPackReadme(battery, identity)],
  ];
}

function sourceOption(values: OptionValues): ShuffleBatteryInput['source'] {
  const [seed, source] = [optionText(values, 'seed'), optionText(values, 'source')];
  if (source === undefined) return { seed: seed ?? '1' };
  if (source !== 'system') {
    throw new CliError(
      2,
      'malformed-argument',
      `--source is ${quoteForMessage(source)}; write --source system or leave it out.`,
    );
  }
  if (seed !== undefined) {
    throw new CliError(
      2,
      'unexpected-argument',
      'The random source of the system has no seed; leave out --seed or --source.',
    );
  }
  return 'system';
}
