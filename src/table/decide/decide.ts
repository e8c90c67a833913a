import { hasAuthority } from '../../access/roles.ts';
import { decideCallClose, decideCloseBets, decideExtendBets, decideOpenBets, decideSetSlip } from './bets.ts';
import { decideAddNote, decideAnswerCall, decideCallSupervisor } from './supervisorCalls.ts';
import { decideDealCard, decideTakeBackCard } from './cards.ts';
import { type TableCommand, tableCommands } from '../schema/commands.ts';
import { type TableDecision, clausesOfTable } from './decision.ts';
import { type ApprovalRule, type ApprovalRuleName } from '../../access/approvalRules.ts';
import {
  type ProposableCommand,
  decideApprove,
  approvalRuleFor,
  isProposable,
  decideProposable,
  decideWithdrawProposal,
} from './proposals.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { irregularityToRuleOn } from '../irregularities.ts';
import { commandsToRule, frozenRefusal } from './irregularities/rulingRefusal.ts';
import { decideReportInterruption } from './irregularities/interruptions.ts';
import { decideRefer } from './irregularities/referrals.ts';
import {
  decideReportIrregularity,
  decideReportTerminalConnections,
  decideReportWager,
} from './irregularities/reports.ts';
import { decideInvestigateCount, decideRecordCount } from './sealedShoes.ts';
import { decideOpenTable } from './settings.ts';
import { decidePostSettlement, decideSettle } from './settlement.ts';
import {
  decideBringShoe,
  decideBurnCards,
  decideChooseCutPosition,
  decideCommitShoe,
  decideCountCards,
  decideCutShoe,
  decideInspectCards,
  decideShuffleShoe,
} from './shoePreparation.ts';
import { decideReportCuttingCard } from './shoeEnd.ts';
import { type Table } from '../state.ts';

/** Decides a table command: its events, or one refusal. Pure: it uses only its arguments and changes nothing. */
export function decide(command: TableCommand, table: Table | undefined): TableDecision {
  if (command.type === 'OpenTable') {
    return table === undefined
      ? decideOpenTable(command)
      : refuseAtTable('already-open', null, 'The table is already open; change its settings instead.');
  }
  if (table === undefined) return refuseAtTable('not-open', null, 'The table is not open yet; open it with settings.');
  return actorRefusal(command, table) ?? decideAt(command, table);
}

function decideAt(command: Exclude<TableCommand, { type: 'OpenTable' }>, table: Table): TableDecision {
  if (isProposable(command)) return decideProposable(command, approvalRuleOf(command, table)!, table);
  switch (command.type) {
    case 'BringShoe':
      return decideBringShoe(command, table);
    case 'InspectCards':
      return decideInspectCards(command, table);
    case 'CountCards':
      return decideCountCards(command, table);
    case 'ShuffleShoe':
      return decideShuffleShoe(command, table);
    case 'CutShoe':
      return decideCutShoe(command, table);
    case 'CommitShoe':
      return decideCommitShoe(command, table);
    case 'ChooseCutPosition':
      return decideChooseCutPosition(command, table);
    case 'BurnCards':
      return decideBurnCards(command, table);
    case 'ReportCuttingCard':
      return decideReportCuttingCard(command, table);
    case 'OpenBets':
      return decideOpenBets(command, table);
    case 'ExtendBets':
      return decideExtendBets(command, table);
    case 'CallClose':
      return decideCallClose(command, table);
    case 'CloseBets':
      return decideCloseBets(command, table);
    case 'SetSlip':
      return decideSetSlip(command, table);
    case 'DealCard':
      return decideDealCard(command, table);
    case 'TakeBackCard':
      return decideTakeBackCard(command, table);
    case 'Settle':
      return decideSettle(command, table);
    case 'PostSettlement':
      return decidePostSettlement(command, table);
    case 'ReportIrregularity':
      return decideReportIrregularity(command, table);
    case 'ReportWager':
      return decideReportWager(command, table);
    case 'ReportInterruption':
      return decideReportInterruption(command, table);
    case 'ReportTerminals':
      return decideReportTerminalConnections(command, table);
    case 'Refer':
      return decideRefer(command, table);
    case 'CallSupervisor':
      return decideCallSupervisor(command, table);
    case 'AnswerCall':
      return decideAnswerCall(command, table);
    case 'RecordCount':
      return decideRecordCount(command, table);
    case 'InvestigateCount':
      return decideInvestigateCount(command, table);
    case 'AddNote':
      return decideAddNote(command, table);
    case 'Approve':
      return decideApprove(
        command,
        table,
        (proposed: ProposableCommand) => stoppedRefusal(proposed, table) ?? approvalRuleOf(proposed, table)!,
      );
    case 'WithdrawProposal':
      return decideWithdrawProposal(command, table);
  }
}

type Permission = {
  readonly approvalRule?: ApprovalRuleName;
  readonly also?: readonly string[];
  readonly during?: readonly string[];
};

/** The approval rule of a command in the present state; undefined for `SetSlip`, which only terminals send. */
function approvalRuleOf(command: TableCommand, table: Table): ApprovalRule | undefined {
  const { approvalRule }: Permission = tableCommands[command.type];
  return approvalRule && approvalRuleFor(command, approvalRule, table);
}

/**
 * Refusal of a command before its own rules are checked: it is dated before the last event, its actor lacks the role,
 * or the table is stopped. Undefined if its own rules decide.
 */
function actorRefusal(command: TableCommand, table: Table): TableRefusal | undefined {
  const { at, actor, type } = command;
  const { roles } = clausesOfTable(table);
  const { also }: Permission = tableCommands[type];
  if (at < table.at) {
    return refuseAtTable(
      'clock-ran-back',
      null,
      `The command is dated ${at}, before the last event at ${table.at}; set the clock.`,
    );
  }
  const rule = approvalRuleOf(command, table);
  const allowed =
    'terminal' in actor
      ? also?.includes('terminal')
      : 'system' in actor
        ? also?.includes('service') || (also?.includes('system') && !table.settings.attended)
        : rule !== undefined && hasAuthority(actor, rule.first, at);
  if (!allowed) {
    const allowedActor =
      rule === undefined ? 'a patron at a terminal; bet at a terminal' : `a ${rule.first} or a higher role; ask one`;
    return refuseAtTable('not-your-role', roles, `${type} is for ${allowedActor}.`);
  }
  return stoppedRefusal(command, table);
}

/** Refusal for a command that is not allowed while the table is stopped; undefined if it is allowed. */
export function stoppedRefusal({ type }: Pick<TableCommand, 'type'>, table: Table): TableRefusal | undefined {
  const { during }: Permission = tableCommands[type];
  const frozen = frozenRefusal(table);
  if (frozen !== undefined) return during?.includes('awaiting-decision') ? undefined : frozen;
  const irregularity = irregularityToRuleOn(table);
  if (irregularity === undefined || during?.includes('awaiting-ruling')) return undefined;
  return refuseAtTable(
    'awaiting-ruling',
    irregularity.by,
    `The table waits for a ruling on ${irregularity.kind}; send ${commandsToRule(irregularity, table).join(', ')}.`,
  );
}
