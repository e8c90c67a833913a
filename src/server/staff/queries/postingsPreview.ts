import { applyEventsWithPostings, tableDecider } from '../../../deciders/deciders.ts';
import { type Posting } from '../../../ledger/tablePostings.ts';
import { type TableEvent } from '../../../table/schema/events.ts';
import { type SlipsByTerminal } from '../../../table/schema/fieldTypes.ts';
import { type CommandPreview } from '../../../table/views/commandPreview.ts';
import { type Table } from '../../../table/state.ts';
import { type StaffActor } from '../../../access/actor.ts';

const maxPostings = 200;

/**
 * Gives the first 200 postings that a command would cause at once, and the number of all of them (`allPostings`). A
 * settlement is posted in chunks, of which only the first is posted at once.
 */
export function previewPostings(
  { effects }: Pick<CommandPreview, 'effects'>,
  table: Table,
  actor: StaffActor,
  slips: SlipsByTerminal | undefined,
): { readonly postings: readonly Posting[]; readonly allPostings: number } {
  if (effects.every(({ type }) => type !== 'SettlementPosted')) return { postings: [], allPostings: 0 };
  const stamp = { v: 1, at: table.at, actor };
  // The postings of an earlier round depend on its slips. The effects of the command lack these slips, so they are
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
