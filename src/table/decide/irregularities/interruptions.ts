import { isMoreSerious } from '../../../games/irregularities.ts';
import { assert } from '../../../base/assert.ts';
import { type DecidedWagers, decidedWagers } from '../../../rules/decidedWagers.ts';
import { ownValue } from '../../../base/ownValue.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type Card } from '../../../rules/card.ts';
import { nextSlot } from '../../../rules/play.ts';
import { type CommandOf } from '../../schema/commands.ts';
import { type TableEvent } from '../../schema/events.ts';
import { type AmountsByTerminal } from '../../schema/fieldTypes.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../../schema/refusals.ts';
import { gameAndRulebookOf } from '../../schema/settings.ts';
import { type Table, isPlaying, isShoeEmpty } from '../../state.ts';
import {
  type TableDecision,
  type EventStamp,
  drawClauseOfTable,
  isDealtFromVirtualShoe,
  refuseMoreCardsThanShoeHolds,
  tableEventStamp,
} from '../decision.ts';
import { cardDealtEvents, checkDrawnCard } from '../cards.ts';
import { mayEnterFeltCards } from '../../irregularities.ts';
import { rulingRefusal } from './rulingRefusal.ts';
import { withoutIrregularities } from './rulings.ts';
import { voidEvents } from '../settlement.ts';

/**
 * Records a loss of table service. The round is stopped if the loss lasted too long or the state was lost. [ETG 5.9,
 * HOUSE 6, READING 12]
 */
export function decideReportInterruption(command: CommandOf<'ReportInterruption'>, table: Table): TableDecision {
  const { at, since, stateLost } = command;
  const { settings, round } = table;
  const stamp = tableEventStamp(command);
  if (since > at)
    return tableRefusalWithClause(
      refuse('bad-request', `The time ${since} is in the future; give the time at which the service was lost.`),
    );
  // The loss cannot have begun before the last event of the table, even if an earlier time is reported.
  const from = Math.max(since, table.at);
  const isTooLong = at - from > settings.interruption && table.referrals.length === 0;
  const isReported = table.openIrregularities.some(({ kind }) => kind === 'interruption');
  // A round with chips is not stopped: the dealer finishes it by hand and enters its cards afterwards. [READING 62]
  if (!isPlaying(table) || settings.bets === 'chips' || isReported || !(isTooLong || stateLost)) {
    return [{ type: 'InterruptionLogged', ...stamp, ...(isPlaying(table) && { round: round!.id }), since, stateLost }];
  }
  // A more serious open irregularity is ruled on before the interruption. [READING 59]
  const below = table.openIrregularities.filter(({ kind }) => isMoreSerious(kind, 'interruption')).length;
  const { by, rulings } = gameAndRulebookOf(settings).book.irregularities.interruption;
  const interrupted = {
    type: 'Interrupted',
    ...stamp,
    round: round!.id,
    by,
    since: from,
    stateLost,
    rulings: Object.keys(rulings).filter((ruling) => ruling !== 'enter' || !isDealtFromVirtualShoe(table)),
    ...(below > 0 && { below }),
  } as const;
  if (settings.attended || table.referrals.length > 0 || below > 0) return [interrupted];
  const rulingResult = rulingEvents(stamp, table, {});
  assert(!isRefused(rulingResult), 'an unattended table reopens no settled round, so no money is taken back');
  return [interrupted, ...rulingResult];
}

/**
 * Carries out the computed ruling, which staff only confirm. While cards are dealt from a live shoe, two persons must
 * first confirm the cards on the felt. [READING 61]
 */
export const decideConfirmRuling = (
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision => rulingRefusal('ConfirmRuling', table) ?? rulingEvents(stamp, table, credits);

/**
 * Two persons enter the cards that lie on the felt and are not recorded, in the order in which they left the shoe. With
 * the command they confirm that the felt holds no other card. With `unseen`, one more card lies face down. [READING 18,
 * 61]
 */
export function decideConfirmFelt(command: CommandOf<'ConfirmFelt'>, stamp: EventStamp, table: Table): TableDecision {
  const [irregularity] = table.openIrregularities;
  // If a further card is found after the felt was confirmed, the command enters that card and confirms the felt again.
  const isFoundLater =
    command.cards !== undefined && irregularity !== undefined && mayEnterFeltCards(irregularity, table);
  const refusal = isFoundLater ? undefined : rulingRefusal('ConfirmFelt', table);
  if (refusal !== undefined) return refusal;
  const { unseen, reason } = command;
  const entered = feltCardEvents(command.cards ?? [], stamp, table);
  if (isRefused(entered)) return entered;
  const { shoe, round } = entered.table;
  if (unseen && nextSlot(round!.cards) === undefined) return refuseCardAfterDeal(table);
  if (unseen && isShoeEmpty(shoe!))
    return refuseMoreCardsThanShoeHolds(
      table,
      'The shoe has no card left; no card can lie face down, so leave "unseen" out.',
    );
  return [
    ...entered.events,
    {
      type: 'FeltConfirmed',
      ...stamp,
      round: round!.id,
      by: table.openIrregularities[0]!.by,
      cards: round!.cards,
      ...(unseen && { unseen }),
      ...(reason !== undefined && { reason }),
    },
  ];
}

/** The events of cards that are entered from the felt, and the table with these cards. */
function feltCardEvents(
  cards: readonly string[],
  stamp: EventStamp,
  before: Table,
): { readonly events: readonly TableEvent[]; readonly table: Table } | TableRefusal {
  const events: TableEvent[] = [];
  const entered: Card[] = [];
  for (const text of cards) {
    const table = withCards(before, entered);
    const round = table.round!;
    if (nextSlot(round.cards) === undefined) return refuseCardAfterDeal(table);
    const drawn = checkDrawnCard({ card: text }, table);
    if (isRefused(drawn)) return drawn;
    events.push(...cardDealtEvents(stamp, table, round, drawn, { afterwards: true }));
    entered.push(drawn.card);
  }
  return { events, table: withCards(before, entered) };
}

/** The table with these cards dealt from the shoe. */
function withCards(table: Table, cards: readonly Card[]): Table {
  if (cards.length === 0) return table;
  const round = table.round!;
  const shoe = table.shoe!;
  const seen = { ...shoe.seen };
  for (const card of cards) seen[card] = (ownValue(seen, card) ?? 0) + 1;
  const drawn = shoe.drawn + cards.length - (shoe.carried ? 1 : 0);
  return {
    ...table,
    round: { ...round, cards: [...round.cards, ...cards] },
    shoe: { ...shoe, seen, drawn, carried: false },
  };
}

const refuseCardAfterDeal = (table: Table): TableRefusal =>
  refuseAtTable(
    'card-after-deal',
    drawClauseOfTable(table),
    'The deal is complete before the last of these cards; enter the cards of the deal, then report the others.',
  );

/**
 * Fast path for a round without a card, as after an orderly stop. No wager of a registered game is decided before the
 * first card, so nothing need be computed. Otherwise the next start would spend 0.3 s and 40 MB on forecasts of ten
 * games.
 */
const nothingDecided: DecidedWagers = { established: false, won: [], lost: [] };

/** Ruling after an interruption: resume if the cards dealt have decided a wager, else void. [READING 10, 11] */
export function computedInterruptionRuling({ settings, round }: Table) {
  const { game, book } = gameAndRulebookOf(settings);
  const { cards } = round!;
  const { established, won, lost } = cards.length === 0 ? nothingDecided : decidedWagers(game, settings.offered, cards);
  const ruling = established ? 'resume' : 'void';
  return { ruling, by: book.irregularities.interruption.rulings[ruling]!.by, won, lost } as const;
}

function rulingEvents(stamp: EventStamp, table: Table, credits: AmountsByTerminal | undefined): TableDecision {
  const { ruling, by, won, lost } = computedInterruptionRuling(table);
  const round = table.round!;
  if (ruling === 'resume') return [{ type: 'RoundResumed', ...stamp, round: round.id, by, won, lost }];
  const reason = 'No outcome was established before the interruption.';
  return voidEvents(stamp, withoutIrregularities(table), round, round.slips, { by, reason }, credits);
}
