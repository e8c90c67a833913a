import { formatMoney } from '../../base/formatMoney.ts';
import { createInterface } from 'node:readline';
import { isRefused } from '../../base/refusal.ts';
import { type Readable, type Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Slip } from '../../table/schema/fieldTypes.ts';
import { publicView } from '../../table/views/publicView.ts';
import { formatColumns } from '../support/print.ts';
import { payTableLines } from '../rules/rules.ts';
import { type ErrorCode } from '../support/errorCodes.ts';
import { allRoadsLines } from './roadsText.ts';
import { type InputLineReader, createInputLineReader } from './inputLineReader.ts';
import { type PrintLines, dealAndSettleRound, openRound } from './printedRound.ts';
import { layoutText, formatRefusal, slipText, playTotalsLines, gameTitleText } from './screenText.ts';
import { type Seat, demoCredit } from './seat.ts';
import {
  type PlayInput,
  type InteractiveCommandName,
  parseInput,
  interactiveCommandDescriptions,
} from './parseInput.ts';

export type InteractivePlayOptions = {
  readonly input: Readable;
  readonly output: Writable;
  /** Milliseconds before each card; 0 if the input is not a terminal window. */
  readonly cardDelayMs: number;
};

const promptSign = '> ';

const helpText = (): readonly string[] =>
  formatColumns(
    ['', ''],
    [
      ['  banker 5', 'stake 5.00 more on banker; a wager may be shortened; `banker 0` takes the stake back'],
      ...Object.entries(interactiveCommandDescriptions).map(([name, description]) => [`  ${name}`, description]),
    ],
  ).slice(1);

/** Plays rounds until the patron types `quit` or Ctrl-C, or the input ends. */
export async function playInteractively(
  seat: Seat,
  { input, output, cardDelayMs }: InteractivePlayOptions,
): Promise<void> {
  const print: PrintLines = (...texts) => output.write(`${texts.join('\n')}\n`);
  const reader = createInterface({ input, output, terminal: cardDelayMs > 0, prompt: promptSign });
  const lines = createInputLineReader(reader);
  const prompt = (): void => {
    // `cardDelayMs` is 0 when the input is no terminal. Such input may have ended while lines are still queued. The
    // closed reader cannot show a prompt, so the sign is written directly.
    if (cardDelayMs === 0) output.write(promptSign);
    else if (!lines.ended.aborted) reader.prompt();
  };
  print(gameTitleText(seat), '', ...layoutText(seat), '', ...helpText());
  const patron = new PatronInput(seat, print);
  try {
    while (!lines.isOver() && (await patron.round(lines, prompt))) {
      // The patron may type while cards are dealt. These lines are ignored, since they are not meant for the next
      // round.
      if (cardDelayMs > 0) lines.ignore();
      await dealAndSettleRound(seat, print, async () => {
        if (cardDelayMs > 0) await delay(cardDelayMs, undefined, { signal: lines.ended }).catch(() => undefined);
      });
    }
  } finally {
    reader.close();
  }
  print('', ...playTotalsLines(seat.totals));
}

/** Handles the lines that the patron types while bets are open. */
class PatronInput {
  readonly #seat: Seat;
  readonly #print: PrintLines;
  /** Undo stack: the slips before each change in this round, the newest last. */
  #undoStack: Slip[] = [];
  /** The stakes of the last round in which the patron bet, for `rebet`. */
  #lastSlip: Slip = {};

  constructor(seat: Seat, print: PrintLines) {
    this.#seat = seat;
    this.#print = print;
  }

  /**
   * Opens a round, and reads lines until `deal` or `quit`. Returns true for `deal` and false for `quit`. The end of the
   * input counts as `quit`.
   */
  async round(lines: InputLineReader, prompt: () => void): Promise<boolean> {
    openRound(this.#seat, this.#print);
    this.#undoStack = [];
    this.#print(slipText(this.#seat.slip, this.#seat.credit));
    for (;;) {
      prompt();
      const line = await lines.next();
      const input: ReturnType<typeof parseInput> = line === undefined ? { command: 'quit' } : this.#parse(line);
      if (isRefused(input)) this.#printRefusal(input.refused, input.message);
      else if ('wager' in input) this.#stake(input);
      else if (input.command === 'deal') {
        this.#lastSlip = Object.keys(this.#seat.slip).length > 0 ? this.#seat.slip : this.#lastSlip;
        return true;
      } else if (input.command === 'quit') {
        this.#seat.place({});
        return false;
      } else this.#runCommand(input.command);
    }
  }

  #parse(line: string): ReturnType<typeof parseInput> {
    return parseInput(line, this.#seat.settings.offered);
  }

  #printRefusal(code: ErrorCode, message: string): void {
    this.#print(`${message} (${code})`);
  }

  #stake({ wager, amount }: Extract<PlayInput, { wager: string }>): void {
    const { [wager]: stake, ...others } = this.#seat.slip;
    if (amount > 0) this.#place({ ...this.#seat.slip, [wager]: (stake ?? 0) + amount });
    else if (stake === undefined)
      this.#printRefusal('not-now', `There is no stake on ${wager} to take back; place one first.`);
    else this.#place(others);
  }

  #runCommand(word: Exclude<InteractiveCommandName, 'deal' | 'quit'>): void {
    const { slip } = this.#seat;
    const isEmpty = Object.keys(slip).length === 0;
    switch (word) {
      case 'x2':
        if (isEmpty) this.#printRefusal('not-now', 'There is no stake to double; place one first.');
        else this.#place(Object.fromEntries(Object.entries(slip).map(([wager, stake]) => [wager, 2 * stake])));
        return;
      case 'undo':
        this.#undo();
        return;
      case 'rebet':
        if (Object.keys(this.#lastSlip).length === 0)
          this.#printRefusal('not-now', 'There is no earlier bet; place one first.');
        else this.#place(this.#lastSlip);
        return;
      case 'clear':
        if (isEmpty) this.#printRefusal('not-now', 'There is no stake to take back; place one first.');
        else this.#place({});
        return;
      case 'layout':
        this.#print(...layoutText(this.#seat));
        return;
      case 'rules':
        this.#print(...payTableLines(this.#seat.game));
        return;
      case 'roads':
        this.#print(...allRoadsLines(publicView(this.#seat.table).roads));
        return;
      case 'load':
        this.#seat.load(demoCredit);
        this.#print(`Loaded ${formatMoney(demoCredit)} of demo credit.`, slipText(slip, this.#seat.credit));
        return;
      case 'help':
        this.#print(...helpText());
        return;
    }
  }

  #place(slip: Slip): void {
    const before = this.#seat.slip;
    const result = this.#seat.place(slip);
    if (typeof result === 'object') {
      this.#print(formatRefusal(result));
      return;
    }
    if (result) this.#undoStack.push(before);
    this.#print(slipText(this.#seat.slip, this.#seat.credit));
  }

  #undo(): void {
    const before = this.#undoStack.pop();
    if (before === undefined) {
      this.#printRefusal('not-now', 'There is nothing to undo in this round; place a stake first.');
      return;
    }
    this.#seat.place(before);
    this.#print(slipText(this.#seat.slip, this.#seat.credit));
  }
}
