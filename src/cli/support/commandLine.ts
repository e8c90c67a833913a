import { type Readable, type Writable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { quoteForMessage } from '../../base/refusal.ts';
import { CliError } from './cliError.ts';

export type OptionValues = { readonly [option: string]: string | boolean | (string | boolean)[] | undefined };

type MaybeTerminal = { readonly isTTY?: boolean; readonly columns?: number };

/** Streams and signals of a command. They are those of the process, or supplied by a test. */
export type CommandStreams = {
  readonly input: Readable & MaybeTerminal;
  readonly output: Writable & MaybeTerminal;
  /** Standard error, for errors and progress. Results go to `output` only. */
  readonly errors: Writable & MaybeTerminal;
  readonly signals: { on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', act: () => void): unknown };
};

/** One command such as `punto play`. `run` returns the exit code. */
export type CliCommand = {
  /** Usage and options, which `--help` prints below the summary of the command. */
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly maxArguments: number;
  readonly run: (values: OptionValues, args: readonly string[], pipes: CommandStreams) => number | Promise<number>;
};

/** Parses a command line by the options of the command. Throws a CliError with exit code 2 for wrong usage. */
export function parseCommandLine(
  name: string,
  command: CliCommand,
  argv: readonly string[],
): { values: OptionValues; args: readonly string[] } {
  const hint = `run \`punto ${name} --help\` to see its options`;
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
  let parsed;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw toUsageError(error as NodeJS.ErrnoException, name, hint);
  }
  const seenOptions = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    if (seenOptions.has(token.name) && !command.options[token.name]?.multiple) {
      throw new CliError(2, 'malformed-argument', `Option --${token.name} is given twice; give it once.`);
    }
    seenOptions.add(token.name);
  }
  const args = parsed.positionals;
  if (!parsed.values.help && args.length > command.maxArguments) {
    throw new CliError(
      2,
      'unexpected-argument',
      `${quoteForMessage(args[command.maxArguments])} is one argument more than the command takes; ${hint}.`,
    );
  }
  return { values: parsed.values, args };
}

function toUsageError({ code, message }: NodeJS.ErrnoException, name: string, hint: string): Error {
  const option = /'(?:-\w, )?(-[^' ]*)/.exec(message)?.[1] ?? 'an option';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return new CliError(2, 'unknown-option', `\`punto ${name}\` has no option ${quoteForMessage(option)}; ${hint}.`);
  }
  const isMissing = message.includes('argument missing') || message.includes('argument is ambiguous');
  if (isMissing) return new CliError(2, 'missing-argument', `Option ${option} needs a value after it; ${hint}.`);
  return new CliError(2, 'malformed-argument', `Option ${option} takes no value; ${hint}.`);
}

/** The value of an option; undefined if the option is not given. Throws for an empty value. */
export function optionText(values: OptionValues, option: string): string | undefined {
  const text = values[option] as string | undefined;
  if (text !== '') return text;
  throw new CliError(2, 'malformed-argument', `--${option} is empty; write a value after it, or leave it out.`);
}

/** All values of an option that may be given several times; empty if the option is not given. */
export const repeatedOptionTexts = (values: OptionValues, option: string): readonly string[] =>
  (values[option] ?? []) as string[];

/** Parses a number such as 20, 0.5 or 1e3. `what` names the number in the error. The caller checks the range. */
export function parseNumber(text: string, what: string): number {
  if (/^-?\d+(\.\d+)?(e\d+)?$/i.test(text)) return Number(text);
  throw new CliError(
    2,
    'malformed-argument',
    `${what} is ${quoteForMessage(text)}; write a number such as 1000 or 1e3.`,
  );
}
