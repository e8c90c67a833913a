import { seededChance } from '../src/floor/chance.ts';
import { demoPace, demoSettings } from '../tests/floor/demo.ts';
import { floorPost, nextStep, shufflerPost } from '../src/floor/pace.ts';
import { type Asked } from '../src/store/store.ts';
import { type HiddenShoe, hiddenShoe } from '../src/floor/shoe.ts';
import { entered, tableDecider } from '../src/ledger/accounted.ts';
import { isRefused } from '../src/rules/refusal.ts';
import { Feed } from '../src/server/feed.ts';
import { type StoredEntry } from '../src/store/store.ts';
import { type Command } from '../src/table/declare/commands.ts';
import { decide } from '../src/table/decide/decide.ts';
import { termsOf } from '../src/table/declare/setting.ts';
import { publicView } from '../src/table/show/views.ts';
import { type Table } from '../src/table/table.ts';
import { percentile } from './measure.ts';

const begin = 1_700_006_400_000;
const shoes = 20;
/** Cards count from this round of a shoe on. */
const late = 55;

/** What a card late in the shoe costs before it is sent: followed, compared and written, against the view made anew. */
export function* viewsBench(): Generator<string> {
  yield 'views (a card of round 56 and later made ready for all who watch; ratio to the view made anew)';
  const told: number[] = [];
  const anew: number[] = [];
  const bytes: number[] = [];
  let feed: Feed | undefined;
  for (const { entries, table } of played()) {
    if (feed === undefined) {
      feed = new Feed({ table: structuredClone(table), sequence: entries.length }, []);
      continue;
    }
    const from = performance.now();
    feed.add(entries);
    const text = feed.change();
    feed.tileChange();
    const between = performance.now();
    if (entries[0]!.event.type !== 'CardDealt' || entries.length > 1 || (table.shoe?.rounds ?? 0) <= late) continue;
    const whole = JSON.stringify(publicView(table));
    if (text === undefined || whole === '') throw new Error('nothing was told of a card');
    told.push(between - from);
    anew.push(performance.now() - between);
    bytes.push(Buffer.byteLength(text));
  }
  const [ours, theirs] = [percentile(told, 0.5) * 1000, percentile(anew, 0.5) * 1000];
  yield `  ${ours.toFixed(1)} µs against ${theirs.toFixed(1)} µs: ${(theirs / ours).toFixed(1)} times as fast; ${percentile(bytes, 0.5)} bytes at the median, ${percentile(bytes, 0.99)} at p99`;
}

/** Shoes dealt by a table without staff, command by command, with the table that decides as it is after each. */
function* played(): Generator<{ readonly entries: readonly StoredEntry[]; readonly table: Table }> {
  const chance = seededChance('views');
  const setting = demoSettings.find(({ table }) => table === 'tiger')!;
  let table: Table | undefined;
  let hidden: HiddenShoe | undefined;
  let at = begin;
  let sequence = 0;
  const carriedOut = (asked: Asked): readonly StoredEntry[] => {
    const decision = decide({ ...asked, at } as unknown as Command, table);
    if (isRefused(decision)) throw new Error(decision.message);
    const { entries, state } = entered(tableDecider, decision, table);
    table = state;
    // A record gives back copies of what was written.
    return structuredClone(entries).map((entry) => ({ ...entry, sequence: ++sequence }) as unknown as StoredEntry);
  };
  yield { entries: carriedOut({ type: 'OpenTable', who: floorPost, setting }), table: table! };
  for (let over = 0; over < shoes;) {
    const step = nextStep(table!, demoPace, hidden, chance)!;
    at = Math.max(at, step.at);
    if ('shuffle' in step) {
      const { decks } = table!.setting;
      hidden = hiddenShoe(`V${over}`, { deck: termsOf(table!.setting).game.deck, decks }, chance);
    } else if (step.asked.type === 'EndShoe') over += 1;
    const asked: Asked =
      'shuffle' in step ? { type: 'CommitShoe', who: shufflerPost, shoe: hidden!.id, root: hidden!.root } : step.asked;
    yield { entries: carriedOut(asked), table: table! };
  }
}
