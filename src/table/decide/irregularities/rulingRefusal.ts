import { type CommandName } from '../../schema/commands.ts';
import { commandByRuling, rulingOfCommand } from '../../schema/commandByRuling.ts';
import { type TableRefusal, refuseAtTable } from '../../schema/refusals.ts';
import { isDismissible, isFeltUnconfirmed, irregularityToRuleOn } from '../../irregularities.ts';
import { type OpenIrregularity, type Table, isShoeEmpty } from '../../state.ts';
import { noCardDueRefusal, noCardAvailableRefusal } from '../cards.ts';
import { noCorrectableCardRefusal } from './correctableRounds.ts';
import { clausesOfTable, refuseMoreCardsThanShoeHolds, refuseNotNow } from '../decision.ts';

/** A command that rules on an open irregularity. */
export type RulingCommandName =
  | (typeof commandByRuling)[keyof typeof commandByRuling]
  | 'ConfirmRuling'
  | 'ConfirmFelt'
  | 'DismissReport';

/**
 * Refusal of an act while a referral freezes the table. Undefined if no referral is open, or if an irregularity must be
 * ruled on before the referral is decided.
 */
export function frozenRefusal(table: Table): TableRefusal | undefined {
  const [referral] = table.referrals;
  if (referral === undefined || irregularityToRuleOn(table) !== undefined) return undefined;
  return refuseAtTable(
    'awaiting-decision',
    referral.by,
    'The table is frozen; wait for the decision of the Gaming Shift Manager.',
  );
}

export const refuseUnconfirmedFelt = ({ by }: OpenIrregularity, instead: string): TableRefusal =>
  refuseAtTable('felt-first', by, `A card on the felt may still be unrecorded; ${instead}.`);

/**
 * The refusal that every ruling command of this name gets now, whatever it contains, such as cards. Undefined if such a
 * command may be accepted. Deciders and views both use this function, so that no view offers a ruling option that would
 * be refused.
 */
export function rulingRefusal(command: RulingCommandName, table: Table): TableRefusal | undefined {
  const frozen = frozenRefusal(table);
  if (frozen !== undefined) return frozen;
  const [irregularity] = table.openIrregularities;
  if (irregularity === undefined) {
    const by = clausesOfTable(table).refer;
    return refuseAtTable('no-such-ruling', by, 'No irregularity is open; send ReportIrregularity first, or Refer.');
  }
  if (isAllowed(command, irregularity, table)) return preconditionRefusal(command, irregularity, table);
  return refuseAtTable(
    'no-such-ruling',
    irregularity.by,
    `${command} is not possible for ${irregularity.kind}; send ${commandsToRule(irregularity, table).join(', ')}.`,
  );
}

/**
 * Refusal while no card can be corrected; undefined if a card can be corrected. While an irregularity is open, it must
 * allow the correction.
 */
export const cardCorrectionRefusal = (table: Table): TableRefusal | undefined =>
  table.openIrregularities.length > 0
    ? rulingRefusal('CorrectCard', table)
    : (frozenRefusal(table) ?? noCorrectableCardRefusal(table));

/** Commands that rule on the irregularity in the present state, and `Refer`, which is always possible. */
export function commandsToRule(irregularity: OpenIrregularity, table: Table): readonly CommandName[] {
  const commands: readonly RulingCommandName[] =
    irregularity.kind === 'interruption'
      ? ['ConfirmRuling', 'EnterCard', 'ConfirmFelt']
      : [
          ...irregularity.rulings.map((ruling) => commandByRuling[ruling as keyof typeof commandByRuling]),
          'DismissReport',
        ];
  const possible = commands.filter(
    (command) =>
      isAllowed(command, irregularity, table) && preconditionRefusal(command, irregularity, table) === undefined,
  );
  return [...possible, 'Refer'];
}

/**
 * True when the rulebook allows the ruling for the irregularity. After an interruption, staff make no ruling: they only
 * confirm the computed one.
 */
function isAllowed(command: RulingCommandName, irregularity: OpenIrregularity, table: Table): boolean {
  const { kind, rulings } = irregularity;
  if (command === 'DismissReport') return isDismissible(irregularity, table);
  if (command === 'ConfirmRuling' || command === 'ConfirmFelt') return kind === 'interruption';
  return rulings.includes(rulingOfCommand(command)!) && (kind !== 'interruption' || command === 'EnterCard');
}

function preconditionRefusal(
  command: RulingCommandName,
  irregularity: OpenIrregularity,
  table: Table,
): TableRefusal | undefined {
  const isUnconfirmed = isFeltUnconfirmed(irregularity, table);
  switch (command) {
    case 'ConfirmRuling':
      return isUnconfirmed
        ? refuseUnconfirmedFelt(irregularity, 'enter it with EnterCard, then send ConfirmFelt')
        : undefined;
    case 'ConfirmFelt':
      return isUnconfirmed
        ? undefined
        : refuseNotNow(table, irregularity.by, 'the felt needs no confirmation; send ConfirmRuling');
    case 'EnterCard':
      return noCardDueRefusal(table) ?? noCardAvailableRefusal(table);
    case 'BurnCard':
      return isShoeEmpty(table.shoe!)
        ? refuseMoreCardsThanShoeHolds(table, 'The shoe has no card left; send DismissReport.')
        : undefined;
    case 'CorrectCard':
      return noCorrectableCardRefusal(table);
    case 'VoidRound':
    case 'ReconstructRound':
    case 'RestoreOrder':
    case 'DismissReport':
      return undefined;
  }
}
