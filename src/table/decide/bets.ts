import { quoteForMessage, refuse } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { sessionLimitRefusal } from './sessionLimits.ts';
import { type TableDecision, clausesOfTable, refuseNotHere, refuseNotNow, tableEventStamp } from './decision.ts';
import { isCuttingCardDue } from './shoeEnd.ts';
import { type Slip } from '../schema/fieldTypes.ts';
import { totalStake } from '../payouts.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../schema/refusals.ts';
import { gamingDayOf } from '../schema/gamingDay.ts';
import { gameAndRulebookOf } from '../schema/settings.ts';
import { type Round, type Table, isPlaying, isShoeEmpty } from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';

/** Opens bets for a new round of a shoe that is ready. [BAC 3.1, SUP 3.1, ELM 3.1, FAB 3.1, ETG 3.1] */
export function decideOpenBets(command: CommandOf<'OpenBets'>, table: Table): TableDecision {
  const { settings, shoe } = table;
  const { open, cut } = clausesOfTable(table);
  if (table.phase !== 'idle') return refuseNotNow(table, open, 'finish the round first');
  if (table.closed)
    return refuseAtTable(
      'table-closed',
      null,
      'The table is closed; a pit manager and a Gaming Shift Manager can reopen it.',
    );
  if (table.pendingSettlements.length > 0) {
    return refuseAtTable('settlement-open', open, 'The last settlement is not fully posted; post the rest first.');
  }
  if (shoe === null || !shoe.ready) {
    return refuseAtTable('shoe-not-ready', null, 'No shoe is ready; prepare one first.');
  }
  if (shoe.lockedBy !== null) {
    return refuseAtTable('shoe-locked', shoe.lockedBy, 'The shoe is locked; dealer and supervisor must change it.');
  }
  if (shoe.roundsLeft === 0 || isShoeEmpty(shoe)) {
    return refuseAtTable(
      'shoe-over',
      cut,
      'The last round of the shoe has been played; end the shoe and bring another.',
    );
  }
  if (settings.burn === 'first-card' && !shoe.burned) {
    return refuseAtTable('burn-first', null, 'The first card of the shoe has not been burned; burn it first.');
  }
  if (isCuttingCardDue(shoe)) {
    return refuseAtTable(
      'cutting-card-due',
      cut,
      'By the number of cards drawn the cutting card must be out; report it, correct the cut, or report it missing.',
    );
  }
  const day = gamingDayOf(command.at, settings.profile);
  const number = shoe.rounds + 1;
  return [
    {
      type: 'BetsOpened',
      ...tableEventStamp(command),
      round: [settings.property, settings.table, day, shoe.id, number].join('/'),
      number,
      day,
      game: settings.game,
      decks: settings.decks,
      hash: gameAndRulebookOf(settings).gameHash,
      closesAt: command.at + settings.bettingTime,
      by: open,
    },
  ];
}

export function decideExtendBets(command: CommandOf<'ExtendBets'>, table: Table): TableDecision {
  if (table.phase !== 'betting') return refuseNotNow(table, clausesOfTable(table).open, 'open bets first');
  const round = table.round!;
  const closesAt = Math.max(round.closesAt, command.at) + command.time;
  return [{ type: 'BetsExtended', ...tableEventStamp(command), round: round.id, closesAt }];
}

/**
 * First step of the close: announces the deadline. [READING 15] With chips there is no second step: the dealer's call
 * closes bets at once. [READING 62]
 */
export function decideCallClose(command: CommandOf<'CallClose'>, table: Table): TableDecision {
  const { close } = clausesOfTable(table);
  if (table.phase !== 'betting')
    return refuseNotNow(table, close, 'the close is announced only once, and only while bets are open');
  const round = table.round!;
  const stamp = tableEventStamp(command);
  const called = { type: 'ClosingCalled', ...stamp, round: round.id, by: close } as const;
  if (table.settings.bets === 'chips') {
    return command.notice === undefined
      ? [
          { ...called, deadline: command.at },
          { type: 'BetsClosed', ...stamp, round: round.id, by: close },
        ]
      : refuseNotHere('with chips bets close at once; leave "notice" out');
  }
  return [{ ...called, deadline: Math.max(command.at + (command.notice ?? 0), round.closesAt) }];
}

const lastArrival = ({ deadline }: Round, { settings }: Table): number => deadline! + settings.grace;

/** Second step of the close, once no slip can arrive in time. [BAC 3.2, SUP 3.2, ELM 3.2, FAB 3.2, ETG 3.2] */
export function decideCloseBets(command: CommandOf<'CloseBets'>, table: Table): TableDecision {
  const { close } = clausesOfTable(table);
  if (table.phase !== 'closing') return refuseNotNow(table, close, 'announce the close first');
  const round = table.round!;
  const until = lastArrival(round, table);
  if (command.at < until) {
    return refuseAtTable('close-too-early', close, `Slips may still arrive until ${until}; close bets then.`, {
      until,
    });
  }
  return [{ type: 'BetsClosed', ...tableEventStamp(command), round: round.id, by: close }];
}

/**
 * Sets all stakes of a terminal. A slip replaces the previous slip of the terminal, so a resend is harmless. A slip
 * names its round, so a late slip never counts in the next round.
 */
export function decideSetSlip(command: CommandOf<'SetSlip'>, table: Table): TableDecision {
  const { close, limits } = clausesOfTable(table);
  if (table.settings.bets === 'chips')
    return refuseAtTable('no-terminals', null, 'Patrons bet with chips at this table; bet on the felt.');
  const round = isPlaying(table) ? table.round! : undefined;
  if (round?.id !== command.round) {
    return refuseAtTable(
      'bets-closed',
      close,
      `The round ${quoteForMessage(command.round)} takes no bets; wait for the next round.`,
      {},
    );
  }
  const { terminal } = command.actor as { terminal: string };
  const before = ownValue(round.slips, terminal) ?? {};
  const open = table.phase === 'betting' || (table.phase === 'closing' && command.at <= lastArrival(round, table));
  // A late slip is refused even if it changes nothing. A slip without change gives no event, so its acceptance would
  // not be stored, and a resend could get another answer.
  if (!open) return lateSlipRefusal(before, command, table, round);

  if (ownValue(round.voided, terminal) !== undefined) {
    return refuseAtTable(
      'bets-closed',
      close,
      'The bets of this terminal were voided by decision; wait for the next round.',
      {},
    );
  }
  const total = totalStake(command.slip);
  const debit = total - totalStake(before);
  const refusal = slipRefusal(command.slip, table) ?? sessionLimitRefusal(command, before, { total, debit });
  if (refusal) return refusal;
  if (debit > command.credit) {
    return refuseAtTable(
      'not-enough-credit',
      limits,
      `The added bets need ${debit}, and the credit is ${command.credit}; stake less.`,
      {
        credit: command.credit,
      },
    );
  }
  return [{ type: 'SlipSet', ...tableEventStamp(command), round: round.id, terminal, slip: command.slip, debit }];
}

/** Refuses the whole slip if one stake breaks a limit. [ETG 2.2, HOUSE 10, READING 36] */
function slipRefusal(slip: Slip, { settings }: Table): TableRefusal | undefined {
  const { limits: by } = gameAndRulebookOf(settings).book.clauses;
  const { step, limits, totalMinimum } = settings;
  let total = 0;
  for (const wager of Object.keys(slip)) {
    const range = ownValue(limits, wager);
    const stake = slip[wager]!;
    if (range === undefined) {
      return refuseAtTable(
        'wager-not-offered',
        by,
        `This table does not offer ${quoteForMessage(wager)}; it offers ${settings.offered.join(', ')}.`,
        { wager },
      );
    }
    if (!Number.isSafeInteger(stake) || stake <= 0) {
      return tableRefusalWithClause(
        refuse(
          'bad-stake',
          `A stake of ${stake} on ${wager} is not allowed; give a positive whole number, or leave the wager out.`,
        ),
        by,
      );
    }
    const [min, max] = range;
    if (stake % step !== 0) {
      return refuseAtTable(
        'off-step-stake',
        by,
        `A stake of ${stake} on ${wager} is not allowed; use multiples of ${step}.`,
        {
          wager,
          step,
        },
      );
    }
    if (stake < min) {
      return refuseAtTable('under-minimum', by, `The minimum on ${wager} is ${min}; stake more or nothing.`, {
        wager,
        minimum: min,
      });
    }
    if (stake > max) {
      return refuseAtTable('over-maximum', by, `The maximum on ${wager} is ${max}; stake less.`, {
        wager,
        maximum: max,
      });
    }
    total += stake;
  }
  if (total > 0 && total < totalMinimum) {
    return refuseAtTable(
      'under-total-minimum',
      by,
      `The minimum for all bets together is ${totalMinimum}; stake more or nothing.`,
      {
        minimum: totalMinimum,
      },
    );
  }
  return undefined;
}

/**
 * Refuses a slip after the close. The refusal states the evidence: until when slips were accepted, and when this slip
 * arrived. [ETG 5.5, READING 20, 21]
 */
function lateSlipRefusal(before: Slip, { slip, at }: CommandOf<'SetSlip'>, table: Table, round: Round): TableRefusal {
  const { placedLate, raisedLate, withdrawnLate } = clausesOfTable(table);
  const until = lastArrival(round, table);
  const evidence = { until, arrivedAt: at };
  const late = `Bets are closed${at > until ? `, and this slip arrived ${at - until} ms too late` : ''}`;
  const raised = Object.keys(slip).find((wager) => slip[wager]! > (ownValue(before, wager) ?? 0));
  const lowered = Object.keys(before).find((wager) => before[wager] !== ownValue(slip, wager));
  const accepted = ownValue(before, raised ?? lowered ?? '') ?? 0;
  if (accepted === 0) {
    return refuseAtTable('bets-closed', placedLate, `${late}; accepted bets stay. Wait for the next round.`, evidence);
  }
  if (raised !== undefined) {
    const excess = slip[raised]! - accepted;
    return refuseAtTable(
      'late-raise',
      raisedLate,
      `${late}: ${accepted} on ${raised} counts, but ${excess} more does not; bet the excess in the next round.`,
      { wager: raised, accepted, excess, ...evidence },
    );
  }
  return refuseAtTable(
    'late-withdrawal',
    withdrawnLate,
    `${late}: ${accepted} on ${lowered} cannot be withdrawn; wait for the result.`,
    { wager: lowered!, accepted, ...evidence },
  );
}
