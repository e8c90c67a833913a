import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { quoted } from '../rules/refusal.ts';
import { type Command, type Pipes, readWords } from './command.ts';
import { columns, print } from './print.ts';
import { Stop } from './stop.ts';

/** A command by its name: what the list says of it, and how it is loaded. Whoever asks for one loads no other. */
const commands: { readonly [name: string]: { readonly summary: string; readonly load: () => Promise<Command> } } = {
  serve: {
    summary: 'Run a floor, that of a property or a demo, and a page to play at.',
    load: async () => (await import('./serve.ts')).serve,
  },
  init: {
    summary: 'Write a property with comments, to begin from.',
    load: async () => (await import('./init.ts')).init,
  },
  play: {
    summary: 'Sit down at a table of your own and play with demo credit.',
    load: async () => (await import('./play.ts')).play,
  },
  guide: {
    summary: 'Show the games, how to read a pay table and how to settle a round.',
    load: async () => (await import('./guide.ts')).guide,
  },
  games: {
    summary: 'List the games with their versions.',
    load: async () => (await import('./games.ts')).games,
  },
  rules: {
    summary: 'Show the wagers, pay lines and clauses of a game.',
    load: async () => (await import('./rules.ts')).rules,
  },
  settle: {
    summary: 'Settle a round: every wager with its result and clause.',
    load: async () => (await import('./settle.ts')).settle,
  },
  certain: {
    summary: 'Tell which wagers are won or lost already, whatever cards come.',
    load: async () => (await import('./certain.ts')).certain,
  },
  odds: {
    summary: 'Give the exact odds of every wager: a PAR sheet.',
    load: async () => (await import('./odds.ts')).odds,
  },
  simulate: {
    summary: 'Play whole shoes and hold every outcome against its exact odds.',
    load: async () => (await import('./simulate.ts')).simulate,
  },
  roads: {
    summary: 'Draw the roads of a shoe from its results.',
    load: async () => (await import('./roads.ts')).roads,
  },
  vectors: {
    summary: 'Write conformance vectors that a program in any language can run.',
    load: async () => (await import('./vectors.ts')).vectors,
  },
  labpack: {
    summary: 'Write what a test lab asks for first into a folder.',
    load: async () => (await import('./labpack.ts')).labpack,
  },
  table: {
    summary: 'Drive one table: a setting, then commands, as JSON lines.',
    load: async () => (await import('./table.ts')).table,
  },
  verify: {
    summary: 'Check a record by itself: chains, events, settlements, balances, shoes.',
    load: async () => (await import('./verify.ts')).verify,
  },
  export: {
    summary: 'Write a record out, an entry a line, for programs of others to check.',
    load: async () => (await import('./export.ts')).exportRecord,
  },
  copy: {
    summary: 'Move a record from a data folder into a PostgreSQL database, chain and all.',
    load: async () => (await import('./copy.ts')).copy,
  },
  backup: {
    summary: 'Write a whole record into one file, also while a floor runs.',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    summary: 'Put a record from a backup into an empty folder or database.',
    load: async () => (await import('./restore.ts')).restore,
  },
  nodes: {
    summary: 'Show the programs on a PostgreSQL database, and which of them drives the floor.',
    load: async () => (await import('./nodes.ts')).nodes,
  },
  rotate: {
    summary: 'Give a record other keys: one that signs, one that seals.',
    load: async () => (await import('./rotate.ts')).rotate,
  },
  enrol: {
    summary: 'Give a terminal, a note acceptor, a ticket printer or a shoe a key of its own.',
    load: async () => (await import('./enrol.ts')).enrol,
  },
  shoe: {
    summary: 'Give the cards that a reader reads, or of a demo, to a live table.',
    load: async () => (await import('./shoe.ts')).shoe,
  },
  pay: {
    summary: 'Pay what waits for hand-pay at a terminal, or a ticket at the cage.',
    load: async () => (await import('./pay.ts')).pay,
  },
  people: {
    summary: 'Give an administrator whose password is lost another one.',
    load: async () => (await import('./people.ts')).people,
  },
  revoke: {
    summary: 'Cut a terminal off from the secret that leads to it.',
    load: async () => (await import('./revoke.ts')).revoke,
  },
};

const help = (): readonly string[] => [
  'punto: casino baccarat exactly by the rulebooks.',
  '',
  'Usage: punto COMMAND [...]',
  '',
  ...columns(
    ['command', ''],
    Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary]),
  ).slice(1),
  '',
  '`punto COMMAND --help` says what a command takes; `punto --version` which program this is.',
  'Exit code 0: fine. 1: well-formed, but refused or failed. 2: wrong use.',
];

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/** Runs the command that the words ask for; its exit code. What goes wrong is said on the pipe for errors. */
export async function run(words: readonly string[], pipes: Pipes): Promise<number> {
  try {
    return await obey(words, pipes);
  } catch (error) {
    if (error instanceof Stop) {
      pipes.errors.write(sentenceOf(error));
      return error.status;
    }
    const broken = new Stop(1, 'broken', 'Punto failed; please report it with what stands below.');
    pipes.errors.write(`${sentenceOf(broken)}${inspect(error)}\n`);
    return broken.status;
  }
}

/** One sentence and its code. */
export const sentenceOf = ({ message, code }: Stop): string => `punto: ${message} (${code})\n`;

async function obey([word, ...words]: readonly string[], pipes: Pipes): Promise<number> {
  if (word === undefined) {
    throw new Stop(2, 'missing-argument', 'Name a command, as in `punto games`; `punto --help` lists them.');
  }
  if (word === '--help' || word === '-h' || word === 'help') {
    print(pipes.output, ...help());
    return 0;
  }
  if (word === '--version' || word === '-v') {
    print(pipes.output, `punto ${version()}`);
    return 0;
  }
  const listed = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (listed === undefined) {
    const [code, what] = word.startsWith('-')
      ? (['unknown-option', 'option'] as const)
      : (['unknown-command', 'command'] as const);
    throw new Stop(2, code, `punto has no ${what} ${quoted(word)}; \`punto --help\` lists what it has.`);
  }
  const command = await listed.load();
  const { values, args } = readWords(word, command, words);
  if (values['help']) {
    print(pipes.output, listed.summary, '', command.help);
    return 0;
  }
  return command.run(values, args, pipes);
}
