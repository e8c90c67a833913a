import { isMoreSerious } from '../../../games/irregularities.ts';
import { assert } from '../../../base/assert.ts';
import { decidedWagers } from '../../../rules/decidedWagers.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type CommandOf } from '../../schema/commands.ts';
import { type AmountsByTerminal } from '../../schema/fieldTypes.ts';
import { type TableRefusal, refuseAtTable, withClause } from '../../schema/refusals.ts';
import { gameAndRulebookOf } from '../../schema/settings.ts';
import { type OpenIrregularity, type Table, isPlaying } from '../../state.ts';
import {
  type TableDecision,
  type EventStamp,
  clausesAt,
  usesVirtualShoe,
  refuseNotNow,
  tableEventStamp,
} from '../decision.ts';
import { voidEvents } from '../settlement.ts';

/**
 * Records a loss of table service. It stops the round if it was too long or the state was lost. [ETG 5.9, HOUSE 6,
 * READING 12]
 */
export function decideReportInterruption(command: CommandOf<'ReportInterruption'>, table: Table): TableDecision {
  const { at, since, stateLost } = command;
  const { settings, round } = table;
  const stamp = tableEventStamp(command);
  if (since > at)
    return withClause(
      refuse('bad-request', `The time ${since} is in the future; give the time at which the service was lost.`),
    );
  // The table had service at the time of its last event, even if an earlier time is reported.
  const from = Math.max(since, table.at);
  const isTooLong = at - from > settings.interruption && table.referrals.length === 0;
  const isReported = table.openIrregularities.some(({ kind }) => kind === 'interruption');
  // A round with chips is not stopped: the dealer finishes it by hand and enters it afterwards. [READING 62]
  if (!isPlaying(table) || settings.bets === 'chips' || isReported || !(isTooLong || stateLost)) {
    return [{ type: 'InterruptionLogged', ...stamp, ...(isPlaying(table) && { round: round!.id }), since, stateLost }];
  }
  // More serious open irregularities are ruled on before the interruption. [READING 59]
  const below = table.openIrregularities.filter(({ kind }) => isMoreSerious(kind, 'interruption')).length;
  const { by, rulings } = gameAndRulebookOf(settings).book.irregularities.interruption;
  const interrupted = {
    type: 'Interrupted',
    ...stamp,
    round: round!.id,
    by,
    since: from,
    stateLost,
    rulings: Object.keys(rulings).filter((ruling) => ruling !== 'enter' || !usesVirtualShoe(table)),
    ...(below > 0 && { below }),
  } as const;
  if (settings.attended || table.referrals.length > 0 || below > 0) return [interrupted];
  const rulingResult = rulingEvents(stamp, table, {});
  assert(!isRefused(rulingResult), 'without staff no settled round is dealt on, so that nothing is taken back');
  return [interrupted, ...rulingResult];
}

/**
 * Carries out the computed ruling, which staff only confirm. At a live shoe the cards that had left it are entered
 * first. [READING 61]
 */
export function decideConfirmRuling(
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const irregularity = leadingInterruption(table);
  if (isRefused(irregularity)) return irregularity;
  return isFeltUnconfirmed(irregularity, table)
    ? refuseUnconfirmedFelt(irregularity, 'enter it, then confirm the felt')
    : rulingEvents(stamp, table, credits);
}

function leadingInterruption(table: Table): OpenIrregularity | TableRefusal {
  const [irregularity] = table.openIrregularities;
  return irregularity?.kind === 'interruption'
    ? irregularity
    : refuseAtTable(
        'no-such-ruling',
        clausesAt(table).refer,
        'No interruption awaits confirmation; rule on the open irregularity.',
      );
}

/**
 * True when a card on the felt may be unrecorded; no ruling is computed before two persons confirm the felt. [READING
 * 61]
 */
export const isFeltUnconfirmed = ({ kind, rulings, felt }: OpenIrregularity, { phase }: Table): boolean =>
  kind === 'interruption' && rulings.includes('enter') && phase === 'dealing' && !felt;

export const refuseUnconfirmedFelt = ({ by }: OpenIrregularity, instead: string): TableRefusal =>
  refuseAtTable('felt-first', by, `A card on the felt may not be recorded yet; ${instead}.`);

/** Two persons confirm that felt and recorded cards agree, except for one card face down. [READING 18, 61] */
export function decideConfirmFelt(command: CommandOf<'ConfirmFelt'>, stamp: EventStamp, table: Table): TableDecision {
  const irregularity = leadingInterruption(table);
  if (isRefused(irregularity)) return irregularity;
  if (!isFeltUnconfirmed(irregularity, table)) {
    return refuseNotNow(table, irregularity.by, 'the felt is already confirmed; confirm the ruling');
  }
  const { unseen, reason } = command;
  const { shoe, round, settings } = table;
  if (unseen && shoe!.drawn >= shoe!.size && !shoe!.carried) {
    return refuseAtTable(
      'shoe-over',
      gameAndRulebookOf(settings).book.irregularities['too-few-cards'].by,
      'The shoe has no card left, so none can lie face down; check again.',
    );
  }
  return [
    {
      type: 'FeltConfirmed',
      ...stamp,
      round: round!.id,
      by: irregularity.by,
      cards: round!.cards,
      ...(unseen && { unseen }),
      ...(reason !== undefined && { reason }),
    },
  ];
}

/** Ruling after an interruption: resume if the cards dealt have decided a wager, else void. [READING 10, 11] */
export function computedRuling({ settings, round }: Table) {
  const { game, book } = gameAndRulebookOf(settings);
  const { established, won, lost } = decidedWagers(game, settings.offered, round!.cards);
  const ruling = established ? 'resume' : 'void';
  return { ruling, by: book.irregularities.interruption.rulings[ruling]!.by, won, lost } as const;
}

function rulingEvents(stamp: EventStamp, table: Table, credits: AmountsByTerminal | undefined): TableDecision {
  const { ruling, by, won, lost } = computedRuling(table);
  const round = table.round!;
  if (ruling === 'resume') return [{ type: 'RoundResumed', ...stamp, round: round.id, by, won, lost }];
  const reason = 'No outcome was established before the interruption.';
  const openIrregularities = table.openIrregularities.filter((irregularity) => irregularity.round !== round.id);
  return voidEvents(stamp, { ...table, openIrregularities }, round, round.slips, { by, reason }, credits);
}
