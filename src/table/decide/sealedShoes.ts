import { isSameActor } from '../../access/actor.ts';
import { isRefused, quoted } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { refuseAtTable } from '../schema/refusals.ts';
import { gameByName } from '../schema/settings.ts';
import { type Table, isPlaying } from '../state.ts';
import {
  type TableDecision,
  type EventStamp,
  clausesAt,
  refuseNotHere,
  refuseNotNow,
  tableEventStamp,
} from './decision.ts';
import { compareCardCounts, normalizeCardCounts } from './shoeEnd.ts';

// A live shoe may leave sealed and be counted later, so that the table need not wait. The count is blind: no expected
// number is shown.

const by = 'HOUSE 7';

export function decideSealShoe(command: CommandOf<'SealShoe'>, stamp: EventStamp, table: Table): TableDecision {
  const { shoe } = table;
  if (isPlaying(table)) return refuseNotNow(table, by, 'finish the round first');
  if (shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe to seal; bring one first.');
  if (shoe.root !== null) return refuseNotHere('a virtual shoe is never sealed; end it instead');
  const { seal, to } = command;
  return [{ type: 'ShoeSealed', ...stamp, shoe: shoe.id, seal, ...(to !== undefined && { to }), by }];
}

/** Two persons who did not seal the shoe count it; a difference is recorded and no round changes. [READING 25] */
export function decideCountSealedShoe(
  command: CommandOf<'CountSealedShoe'>,
  stamp: EventStamp,
  table: Table,
): TableDecision {
  const sealed = table.sealed.find(({ id }) => id === command.shoe);
  if (sealed === undefined) {
    return refuseAtTable(
      'no-such-shoe',
      by,
      `No sealed shoe ${quoted(command.shoe)} waits to be counted; name one that does.`,
    );
  }
  const { actor, second = actor } = stamp;
  if (sealed.by.some((one) => isSameActor(one, actor) || isSameActor(one, second))) {
    return refuseAtTable(
      'same-person',
      clausesAt(table).roles,
      'The persons who sealed the shoe may not count it; let two others count it.',
    );
  }
  const { deck } = gameByName(sealed.game);
  const counts = normalizeCardCounts(command.seen, deck);
  if (isRefused(counts)) return counts;
  const { id: shoe, seal, size: expected, decks } = sealed;
  return [{ type: 'SealedShoeCounted', ...stamp, shoe, seal, expected, ...compareCardCounts(counts, deck, decks), by }];
}

/** Ends the investigation of a closing count that differed; the pit manager records the finding. */
export function decideInvestigateCount(command: CommandOf<'InvestigateCount'>, table: Table): TableDecision {
  const { shoe, reason } = command;
  return table.differences.some((one) => one.shoe === shoe)
    ? [{ type: 'CountInvestigated', ...tableEventStamp(command), shoe, reason, by }]
    : refuseNotNow(table, by, `no count of a shoe ${quoted(shoe)} is under investigation`);
}
