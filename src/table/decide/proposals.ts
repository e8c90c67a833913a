import { hasAuthority } from '../../access/roles.ts';
import { isSameActor } from '../../access/actor.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { isRefused } from '../../base/refusal.ts';
import { type TableCommand, type CommandOf } from '../schema/commands.ts';
import { type TableDecision, type EventStamp, clausesOfTable, tableEventStamp } from './decision.ts';
import { type PreviewedEvent, type TableEvent } from '../schema/events.ts';
import { type AmountsByTerminal } from '../schema/fieldTypes.ts';
import {
  type ApprovalRule,
  type ApprovalRuleName,
  approvalRules,
  approverRole,
  proposalMs,
} from '../../access/approvalRules.ts';
import { irregularityRule } from './irregularities/reports.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { rulingOfCommand } from '../schema/commandByRuling.ts';
import { decideCorrectCard, decideReconstructRound } from './irregularities/corrections.ts';
import { decideConfirmFelt, decideConfirmRuling, computedInterruptionRuling } from './irregularities/interruptions.ts';
import { decideReferral, decisionApprovalRule } from './irregularities/referrals.ts';
import {
  decideBurnCard,
  decideDismissReport,
  decideEnterCard,
  decideRestoreOrder,
  decideVoidRound,
} from './irregularities/rulings.ts';
import { decideChangeSettings, decideCloseTable, decideReopenTable } from './settings.ts';
import { decideCountSealedShoe, decideSealShoe } from './sealedShoes.ts';
import { decideCorrectCut, decideVerifyShoe } from './shoePreparation.ts';
import { decideEndShoe } from './shoeEnd.ts';
import { decideShortfall } from './irregularities/shortfalls.ts';
import { irregularityToRuleOn, mayCardBeOut } from '../irregularities.ts';
import { earlierRoundChangedBy, effectsWithEarlierRound } from '../effectsWithEarlierRound.ts';
import { type Table, isPlaying } from '../state.ts';

/** Commands that rule on an open irregularity. */
const rulingCommands = [
  'VoidRound',
  'ReconstructRound',
  'RestoreOrder',
  'EnterCard',
  'CorrectCard',
  'BurnCard',
  'DismissReport',
  'ConfirmFelt',
  'ConfirmRuling',
] as const;
export const isRulingCommand = (type: string): boolean => (rulingCommands as readonly string[]).includes(type);

/** Commands that need an approval, at least in some states of the table. */
const proposableCommands = [
  'ChangeSettings',
  'CloseTable',
  'ReopenTable',
  'CorrectCut',
  'VerifyShoe',
  'EndShoe',
  'SealShoe',
  'CountSealedShoe',
  ...rulingCommands,
  'DecideReferral',
  'CollectShortfall',
  'WriteOffShortfall',
] as const;
export type ProposableCommand = {
  [N in (typeof proposableCommands)[number]]: CommandOf<N>;
}[(typeof proposableCommands)[number]];
export type ProposableCommandName = ProposableCommand['type'];

export const isProposable = (command: TableCommand): command is ProposableCommand =>
  (proposableCommands as readonly string[]).includes(command.type);

/**
 * The approval rule of a command in the present state. The rule for a ruling depends on the rulebook and on the round.
 * Most other commands always have `defaultRule`.
 */
export function approvalRuleFor(command: TableCommand, defaultRule: ApprovalRuleName, table: Table): ApprovalRule {
  if (command.type === 'DecideReferral') return decisionApprovalRule(command, table);
  const { round } = table;
  const [irregularity] = table.openIrregularities;
  const isSettledRound = round === null || round.ending !== null;
  if (command.type === 'DismissReport') {
    // A dismissal needs the same roles as a ruling. [READING 54]
    return approvalRules[
      irregularity !== undefined && irregularity.round !== null && isSettledRound
        ? 'rule after settlement'
        : defaultRule
    ];
  }
  if (command.type === 'ConfirmRuling') {
    // A void that takes back paid money needs two persons. [READING 53]
    const takesBack =
      irregularity?.kind === 'interruption' && isSettledRound && computedInterruptionRuling(table).ruling === 'void';
    return approvalRules[takesBack ? 'rule after settlement' : defaultRule];
  }
  const ruling = rulingOfCommand(command.type);
  // After an interruption, the ruling is computed and staff only confirm it. So the default rule applies.
  if (ruling === undefined || irregularity?.kind === 'interruption') return approvalRules[defaultRule];
  if (command.type === 'VoidRound' && irregularity === undefined && isPlaying(table)) {
    if (table.phase !== 'betting' && table.phase !== 'closing') return approvalRules.refer;
    return approvalRules[mayCardBeOut(table) ? 'void with a card out' : 'void with no card out'];
  }
  if (irregularity?.round === null && irregularity.kind === 'order-altered') return approvalRules['change the shoe'];
  const isCurrentRound = command.type === 'CorrectCard' ? round?.id === command.round : true;
  if ((isSettledRound || !isCurrentRound) && (ruling === 'void' || ruling === 'reconstruct' || ruling === 'correct')) {
    return approvalRules['rule after settlement'];
  }
  if (ruling === 'void' && isPlaying(table) && !mayCardBeOut(table)) return approvalRules['void with no card out'];
  const { rulings: options } = irregularityRule(table, irregularity?.kind ?? 'mis-scan');
  return approvalRules[options[ruling]?.approvalRule ?? defaultRule];
}

/**
 * Decides the command as if it were approved: returns its events, or a refusal. Without `credits`, the events name no
 * shortfalls.
 */
export function decideAsIfApproved(
  command: ProposableCommand,
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  switch (command.type) {
    case 'ChangeSettings':
      return decideChangeSettings(command, stamp, table);
    case 'CloseTable':
      return decideCloseTable(command, stamp, table);
    case 'ReopenTable':
      return decideReopenTable(command, stamp, table);
    case 'CorrectCut':
      return decideCorrectCut(command, stamp, table);
    case 'VerifyShoe':
      return decideVerifyShoe(stamp, table);
    case 'EndShoe':
      return decideEndShoe(command, stamp, table);
    case 'SealShoe':
      return decideSealShoe(command, stamp, table);
    case 'CountSealedShoe':
      return decideCountSealedShoe(command, stamp, table);
    case 'VoidRound':
      return decideVoidRound(command, stamp, table, credits);
    case 'ReconstructRound':
      return decideReconstructRound(command, stamp, table, credits);
    case 'RestoreOrder':
      return decideRestoreOrder(command, stamp, table);
    case 'EnterCard':
      return decideEnterCard(command, stamp, table);
    case 'CorrectCard':
      return decideCorrectCard(command, stamp, table, credits);
    case 'BurnCard':
      return decideBurnCard(command, stamp, table);
    case 'DismissReport':
      return decideDismissReport(command, stamp, table);
    case 'ConfirmFelt':
      return decideConfirmFelt(command, stamp, table);
    case 'ConfirmRuling':
      return decideConfirmRuling(stamp, table, credits);
    case 'DecideReferral':
      return decideReferral(command, stamp, table, credits);
    case 'CollectShortfall':
    case 'WriteOffShortfall':
      return decideShortfall(command, stamp, table, credits);
  }
}

/**
 * Carries the command out at once if it needs no approval, else proposes the command. A command of the system never
 * needs an approval.
 */
export function decideProposable(command: ProposableCommand, rule: ApprovalRule, table: Table): TableDecision {
  const stamp = tableEventStamp(command);
  if (rule.second === undefined || 'system' in command.actor) return decideAsIfApproved(command, stamp, table, {});
  const effects = decideAsIfApproved(command, stamp, table, undefined);
  if (isRefused(effects)) return effects;
  const proposal = `P${table.proposals + 1}`;
  const { at, actor: _actor, ...payload } = command;
  const withCredits = decideAsIfApproved(command, stamp, table, 'credits' in command ? command.credits : undefined);
  if (isRefused(withCredits)) return withCredits;
  const hash = approvalHash(proposal, command, payload, effects, table);
  const expires = at + proposalMs;
  const proposed = {
    type: 'Proposed',
    ...stamp,
    proposal,
    command: payload,
    effects: toPreviewedEvents(withCredits),
    hash,
    expires,
  } as const;
  return command.type === 'EndShoe' && command.cards !== undefined
    ? [shoeLockedEvent(stamp, table), proposed]
    : [proposed];
}

/** Locks the shoe. The cards of the proposal show the order of the shoe, so no further round may be dealt from it. */
const shoeLockedEvent = (stamp: EventStamp, table: Table): TableEvent => ({
  type: 'ShoeLocked',
  ...stamp,
  shoe: table.shoe!.id,
  by: clausesOfTable(table).roles,
  reason: 'The shoe is being opened.',
});

/**
 * The events as a proposal shows them: without version, time and actors. Slips and salts are left out too, because the
 * payload contains them.
 */
export const toPreviewedEvents = (effects: readonly TableEvent[]): readonly PreviewedEvent[] =>
  effects.map(({ type, ...fields }) => ({
    type,
    ...Object.fromEntries(Object.entries(fields).filter(([field]) => !notPreviewed.has(field))),
  }));
const notPreviewed: ReadonlySet<string> = new Set(['v', 'at', 'actor', 'second', 'slips', 'salts']);

/** Commands that do not touch the round in play. Their approval remains valid when this round changes. */
const roundlessCommands: ReadonlySet<string> = new Set<ProposableCommandName>([
  'CloseTable',
  'ReopenTable',
  'CountSealedShoe',
  'CollectShortfall',
  'WriteOffShortfall',
]);

/**
 * True when the open proposal still has the effects that its hash covers. The round in play may have changed meanwhile,
 * if the proposal does not touch it.
 */
function isUnchanged(proposed: ProposableCommand, events: readonly TableEvent[], table: Table): boolean {
  const { id, command, hash, effectsHash } = table.proposal!;
  if (approvalHash(id, proposed, command, events, table) === hash) return true;
  const isRoundUntouched = roundlessCommands.has(proposed.type) || earlierRoundChangedBy(events, table) !== undefined;
  return isRoundUntouched && hashOf(effectsWithEarlierRound(toPreviewedEvents(events), table)) === effectsHash;
}

/**
 * Hash that an approval must repeat. It covers the payload, the events, and the state that a screen shows with the
 * events. Every text about a proposal is made from these three. The hash leaves out amounts that may change before the
 * approval: the posted part of a settlement, the credit of a session, and so the collected amounts and the shortfalls.
 */
const approvalHash = (
  proposal: string,
  { type }: ProposableCommand,
  command: object,
  events: readonly TableEvent[],
  table: Table,
): string =>
  hashOf({ proposal, command, effects: toPreviewedEvents(events), before: stateShownWith(type, events, table) });

/** The state before the command, as far as the screens show it. */
function stateShownWith(type: ProposableCommand['type'], events: readonly TableEvent[], table: Table) {
  const { round, settings, shoe } = table;
  const earlier = earlierRoundChangedBy(events, table);
  return {
    round: round && { id: round.id, cards: round.cards, ending: round.ending, slips: round.slips },
    ...(earlier && { earlier }),
    ...(type === 'ChangeSettings' && { settings }),
    ...(type === 'VerifyShoe' && { shoe }),
  };
}

/**
 * The events that an approval of the open proposal would give now, or the refusal of that approval. Views use this
 * function too, so that no screen offers an approval that would be refused.
 */
export function approvalEventsOrRefusal(proposed: ProposableCommand, stamp: EventStamp, table: Table): TableDecision {
  const effects = decideAsIfApproved(proposed, stamp, table, undefined);
  if (isRefused(effects)) return effects;
  return isRulingProposalOvertaken(table) || !isUnchanged(proposed, effects, table)
    ? refuseChangedProposal(table)
    : effects;
}

/**
 * True when the open proposal is a ruling, but the irregularity that must be ruled on now was found after the proposal
 * was made. [READING 59]
 */
export const isRulingProposalOvertaken = (table: Table): boolean =>
  isRulingCommand(table.proposal!.command.type) && (irregularityToRuleOn(table)?.since ?? 0) > table.proposal!.since;

const refuseChangedProposal = (table: Table): TableRefusal =>
  refuseAtTable(
    'changed-proposal',
    clausesOfTable(table).roles,
    'The proposal would now have another effect; check it and propose again.',
  );

/**
 * Approves the open proposal. `ruleFor` gives the approval rule of the proposed command in the present state, or a
 * refusal.
 */
export function decideApprove(
  command: CommandOf<'Approve'>,
  table: Table,
  ruleFor: (command: ProposableCommand) => ApprovalRule | TableRefusal,
): TableDecision {
  const { proposal } = table;
  const { roles } = clausesOfTable(table);
  const { at, actor } = command;
  if (proposal === null || proposal.id !== command.proposal) {
    return refuseAtTable('unknown-proposal', roles, 'That proposal is not open; check which proposal is open.');
  }
  if (at > proposal.expires)
    return refuseAtTable('expired-proposal', roles, 'The proposal has expired; propose it again.');
  if (isSameActor(actor, proposal.actor)) {
    return refuseAtTable('same-person', roles, 'Another person must approve the proposal; call another person.');
  }
  if (command.hash !== proposal.hash) return refuseChangedProposal(table);
  const proposed = { ...proposal.command, at, actor: proposal.actor } as ProposableCommand;
  const rule = ruleFor(proposed);
  if (isRefused(rule)) return rule;
  const stamp: EventStamp = { v: 1, at, actor: proposal.actor, second: actor };
  const effects = approvalEventsOrRefusal(proposed, stamp, table);
  if (isRefused(effects)) return effects.refused === 'same-person' ? effects : refuseChangedProposal(table);
  const role = approverRole(rule, proposal.actor, at)!;
  if (!('person' in actor) || !hasAuthority(actor, role, at)) {
    return refuseAtTable('not-your-role', roles, `A ${role} must approve the proposal; call one.`);
  }
  const events = decideAsIfApproved(proposed, stamp, table, command.credits ?? {});
  if (isRefused(events)) return events;
  return [{ type: 'Approved', ...tableEventStamp(command), proposal: proposal.id, hash: proposal.hash }, ...events];
}

/** Withdraws the open proposal, for its proposer or for a supervisor or higher role. */
export function decideWithdrawProposal(command: CommandOf<'WithdrawProposal'>, table: Table): TableDecision {
  const { proposal } = table;
  const { roles } = clausesOfTable(table);
  if (proposal === null || proposal.id !== command.proposal) {
    return refuseAtTable('unknown-proposal', roles, 'That proposal is not open; check which proposal is open.');
  }
  const { actor, at } = command;
  if (!isSameActor(actor, proposal.actor) && !('person' in actor && hasAuthority(actor, 'supervisor', at))) {
    return refuseAtTable(
      'not-your-role',
      roles,
      'Only the proposer or a supervisor may withdraw the proposal; ask one of them.',
    );
  }
  return [{ type: 'ProposalWithdrawn', ...tableEventStamp(command), proposal: command.proposal }];
}
