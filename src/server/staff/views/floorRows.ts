import { fullNameOf } from '../../../rules/game.ts';
import { buildDealerView } from '../../../table/views/dealerView.ts';
import { handsView, phaseView } from '../../../table/views/publicView.ts';
import { resolveSettings } from '../../../table/schema/settings.ts';
import { type Table } from '../../../table/state.ts';
import { type FloorRow, type PromptView, type WorkItem } from '../../../wire/staff/views.ts';
import { type GamingDayTotals } from '../../../runtime/projections/gamingDayTotals.ts';

/** What is known of a table besides the table itself. */
export type TableKnown = {
  readonly at: number;
  readonly trouble: 'broken' | 'cannot-record' | null;
  readonly terminals: number;
  readonly offline: number;
  readonly figures: ReturnType<GamingDayTotals['at']>;
  /** The number of whoever is signed in at its console. */
  readonly dealer: string | null;
};

/** A table as one row of the floor. */
export function floorRow(table: Table, known: TableKnown): FloorRow {
  const { setting, round, shoe, phase } = table;
  const { game } = resolveSettings(setting);
  const { figures } = known;
  const hands = round && handsView(round, phase === 'idle');
  return {
    table: setting.table,
    game: { name: game.name, version: fullNameOf(game) },
    bets: setting.bets,
    attended: setting.attended,
    phase: phaseView(table),
    stopped: stoppedBy(table, known),
    number: round?.number ?? null,
    player: hands?.player ?? null,
    banker: hands?.banker ?? null,
    slips: round?.terminals ?? 0,
    terminals: known.terminals,
    offline: known.offline,
    shoe: shoe && { out: shoe.drawn, size: shoe.size, locked: shoe.lockedBy !== null },
    deadline: phase === 'betting' || phase === 'closing' ? (round!.deadline ?? round!.closesAt) : null,
    roundsAnHour: figures.roundsAnHour,
    drop: figures.drop,
    win: figures.win,
    dealer: known.dealer,
  };
}

/** A table that nobody has opened yet, as its file describes it. */
export const closedRow = (
  table: string,
  game: FloorRow['game'],
  { bets, dealer }: Pick<FloorRow, 'bets' | 'dealer'>,
): FloorRow => ({
  table,
  game,
  bets,
  attended: true,
  phase: null,
  stopped: null,
  number: null,
  player: null,
  banker: null,
  slips: 0,
  terminals: 0,
  offline: 0,
  shoe: null,
  deadline: null,
  roundsAnHour: 0,
  drop: 0,
  win: { sign: 0, amount: 0 },
  dealer,
});

function stoppedBy({ openIrregularities: held, referrals, at }: Table, { trouble }: TableKnown): FloorRow['stopped'] {
  if (trouble !== null) return { kind: trouble, by: null, since: at };
  const [matter] = held;
  if (matter) return { kind: matter.kind, by: matter.by, since: matter.since };
  const [referral] = referrals;
  return referral ? { kind: 'referred', by: referral.by, since: referral.since } : null;
}

const says = (code: string, by: string | null, what: PromptView['with'] = {}): PromptView => ({ code, with: what, by });

/** What waits for a person at a table. */
export function* waitsAt(table: Table, { at, trouble }: Pick<TableKnown, 'at' | 'trouble'>): Generator<WorkItem> {
  const name = table.setting.table;
  const { stopped, referred, proposal, called, shoe, sealed } = buildDealerView(table, at);
  if (trouble !== null) {
    yield { table: name, what: 'fault', says: says(trouble, null), by: null, who: 'technician', since: table.at };
  }
  if (stopped !== null) {
    const { kind, by, since, ways } = stopped;
    const what = kind === 'interruption' ? 'interrupted' : 'stopped';
    yield { table: name, what, says: says(kind, by), by, who: firstPost(ways), since };
  }
  for (const { id, by, since } of referred) {
    const who = 'gaming-shift-manager';
    yield { table: name, what: 'referred', says: says('referred', by, { referral: id }), by, who, since };
  }
  if (proposal !== null && proposal.expires >= at) {
    const { id, act, second: who, since, expires, hash } = proposal;
    const said = says('proposal', null, { act, proposal: id });
    yield { table: name, what: 'proposal', says: said, by: null, who, since, expires, hash };
  }
  if (called !== null) {
    const said = says('call', null, { reason: called.reason });
    yield { table: name, what: 'call', says: said, by: null, who: 'supervisor', since: called.at };
  }
  if (shoe !== null && shoe.lockedBy !== null && stopped === null) {
    const said = says('shoe-locked', shoe.lockedBy, { shoe: shoe.id });
    yield { table: name, what: 'shoe-locked', says: said, by: shoe.lockedBy, who: 'dealer', since: table.at };
  }
  for (const { shoe: id, seal, since } of sealed) {
    const said = says('sealed-shoe', 'HOUSE 7', { shoe: id, seal });
    yield { table: name, what: 'sealed-shoe', says: said, by: 'HOUSE 7', who: 'supervisor', since };
  }
  for (const { shoe: id, expected, seen, since } of table.differences) {
    const said = says('count-differs', 'HOUSE 7', { shoe: id, expected: String(expected), seen: String(seen) });
    yield { table: name, what: 'count-differs', says: said, by: 'HOUSE 7', who: 'pit-manager', since };
  }
}

/** Who may rule on a matter: the second person where the first way takes two. */
const firstPost = (ways: readonly { readonly first: string; readonly second: string | null }[]): string =>
  ways[0]?.second ?? ways[0]?.first ?? 'supervisor';

/** What stands still comes before what only waits, and of two of a kind the older. */
const urgency: readonly WorkItem['what'][] = [
  'fault',
  'interrupted',
  'stopped',
  'referred',
  'proposal',
  'call',
  'hand-pay',
  'shoe-locked',
  'count-differs',
  'sealed-shoe',
  'not-open',
];

export const byUrgency = (one: WorkItem, other: WorkItem): number =>
  urgency.indexOf(one.what) - urgency.indexOf(other.what) || one.since - other.since;
