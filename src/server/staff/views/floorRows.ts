import { versionedGameId } from '../../../rules/game.ts';
import { buildDealerView } from '../../../table/views/dealerView.ts';
import { handsAndOutcomeView, displayedPhase } from '../../../table/views/publicView.ts';
import { gameAndRulebookOf } from '../../../table/schema/settings.ts';
import { type Table } from '../../../table/state.ts';
import { type FloorTableRow, type WorkItem } from '../../../wire/staff/floorView.ts';
import { type PromptView } from '../../../wire/staff/viewParts.ts';
import { type TableGamingDayTotals } from '../../../runtime/projections/tableGamingDayTotals.ts';

/** Facts that a row of the floor view needs and the table state lacks. */
export type FloorRowFacts = {
  readonly at: number;
  readonly fault: 'broken' | 'cannot-record' | null;
  readonly terminals: number;
  readonly offline: number;
  readonly totals: ReturnType<TableGamingDayTotals['at']>;
  /** Staff number of the person signed in at the console of the table; null if no person is signed in there. */
  readonly dealer: string | null;
};

export function buildFloorRow(table: Table, status: FloorRowFacts): FloorTableRow {
  const { settings, round, shoe, phase } = table;
  const { game } = gameAndRulebookOf(settings);
  const { totals } = status;
  const hands = round && handsAndOutcomeView(round, phase === 'idle');
  return {
    table: settings.table,
    game: { name: game.name, version: versionedGameId(game) },
    bets: settings.bets,
    attended: settings.attended,
    phase: displayedPhase(table),
    stopped: stoppedBy(table, status),
    number: round?.number ?? null,
    player: hands?.player ?? null,
    banker: hands?.banker ?? null,
    slips: round?.terminals ?? 0,
    terminals: status.terminals,
    offline: status.offline,
    shoe: shoe && { out: shoe.drawn, size: shoe.size, locked: shoe.lockedBy !== null },
    deadline: phase === 'betting' || phase === 'closing' ? (round!.deadline ?? round!.closesAt) : null,
    roundsPerHour: totals.roundsPerHour,
    turnover: totals.turnover,
    win: totals.win,
    dealer: status.dealer,
  };
}

/** Makes the row of a table that is not open. Such a table has no state, so its game comes from the property file. */
export const buildUnopenedTableRow = (
  table: string,
  game: FloorTableRow['game'],
  { bets, dealer }: Pick<FloorTableRow, 'bets' | 'dealer'>,
): FloorTableRow => ({
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
  roundsPerHour: 0,
  turnover: 0,
  win: { sign: 0, amount: 0 },
  dealer,
});

function stoppedBy(
  { openIrregularities: irregularities, referrals, at }: Table,
  { fault }: FloorRowFacts,
): FloorTableRow['stopped'] {
  if (fault !== null) return { kind: fault, by: null, since: at };
  const [irregularity] = irregularities;
  if (irregularity) return { kind: irregularity.kind, by: irregularity.by, since: irregularity.since };
  const [referral] = referrals;
  return referral ? { kind: 'referred', by: referral.by, since: referral.since } : null;
}

const prompt = (code: string, by: string | null, what: PromptView['with'] = {}): PromptView => ({
  code,
  with: what,
  by,
});

export function* workItemsOfTable(
  table: Table,
  { at, fault }: Pick<FloorRowFacts, 'at' | 'fault'>,
): Generator<WorkItem> {
  const name = table.settings.table;
  const { stopped, referred, proposal, called, shoe, sealed } = buildDealerView(table, at);
  if (fault !== null) {
    yield { table: name, what: 'fault', prompt: prompt(fault, null), by: null, role: 'technician', since: table.at };
  }
  if (stopped !== null) {
    const { kind, by, since, options } = stopped;
    const what = kind === 'interruption' ? 'interrupted' : 'stopped';
    yield { table: name, what, prompt: prompt(kind, by), by, role: rulingRole(options), since };
  }
  for (const { id, by, since } of referred) {
    const role = 'gaming-shift-manager';
    yield { table: name, what: 'referred', prompt: prompt('referred', by, { referral: id }), by, role, since };
  }
  if (proposal !== null && proposal.expires >= at) {
    const { id, command, second: role, since, expires, hash } = proposal;
    const text = prompt('proposal', null, { command, proposal: id });
    yield { table: name, what: 'proposal', prompt: text, by: null, role, since, expires, hash };
  }
  if (called !== null) {
    const text = prompt('call', null, { reason: called.reason });
    yield { table: name, what: 'call', prompt: text, by: null, role: 'supervisor', since: called.at };
  }
  if (shoe !== null && shoe.lockedBy !== null && stopped === null) {
    const text = prompt('shoe-locked', shoe.lockedBy, { shoe: shoe.id });
    yield { table: name, what: 'shoe-locked', prompt: text, by: shoe.lockedBy, role: 'dealer', since: table.at };
  }
  for (const { shoe: id, seal, since } of sealed) {
    const text = prompt('sealed-shoe', 'HOUSE 7', { shoe: id, seal });
    yield { table: name, what: 'sealed-shoe', prompt: text, by: 'HOUSE 7', role: 'supervisor', since };
  }
  for (const { shoe: id, expected, seen, since } of table.differences) {
    const text = prompt('count-differs', 'HOUSE 7', { shoe: id, expected: String(expected), seen: String(seen) });
    yield { table: name, what: 'count-differs', prompt: text, by: 'HOUSE 7', role: 'pit-manager', since };
  }
}

/**
 * Gives the role that has to act on an irregularity. This is the second person of the first ruling option, or its first
 * person if it needs only one.
 */
const rulingRole = (options: readonly { readonly first: string; readonly second: string | null }[]): string =>
  options[0]?.second ?? options[0]?.first ?? 'supervisor';

/** Kinds of work items, most urgent first. */
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

/** Compares two work items: the more urgent kind comes first, and within a kind the older item. */
export const compareWorkItemsByUrgency = (one: WorkItem, other: WorkItem): number =>
  urgency.indexOf(one.what) - urgency.indexOf(other.what) || one.since - other.since;
