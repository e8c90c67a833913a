import { applyEvents, tableDecider } from '../../../deciders/deciders.ts';
import { type Posting } from '../../../ledger/tablePostings.ts';
import { type TableEvent } from '../../../table/schema/events.ts';
import { type Slips } from '../../../table/schema/fieldTypes.ts';
import { type CommandPreview } from '../../../table/views/commandPreview.ts';
import { type Table } from '../../../table/state.ts';
import { type StaffActor } from '../../../access/actor.ts';

/** So many are listed before somebody asks for them. */
const most = 200;

/** What would be posted, entry by entry: the first of them, and how many there would be in the first chunk. */
export function postingsFor(
  { effects }: Pick<CommandPreview, 'effects'>,
  table: Table,
  who: StaffActor,
  slips: Slips | undefined,
): { readonly postings: readonly Posting[]; readonly allPostings: number } {
  if (effects.every(({ type }) => type !== 'SettlementPosted')) return { postings: [], allPostings: 0 };
  const stamp = { v: 1, at: table.at, who };
  // What is shown of an effect leaves out the slips that it was worked out with.
  const events = effects.map((effect) => ({
    ...stamp,
    ...(effect.type === 'RoundResettled' && slips && { slips }),
    ...effect,
  })) as unknown as readonly TableEvent[];
  const { entries } = applyEvents(tableDecider, events, structuredClone(table));
  const all = entries.flatMap(({ postings }) => postings);
  return { postings: all.slice(0, most), allPostings: all.length };
}
