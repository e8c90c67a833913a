import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { quoteForMessage } from '../base/refusal.ts';
import { type CliCommand, type CommandStreams, parseCommandLine } from './support/commandLine.ts';
import { print } from './support/print.ts';
import { CliError } from './support/cliError.ts';

type ListedCommand = { readonly summary: string; readonly load: () => Promise<CliCommand> };

/**
 * Commands by group, in the order of the help. The code of a command is imported only when the command is run, so
 * `punto games` loads no server.
 */
const groups: { readonly [title: string]: { readonly [name: string]: ListedCommand } } = {
  'Play and learn': {
    play: {
      summary: 'Play at a table in this window, with demo credit.',
      load: async () => (await import('./play/play.ts')).playCommand,
    },
    guide: {
      summary: 'Explain the games, their pay tables and how to settle a round.',
      load: async () => (await import('./play/guide.ts')).guideCommand,
    },
  },
  'Rules, odds and results': {
    games: {
      summary: 'List the games and their versions.',
      load: async () => (await import('./rules/games.ts')).gamesCommand,
    },
    rules: {
      summary: 'Show the wagers and pay tables of a game, with their clauses.',
      load: async () => (await import('./rules/rules.ts')).rulesCommand,
    },
    settle: {
      summary: 'Settle a round: result, payout and clause of each wager.',
      load: async () => (await import('./rules/settle.ts')).settleCommand,
    },
    certain: {
      summary: 'Show which wagers are already won or lost before the last card.',
      load: async () => (await import('./rules/certain.ts')).certainWagersCommand,
    },
    odds: {
      summary: 'Print the exact odds of each wager (PAR sheet).',
      load: async () => (await import('./rules/odds.ts')).oddsCommand,
    },
    simulate: {
      summary: 'Simulate shoes and compare each outcome with its exact odds.',
      load: async () => (await import('./rules/simulate.ts')).simulateCommand,
    },
    roads: {
      summary: 'Draw the roads of a shoe from its results.',
      load: async () => (await import('./rules/roads.ts')).roadsCommand,
    },
  },
  'Run a casino floor': {
    serve: {
      summary: 'Start the server: a demo floor, or your own with --property.',
      load: async () => (await import('./floor/serve.ts')).serveCommand,
    },
    init: {
      summary: 'Write a property file with comments, to start from.',
      load: async () => (await import('./floor/init.ts')).initCommand,
    },
    nodes: {
      summary: 'List the nodes on a PostgreSQL database and the tables they lead.',
      load: async () => (await import('./floor/nodes.ts')).nodesCommand,
    },
    enrol: {
      summary: 'Create a key for a terminal, bill acceptor, printer or card reader.',
      load: async () => (await import('./floor/enrol.ts')).enrolCommand,
    },
    shoe: {
      summary: 'Send the cards of a card reader, or demo cards, to a live table.',
      load: async () => (await import('./floor/shoe.ts')).cardReaderCommand,
    },
    pay: {
      summary: 'Pay a hand-pay at a terminal, or a ticket at the cage.',
      load: async () => (await import('./floor/pay.ts')).payCommand,
    },
    staff: {
      summary: 'Reset the lost password of an administrator.',
      load: async () => (await import('./floor/staff.ts')).staffPasswordResetCommand,
    },
    revoke: {
      summary: 'Revoke the keys of a terminal, so that no browser can use it.',
      load: async () => (await import('./floor/revoke.ts')).revokeCommand,
    },
  },
  'Keep and check the event log': {
    verify: {
      summary: 'Check hash chains, settlements, balances and shoes.',
      load: async () => (await import('./eventLog/verify.ts')).verifyCommand,
    },
    export: {
      summary: 'Print the event log as JSON lines, for other programs to check.',
      load: async () => (await import('./eventLog/export.ts')).exportCommand,
    },
    backup: {
      summary: 'Write a backup file, also while the server runs.',
      load: async () => (await import('./eventLog/backup.ts')).backupCommand,
    },
    restore: {
      summary: 'Restore a backup into an empty folder or database.',
      load: async () => (await import('./eventLog/restore.ts')).restoreCommand,
    },
    copy: {
      summary: 'Copy the event log from a data folder into PostgreSQL.',
      load: async () => (await import('./eventLog/copy.ts')).copyCommand,
    },
    rotate: {
      summary: 'Replace the signing key and the encryption key.',
      load: async () => (await import('./eventLog/rotate.ts')).rotateKeysCommand,
    },
  },
  'Test and document': {
    table: {
      summary: 'Run a table by a script of commands (JSON lines).',
      load: async () => (await import('./rules/table.ts')).tableCommand,
    },
    vectors: {
      summary: 'Write conformance vectors for programs in any language.',
      load: async () => (await import('./rules/vectors.ts')).vectorsCommand,
    },
    labpack: {
      summary: 'Write the documents that a test lab asks for first.',
      load: async () => (await import('./rules/labpack.ts')).labpackCommand,
    },
  },
};

const commands: { readonly [name: string]: ListedCommand } = Object.assign({}, ...Object.values(groups));

/** Width of the column of names: the longest name and two spaces. */
const nameWidth = 10;

const help = (): readonly string[] => [
  'Punto: a baccarat table system that follows the rulebooks exactly.',
  'To start: `punto serve` opens a demo floor, `punto play` deals in this window.',
  '',
  'Usage: punto COMMAND [...]',
  ...Object.entries(groups).flatMap(([title, listed]) => [
    '',
    `${title}:`,
    ...Object.entries(listed).map(([name, { summary }]) => `  ${name.padEnd(nameWidth)}${summary}`),
  ]),
  '',
  'Options of a command: `punto COMMAND --help`. Version: `punto --version`.',
  'Exit codes: 0 success, 1 refused or failed, 2 wrong usage, 130 interrupted.',
];

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/** Runs one command line and returns its exit code. Errors are printed on standard error. */
export async function run(argv: readonly string[], pipes: CommandStreams): Promise<number> {
  try {
    return await runCommand(argv, pipes);
  } catch (error) {
    if (error instanceof CliError) {
      pipes.errors.write(formatCliError(error));
      return error.status;
    }
    const defect = new CliError(1, 'broken', 'Punto failed; please report it with the lines below.');
    pipes.errors.write(`${formatCliError(defect)}${inspect(error)}\n`);
    return defect.status;
  }
}

export const formatCliError = ({ message, code }: CliError): string => `punto: ${message} (${code})\n`;

async function runCommand([commandName, ...argv]: readonly string[], pipes: CommandStreams): Promise<number> {
  if (commandName === undefined) {
    throw new CliError(2, 'missing-argument', 'Name a command, as in `punto games`; `punto --help` lists them.');
  }
  if (commandName === '--help' || commandName === '-h' || commandName === 'help') {
    print(pipes.output, ...help());
    return 0;
  }
  if (commandName === '--version' || commandName === '-v') {
    print(pipes.output, `punto ${version()}`);
    return 0;
  }
  const entry = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined;
  if (entry === undefined) {
    const [code, noun] = commandName.startsWith('-')
      ? (['unknown-option', 'option'] as const)
      : (['unknown-command', 'command'] as const);
    throw new CliError(
      2,
      code,
      `punto has no ${noun} ${quoteForMessage(commandName)}; \`punto --help\` lists all commands and options.`,
    );
  }
  const command = await entry.load();
  const { values, args } = parseCommandLine(commandName, command, argv);
  if (values['help']) {
    print(pipes.output, entry.summary, '', command.help);
    return 0;
  }
  return command.run(values, args, pipes);
}
