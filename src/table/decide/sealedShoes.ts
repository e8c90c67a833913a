import { isSameActor } from '../../access/actor.ts';
import { isRefused, quoteForMessage } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { gameByName } from '../schema/settings.ts';
import { type Table, isPlaying } from '../state.ts';
import {
  type TableDecision,
  type EventStamp,
  clausesOfTable,
  refuseNotHere,
  refuseNotNow,
  tableEventStamp,
} from './decision.ts';
import { compareWithFullDecks, parseCardCounts } from './shoeEnd.ts';

// A live shoe may leave the table under a seal and be counted later, so that play need not wait for the count. The
// count is blind: the screen shows no expected number.

const by = 'HOUSE 7';

export function decideSealShoe(command: CommandOf<'SealShoe'>, stamp: EventStamp, table: Table): TableDecision {
  const { shoe } = table;
  if (isPlaying(table)) return refuseNotNow(table, by, 'finish the round first');
  if (shoe === null)
    return refuseAtTable('shoe-not-ready', null, 'There is no shoe at the table; there is nothing to seal.');
  if (shoe.root !== null) return refuseNotHere('a virtual shoe is never sealed; end it instead');
  const { seal, to } = command;
  return [{ type: 'ShoeSealed', ...stamp, shoe: shoe.id, seal, ...(to !== undefined && { to }), by }];
}

/**
 * Records one blind count of the shoe at the table or of a sealed shoe. The count does not end the shoe. If the count
 * differs, the shoe is counted again, and both counts stay on record.
 */
export function decideRecordCount(command: CommandOf<'RecordCount'>, table: Table): TableDecision {
  const { settings, shoe } = table;
  const sealed = table.sealed.find(({ id }) => id === command.shoe);
  if (sealed === undefined && (shoe === null || shoe.id !== command.shoe)) return refuseNoSuchShoe(command.shoe);
  if (sealed === undefined && isPlaying(table)) return refuseNotNow(table, by, 'finish the round first');
  if (sealed === undefined && shoe!.root !== null)
    return refuseNotHere('a virtual shoe is opened, not counted; end the shoe instead');
  if (sealed?.by.some((one) => isSameActor(one, command.actor))) return refuseSealer(table);
  const { game, decks, size: expected } = sealed ?? { ...settings, size: shoe!.size };
  const { deck } = gameByName(game);
  const counts = parseCardCounts(command.seen, deck);
  if (isRefused(counts)) return counts;
  const compared = compareWithFullDecks(counts, deck, decks);
  return [{ type: 'ShoeCounted', ...tableEventStamp(command), shoe: command.shoe, expected, ...compared, by }];
}

const refuseNoSuchShoe = (shoe: string): TableRefusal =>
  refuseAtTable(
    'no-such-shoe',
    by,
    `No sealed shoe ${quoteForMessage(shoe)} waits to be counted; name a shoe that does.`,
  );

const refuseSealer = (table: Table): TableRefusal =>
  refuseAtTable(
    'same-person',
    clausesOfTable(table).roles,
    'The persons who sealed the shoe may not count it; let two others count it.',
  );

/**
 * Records the count of a sealed shoe by two persons who did not seal it. A difference is recorded, but changes no
 * round. [READING 25]
 */
export function decideCountSealedShoe(
  command: CommandOf<'CountSealedShoe'>,
  stamp: EventStamp,
  table: Table,
): TableDecision {
  const sealed = table.sealed.find(({ id }) => id === command.shoe);
  if (sealed === undefined) return refuseNoSuchShoe(command.shoe);
  const { actor, second = actor } = stamp;
  if (sealed.by.some((one) => isSameActor(one, actor) || isSameActor(one, second))) return refuseSealer(table);
  const { deck } = gameByName(sealed.game);
  const counts = parseCardCounts(command.seen, deck);
  if (isRefused(counts)) return counts;
  const { id: shoe, seal, size: expected, decks } = sealed;
  return [
    { type: 'SealedShoeCounted', ...stamp, shoe, seal, expected, ...compareWithFullDecks(counts, deck, decks), by },
  ];
}

export function decideInvestigateCount(command: CommandOf<'InvestigateCount'>, table: Table): TableDecision {
  const { shoe, reason } = command;
  return table.differences.some((one) => one.shoe === shoe)
    ? [{ type: 'CountInvestigated', ...tableEventStamp(command), shoe, reason, by }]
    : refuseNotNow(table, by, `no count of a shoe ${quoteForMessage(shoe)} is under investigation; name another shoe`);
}
