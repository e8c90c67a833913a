import { type RulingEffect } from '../../../games/irregularities.ts';
import { parseCard } from '../../../rules/card.ts';
import { isRefused } from '../../../base/refusal.ts';
import { type CommandOf } from '../../schema/commands.ts';
import { type TableEvent } from '../../schema/events.ts';
import { type AmountsByTerminal } from '../../schema/fieldTypes.ts';
import { type TableRefusal, tableRefusalWithClause } from '../../schema/refusals.ts';
import { gameAndRulebookOf } from '../../schema/settings.ts';
import { commandByRuling } from '../../schema/commandByRuling.ts';
import { rulingRefusal } from './rulingRefusal.ts';
import {
  type OpenIrregularity,
  type RoundRecord,
  type ShoeState,
  type Table,
  findRound,
  isPlaying,
} from '../../state.ts';
import { ownValue } from '../../../base/ownValue.ts';
import { cardDealtEvents, roundExpectingSlotOrRefusal, checkDrawnCard } from '../cards.ts';
import { type TableDecision, type EventStamp, clausesOfTable, referredEvent } from '../decision.ts';
import { irregularityFoundEvent, irregularityRule } from './reports.ts';
import { voidEvents } from '../settlement.ts';

/** The effect that a ruling on the first open irregularity has now, or a refusal if the ruling is not possible. */
export function rulingEffectOrRefusal(table: Table, ruling: keyof typeof commandByRuling): RulingEffect | TableRefusal {
  const refusal = rulingRefusal(commandByRuling[ruling], table);
  if (refusal !== undefined) return refusal;
  const irregularity = table.openIrregularities[0]!;
  return currentRulingEffect(irregularityRule(table, irregularity.kind).rulings[ruling]!, irregularity, table);
}

/**
 * The effect that a ruling of the rulebook has in the present state. Without a round there is nothing to void, and a
 * shoe that has left the table is not locked. Views show this effect too. [READING 25, 55]
 */
export function currentRulingEffect(
  effect: RulingEffect,
  { round: id }: Pick<OpenIrregularity, 'round'>,
  table: Table,
): RulingEffect {
  if (effect.round !== 'void') return effect;
  const round = findRound(table, id);
  if (round === undefined) return { ...effect, round: 'unchanged', money: 'unchanged' };
  return shoeOfRound(table, round) === null ? { ...effect, shoe: 'goes on' } : effect;
}

/**
 * A copy of the table without open irregularities, for the end of a round. The end closes the irregularities of this
 * round, so they must not delay its settlement.
 */
export const withoutIrregularities = (table: Table): Table => ({ ...table, openIrregularities: [] });

const roundField = ({ openIrregularities }: Table): { readonly round?: string } => {
  const round = openIrregularities[0]!.round;
  return round === null ? {} : { round };
};

/**
 * Voids the round by the clause of the open irregularity. Without an open irregularity, staff void the round before the
 * close of bets; after the close this command refers the round. [READING 51, HOUSE 12]
 */
export function decideVoidRound(
  command: CommandOf<'VoidRound'>,
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const { round, openIrregularities, phase } = table;
  const { reason } = command;
  if (openIrregularities.length === 0 && isPlaying(table) && 'person' in stamp.actor) {
    const { unplayable, refer } = clausesOfTable(table);
    return phase === 'betting' || phase === 'closing'
      ? voidEvents(stamp, table, round!, round!.slips, { by: unplayable, reason }, credits)
      : [
          referredEvent(stamp, table, {
            round: round!.id,
            by: refer,
            reason,
            proposed: 'void',
            proposedBy: unplayable,
          }),
        ];
  }
  const effect = rulingEffectOrRefusal(table, 'void');
  if (isRefused(effect)) return effect;
  const { by, shoe } = effect;
  if (effect.round === 'unchanged') return shoeLockEvents(stamp, table.shoe, by, reason);
  const voided = voidEvents(stamp, withoutIrregularities(table), round!, round!.slips, { by, reason }, credits);
  if (isRefused(voided)) return voided;
  return shoe === 'locked' ? [...voided, ...shoeLockEvents(stamp, table.shoe, by, reason)] : voided;
}

export const shoeLockEvents = (
  stamp: EventStamp,
  shoe: ShoeState | null,
  by: string,
  reason: string,
): readonly TableEvent[] => (shoe === null ? [] : [{ type: 'ShoeLocked', ...stamp, shoe: shoe.id, by, reason }]);

export const shoeOfRound = ({ shoe }: Table, round: RoundRecord): ShoeState | null =>
  shoe?.id === round.shoe ? shoe : null;

/**
 * The events for a card of which more copies were seen than the decks have. These events stop the round in play.
 * Between rounds they lock the shoe. [READING 25]
 */
export function extraCardEvents(stamp: EventStamp, table: Table, card: string): readonly TableEvent[] {
  const note = `${card} is seen more often than the decks hold.`;
  const event = irregularityFoundEvent(stamp, table, 'extra-card', note);
  if (isPlaying(table)) return [event];
  return [
    { ...event, stops: false },
    { type: 'ShoeLocked', ...stamp, shoe: table.shoe!.id, by: event.by, reason: note },
  ];
}

/**
 * Enters a card that a person has read. Either the card reader cannot read the card [READING 44], or the card left a
 * live shoe before an interruption [READING 61].
 */
export function decideEnterCard(command: CommandOf<'EnterCard'>, stamp: EventStamp, table: Table): TableDecision {
  const effect = rulingEffectOrRefusal(table, 'enter');
  if (isRefused(effect)) return effect;
  const round = roundExpectingSlotOrRefusal(command.slot, table);
  if (isRefused(round)) return round;
  const drawn = checkDrawnCard({ card: command.card }, table);
  if (isRefused(drawn)) return drawn;
  const how = table.openIrregularities[0]!.kind === 'interruption' ? { afterwards: true } : { byEye: effect.by };
  return cardDealtEvents(stamp, table, round, drawn, how);
}

export function decideRestoreOrder(command: CommandOf<'RestoreOrder'>, stamp: EventStamp, table: Table): TableDecision {
  const effect = rulingEffectOrRefusal(table, 'restore');
  if (isRefused(effect)) return effect;
  return [{ type: 'OrderRestored', ...stamp, ...roundField(table), by: effect.by, reason: command.reason }];
}

export function decideBurnCard(command: CommandOf<'BurnCard'>, stamp: EventStamp, table: Table): TableDecision {
  const effect = rulingEffectOrRefusal(table, 'burn');
  if (isRefused(effect)) return effect;
  const card = parseCard(command.card, gameAndRulebookOf(table.settings).game.deck);
  if (isRefused(card)) return tableRefusalWithClause(card, effect.by);
  const { shoe, settings } = table;
  return [
    { type: 'CardBurned', ...stamp, ...roundField(table), card, by: effect.by, reason: command.reason },
    ...((ownValue(shoe!.seen, card) ?? 0) < settings.decks ? [] : extraCardEvents(stamp, table, card)),
  ];
}

export function decideDismissReport(
  command: CommandOf<'DismissReport'>,
  stamp: EventStamp,
  table: Table,
): TableDecision {
  const refusal = rulingRefusal('DismissReport', table);
  if (refusal !== undefined) return refusal;
  const { kind } = table.openIrregularities[0]!;
  return [{ type: 'ReportDismissed', ...stamp, ...roundField(table), kind, reason: command.reason }];
}
