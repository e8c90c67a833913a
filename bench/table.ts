import { isRefused } from '../src/base/refusal.ts';
import { applyEventsWithPostings, tableDecider } from '../src/deciders/deciders.ts';
import { decide } from '../src/table/decide/decide.ts';
import { type TableCommand } from '../src/table/schema/commands.ts';
import { type Table } from '../src/table/state.ts';
import { wagerIdsOf } from '../src/rules/game.ts';
import { tiger } from '../src/games/electronic.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, median } from './support/measure.ts';

const start = 1_700_006_400_000;

type Counts = { readonly slips: number; readonly terminals: readonly number[]; readonly runs: number };

const sizes: Sizes<Counts> = {
  full: { slips: 200_000, terminals: [100, 10_000, 100_000], runs: 5 },
  short: { slips: 200, terminals: [10, 100], runs: 1 },
};

/** An unattended table with its bets open. */
function opened(): Table {
  const actor = { system: 'floor' };
  const settings = {
    property: 'sg1',
    table: 'B1',
    currency: 'SGD',
    profile: { name: 'bench', version: '1', approved: ['tiger@2021-10-28'], timeZone: 'UTC', dayStartHour: 6 },
    game: 'tiger',
    limits: Object.fromEntries(wagerIdsOf(tiger).map((wager) => [wager, [100, 100_000]])),
    dealing: 'virtual',
    attended: false,
  };
  let table: Table | undefined;
  const commands = [
    { type: 'OpenTable', at: start, actor, settings },
    { type: 'CommitShoe', at: start, actor: { system: 'shuffler' }, shoe: 'V1', root: '0'.repeat(64) },
    { type: 'ChooseCutPosition', at: start, actor, cutPosition: 0 },
    { type: 'OpenBets', at: start, actor },
  ] as unknown as readonly TableCommand[];
  for (const command of commands) table = carriedOut(command, table);
  return table!;
}

function carriedOut(command: TableCommand, table: Table | undefined): Table {
  const decision = decide(command, table);
  if (isRefused(decision)) throw new Error(decision.message);
  return applyEventsWithPostings(tableDecider, decision, table).state!;
}

/** Slips of terminals in turn, each different from the last slip of its terminal. */
function linesFor(slips: number, terminals: number, round: string): readonly string[] {
  return Array.from({ length: slips }, (_, n) => {
    const slip = { banker: 100 * (1 + (Math.floor(n / terminals) % 50)), tiger: 500 };
    return JSON.stringify({
      type: 'SetSlip',
      at: start,
      actor: { terminal: `T${n % terminals}` },
      round,
      slip,
      credit: 100_000,
    });
  });
}

/** Nanoseconds of a run. */
const timed = (run: () => void): number => {
  const from = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - from);
};

/** Slips through decide, evolve and postings, against the same loop that only parses the commands. */
export function* tableBench(size: BenchSize): Generator<string> {
  const { slips, terminals, runs } = sizes[size];
  yield 'table (a slip parsed, decided, posted and evolved; ratio to the parse alone)';
  /** Nanoseconds per slip. */
  const perSlip = (measure: () => number): number => median(Array.from({ length: runs }, measure)) / slips;
  let fewest: number | undefined;
  for (const count of terminals) {
    const lines = linesFor(slips, count, opened().round!.id);
    let parsed = 0;
    const parsing = perSlip(() =>
      timed(() => {
        for (const line of lines) parsed += (JSON.parse(line) as TableCommand).at > 0 ? 1 : 0;
      }),
    );
    const deciding = perSlip(() => {
      let table = opened();
      return timed(() => {
        for (const line of lines) table = carriedOut(JSON.parse(line) as TableCommand, table);
      });
    });
    if (parsed !== runs * slips) throw new Error(`${parsed} of ${runs * slips} slips were parsed.`);
    fewest ??= deciding;
    yield `  ${count.toLocaleString('en').padStart(7)} terminals  ${figure(deciding / parsing)} times the parse, ${figure(1e9 / deciding)} slips per second, ${figure(deciding / fewest)} times the time per slip with ${terminals[0]} terminals`;
  }
}
