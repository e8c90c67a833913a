import { games } from '../../../src/games/registry.ts';
import { type PayLine, type Wager, netPerUnitOf } from '../../../src/rules/wager.ts';
import { type ServerMessage } from '../../../src/wire/messages.ts';
import { type TerminalTableView, type StakeResultView, type PublicTableView } from '../../../src/wire/tableView.ts';
import { type Recording } from './recordedViews.ts';

// Every possible result of a stake on each spot at once: a real round shows only a few of them.

/** Messages to a terminal at a table. */
export type Messages = readonly ServerMessage[];

/** Small stakes, or stakes that win about ten thousand. */
export type Amount = 'small' | 'large';

const small = 100;
const large = 999_950;

/** The highest net odds of a wager. */
const highestOdds = ({ lines }: Wager): number =>
  Math.max(...lines.map((line) => netPerUnitOf(line)[0] / netPerUnitOf(line)[1]));

/** In whole units, so that every payment is in whole cents. */
function stakeOn(wager: Wager, maximum: number, amount: Amount): number {
  if (amount === 'small') return small;
  return Math.max(maximum, Math.floor(large / highestOdds(wager) / 100) * 100);
}

function paidBy(id: string, wager: Wager, line: PayLine | undefined, stake: number): StakeResultView {
  if (line === undefined) return { wager: id, stake, result: 'lose', won: 0, commission: 0, returned: 0, by: wager.by };
  const { pays, by } = line;
  if (pays === 'push') return { wager: id, stake, result: 'push', won: 0, commission: 0, returned: stake, by };
  const [net, per] = netPerUnitOf(line);
  const won = (stake * net) / per;
  const commission = (stake * pays[0]) / pays[1] - won;
  return { wager: id, stake, result: 'win', won, commission, returned: stake + won, by };
}

let rounds = 100;

/** The same messages for a new round, with changed views of table and terminal. */
function changed(
  messages: Messages,
  table: (view: PublicTableView) => PublicTableView,
  own: (view: TerminalTableView) => TerminalTableView,
): Messages {
  const round = { id: `round-${++rounds}`, number: rounds };
  return messages.map((message) => {
    if (message.type === 'table')
      return { ...message, view: table({ ...message.view, round: { ...message.view.round!, ...round } }) };
    return message.type === 'own' ? { ...message, view: own({ ...message.view, round }) } : message;
  });
}

/** High stakes of all patrons on each spot. */
const crowded = (view: PublicTableView): PublicTableView => ({
  ...view,
  staked: Object.fromEntries(view.layout.map(({ wager }) => [wager, { stake: 1_234_500, bettors: 117 }])),
});

const sumOf = (slip: TerminalTableView['slip']): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** Every state of the spots of a recorded table that its recorded round does not show, by name. */
export function spotStates({ table, messages }: Recording, amount: Amount): ReadonlyMap<string, Messages> {
  const { wagers } = games.find(({ id }) => id === table)!;
  const { layout } = messages.result.find((message) => message.type === 'table')!.view;
  const offered = layout.map(({ wager, maximum }) => ({ id: wager, wager: wagers[wager]!, maximum }));
  const slip = Object.fromEntries(offered.map(({ id, wager, maximum }) => [id, stakeOn(wager, maximum, amount)]));
  const settled = (how: (wager: Wager) => PayLine | undefined): readonly StakeResultView[] =>
    offered.map(({ id, wager }) => paidBy(id, wager, how(wager), slip[id]!));
  const ended = (
    paid: readonly StakeResultView[],
    round: Partial<NonNullable<PublicTableView['round']>> = {},
  ): Messages =>
    changed(
      messages.result,
      (view) => ({ ...crowded(view), round: { ...view.round!, ...round } }),
      (own) => ({ ...own, slip, stake: sumOf(slip), paid }),
    );
  const cases = Math.max(...offered.map(({ wager }) => wager.lines.length));
  const states = new Map<string, Messages>();
  for (let n = 0; n < cases; n++) {
    states.set(`line ${n + 1}`, ended(settled(({ lines }) => lines[n % lines.length])));
  }
  states.set('lost', ended(settled(() => undefined)));
  const by = 'ETG 5.9.1';
  states.set(
    'void',
    ended(
      settled(() => ({ when: {}, pays: 'push', by })).map((one) => ({ ...one, result: 'void' })),
      { voidBy: by, won: null, winner: null },
    ),
  );
  // A patron without a stake sees the winning spots.
  states.set(
    'watched',
    changed(
      messages.result,
      (view) => ({ ...crowded(view), round: { ...view.round!, won: Object.keys(slip) } }),
      (own) => ({ ...own, slip: {}, stake: 0, paid: null }),
    ),
  );
  // The maximum of each spot, before the result.
  const full = Object.fromEntries(offered.map(({ id, maximum }) => [id, amount === 'small' ? small : maximum]));
  const staked = (phase: 'betting' | 'dealing', more: Partial<PublicTableView> = {}): Messages =>
    changed(
      messages[phase],
      (view) => ({ ...crowded(view), ...more }),
      (own) => ({ ...own, slip: full, stake: sumOf(full) }),
    );
  states.set('betting', staked('betting'));
  states.set('dealing', staked('dealing'));
  states.set('stopped', staked('dealing', { stopped: { kind: 'wrong-number', by: 'ETG 5.7' } }));
  // Long calls on a felt without a round.
  states.set(
    'new shoe',
    changed(
      messages.result,
      (view) => ({ ...view, phase: 'idle', shoe: null, round: null, cards: [] }),
      (own) => ({ ...own, slip: {}, stake: 0, paid: null, round: null }),
    ),
  );
  return states;
}
