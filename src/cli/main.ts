import { readFileSync } from 'node:fs';
import { quoted } from '../rules/refusal.ts';
import { certain } from './certain.ts';
import { type Command, readWords } from './command.ts';
import { games } from './games.ts';
import { guide } from './guide.ts';
import { odds } from './odds.ts';
import { play } from './play.ts';
import { columns, print } from './print.ts';
import { roads } from './roads.ts';
import { rules } from './rules.ts';
import { serve } from './serve.ts';
import { settle } from './settle.ts';
import { simulate } from './simulate.ts';
import { Stop } from './stop.ts';
import { table } from './table.ts';
import { verify } from './verify.ts';

const commands: readonly Command[] = [
  serve,
  play,
  guide,
  games,
  rules,
  settle,
  certain,
  odds,
  simulate,
  roads,
  table,
  verify,
];

const help = (): readonly string[] => [
  'punto: casino baccarat exactly by the rulebooks.',
  '',
  'Usage: punto COMMAND [...]',
  '',
  ...columns(
    ['command', ''],
    commands.map(({ name, summary }) => [`  ${name}`, summary]),
  ).slice(1),
  '',
  '`punto COMMAND --help` says what a command takes; `punto --version` which program this is.',
  'Exit code 0: fine. 1: well-formed, but refused or failed. 2: wrong use.',
];

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

async function main([word, ...words]: readonly string[]): Promise<number> {
  if (word === undefined) {
    throw new Stop(2, 'missing-argument', 'Name a command, as in `punto games`; `punto --help` lists them.');
  }
  if (word === '--help' || word === '-h' || word === 'help') {
    print(...help());
    return 0;
  }
  if (word === '--version' || word === '-v') {
    print(`punto ${version()}`);
    return 0;
  }
  const command = commands.find(({ name }) => name === word);
  if (command === undefined) {
    const [code, what] = word.startsWith('-')
      ? (['unknown-option', 'option'] as const)
      : (['unknown-command', 'command'] as const);
    throw new Stop(2, code, `punto has no ${what} ${quoted(word)}; \`punto --help\` lists what it has.`);
  }
  const { values, args } = readWords(command, words);
  if (values['help']) {
    print(command.summary, '', command.help);
    return 0;
  }
  return command.run(values, args);
}

/** One sentence and its code on standard error. */
const complain = (stop: Stop): boolean => process.stderr.write(`punto: ${stop.message} (${stop.code})\n`);

// A reader that has seen enough, such as head, closes the pipe: that is its right, not an error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  complain(new Stop(1, 'unwritable-output', `The output cannot be written (${code}); make room for it.`));
  process.exit(1);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const stop =
    error instanceof Stop ? error : new Stop(1, 'broken', `Punto failed: ${quoted(String(error))}; please report it.`);
  complain(stop);
  process.exitCode = stop.status;
}
