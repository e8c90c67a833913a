import { type Readable, type Writable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { quoted } from '../../base/refusal.ts';
import { CliError } from './cliError.ts';

export type Values = { readonly [option: string]: string | boolean | (string | boolean)[] | undefined };

type MaybeTerminal = { readonly isTTY?: boolean; readonly columns?: number };

/** Where a command reads and writes, and what may interrupt it: the process's own, or those of a test. */
export type Pipes = {
  readonly input: Readable & MaybeTerminal;
  readonly output: Writable & MaybeTerminal;
  /** For complaints and progress; results go to the output alone. */
  readonly errors: Writable & MaybeTerminal;
  readonly signals: { on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', act: () => void): unknown };
};

/** One sub-command: what its help says, what it does. Its number is the exit code. */
export type CliCommand = {
  /** How it is called and what its options mean, below its line in the list of commands. */
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly mostArguments: number;
  readonly run: (values: Values, args: readonly string[], pipes: Pipes) => number | Promise<number>;
};

/** Reads a command's words by its own list of options; what does not fit is wrong use. */
export function parseCommandLine(
  name: string,
  command: CliCommand,
  words: readonly string[],
): { values: Values; args: readonly string[] } {
  const see = `run \`punto ${name} --help\` to see what it takes`;
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw wrongUse(error as NodeJS.ErrnoException, name, see);
  }
  const given = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    if (given.has(token.name) && !command.options[token.name]?.multiple) {
      throw new CliError(2, 'malformed-argument', `Option --${token.name} is given twice; give it once.`);
    }
    given.add(token.name);
  }
  const args = parsed.positionals;
  if (!parsed.values.help && args.length > command.mostArguments) {
    throw new CliError(
      2,
      'unexpected-argument',
      `${quoted(args[command.mostArguments])} is one argument too many; ${see}.`,
    );
  }
  return { values: parsed.values, args };
}

function wrongUse({ code, message }: NodeJS.ErrnoException, name: string, see: string): Error {
  const option = /'(?:-\w, )?(-[^' ]*)/.exec(message)?.[1] ?? 'an option';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return new CliError(2, 'unknown-option', `\`punto ${name}\` has no option ${quoted(option)}; ${see}.`);
  }
  const missing = message.includes('argument missing') || message.includes('argument is ambiguous');
  if (missing) return new CliError(2, 'missing-argument', `Option ${option} needs a value after it; ${see}.`);
  return new CliError(2, 'malformed-argument', `Option ${option} takes no value; ${see}.`);
}

/** The value of an option that takes one, or undefined; an empty one is none. */
export function optionText(values: Values, option: string): string | undefined {
  const text = values[option] as string | undefined;
  if (text !== '') return text;
  throw new CliError(2, 'malformed-argument', `--${option} is empty; write a value after it, or leave it out.`);
}

/** The values of an option that may be given several times. */
export const optionTexts = (values: Values, option: string): readonly string[] => (values[option] ?? []) as string[];

/** A number such as 20, 0.5 or 1e3; whether it is a fitting one is for the rules to say. */
export function parseNumber(text: string, what: string): number {
  if (/^-?\d+(\.\d+)?(e\d+)?$/i.test(text)) return Number(text);
  throw new CliError(2, 'malformed-argument', `${what} is ${quoted(text)}; write a number such as 1000 or 1e3.`);
}
