import { type IrregularityKind } from '../../games/irregularities.ts';
import { isRefused } from '../../base/refusal.ts';
import { type StaffActor } from '../../access/actor.ts';
import { type TableCommand } from '../schema/commands.ts';
import { decide } from '../decide/decide.ts';
import { type TableDecision } from '../decide/decision.ts';
import { irregularityRule } from '../decide/irregularities/reports.ts';
import { cardCorrectionRefusal } from '../decide/irregularities/rulingRefusal.ts';
import { type Table } from '../state.ts';

/** A row of the report menu: an irregularity with its two-digit code `row` and its clause `by`. */
export type ReportMenuRow = {
  readonly kind: IrregularityKind;
  readonly row: string;
  readonly by: string;
  readonly command: ReportCommandName;
  /** Value of the field `kind` in the report command; null if that command has no such field. */
  readonly as: string | null;
  readonly does: 'stops' | 'locks' | 'noted' | 'corrects' | 'refers';
  /** Error code, `chips-only` or `terminals-only` if the irregularity cannot be reported now; null if it can. */
  readonly not: string | null;
};

type ReportCommandName =
  | 'CorrectCard'
  | 'ReportIrregularity'
  | 'ReportCuttingCard'
  | 'ReportWager'
  | 'ReportInterruption'
  | 'ReportTerminals'
  | 'Refer';
type ReportCommand = { readonly type: ReportCommandName; readonly [field: string]: unknown };

const rows: readonly (readonly [kind: IrregularityKind, row: string, command: ReportCommand])[] = [
  ['mis-scan', '11', { type: 'CorrectCard' }],
  ['unreadable-card', '12', reportOf('unreadable-card')],
  ['foreign-card', '13', reportOf('foreign-card')],
  ['extra-card', '14', reportOf('extra-card')],
  ['face-up-before', '15', reportOf('face-up-card')],
  ['face-up-after', '15', reportOf('face-up-card')],
  ['wrong-order', '21', reportOf('wrong-order')],
  ['wrong-number', '22', reportOf('wrong-number')],
  ['drawn-together', '23', { ...reportOf('drawn-together'), place: 1 }],
  ['third-cards-together', '23', { ...reportOf('drawn-together'), place: 5 }],
  ['order-altered', '31', reportOf('order-altered')],
  ['too-few-cards', '32', reportOf('too-few-cards')],
  ['missing-card', '33', reportOf('missing-card')],
  ['unshuffled-cards', '34', reportOf('unshuffled-cards')],
  ['cutting-card', '35', { type: 'ReportCuttingCard' }],
  ['cutting-card-missing', '36', reportOf('cutting-card-missing')],
  ['late-wager', '41', { type: 'ReportWager', kind: 'late-wager' }],
  ['raised-wager', '42', { type: 'ReportWager', kind: 'raised-wager' }],
  ['withdrawn-wager', '43', { type: 'ReportWager', kind: 'withdrawn-wager' }],
  ['interruption', '51', { type: 'ReportInterruption' }],
  ['terminals-lost', '52', { type: 'ReportTerminals' }],
  ['anything-else', '61', { type: 'Refer' }],
];

function reportOf(kind: string): ReportCommand {
  return { type: 'ReportIrregularity', kind };
}

/** The report menu of the table: every irregularity of the rulebook, with what its report would do now. */
export const reportMenu = (table: Table): readonly ReportMenuRow[] =>
  rows.map(([kind, row, command]) => {
    const attempted = attemptReport(kind, command, table);
    return {
      kind,
      row,
      by: irregularityRule(table, kind).by,
      command: command.type,
      as: typeof command['kind'] === 'string' ? command['kind'] : null,
      does: reportAction(kind, attempted, table),
      not: typeof attempted === 'string' ? attempted : null,
    };
  });

/** The events that a report would produce now, or the code of its refusal. */
function attemptReport(
  kind: IrregularityKind,
  command: ReportCommand,
  table: Table,
): Exclude<TableDecision, { refused: string }> | string {
  const { bets, offered } = table.settings;
  switch (command.type) {
    case 'CorrectCard': {
      const refused = cardCorrectionRefusal(table)?.refused;
      // The open irregularity does not allow a correction, so it must be ruled on first. Without an open irregularity a
      // card can be corrected.
      return refused === 'no-such-ruling' ? 'awaiting-ruling' : (refused ?? []);
    }
    case 'ReportWager':
      return bets === 'chips'
        ? decideReport({ ...command, place: 'felt', wager: offered[0]!, amount: 0 }, table)
        : 'chips-only';
    case 'ReportInterruption':
      return decideReport({ ...command, since: table.at, stateLost: true }, table);
    case 'ReportTerminals':
      return bets === 'chips' ? 'terminals-only' : [];
    case 'Refer':
      return [];
    case 'ReportIrregularity':
    case 'ReportCuttingCard': {
      const events = decideReport(command, table);
      const [event] = events;
      // Some kinds share one report, such as the two kinds of exposed card. The table derives one of the kinds, so now
      // the other cannot be reported.
      const isOtherKind = typeof event === 'object' && event.type === 'IrregularityFound' && event.kind !== kind;
      return isOtherKind ? 'not-now' : events;
    }
  }
}

/** Actor of a trial report: dealers and all higher roles may report. */
const anyDealer: StaffActor = { person: 'dealer', role: 'dealer' };

function decideReport(command: ReportCommand, table: Table): Exclude<TableDecision, { refused: string }> | string {
  const decision = decide({ ...command, at: table.at, actor: anyDealer } as unknown as TableCommand, table);
  return isRefused(decision) ? decision.refused : decision;
}

function reportAction(
  kind: IrregularityKind,
  events: readonly { readonly type: string }[] | string,
  table: Table,
): ReportMenuRow['does'] {
  if (kind === 'mis-scan') return 'corrects';
  const { stops, rulings } = irregularityRule(table, kind);
  if (rulings.refer !== undefined) return 'refers';
  const produces = (type: string): boolean => typeof events !== 'string' && events.some((event) => event.type === type);
  if (produces('ShoeLocked')) return 'locks';
  return stops && !produces('InterruptionLogged') ? 'stops' : 'noted';
}
