import { applyEventsWithPostings, tableDecider } from '../../../deciders/deciders.ts';
import { type Posting } from '../../../ledger/tablePostings.ts';
import { type TableEvent } from '../../../table/schema/events.ts';
import { type SlipsByTerminal } from '../../../table/schema/fieldTypes.ts';
import { type CommandPreview } from '../../../table/views/commandPreview.ts';
import { type Table } from '../../../table/state.ts';
import { type StaffActor } from '../../../access/actor.ts';

const maxPostings = 200;

/**
 * Postings that a command would cause at once: the first 200, and the number of all (`allPostings`). A settlement is
 * posted in chunks, and the postings of later chunks are not included.
 */
export function previewPostings(
  { effects }: Pick<CommandPreview, 'effects'>,
  table: Table,
  actor: StaffActor,
  slips: SlipsByTerminal | undefined,
): { readonly postings: readonly Posting[]; readonly allPostings: number } {
  if (effects.every(({ type }) => type !== 'SettlementPosted')) return { postings: [], allPostings: 0 };
  const stamp = { v: 1, at: table.at, actor };
  // Postings about an earlier round depend on the slips of that round. The effects lack these slips, so the slips are
  // added here.
  const events = effects.map((effect) => ({
    ...stamp,
    ...(effect.type === 'RoundResettled' && slips && { slips }),
    ...effect,
  })) as unknown as readonly TableEvent[];
  const { entries } = applyEventsWithPostings(tableDecider, events, structuredClone(table));
  const all = entries.flatMap(({ postings }) => postings);
  return { postings: all.slice(0, maxPostings), allPostings: all.length };
}
