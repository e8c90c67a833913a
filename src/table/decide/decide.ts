import { hasAuthority } from '../../access/roles.ts';
import { callClose, closeBets, extendBets, openBets, decideSetSlip } from './bets.ts';
import { addNote, answerCall, callSupervisor } from './supervisorCalls.ts';
import { decideDealCard, takeBackCard } from './cards.ts';
import { type TableCommand, commands } from '../schema/commands.ts';
import { type TableDecision, clausesAt } from './decision.ts';
import { type ApprovalRule, type DutyName } from '../../access/approvalRules.ts';
import { type ProposableCommand, approve, approvalRuleFor, isAct, propose, withdrawProposal } from './proposals.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { leadingIrregularity } from '../irregularities.ts';
import { reportInterruption } from './irregularities/interruptions.ts';
import { refer } from './irregularities/referrals.ts';
import { reportIrregularity, reportTerminals, reportWager } from './irregularities/reports.ts';
import { lookIntoCount } from './sealedShoes.ts';
import { decideOpenTable } from './settings.ts';
import { postSettlement, decideSettle } from './settlement.ts';
import {
  bringShoe,
  burnCards,
  chooseTurn,
  commitShoe,
  countCards,
  cutShoe,
  cuttingCard,
  inspectCards,
  shuffleShoe,
} from './shoes.ts';
import { type Table } from '../state.ts';

/** What a command leads to at this table: events, or one refusal. Nothing is changed here, and nothing is asked of the world. */
export function decide(command: TableCommand, table: Table | undefined): TableDecision {
  if (command.type === 'OpenTable') {
    return table === undefined
      ? decideOpenTable(command)
      : refuseAtTable('already-open', null, 'The table is open already; change its setting instead.');
  }
  if (table === undefined) return refuseAtTable('not-open', null, 'The table is not open yet; open it with a setting.');
  return forbidden(command, table) ?? decideAt(command, table);
}

function decideAt(command: Exclude<TableCommand, { type: 'OpenTable' }>, table: Table): TableDecision {
  if (isAct(command)) return propose(command, ruleOf(command, table)!, table);
  switch (command.type) {
    case 'BringShoe':
      return bringShoe(command, table);
    case 'InspectCards':
      return inspectCards(command, table);
    case 'CountCards':
      return countCards(command, table);
    case 'ShuffleShoe':
      return shuffleShoe(command, table);
    case 'CutShoe':
      return cutShoe(command, table);
    case 'CommitShoe':
      return commitShoe(command, table);
    case 'ChooseTurn':
      return chooseTurn(command, table);
    case 'BurnCards':
      return burnCards(command, table);
    case 'ReportCuttingCard':
      return cuttingCard(command, table);
    case 'OpenBets':
      return openBets(command, table);
    case 'ExtendBets':
      return extendBets(command, table);
    case 'CallClose':
      return callClose(command, table);
    case 'CloseBets':
      return closeBets(command, table);
    case 'SetSlip':
      return decideSetSlip(command, table);
    case 'DealCard':
      return decideDealCard(command, table);
    case 'TakeBackCard':
      return takeBackCard(command, table);
    case 'Settle':
      return decideSettle(command, table);
    case 'PostSettlement':
      return postSettlement(command, table);
    case 'ReportIrregularity':
      return reportIrregularity(command, table);
    case 'ReportWager':
      return reportWager(command, table);
    case 'ReportInterruption':
      return reportInterruption(command, table);
    case 'ReportTerminals':
      return reportTerminals(command, table);
    case 'Refer':
      return refer(command, table);
    case 'CallSupervisor':
      return callSupervisor(command, table);
    case 'AnswerCall':
      return answerCall(command, table);
    case 'LookIntoCount':
      return lookIntoCount(command, table);
    case 'AddNote':
      return addNote(command, table);
    case 'Approve':
      return approve(command, table, (act: ProposableCommand) => standstill(act, table) ?? ruleOf(act, table)!);
    case 'WithdrawProposal':
      return withdrawProposal(command, table);
  }
}

type Rule = {
  readonly duty?: DutyName;
  readonly also?: readonly string[];
  readonly during?: readonly string[];
};

/** Whose duty a command is as things stand; nobody's, where only a terminal may give it. */
function ruleOf(command: TableCommand, table: Table): ApprovalRule | undefined {
  const { duty }: Rule = commands[command.type];
  return duty && approvalRuleFor(command, duty, table);
}

/** Who and when, before what: the order in which a table refuses. */
function forbidden(command: TableCommand, table: Table): TableRefusal | undefined {
  const { at, who, type } = command;
  const { posts } = clausesAt(table);
  const { also = [] }: Rule = commands[type];
  if (at < table.at) {
    return refuseAtTable(
      'clock-ran-back',
      null,
      `The command is dated ${at} and the last event ${table.at}; set the clock.`,
    );
  }
  const duty = ruleOf(command, table);
  const allowed =
    'terminal' in who
      ? also.includes('terminal')
      : 'system' in who
        ? also.includes('service') || (also.includes('system') && !table.setting.attended)
        : duty !== undefined && hasAuthority(who, duty.first, at);
  if (!allowed) {
    const whose = duty === undefined ? 'a patron at a terminal' : `a ${duty.first} or a higher post`;
    return refuseAtTable('not-your-post', posts, `${type} is for ${whose}; let them do it.`);
  }
  return standstill(command, table);
}

/** A table that waits for a ruling or a decision takes nothing else. */
export function standstill({ type }: Pick<TableCommand, 'type'>, table: Table): TableRefusal | undefined {
  const { during = [] }: Rule = commands[type];
  const matter = leadingIrregularity(table);
  const [referral] = table.referrals;
  if (matter === undefined && referral !== undefined) {
    return during.includes('referred')
      ? undefined
      : refuseAtTable(
          'awaiting-decision',
          referral.by,
          'The table is frozen; wait for the decision of the Gaming Shift Manager.',
        );
  }
  if (matter === undefined || during.includes('held')) return undefined;
  const ways = matter.rulings.join(', ');
  return refuseAtTable(
    'table-held',
    matter.by,
    `The table waits for a ruling on ${matter.kind}; the ways out are ${ways}.`,
  );
}
