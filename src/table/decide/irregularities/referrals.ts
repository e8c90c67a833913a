import { hasAuthority } from '../../../access/roles.ts';
import { isSameActor } from '../../../access/actor.ts';
import { type ApprovalRule, approvalRules } from '../../../access/approvalRules.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type CommandOf } from '../../schema/commands.ts';
import { type TableEvent } from '../../schema/events.ts';
import { type AmountsByTerminal } from '../../schema/fieldTypes.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../../schema/refusals.ts';
import {
  isFeltUnconfirmed,
  isFoundBySystem,
  irregularitiesOfReferral,
  remainingReferrals,
} from '../../irregularities.ts';
import {
  type EarlierRound,
  type OpenIrregularity,
  type Referral,
  type Round,
  type Table,
  isPlaying,
  hasEndedWithResults,
  findRound,
} from '../../state.ts';
import { ownValue } from '../../../base/ownValue.ts';
import {
  type TableDecision,
  type EventStamp,
  drawClauseOfTable,
  refuseNotNow,
  referralClauseOf,
  referredEvent,
  tableEventStamp,
} from '../decision.ts';
import { computedInterruptionRuling } from './interruptions.ts';
import { commandsToRule, refuseUnconfirmedFelt } from './rulingRefusal.ts';
import { irregularityRule } from './reports.ts';
import { shoeLockEvents, withoutIrregularities, shoeOfRound } from './rulings.ts';
import { settlementEvents, slipVoidEvents, slipsOfRoundOrRefusal, voidEvents } from '../settlement.ts';

/**
 * Refers a question to the Gaming Shift Manager: about a round, about one terminal of a round, or about no round. [ETG
 * 6.1, HOUSE 1]
 */
export function decideRefer(command: CommandOf<'Refer'>, table: Table): TableDecision {
  const { reason, terminal } = command;
  const round = command.round ?? defaultRound(table);
  const by = referralClauseOf(table, round);
  const kept = findRound(table, round);
  if (round !== null && kept === undefined) {
    return refuseAtTable(
      'no-such-round',
      by,
      'The table has no round with that id; name another round, or leave "round" out.',
    );
  }
  if (terminal !== undefined) {
    if (table.settings.bets === 'chips') {
      return refuseAtTable('no-terminals', null, 'Patrons bet with chips at this table; refer the round as a whole.');
    }
    if (kept === undefined)
      return refuseAtTable('no-such-round', by, 'A terminal is referred together with a round; name the round.');
    // For an earlier round the table does not know which terminals had stakes.
    if ('slips' in kept && ownValue(kept.slips, terminal) === undefined) {
      return refuseAtTable('no-such-slip', by, `${terminal} has no stakes in the round; refer the round as a whole.`);
    }
  }
  return [
    referredEvent(tableEventStamp(command), table, {
      ...(round !== null && { round }),
      ...(terminal !== undefined && { terminals: [terminal] }),
      by,
      reason,
    }),
  ];
}

/**
 * The round that a referral without `round` is about: the round of the open irregularity, else the round in play.
 * [READING 55]
 */
const defaultRound = (table: Table): string | null => {
  const [irregularity] = table.openIrregularities;
  if (irregularity !== undefined) return irregularity.round;
  return isPlaying(table) ? table.round!.id : null;
};

const referralOf = ({ referral }: CommandOf<'DecideReferral'>, { referrals }: Table): Referral | undefined =>
  referral === undefined ? referrals[0] : referrals.find(({ id }) => id === referral);

/**
 * Approval rule of a decision. The Gaming Shift Manager decides alone. In three cases a supervisor takes part: the
 * decision changes a settled round, dismisses a report on a settled round, or is made by the person who made the
 * referral. [READING 53, 54]
 */
export function decisionApprovalRule(command: CommandOf<'DecideReferral'>, table: Table): ApprovalRule {
  const singleRule = approvalRules['decide a referral'];
  const { actor, at } = command;
  const referral = referralOf(command, table);
  if (referral === undefined) return singleRule;
  if (touchesSettledRound(command, referral, table)) return approvalRules['rule after settlement'];
  const { actor: referrer } = referral;
  // True when a second person must take part: the deciding Gaming Shift Manager also made the referral or, if the actor
  // has a lower role, a Gaming Shift Manager made it. Then a supervisor may propose the decision.
  const isReferrer =
    'person' in actor && hasAuthority(actor, singleRule.first, at)
      ? isSameActor(actor, referrer)
      : 'person' in referrer && hasAuthority(referrer, singleRule.first, at);
  return isReferrer ? approvalRules['rule after settlement'] : singleRule;
}

/** True when the decision voids a settled round, settles it again, or dismisses a report on it. */
function touchesSettledRound({ decision }: CommandOf<'DecideReferral'>, referral: Referral, table: Table): boolean {
  const round = findRound(table, referral.round);
  if (round === undefined || !hasEndedWithResults(round)) return false;
  if (decision === 'void') return true;
  if (decision !== 'stand' || referral.terminals !== null) return false;
  return isCurrentlyPlayed(round, table) || irregularitiesOfReferral(referral, table).length > 0;
}

const isCurrentlyPlayed = (round: Round | EarlierRound | undefined, table: Table): round is Round =>
  isPlaying(table) && round === table.round;

export function decideReferral(
  command: CommandOf<'DecideReferral'>,
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const referral = referralOf(command, table);
  const by = referralClauseOf(table, referral?.round ?? null);
  if (referral === undefined) return refuseNotNow(table, by, 'no referral with that id is open; name an open referral');
  const { decision, reason } = command;
  const terminal = decidedTerminal(command, referral, by);
  if (isRefused(terminal)) return terminal;
  if (command.lock && table.shoe === null) {
    return refuseAtTable('shoe-not-ready', by, 'There is no shoe to lock; decide without "lock".');
  }
  const endsRound = decision === 'void' && terminal === undefined && referral.round === table.round?.id;
  if (command.lock && isPlaying(table) && table.phase !== 'result' && !endsRound) {
    const sentence = 'The round in play needs cards of the shoe; decide without "lock", or void the round.';
    return tableRefusalWithClause(refuse('bad-request', sentence), by);
  }
  const decided: TableEvent = {
    type: 'ReferralDecided',
    ...stamp,
    referral: referral.id,
    ...(referral.round !== null && { round: referral.round }),
    ...(terminal !== undefined && { terminal }),
    decision,
    by,
    reason,
  };
  const context: DecisionContext = {
    referral,
    terminal,
    by,
    rest: { ...table, referrals: remainingReferrals(table.referrals, referral, terminal) },
  };
  const events = decisionEvents(command, stamp, context, credits);
  if (isRefused(events)) return events;
  const isLocked = events.some(({ type }) => type === 'ShoeLocked');
  const locked = command.lock && !isLocked ? shoeLockEvents(stamp, table.shoe, by, reason) : [];
  // With `burn`, the decision opens an irregularity that lasts until the exposed card is burned. So the shoe is locked
  // before the decision.
  return decision === 'burn' ? [...locked, decided] : [decided, ...events, ...locked];
}

type DecisionContext = {
  readonly referral: Referral;
  readonly terminal: string | undefined;
  readonly by: string;
  /** The table without the decided referral, if the decision closes this referral. */
  readonly rest: Table;
};

/** The terminal that the decision is about; undefined for all terminals. [READING 13] */
function decidedTerminal(
  { terminal, decision, slips }: CommandOf<'DecideReferral'>,
  { terminals }: Referral,
  by: string,
): string | undefined | TableRefusal {
  if (slips !== undefined && decision !== 'void') {
    return tableRefusalWithClause(refuse('bad-request', `"${decision}" takes no slips; leave them out.`), by);
  }
  if (decision === 'continue' || decision === 'burn') {
    return terminal === undefined
      ? undefined
      : tableRefusalWithClause(
          refuse('bad-request', `"${decision}" is for the whole table; leave the terminal out.`),
          by,
        );
  }
  if (terminals === null && terminal !== undefined && decision === 'stand') {
    const sentence =
      'The referral is about the whole round, so its result stands for all terminals; leave the terminal out, or refer that terminal by itself.';
    return tableRefusalWithClause(refuse('bad-request', sentence), by);
  }
  if (terminals === null) return terminal;
  if (terminal === undefined || terminals.includes(terminal)) return terminals[0];
  return refuseAtTable('no-such-slip', by, `The referral is about ${terminals[0]!}; leave the terminal out.`);
}

/** The events that follow from the decision; only the referred round changes. */
function decisionEvents(
  command: CommandOf<'DecideReferral'>,
  stamp: EventStamp,
  context: DecisionContext,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const { referral, by } = context;
  switch (command.decision) {
    case 'continue':
      return [];
    case 'burn':
      return referral.proposed?.decision === 'burn'
        ? []
        : refuseAtTable('no-such-ruling', by, 'The referral is not about a card to burn; make another decision.');
    case 'stand':
      return standEvents(stamp, context, credits);
    case 'void':
      return voidDecisionEvents(command, stamp, context, credits);
  }
}

/**
 * The events of the decision `stand`: the result stands. Refused if the rulebook allows only a void, or if the system
 * found the irregularity.
 */
function standEvents(
  stamp: EventStamp,
  { referral, terminal, rest }: DecisionContext,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  if (terminal !== undefined) return [];
  const irregularities = irregularitiesOfReferral(referral, rest);
  const notAllowing = irregularities.find(
    (irregularity) => irregularity.rulings.every((one) => one === 'void') || isFoundBySystem(irregularity, rest),
  );
  if (notAllowing !== undefined) return refuseCommandedRuling(notAllowing, rest);
  const round = findRound(rest, referral.round);
  if (!isCurrentlyPlayed(round, rest)) return [];
  if (rest.phase !== 'result') {
    return refuseAtTable(
      'incomplete-deal',
      drawClauseOfTable(rest),
      'The round is not dealt to its end; decide to continue.',
    );
  }
  return settlementEvents(stamp, withoutIrregularities(rest), credits);
}

function voidDecisionEvents(
  command: CommandOf<'DecideReferral'>,
  stamp: EventStamp,
  { referral, terminal, by, rest }: DecisionContext,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const round = findRound(rest, referral.round);
  if (round === undefined || !(isCurrentlyPlayed(round, rest) || hasEndedWithResults(round))) {
    return refuseAtTable(
      'no-such-round',
      by,
      'The referral is about no round that can be voided; make another decision.',
    );
  }
  const slips = slipsOfRoundOrRefusal(command.slips, round, by);
  if (isRefused(slips)) return slips;
  const { reason } = command;
  const proposedBy = referral.proposed?.decision === 'void' ? referral.proposed.by : by;
  if (terminal !== undefined) {
    return ownValue(slips, terminal) === undefined
      ? refuseAtTable('no-such-slip', by, `${terminal} has no stakes in the round; make another decision.`)
      : slipVoidEvents(stamp, rest, round, slips, terminal, { by: proposedBy, reason }, credits);
  }
  const irregularities = irregularitiesOfReferral(referral, rest);
  const unconfirmed = irregularities.find((irregularity) => isFeltUnconfirmed(irregularity, rest));
  if (unconfirmed !== undefined)
    return refuseUnconfirmedFelt(unconfirmed, 'decide to continue, and let dealer and supervisor check the felt');
  const notAllowing = irregularities.find((irregularity) => !mayVoid(irregularity, rest));
  if (notAllowing !== undefined) return refuseCommandedRuling(notAllowing, rest);
  // The clause of the void is that of the most serious irregularity, as in a void without a referral. [READING 65]
  const effects = irregularities.map(({ kind }) => irregularityRule(rest, kind).rulings.void!);
  const voidBy = effects[0]?.by ?? proposedBy;
  const ended = voidEvents(stamp, withoutIrregularities(rest), round, slips, { by: voidBy, reason }, credits);
  if (isRefused(ended)) return ended;
  const locking = effects.find(({ shoe }) => shoe === 'locked');
  return locking === undefined
    ? ended
    : [...ended, ...shoeLockEvents(stamp, shoeOfRound(rest, round), locking.by, reason)];
}

/**
 * True when the rulebook allows a void for the irregularity. After an interruption, the computed ruling must be a void
 * too.
 */
const mayVoid = ({ kind, rulings }: OpenIrregularity, table: Table): boolean =>
  rulings.includes('void') && (kind !== 'interruption' || computedInterruptionRuling(table).ruling === 'void');

const refuseCommandedRuling = (irregularity: OpenIrregularity, table: Table): TableRefusal =>
  refuseAtTable(
    'void-commanded',
    irregularity.by,
    `The open irregularity does not allow that decision; decide "continue", then send ${commandsToRule(irregularity, table).join(', ')}.`,
  );
