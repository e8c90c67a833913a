import { isRefused } from '../src/rules/refusal.ts';
import { entered, tableDecider } from '../src/ledger/accounted.ts';
import { decide } from '../src/table/decide/decide.ts';
import { type Command } from '../src/table/declare/commands.ts';
import { type Table } from '../src/table/table.ts';
import { wagerIdsOf } from '../src/rules/game.ts';
import { tiger } from '../src/games/electronic.ts';

const start = 1_700_006_400_000;
const slips = 200_000;

/** An unattended table with its bets open. */
function opened(): Table {
  const who = { system: 'floor' };
  const setting = {
    property: 'sg1',
    table: 'B1',
    currency: 'SGD',
    profile: { name: 'bench', version: '1', approved: ['tiger@2021-10-28'], timeZone: 'UTC', dayTurns: 6 },
    game: 'tiger',
    limits: Object.fromEntries(wagerIdsOf(tiger).map((wager) => [wager, [100, 100_000]])),
    dealing: 'virtual',
    attended: false,
  };
  let table: Table | undefined;
  const commands = [
    { type: 'OpenTable', at: start, who, setting },
    { type: 'CommitShoe', at: start, who: { system: 'shuffler' }, shoe: 'V1', root: '0'.repeat(64) },
    { type: 'ChooseTurn', at: start, who, turn: 0 },
    { type: 'OpenBets', at: start, who },
  ] as unknown as readonly Command[];
  for (const command of commands) table = carriedOut(command, table);
  return table!;
}

function carriedOut(command: Command, table: Table | undefined): Table {
  const decision = decide(command, table);
  if (isRefused(decision)) throw new Error(decision.message);
  return entered(tableDecider, decision, table).state!;
}

/** As many slips of so many terminals, each terminal in turn, every slip another than its last. */
function linesFor(terminals: number, round: string): readonly string[] {
  return Array.from({ length: slips }, (_, n) => {
    const slip = { banker: 100 * (1 + (Math.floor(n / terminals) % 50)), tiger: 500 };
    return JSON.stringify({
      type: 'SetSlip',
      at: start,
      who: { terminal: `T${n % terminals}` },
      round,
      slip,
      credit: 100_000,
    });
  });
}

const nanoseconds = (run: () => void): number => {
  const from = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - from) / slips;
};

/** The middle of five. */
const middle = (measure: () => number): number => Array.from({ length: 5 }, measure).toSorted((a, b) => a - b)[2]!;

/** Slips through decide, evolve and postings, against the same loop that only parses the commands. */
export function* tableBench(): Generator<string> {
  yield 'table (a slip parsed, decided, posted and evolved; ratio to the parse alone)';
  let least: number | undefined;
  for (const terminals of [100, 10_000, 100_000]) {
    const lines = linesFor(terminals, opened().round!.id);
    let parsed = 0;
    const parsing = middle(() =>
      nanoseconds(() => {
        for (const line of lines) parsed += (JSON.parse(line) as Command).at > 0 ? 1 : 0;
      }),
    );
    const deciding = middle(() => {
      let table = opened();
      return nanoseconds(() => {
        for (const line of lines) table = carriedOut(JSON.parse(line) as Command, table);
      });
    });
    if (parsed === 0) throw new Error('nothing was parsed');
    least ??= deciding;
    const rate = Math.round(1e9 / deciding).toLocaleString('en');
    yield `  ${String(terminals).padStart(7)} terminals  ${(deciding / parsing).toFixed(2)} times the parse, ${rate} slips a second, ${(deciding / least).toFixed(2)} times the time per slip of 100 terminals`;
  }
}
