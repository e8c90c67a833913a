import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type WagerTotals, type WagerTurnover } from '../../../history/wagerTotals.ts';
import { emptyMeter } from '../../../ledger/meters.ts';
import { quoteForMessage, refuse } from '../../../base/refusal.ts';
import { type Role } from '../../../access/roles.ts';
import { type Store } from '../../../store/store.ts';
import { type GameMeters, type RoundCursor, type WagerTotal } from '../../../wire/staff/roundTypes.ts';
import { type QueryHandlers } from './queryDispatcher.ts';
import { type WagerTotalsCache } from '../../../runtime/projections/wagerTotalsCache.ts';
import { type RoundSearchCriteria, RoundSearch } from './roundSearch.ts';
import { readRoundTimeline } from './roundTimeline.ts';
import { type ServerRefusal } from '../../refusals/serverRefusals.ts';

const readOnlyRoles: readonly Role[] = ['auditor', 'surveillance'];
const roundViewerRoles: readonly Role[] = ['supervisor', 'pit-manager', 'gaming-shift-manager', ...readOnlyRoles];
const managerRoles: readonly Role[] = ['pit-manager', 'gaming-shift-manager', ...readOnlyRoles];

type HistoryQueriesDependencies = { readonly store: Store; readonly totals: WagerTotalsCache };

export function createHistoryQueries(
  { store, totals }: HistoryQueriesDependencies,
  floor: FloorRuntime,
): QueryHandlers {
  const numberOf = (person: string): string | null => floor.staff.state?.members[person]?.number ?? null;
  const rounds = new RoundSearch(store, floor, numberOf);
  return {
    rounds: { roles: roundViewerRoles, answer: (params) => rounds.find(parseSearch(params)) },
    round: {
      roles: roundViewerRoles,
      answer: async ({ round }) =>
        (await readRoundTimeline(store, floor.owner, String(round), numberOf)) ?? unknownRound(String(round)),
    },
    meters: {
      roles: managerRoles,
      answer: async () => {
        const all: WagerTotals[] = [];
        for (const { isOpen, stream } of floor.tables.values()) if (isOpen) all.push(await totals.totalsOf(stream));
        return { games: meteredGames(all) };
      },
    },
  };
}

const endings = ['settled', 'void', 'corrected'] as const;
const winners = ['player', 'banker', 'tie'] as const;

/** Parses the criteria of a round search; unknown or malformed criteria are ignored. */
function parseSearch(params: { readonly [field: string]: unknown }): RoundSearchCriteria {
  const texts = ['table', 'text', 'clause', 'terminal', 'person'].filter((name) => typeof params[name] === 'string');
  const times = ['since', 'until'].filter((name) => typeof params[name] === 'number');
  const only = endings.find((one) => one === params['only']);
  const winner = winners.find((one) => one === params['winner']);
  const before = parseRoundCursor(params['before']);
  return {
    ...Object.fromEntries([...texts, ...times].map((name) => [name, params[name]])),
    ...(only && { only }),
    ...(winner && { winner }),
    ...(before && { before }),
  };
}

function parseRoundCursor(params: unknown): RoundCursor | undefined {
  if (typeof params !== 'object' || params === null || !('at' in params) || !('table' in params)) return undefined;
  const { at, table } = params;
  return (at === null || typeof at === 'number') && typeof table === 'string' ? { at, table } : undefined;
}

const unknownRound = (round: string): ServerRefusal =>
  refuse<'unknown-round'>('unknown-round', `There is no round ${quoteForMessage(round)}. Search for another.`);

function meteredGames(all: readonly WagerTotals[]): readonly GameMeters[] {
  const names = [...new Set(all.flatMap(({ weights, meters }) => [...Object.keys(weights), ...Object.keys(meters)]))];
  return names.toSorted().map((name) => {
    const end = name.lastIndexOf('/');
    const at = all.filter(({ weights, meters }) => name in weights || name in meters);
    const days = [...new Set(at.flatMap((one) => Object.keys(one.days)))].toSorted();
    return {
      game: name.slice(0, end),
      decks: Number(name.slice(end + 1)),
      tables: at.map(({ stream }) => stream.slice(stream.lastIndexOf('/') + 1)),
      wagers: sumByWager(at.map(({ weights }) => weights[name])),
      days: days.map((day) => ({ day, wagers: sumByWager(at.map((one) => one.days[day]?.weights[name])) })),
      meters: at
        .flatMap(({ meters }) => Object.values(meters[name] ?? {}))
        .reduce((sum, one) => {
          for (const field of Object.keys(sum) as (keyof typeof sum)[]) sum[field] += one[field];
          return sum;
        }, emptyMeter()),
    };
  });
}

function sumByWager(totalsOfTables: readonly ({ readonly [wager: string]: WagerTurnover } | undefined)[]): {
  readonly [wager: string]: WagerTotal;
} {
  const sums: { [wager: string]: WagerTurnover } = {};
  for (const [wager, one] of totalsOfTables.flatMap((part) => Object.entries(part ?? {}))) {
    const sum = (sums[wager] ??= { rounds: 0, stakes: 0, staked: 0, returned: 0, squares: '0' });
    for (const field of ['rounds', 'stakes', 'staked', 'returned'] as const) sum[field] += one[field];
    sum.squares = String(BigInt(sum.squares) + BigInt(one.squares));
  }
  return sums;
}
