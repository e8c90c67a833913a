import { fullNameOf } from '../../../rules/game.ts';
import { buildDealerView } from '../../../table/views/dealerView.ts';
import { handsView, phaseView } from '../../../table/views/publicView.ts';
import { resolveSettings } from '../../../table/schema/settings.ts';
import { type Table } from '../../../table/state.ts';
import { type FloorRow, type WorkItem } from '../../../wire/staff/floorView.ts';
import { type PromptView } from '../../../wire/staff/viewParts.ts';
import { type GamingDayTotals } from '../../../runtime/projections/gamingDayTotals.ts';

/** Facts that are no part of the table state. */
export type TableStatus = {
  readonly at: number;
  readonly fault: 'broken' | 'cannot-record' | null;
  readonly terminals: number;
  readonly offline: number;
  readonly totals: ReturnType<GamingDayTotals['at']>;
  /** Number of the person at its console. */
  readonly dealer: string | null;
};

export function floorRow(table: Table, status: TableStatus): FloorRow {
  const { setting, round, shoe, phase } = table;
  const { game } = resolveSettings(setting);
  const { totals } = status;
  const hands = round && handsView(round, phase === 'idle');
  return {
    table: setting.table,
    game: { name: game.name, version: fullNameOf(game) },
    bets: setting.bets,
    attended: setting.attended,
    phase: phaseView(table),
    stopped: stoppedBy(table, status),
    number: round?.number ?? null,
    player: hands?.player ?? null,
    banker: hands?.banker ?? null,
    slips: round?.terminals ?? 0,
    terminals: status.terminals,
    offline: status.offline,
    shoe: shoe && { out: shoe.drawn, size: shoe.size, locked: shoe.lockedBy !== null },
    deadline: phase === 'betting' || phase === 'closing' ? (round!.deadline ?? round!.closesAt) : null,
    roundsAnHour: totals.roundsAnHour,
    drop: totals.drop,
    win: totals.win,
    dealer: status.dealer,
  };
}

/** A table that is not open, from the property file. */
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

function stoppedBy(
  { openIrregularities: irregularities, referrals, at }: Table,
  { fault }: TableStatus,
): FloorRow['stopped'] {
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

/** Work items of a table. */
export function* workItemsAt(table: Table, { at, fault }: Pick<TableStatus, 'at' | 'fault'>): Generator<WorkItem> {
  const name = table.setting.table;
  const { stopped, referred, proposal, called, shoe, sealed } = buildDealerView(table, at);
  if (fault !== null) {
    yield { table: name, what: 'fault', says: prompt(fault, null), by: null, who: 'technician', since: table.at };
  }
  if (stopped !== null) {
    const { kind, by, since, ways } = stopped;
    const what = kind === 'interruption' ? 'interrupted' : 'stopped';
    yield { table: name, what, says: prompt(kind, by), by, who: rulingRole(ways), since };
  }
  for (const { id, by, since } of referred) {
    const who = 'gaming-shift-manager';
    yield { table: name, what: 'referred', says: prompt('referred', by, { referral: id }), by, who, since };
  }
  if (proposal !== null && proposal.expires >= at) {
    const { id, act, second: who, since, expires, hash } = proposal;
    const text = prompt('proposal', null, { act, proposal: id });
    yield { table: name, what: 'proposal', says: text, by: null, who, since, expires, hash };
  }
  if (called !== null) {
    const text = prompt('call', null, { reason: called.reason });
    yield { table: name, what: 'call', says: text, by: null, who: 'supervisor', since: called.at };
  }
  if (shoe !== null && shoe.lockedBy !== null && stopped === null) {
    const text = prompt('shoe-locked', shoe.lockedBy, { shoe: shoe.id });
    yield { table: name, what: 'shoe-locked', says: text, by: shoe.lockedBy, who: 'dealer', since: table.at };
  }
  for (const { shoe: id, seal, since } of sealed) {
    const text = prompt('sealed-shoe', 'HOUSE 7', { shoe: id, seal });
    yield { table: name, what: 'sealed-shoe', says: text, by: 'HOUSE 7', who: 'supervisor', since };
  }
  for (const { shoe: id, expected, seen, since } of table.differences) {
    const text = prompt('count-differs', 'HOUSE 7', { shoe: id, expected: String(expected), seen: String(seen) });
    yield { table: name, what: 'count-differs', says: text, by: 'HOUSE 7', who: 'pit-manager', since };
  }
}

/** Role that rules: the second role if the first ruling option takes two. */
const rulingRole = (options: readonly { readonly first: string; readonly second: string | null }[]): string =>
  options[0]?.second ?? options[0]?.first ?? 'supervisor';

/** Stopped tables first; of two items of a kind the older first. */
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
