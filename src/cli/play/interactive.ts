import { formatMoney } from '../../base/formatMoney.ts';
import { createInterface } from 'node:readline';
import { isRefused } from '../../base/refusal.ts';
import { type Readable, type Writable } from 'node:stream';
import { setTimeout as pass } from 'node:timers/promises';
import { type Slip } from '../../table/schema/fieldTypes.ts';
import { publicView } from '../../table/views/publicView.ts';
import { columns } from '../support/print.ts';
import { payTable } from '../rules/rules.ts';
import { type ErrorCode } from '../support/codes.ts';
import { allRoadsText } from './roadsText.ts';
import { type InputLines, readInputLines } from './inputLines.ts';
import { type Print, dealRound, openRound } from './round.ts';
import { layoutText, formatRefusal, slipText, summaryText, titleText } from './screenText.ts';
import { type Seat, demoCredit } from './seat.ts';
import { type PlayInput, type PlayCommandName, parseInput, playCommands } from './parseInput.ts';

export type PlayStreams = {
  readonly input: Readable;
  readonly output: Writable;
  /** At a terminal cards come one after another, with so many milliseconds before each; 0 elsewhere. */
  readonly pace: number;
};

const sign = '> ';

const helpText = (): readonly string[] =>
  columns(
    ['', ''],
    [
      ['  banker 5', '5.00 more on banker; a wager may be cut short, and `banker 0` takes its stake off'],
      ...Object.entries(playCommands).map(([word, says]) => [`  ${word}`, says]),
    ],
  ).slice(1);

/** Lets a patron play by typing, until `quit`, Ctrl-C or the end of input. */
export async function playInteractively(seat: Seat, { input, output, pace }: PlayStreams): Promise<void> {
  const say: Print = (...texts) => output.write(`${texts.join('\n')}\n`);
  const reader = createInterface({ input, output, terminal: pace > 0, prompt: sign });
  const lines = readInputLines(reader);
  const prompt = (): void => {
    // Away from a terminal the reader may have read to the end long before its lines are asked for.
    if (pace === 0) output.write(sign);
    else if (!lines.left.aborted) reader.prompt();
  };
  say(titleText(seat), '', ...layoutText(seat), '', ...helpText());
  const patron = new Patron(seat, say);
  try {
    while (!lines.over() && (await patron.round(lines, prompt))) {
      // What is typed while cards fall was not meant for the next round.
      if (pace > 0) lines.ignore();
      await dealRound(seat, say, async () => {
        if (pace > 0) await pass(pace, undefined, { signal: lines.left }).catch(() => undefined);
      });
    }
  } finally {
    reader.close();
  }
  say('', ...summaryText(seat.figures));
}

/** What a patron does between the opening and the close of bets. */
class Patron {
  readonly #seat: Seat;
  readonly #say: Print;
  /** The slips before each change of this round, the last one last. */
  #before: Slip[] = [];
  /** What was staked when bets were last closed. */
  #last: Slip = {};

  constructor(seat: Seat, say: Print) {
    this.#seat = seat;
    this.#say = say;
  }

  /** Takes lines until the cards are wanted; false when the patron leaves. */
  async round(lines: InputLines, prompt: () => void): Promise<boolean> {
    openRound(this.#seat, this.#say);
    this.#before = [];
    this.#say(slipText(this.#seat.slip, this.#seat.credit));
    for (;;) {
      prompt();
      const line = await lines.next();
      const typed: ReturnType<typeof parseInput> = line === undefined ? { word: 'quit' } : this.#read(line);
      if (isRefused(typed)) this.#no(typed.refused, typed.message);
      else if ('wager' in typed) this.#stake(typed);
      else if (typed.word === 'deal') {
        this.#last = Object.keys(this.#seat.slip).length > 0 ? this.#seat.slip : this.#last;
        return true;
      } else if (typed.word === 'quit') {
        this.#seat.place({});
        return false;
      } else this.#act(typed.word);
    }
  }

  #read(line: string): ReturnType<typeof parseInput> {
    return parseInput(line, this.#seat.settings.offered);
  }

  #no(code: ErrorCode, message: string): void {
    this.#say(`${message} (${code})`);
  }

  #stake({ wager, amount }: Extract<PlayInput, { wager: string }>): void {
    const { [wager]: stake, ...others } = this.#seat.slip;
    if (amount > 0) this.#place({ ...this.#seat.slip, [wager]: (stake ?? 0) + amount });
    else if (stake === undefined) this.#no('not-now', `There is no stake on ${wager} to take off; place one first.`);
    else this.#place(others);
  }

  #act(word: Exclude<PlayCommandName, 'deal' | 'quit'>): void {
    const { slip } = this.#seat;
    const empty = Object.keys(slip).length === 0;
    switch (word) {
      case 'x2':
        if (empty) this.#no('not-now', 'There is no stake to double; place one first.');
        else this.#place(Object.fromEntries(Object.entries(slip).map(([wager, stake]) => [wager, 2 * stake])));
        return;
      case 'undo':
        this.#undo();
        return;
      case 'rebet':
        if (Object.keys(this.#last).length === 0) this.#no('not-now', 'There is no earlier bet; place one first.');
        else this.#place(this.#last);
        return;
      case 'clear':
        if (empty) this.#no('not-now', 'There is no stake to take back; place one first.');
        else this.#place({});
        return;
      case 'layout':
        this.#say(...layoutText(this.#seat));
        return;
      case 'rules':
        this.#say(...payTable(this.#seat.game));
        return;
      case 'roads':
        this.#say(...allRoadsText(publicView(this.#seat.table).roads));
        return;
      case 'load':
        this.#seat.load(demoCredit);
        this.#say(`${formatMoney(demoCredit)} of demo credit is loaded.`, slipText(slip, this.#seat.credit));
        return;
      case 'help':
        this.#say(...helpText());
        return;
    }
  }

  /** One change, whole or not at all. */
  #place(slip: Slip): void {
    const before = this.#seat.slip;
    const placed = this.#seat.place(slip);
    if (typeof placed === 'object') {
      this.#say(formatRefusal(placed));
      return;
    }
    if (placed) this.#before.push(before);
    this.#say(slipText(this.#seat.slip, this.#seat.credit));
  }

  #undo(): void {
    const before = this.#before.pop();
    if (before === undefined) {
      this.#no('not-now', 'There is nothing to undo in this round; place a stake first.');
      return;
    }
    this.#seat.place(before);
    this.#say(slipText(this.#seat.slip, this.#seat.credit));
  }
}
