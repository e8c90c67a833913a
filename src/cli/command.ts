import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Stop } from './stop.ts';

export type Values = { readonly [option: string]: string | boolean | (string | boolean)[] | undefined };

/** One sub-command: what it is called, what its help says, what it does. Its number is the exit code. */
export type Command = {
  readonly name: string;
  readonly summary: string;
  /** How it is called and what its options mean, below the summary. */
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly mostArguments: number;
  readonly run: (values: Values, args: readonly string[]) => number | Promise<number>;
};

/** Reads a command's words by its own list of options; what does not fit is wrong use. */
export function readWords(command: Command, words: readonly string[]): { values: Values; args: readonly string[] } {
  const see = `run \`punto ${command.name} --help\` to see what it takes`;
  let parsed;
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
    parsed = parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const option = /'(-[^' ]*)/.exec(message)?.[1] ?? 'an option';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      throw new Stop(2, 'unknown-option', `\`punto ${command.name}\` has no option ${option}; ${see}.`);
    }
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
      throw new Stop(2, 'malformed-argument', `Option ${option} is not given as it should be; ${see}.`);
    }
    throw error;
  }
  const args = parsed.positionals;
  if (!parsed.values.help && args.length > command.mostArguments) {
    throw new Stop(2, 'unexpected-argument', `"${args[command.mostArguments]}" is one argument too many; ${see}.`);
  }
  return { values: parsed.values, args };
}

/** The value of an option that takes one, or undefined. */
export const textOf = (values: Values, option: string): string | undefined => values[option] as string | undefined;

/** The values of an option that may be given several times. */
export const textsOf = (values: Values, option: string): readonly string[] => (values[option] ?? []) as string[];

/** A number as written; whether it is a fitting one is for the rules to say. */
export function numberOf(text: string, what: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Stop(2, 'malformed-argument', `${what} is "${text}"; write a number.`);
}
