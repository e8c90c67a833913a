import { type Floor } from '../../floor/floor.ts';
import { totalOf } from '../../rules/hand.ts';
import { handsOf, nextSlot } from '../../rules/play.ts';
import { type RoundRecord, type Table } from '../../table/table.ts';
import { type ListedRound } from '../../wire/staff/past.ts';

/** What is looked for: all of it fits. */
export type Sought = {
  readonly table?: string;
  /** A part of the id, or the number of a round. */
  readonly text?: string;
  readonly only?: 'void' | 'corrected';
};

/** So many are told at once. */
const mostRounds = 300;

/** Rounds of the gaming day and of the shoes in use, the newest of each table first; older ones are known by their id. */
export function roundsAt({ tables }: Pick<Floor, 'tables'>, sought: Sought): readonly ListedRound[] {
  const found: ListedRound[] = [];
  for (const { id, runner } of tables.values()) {
    const { state } = runner;
    if (state === undefined || (sought.table !== undefined && sought.table !== id)) continue;
    const rounds = [...(state.round ? [state.round] : []), ...state.history.toReversed()];
    found.push(...rounds.map((round) => listed(round, id, state)).filter((round) => fits(round, sought)));
  }
  return found.slice(0, mostRounds);
}

function fits({ id, number, voidBy, corrected }: ListedRound, { text = '', only }: Sought): boolean {
  if (only === 'void' && voidBy === null) return false;
  if (only === 'corrected' && !corrected) return false;
  return text === '' || String(number) === text || id.toLowerCase().includes(text.toLowerCase());
}

function listed(round: RoundRecord, table: string, state: Table): ListedRound {
  const { id, number, day, shoe, game, cards, ending, settlements } = round;
  const { player, banker } = handsOf(cards);
  const [one, other] = [totalOf(player), totalOf(banker)];
  return {
    id,
    table,
    number,
    day,
    shoe,
    game,
    cards,
    player: one,
    banker: other,
    winner: nextSlot(cards) === undefined ? (one === other ? 'tie' : one > other ? 'player' : 'banker') : null,
    voidBy: ending && 'voidBy' in ending ? ending.voidBy : null,
    corrected: settlements > 1,
    playing: state.phase !== 'idle' && state.round?.id === id,
  };
}
