import { createSeededRandom } from '../src/runtime/ports/random.ts';
import { demoPace, demoSettings } from '../tests/runtime/support/demo.ts';
import { nextUnattendedStep } from '../src/runtime/tables/pacing.ts';
import { floorActor, shufflerActor } from '../src/access/actor.ts';
import { type StoredPayload, type StoredEntry } from '../src/store/store.ts';
import { type VirtualShoe, shuffleVirtualShoe } from '../src/runtime/tables/virtualShoe.ts';
import { applyEventsWithPostings, tableDecider } from '../src/deciders/deciders.ts';
import { isRefused } from '../src/base/refusal.ts';
import { PublicViewBuilder } from '../src/server/tables/publicViewBuilder.ts';
import { type TableCommand } from '../src/table/schema/commands.ts';
import { decide } from '../src/table/decide/decide.ts';
import { gameAndRulebookOf } from '../src/table/schema/settings.ts';
import { publicView } from '../src/table/views/publicView.ts';
import { type Table } from '../src/table/state.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, median, percentile } from './support/measure.ts';

const begin = 1_700_006_400_000;
/** Only cards after this round of a shoe are measured. */
const late = 55;

const sizes: Sizes<{ readonly shoes: number }> = { full: { shoes: 20 }, short: { shoes: 1 } };

/** The view change of a card late in the shoe, up to the bytes to send, against a whole new view. */
export function* viewsBench(size: BenchSize): Generator<string> {
  yield 'views (the view change of a card from round 56 on, ready to send; ratio to a whole new view)';
  const changes: number[] = [];
  const wholes: number[] = [];
  const bytes: number[] = [];
  let publisher: PublicViewBuilder | undefined;
  for (const { entries, table } of played(sizes[size].shoes)) {
    if (publisher === undefined) {
      publisher = new PublicViewBuilder({ table: structuredClone(table), sequence: entries.length }, []);
      continue;
    }
    const from = performance.now();
    publisher.add(entries);
    const text = publisher.takeDelta();
    publisher.takeTileDelta();
    const between = performance.now();
    if (entries[0]!.event.type !== 'CardDealt' || entries.length > 1 || (table.shoe?.rounds ?? 0) <= late) continue;
    const fullView = JSON.stringify(publicView(table));
    if (text === undefined || fullView === '') throw new Error('A card changed no view.');
    changes.push(between - from);
    wholes.push(performance.now() - between);
    bytes.push(Buffer.byteLength(text));
  }
  const [change, fullView] = [median(changes) * 1000, median(wholes) * 1000];
  yield `  ${figure(change)} µs against ${figure(fullView)} µs for the whole view: ${figure(fullView / change)} times as fast`;
  yield `  size of a change: median ${figure(median(bytes))} bytes, p99 ${figure(percentile(bytes, 0.99))} bytes`;
}

/** Shoes dealt by a table without staff, command by command, with the table that decides as it is after each. */
function* played(shoes: number): Generator<{ readonly entries: readonly StoredEntry[]; readonly table: Table }> {
  const random = createSeededRandom('views');
  const settings = demoSettings.find(({ table }) => table === 'tiger')!;
  let table: Table | undefined;
  let hidden: VirtualShoe | undefined;
  let at = begin;
  let sequence = 0;
  const submit = (request: StoredPayload): readonly StoredEntry[] => {
    const decision = decide({ ...request, at } as unknown as TableCommand, table);
    if (isRefused(decision)) throw new Error(decision.message);
    const { entries, state } = applyEventsWithPostings(tableDecider, decision, table);
    table = state;
    // A store returns copies of what was written.
    return structuredClone(entries).map((entry) => ({ ...entry, sequence: ++sequence }) as unknown as StoredEntry);
  };
  yield { entries: submit({ type: 'OpenTable', actor: floorActor, settings }), table: table! };
  for (let over = 0; over < shoes;) {
    const step = nextUnattendedStep(table!, demoPace, hidden, random)!;
    at = Math.max(at, step.at);
    if ('shuffle' in step) {
      const { decks } = table!.settings;
      hidden = shuffleVirtualShoe(`V${over}`, { deck: gameAndRulebookOf(table!.settings).game.deck, decks }, random);
    } else if (step.request.type === 'EndShoe') over += 1;
    const request: StoredPayload =
      'shuffle' in step
        ? { type: 'CommitShoe', actor: shufflerActor, shoe: hidden!.id, root: hidden!.root }
        : step.request;
    yield { entries: submit(request), table: table! };
  }
}
