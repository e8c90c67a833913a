import { refuse } from '../../../base/refusal.ts';
import { type CommandOf } from '../../schema/commands.ts';
import { type AmountsByTerminal } from '../../schema/fieldTypes.ts';
import { refuseAtTable, tableRefusalWithClause } from '../../schema/refusals.ts';
import { type Table } from '../../state.ts';
import { ownValue } from '../../../base/ownValue.ts';
import { type TableDecision, type EventStamp } from '../decision.ts';

const by = 'HOUSE 10';

/** Collects a shortfall from the credit of the terminal, or writes it off. A shortfall never expires. [READING 57] */
export function decideShortfall(
  command: CommandOf<'CollectShortfall' | 'WriteOffShortfall'>,
  stamp: EventStamp,
  { shortfalls }: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const { terminal, round, amount, reason } = command;
  const owed = ownValue(ownValue(shortfalls, terminal) ?? {}, round);
  if (owed === undefined) {
    return refuseAtTable(
      'no-such-shortfall',
      by,
      `${terminal} has no shortfall from that round; check the open shortfalls.`,
    );
  }
  if (amount < 1 || amount > owed) {
    return tableRefusalWithClause(
      refuse('bad-request', `${terminal} owes ${owed} from that round; give an amount from 1 to ${owed}.`),
      by,
    );
  }
  if (command.type === 'CollectShortfall' && credits !== undefined) {
    const credit = ownValue(credits, terminal);
    if (credit === undefined) {
      return refuseAtTable(
        'missing-credits',
        by,
        `The credit of ${terminal} is not known; give this credit in "credits".`,
        {
          terminal,
        },
      );
    }
    if (amount > credit) {
      return refuseAtTable(
        'not-enough-credit',
        by,
        `The credit of ${terminal} is ${credit}; collect at most ${credit}.`,
        {
          credit,
        },
      );
    }
  }
  const type = command.type === 'CollectShortfall' ? 'ShortfallCollected' : 'ShortfallWrittenOff';
  return [{ type, ...stamp, round, terminal, amount, left: owed - amount, by, reason }];
}
