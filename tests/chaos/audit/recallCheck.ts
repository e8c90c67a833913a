import { isDeepStrictEqual } from 'node:util';
import {
  type TableHistory,
  recallOfTerminal,
  emptyTableHistory,
  projectTableEntry,
} from '../../../src/history/tableHistory.ts';
import { readRoundRecallPage } from '../../../src/server/patron/roundRecallHandler.ts';
import { type Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { type RecalledRound } from '../../../src/wire/roundRecall.ts';
import { demoOwner } from '../../runtime/support/demo.ts';

type RoundEnd = ReturnType<typeof recallOfTerminal>[number]['round']['ends'][number];
type End = Pick<RoundEnd, 'settlement' | 'at' | 'ending'>;

/** Differences, and the number of recalled rounds of all sessions. */
type RecallResult = { readonly problems: readonly string[]; readonly rounds: number };

/** Compares the recall of each session, page by page, with a history of all tables. */
export async function recallDifferences(
  store: Pick<Store, 'findBySubject' | 'read' | 'streams'>,
): Promise<RecallResult> {
  const histories = await historiesIn(store);
  const sessions = new Set(histories.flatMap(({ recall }) => Object.keys(recall.terminals)));
  const problems: string[] = [];
  let rounds = 0;
  for (const session of sessions) {
    const expected = recallOfTerminal(histories, session, Infinity).map((one) => expectedRecall(histories, one));
    const recalled = await readAllPages(store, session);
    rounds += recalled.length;
    if (isDeepStrictEqual(recalled, expected)) continue;
    const index = expected.findIndex((one, n) => !isDeepStrictEqual(one, recalled[n]));
    problems.push(
      `${session} recalls ${recalled.length} rounds and played ${expected.length}; at ${index} it recalls ` +
        `${JSON.stringify(recalled[index])} and played ${JSON.stringify(expected[index])}`,
    );
  }
  return { problems, rounds };
}

/** Problems of an event store by verification and recall. No recalled round is a problem, too. */
export async function problemsOf(store: Store): Promise<readonly string[]> {
  const { problem } = await verifyStore(store);
  const { problems, rounds } = await recallDifferences(store);
  return [
    ...(problem === undefined ? [] : [problem]),
    ...problems,
    ...(rounds === 0 ? ['No session recalls a round'] : []),
  ];
}

async function historiesIn(store: Pick<Store, 'read' | 'streams'>): Promise<readonly TableHistory[]> {
  const histories: TableHistory[] = [];
  for (const stream of await store.streams()) {
    if (!stream.startsWith(`${demoOwner.property}/table/`)) continue;
    const history = emptyTableHistory(stream, 1_000_000);
    for await (const entries of store.read(stream)) for (const entry of entries) projectTableEntry(history, entry);
    histories.push(history);
  }
  return histories;
}

async function readAllPages(
  store: Pick<Store, 'findBySubject' | 'read'>,
  session: string,
): Promise<readonly RecalledRound[]> {
  const rounds: RecalledRound[] = [];
  for (let before: string | undefined; ;) {
    const page = await readRoundRecallPage({ store, owner: demoOwner }, session, before);
    rounds.push(...page.rounds);
    if (page.next === null) return rounds;
    before = page.next;
  }
}

/** Expected recall of a round. The end of a void slip is only in the timeline. */
function expectedRecall(
  histories: readonly TableHistory[],
  { line, round }: ReturnType<typeof recallOfTerminal>[number],
): RecalledRound {
  const { stream } = histories.find(({ rounds }) => rounds[round.id] === round)!;
  const slipVoids = round.timeline.flatMap((step) =>
    step.type === 'SlipVoided'
      ? [{ settlement: step.settlement, at: step.at, ending: { voidBy: step.by, reason: step.reason } }]
      : [],
  );
  const endBy = (settlement: string | undefined): End | undefined =>
    [...round.ends, ...slipVoids].find((one) => one.settlement === settlement);
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
