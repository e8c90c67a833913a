import { countText } from '../../base/countText.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { chooseGame } from '../support/chooseGame.ts';
import { type CliCommand, type OptionValues, parseNumber, optionText } from '../support/commandLine.ts';
import { autoPlay } from './autoPlay.ts';
import { createSeededRandom, systemRandom } from '../../runtime/ports/random.ts';
import { playInteractively } from './interactive.ts';
import { Seat } from './seat.ts';
import { print } from '../support/print.ts';
import { CliError, interruptedExitCode } from '../support/cliError.ts';

/**
 * Number of rounds that are played automatically if --auto is missing and the patron cannot type, because input or
 * output is not a terminal window.
 */
const defaultRounds = 3;
const maxRounds = 10_000;
/** Milliseconds before each card in a terminal window. */
const cardDelayMs = 350;

export const playCommand: CliCommand = {
  help: `Usage: punto play [GAME] [--auto N] [--seed TEXT]

  GAME          a game such as tiger, or one version of it such as tiger@2021-10-28; default tiger
  --auto N      play N rounds, 1 to ${maxRounds}, automatically: three wagers each round in turn, each at its minimum. If
                the credit is too low for any stake, demo credit is loaded. Default ${defaultRounds} if input or output is a pipe
  --seed TEXT   shuffle by this text: the same text gives the same cards. For tests only, since it reveals all cards. By
                default the random source of the operating system shuffles
At the table type a wager and an amount, such as \`tiger 5\`. An empty line deals; \`help\` lists all commands. Every shoe is
committed by its root before any bet, every card is checked against the root, and at the end of the shoe all its cards are
published. Nothing is saved when you leave.`,
  options: { auto: { type: 'string' }, seed: { type: 'string' } },
  maxArguments: 1,
  run: async (values, [name = 'tiger'], { input, output, errors, signals }) => {
    const isTerminal = input.isTTY && output.isTTY;
    const rounds = roundsOption(values) ?? (isTerminal ? undefined : defaultRounds);
    const game = chooseGame(name, undefined, 'play');
    const seed = optionText(values, 'seed');
    const random = seed === undefined ? systemRandom : createSeededRandom(seed);
    if (rounds === undefined) {
      await playInteractively(new Seat(game, { random, clock: wallClock() }), {
        input,
        output,
        cardDelayMs,
      });
      return 0;
    }
    const stop = new AbortController();
    signals.on('SIGINT', () => stop.abort());
    const printLines = (...lines: readonly string[]): void => print(output, ...lines);
    const played = await autoPlay(new Seat(game, { random, clock: simulatedClock() }), rounds, printLines, stop.signal);
    if (played === rounds) return 0;
    errors.write(`punto: Interrupted after ${played} of ${countText(rounds, 'round')}.\n`);
    return interruptedExitCode;
  },
};

function roundsOption(values: OptionValues): number | undefined {
  const text = optionText(values, 'auto');
  if (text === undefined) return undefined;
  const rounds = parseNumber(text, '--auto');
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= maxRounds) return rounds;
  throw new CliError(
    2,
    'malformed-argument',
    `--auto is ${quoteForMessage(text)}; write a whole number from 1 to ${maxRounds}.`,
  );
}

/** Wall clock that never goes back. */
function wallClock(): () => number {
  let last = 0;
  return () => (last = Math.max(last, Date.now()));
}

/** Simulated clock: each read advances it by 3 s. */
function simulatedClock(): () => number {
  let at = Date.now();
  return () => (at += 3000);
}
