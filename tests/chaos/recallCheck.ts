import { isDeepStrictEqual } from 'node:util';
import { type TableHistory, recallOf, tableHistory, projectTableEntry } from '../../src/history/tableHistory.ts';
import { readRecallPage } from '../../src/server/patron/roundRecall.ts';
import { type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { type RecalledRound } from '../../src/wire/roundRecall.ts';
import { demoOwner } from '../runtime/demo.ts';

type RoundEnd = ReturnType<typeof recallOf>[number]['round']['ends'][number];
type End = Pick<RoundEnd, 'settlement' | 'at' | 'ending'>;

/** What is wrong, and how many rounds were recalled by all sessions together. */
type Recalled = { readonly wrong: readonly string[]; readonly rounds: number };

/** What a session recalls page by page, held against a history of every table from its first entry to its last. */
export async function recallDifferences(store: Pick<Store, 'findBySubject' | 'read' | 'streams'>): Promise<Recalled> {
  const histories = await historiesIn(store);
  const sessions = new Set(histories.flatMap(({ recall }) => Object.keys(recall.terminals)));
  const wrong: string[] = [];
  let rounds = 0;
  for (const session of sessions) {
    const due = recallOf(histories, session, Infinity).map((one) => toldOf(histories, one));
    const told = await allOf(store, session);
    rounds += told.length;
    if (isDeepStrictEqual(told, due)) continue;
    const place = due.findIndex((one, n) => !isDeepStrictEqual(one, told[n]));
    wrong.push(
      `${session} recalls ${told.length} rounds and played ${due.length}; at ${place} it recalls ` +
        `${JSON.stringify(told[place])} and played ${JSON.stringify(due[place])}`,
    );
  }
  return { wrong, rounds };
}

/** What is wrong with a record that somebody has played in, by its verification and by what is recalled from it. */
export async function problemsOf(store: Store): Promise<readonly string[]> {
  const { problem } = await verifyStore(store);
  const { wrong, rounds } = await recallDifferences(store);
  return [...(problem === undefined ? [] : [problem]), ...wrong, ...(rounds === 0 ? ['Nobody recalls a round'] : [])];
}

async function historiesIn(store: Pick<Store, 'read' | 'streams'>): Promise<readonly TableHistory[]> {
  const histories: TableHistory[] = [];
  for (const stream of await store.streams()) {
    if (!stream.startsWith(`${demoOwner.property}/table/`)) continue;
    const history = tableHistory(stream, 1_000_000);
    for await (const entries of store.read(stream)) for (const entry of entries) projectTableEntry(history, entry);
    histories.push(history);
  }
  return histories;
}

async function allOf(store: Pick<Store, 'findBySubject' | 'read'>, session: string): Promise<readonly RecalledRound[]> {
  const rounds: RecalledRound[] = [];
  for (let before: string | undefined; ;) {
    const page = await readRecallPage({ store, owner: demoOwner }, session, before);
    rounds.push(...page.rounds);
    if (page.next === null) return rounds;
    before = page.next;
  }
}

/** A round of a history as it is told. A slip that is void by itself has its end in the story alone. */
function toldOf(
  histories: readonly TableHistory[],
  { line, round }: ReturnType<typeof recallOf>[number],
): RecalledRound {
  const { stream } = histories.find(({ rounds }) => rounds[round.id] === round)!;
  const alone = round.timeline.flatMap((step) =>
    step.type === 'SlipVoided'
      ? [{ settlement: step.settlement, at: step.at, ending: { voidBy: step.by, reason: step.reason } }]
      : [],
  );
  const endBy = (settlement: string | undefined): End | undefined =>
    [...round.ends, ...alone].find((one) => one.settlement === settlement);
  const ending = { voidBy: null, reason: null, ...endBy(line.settled.at(-1)?.settlement)?.ending };
  return {
    table: stream.split('/')[2]!,
    game: round.game,
    id: round.id,
    number: round.number,
    at: round.openedAt,
    cards: round.cards.map(({ card }) => card),
    winner: round.winner,
    slip: line.slip,
    settled: line.settled.map(({ settlement, paid, short }) => ({
      settlement,
      at: endBy(settlement)!.at,
      paid,
      short,
    })),
    voidBy: ending.voidBy,
    reason: ending.reason,
    creditBefore: line.creditBefore,
    creditAfter: line.creditAfter,
    corrected: line.settled.length > 1,
  };
}
