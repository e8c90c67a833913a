import { games } from '../../../../src/games/registry.ts';
import { type Card } from '../../../../src/rules/card.ts';
import { totalOf } from '../../../../src/rules/hand.ts';
import { handsOf } from '../../../../src/rules/play.ts';
import { wagerStatuses } from '../../../../src/rules/wagerStatus.ts';
import { type TerminalRulingRow, type SupervisorView } from '../../../../src/wire/staff/supervisorView.ts';
import { states } from './dealerStates.ts';
import { hash } from './dealerViews.ts';

// Fake supervisor's views: stopped tables with the money of every terminal.

const dealer = { person: 'p1', number: 'D-214', role: 'dealer', acting: null };
export const boundHash = `sha256:${hash}`;

const rowsOf = (
  figures: readonly (readonly [string, number, number | null, number | null])[],
): readonly TerminalRulingRow[] =>
  figures.map(([terminal, staked, reconstruct, stand]) => ({
    terminal,
    staked,
    paid: null,
    back: { reconstruct, void: staked, refer: null, stand },
    disconnected: terminal === 'T-0308.1',
  }));

/** Nine terminals: stake, and what goes back as laid. */
export const nine = rowsOf([
  ['T-0301.1', 50_000, null, 0],
  ['T-0302.7', 205_000, null, 390_000],
  ['T-0304.12', 112_500, null, 195_000],
  ['T-0305.1', 305_000, null, 0],
  ['T-0307.2', 12_500, null, 19_500],
  ['T-0308.1', 10_000, null, 0],
  ['T-0310.1', 12_500, null, 0],
  ['T-0311.3', 500_000, null, 975_000],
  ['T-0314.4', 42_500, null, 39_000],
]);
const replayed = [0, 505_000, 325_000, 0, 19_500, 0, 0, 975_000, 96_500];
/** The same rows once the order is known. */
export const nineReplayed = nine.map((row, n) => ({ ...row, back: { ...row.back, reconstruct: replayed[n]! } }));

export const many = (count: number): readonly TerminalRulingRow[] =>
  Array.from({ length: count }, (_, n) => {
    const staked = 10_000 * (1 + (n % 30));
    const stand = n % 3 === 0 ? 2 * staked : 0;
    return {
      terminal: `T-${5000 + n}.1`,
      staked,
      paid: null,
      back: { reconstruct: n % 5 === 0 ? 3 * staked : stand, void: staked, refer: null, stand },
      disconnected: n % 100 === 7,
    };
  });

const sum = (rows: readonly TerminalRulingRow[], ruling: string): number | null =>
  rows.reduce<number | null>(
    (all, row) => (all === null ? null : (row.back[ruling] ?? null) === null ? null : all + row.back[ruling]!),
    0,
  );

/** Ruling matrix of cards in the wrong place. */
export function rulingsOf(
  rows: readonly TerminalRulingRow[],
  isKnown: boolean,
): NonNullable<SupervisorView['rulings']> {
  const staked = rows.reduce((all, row) => all + row.staked, 0);
  const house = (ruling: string) => {
    const back = sum(rows, ruling);
    if (back === null) return null;
    return { sign: Math.sign(staked - back) as -1 | 0 | 1, amount: Math.abs(staked - back) };
  };
  const column = (ruling: string, by: string | null, round: string, shoe: string, more: object = {}) => ({
    ruling,
    winner: null,
    totals: null,
    by,
    round,
    shoe,
    first: 'dealer',
    second: 'supervisor',
    not: null,
    house: house(ruling),
    ...more,
  });
  return {
    round: 'r41',
    columns: [
      column('reconstruct', 'ETG 5.7', 'replayed', 'goes on', {
        ...(isKnown && { winner: 'banker' as const, totals: { player: 2, banker: 6 } }),
      }),
      column('void', 'ETG 5.2', 'void', 'locked'),
      column('refer', 'ETG 6.1', 'frozen', 'goes on', { second: null, house: null }),
      column('stand', null, 'none', 'goes on', {
        winner: 'banker' as const,
        totals: { player: 3, banker: 5 },
        first: 'none',
        second: null,
        not: 'no-such-ruling',
      }),
    ],
    rows: [...rows],
  };
}

/** Supervisor's view of a console state. */
export function supervised(name: string, at: number, more: Partial<SupervisorView> = {}): SupervisorView {
  const view = states[name]!(at);
  const event = (
    sequence: number,
    code: string,
    ago: number,
    given: object = {},
    from: typeof dealer | null = dealer,
  ) => ({
    sequence,
    at: at - ago,
    prompt: { code, with: given as { [name: string]: string }, by: null },
    from,
  });
  return {
    ...view,
    ...(view.proposal && { proposal: { ...view.proposal, hash: boundHash } }),
    currency: 'SGD',
    staked: 1_250_000,
    bettors: 9,
    totals: { player: { stake: 260_000, bettors: 4 }, banker: { stake: 490_000, bettors: 1 } },
    differences: [],
    decided: [],
    rulings: null,
    frozen: [],
    disconnected: [],
    unpaid: [],
    shortfalls: [],
    terminalsAway: [],
    events: [
      event(9, view.stopped?.kind === 'interruption' ? 'Interrupted' : 'IrregularityFound', 12_000, {
        kind: view.stopped?.kind ?? 'wrong-order',
        note: '2nd and 3rd card were swapped',
        since: String(at - 51_000),
      }),
      event(8, 'CardDealt', 14_000, { slot: 'P3', card: '8D' }),
      event(7, 'BetsClosed', 25_000),
      event(6, 'BetsOpened', 40_000, { closesAt: String(at - 20_000) }),
    ],
    closed: false,
    ...more,
  };
}

export const stopped = (at: number, rows: readonly TerminalRulingRow[] = nine, isKnown = false): SupervisorView =>
  supervised('held', at, {
    rulings: rulingsOf(rows, isKnown),
    slips: rows.length,
    staked: rows.reduce((all, row) => all + row.staked, 0),
  });

export const proposed = (at: number, rows: readonly TerminalRulingRow[] = nineReplayed): SupervisorView =>
  supervised('approve', at, {
    rulings: rulingsOf(rows, true),
    slips: rows.length,
    staked: rows.reduce((all, row) => all + row.staked, 0),
  });

/** Interrupted with three cards out: some wagers of Tiger are lost already. */
export function interrupted(at: number, text = '9S 9C 7H'): SupervisorView {
  const game = games.find(({ id }) => id === 'tiger')!;
  const cards = text.split(' ') as Card[];
  const view = supervised('interruption', at);
  const hands = handsOf(cards);
  const decided = wagerStatuses(game, Object.keys(game.wagers), cards);
  const isResume = decided.some(({ result }) => result !== 'open');
  const by = isResume ? 'ETG 5.9.2' : 'ETG 5.9.1';
  return {
    ...view,
    round: {
      ...view.round!,
      player: { cards: [...hands.player], total: totalOf(hands.player) },
      banker: { cards: [...hands.banker], total: totalOf(hands.banker) },
      cards: cards.map((card, n) => ({
        ...view.round!.cards[0]!,
        card,
        slot: (['P1', 'B1', 'P2', 'B2'] as const)[n]!,
      })),
    },
    stopped: {
      ...view.stopped!,
      computed: {
        ruling: isResume ? 'resume' : 'void',
        by,
        decided: decided.map(({ wager, result, why }) => ({
          wager,
          result,
          why: { ...why, with: { ...why.with }, by },
        })),
      },
    },
  };
}
