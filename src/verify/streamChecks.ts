import { type FloorCommand } from '../floor/commands.ts';
import { type FloorEvent } from '../floor/events.ts';
import { type FloorStreamState } from '../floor/state.ts';
import { floorDecider, staffDecider, tableDecider, terminalDecider } from '../deciders/deciders.ts';
import { type StaffRegisterCommand } from '../staff/commands.ts';
import { type StaffEvent } from '../staff/events.ts';
import { type StaffState } from '../staff/state.ts';
import { isRefused } from '../base/refusal.ts';
import { type Account, tableAccount } from '../ledger/accounts.ts';
import { parseDeal } from '../rules/deal.ts';
import { wagerOutcomeOf } from '../rules/settle.ts';
import { type StoredEntry } from '../store/store.ts';
import { type TableCommand } from '../table/schema/commands.ts';
import { type TableEvent } from '../table/schema/events.ts';
import { type WagerResults } from '../table/schema/fieldTypes.ts';
import { gameByName } from '../table/schema/settings.ts';
import { totalStake } from '../table/payouts.ts';
import { type Table, isPlaying, outcomePaidBefore } from '../table/state.ts';
import { type TerminalCommand } from '../terminal/commands.ts';
import { type TerminalEvent } from '../terminal/events.ts';
import { type TerminalState } from '../terminal/state.ts';
import { type DeciderAmendment } from './amendments.ts';
import { type SessionLimitTracker } from './sessionLimits.ts';
import { type RoleHistory } from './staffRoles.ts';
import { assertOfEntry } from './verifyError.ts';
import { StreamReplay } from './replay.ts';

// Replays of table, terminal, floor and staff streams, with checks in addition to their deciders.

export type RoundAndShoeCounts = { rounds: number; voids: number; shoes: number };

/**
 * Virtual shoes of a table by id. `root`: commitment to the card order. `isFloorShuffled`: the floor shuffled the
 * shoe, and stores its encrypted card order as a blob. `isRetired`: the shoe was retired unopened.
 */
export type CommittedShoes = Map<
  string,
  { readonly root: string; readonly isFloorShuffled: boolean; readonly isRetired: boolean }
>;

export const createTableReplay = (
  stream: string,
  amendments: readonly DeciderAmendment[],
  amended: Map<number, number>,
  counts: RoundAndShoeCounts,
  shoes: CommittedShoes,
): StreamReplay<Table | undefined, TableCommand, TableEvent> =>
  new StreamReplay(tableDecider, amendments, amended, {
    before: checkSettlement,
    after: (entry, event, table) => {
      if (event.type === 'TableOpened') {
        const { property, table: id } = table!.settings;
        assertOfEntry(
          entry,
          stream === `${property}/table/${id}`,
          `opens the table ${id} of ${property}, whose stream is ${property}/table/${id}`,
        );
      }
      if (event.type === 'RoundSettled') counts.rounds += 1;
      if (event.type === 'RoundVoided') counts.voids += 1;
      if (event.type === 'ShoeCommitted') {
        shoes.set(event.shoe, { root: event.root, isFloorShuffled: !table!.settings.attended, isRetired: false });
      }
      if (event.type === 'ShoeEnded') {
        counts.shoes += 1;
        const shoe = shoes.get(event.shoe);
        if (shoe && event.unopened === true) shoes.set(event.shoe, { ...shoe, isRetired: true });
      }
    },
  });

export const createTerminalReplay = (
  stream: string,
  amendments: readonly DeciderAmendment[],
  amended: Map<number, number>,
  limits: SessionLimitTracker,
): StreamReplay<TerminalState | undefined, TerminalCommand, TerminalEvent> =>
  new StreamReplay(terminalDecider, amendments, amended, {
    after: (entry, event, terminal) => {
      limits.add(event, terminal!);
      if (event.type !== 'TerminalSeated') return;
      const { property, terminal: id } = terminal!;
      assertOfEntry(
        entry,
        stream === `${property}/terminal/${id}`,
        `registers the terminal ${id} of ${property}, whose stream is ${property}/terminal/${id}`,
      );
    },
  });

export const createFloorReplay = (
  stream: string,
  amendments: readonly DeciderAmendment[],
  amended: Map<number, number>,
): StreamReplay<FloorStreamState | undefined, FloorCommand, FloorEvent> =>
  new StreamReplay(floorDecider, amendments, amended, {
    after: (entry, _, floor) => {
      const { property } = floor!;
      assertOfEntry(entry, stream === `${property}/floor/main`, `belongs to the floor stream of ${property}`);
    },
  });

export const createStaffReplay = (
  stream: string,
  amendments: readonly DeciderAmendment[],
  amended: Map<number, number>,
  roles: RoleHistory,
): StreamReplay<StaffState | undefined, StaffRegisterCommand, StaffEvent> =>
  new StreamReplay(staffDecider, amendments, amended, {
    after: (entry, event, staff) => {
      const { property } = staff!;
      assertOfEntry(entry, stream === `${property}/staff/main`, `belongs to the staff stream of ${property}`);
      roles.add(entry, event);
    },
  });

/** Checks a settlement: settles the round again from its cards, by the rules of the game alone. */
function checkSettlement(entry: StoredEntry, event: TableEvent, table: Table | undefined): void {
  if ((event.type !== 'RoundSettled' && event.type !== 'RoundResettled') || event.results === undefined) return;
  const { round = null, history = [] } = table ?? {};
  const game = round?.id === event.round ? round.game : history.find(({ id }) => id === event.round)?.game;
  const settles = game !== undefined && isSettledBy(game, event.cards, event.results);
  assertOfEntry(entry, settles, 'settles its round differently from its cards');
}

function isSettledBy(gameName: string, cards: readonly string[], results: WagerResults): boolean {
  const game = gameByName(gameName);
  const deal = parseDeal(cards, { deck: game.deck, decks: 10 });
  if (isRefused(deal)) return false;
  return Object.entries(results).every(([wager, wagerResult]) => {
    if (!Object.hasOwn(game.wagers, wager)) return false;
    const { result, pays, commission, by } = wagerResult;
    const outcome = wagerOutcomeOf(game.wagers[wager]!, deal.facts);
    const won = result === 'lose' ? -1 : pays[0] * (commission[1] - commission[0]);
    const per = result === 'lose' ? 1 : pays[1] * commission[1];
    return outcome.result === result && outcome.by === by && outcome.net[0] * per === won * outcome.net[1];
  });
}

/**
 * Stakes account of a table and its expected balance: the stakes of the open slips in the present round, plus the
 * stakes whose settlement is not posted yet.
 */
export function expectedStakesBalance(table: Table): readonly [account: Account, amount: number] {
  const { round, pendingSettlements: jobs } = table;
  const slips = round !== null && isPlaying(table) && round.ending === null ? Object.values(round.slips) : [];
  const unpaid = jobs.flatMap((job) =>
    job.order
      .slice(job.done)
      .filter((terminal) => outcomePaidBefore(job, terminal) === null)
      .map((terminal) => job.slips[terminal]!),
  );
  const amount = [...slips, ...unpaid].reduce((sum, slip) => sum + totalStake(slip), 0);
  return [tableAccount(table.settings, 'stakes'), amount];
}
