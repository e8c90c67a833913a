import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type WagerTotals, type Weight } from '../../../history/wagerTotals.ts';
import { noMeter } from '../../../ledger/meters.ts';
import { quoted, refuse } from '../../../base/refusal.ts';
import { type Role } from '../../../access/roles.ts';
import { type Store } from '../../../store/store.ts';
import { type Metered, type RoundPlace, type WagerTotal } from '../../../wire/staff/roundTypes.ts';
import { type QueryHandlers } from './handlers.ts';
import { type FloorFigures } from '../../../runtime/projections/wagerTotalsCache.ts';
import { type Refused } from '../../shared/staffRefusals.ts';
import { type Sought, RoundSearch } from './roundSearch.ts';
import { roundTimeline } from './roundTimeline.ts';

const readers: readonly Role[] = ['auditor', 'surveillance'];
const pit: readonly Role[] = ['supervisor', 'pit-manager', 'gaming-shift-manager', ...readers];
const managers: readonly Role[] = ['pit-manager', 'gaming-shift-manager', ...readers];

type Parts = { readonly store: Store; readonly figures: FloorFigures };

/** What has been: rounds, the story of one, and figures that theory is held against. */
export function historyQueries({ store, figures }: Parts, floor: FloorRuntime): QueryHandlers {
  const numberOf = (person: string): string | null => floor.people.state?.members[person]?.number ?? null;
  const rounds = new RoundSearch(store, floor, numberOf);
  return {
    rounds: { posts: pit, answer: (given) => rounds.find(soughtIn(given)) },
    round: {
      posts: pit,
      answer: async ({ round }) =>
        (await roundTimeline(store, floor.owner, String(round), numberOf)) ?? unknownRound(String(round)),
    },
    meters: {
      posts: managers,
      answer: async () => {
        const all: WagerTotals[] = [];
        for (const { isOpen, stream } of floor.tables.values()) if (isOpen) all.push(await figures.of(stream));
        return { games: meteredOf(all) };
      },
    },
  };
}

const endings = ['settled', 'void', 'corrected'] as const;
const winners = ['player', 'banker', 'tie'] as const;

/** What somebody looks for; what cannot be looked for is left out. */
function soughtIn(given: { readonly [field: string]: unknown }): Sought {
  const texts = ['table', 'text', 'clause', 'terminal', 'person'].filter((name) => typeof given[name] === 'string');
  const times = ['since', 'until'].filter((name) => typeof given[name] === 'number');
  const only = endings.find((one) => one === given['only']);
  const winner = winners.find((one) => one === given['winner']);
  const before = placeIn(given['before']);
  return {
    ...Object.fromEntries([...texts, ...times].map((name) => [name, given[name]])),
    ...(only && { only }),
    ...(winner && { winner }),
    ...(before && { before }),
  };
}

function placeIn(given: unknown): RoundPlace | undefined {
  if (typeof given !== 'object' || given === null || !('at' in given) || !('table' in given)) return undefined;
  const { at, table } = given;
  return (at === null || typeof at === 'number') && typeof table === 'string' ? { at, table } : undefined;
}

const unknownRound = (round: string): Refused =>
  refuse<'unknown-round'>('unknown-round', `The record knows no round ${quoted(round)}; look for another.`);

/** Each game with its decks over all its tables. */
function meteredOf(all: readonly WagerTotals[]): readonly Metered[] {
  const names = [...new Set(all.flatMap(({ weights, meters }) => [...Object.keys(weights), ...Object.keys(meters)]))];
  return names.toSorted().map((name) => {
    const end = name.lastIndexOf('/');
    const at = all.filter(({ weights, meters }) => name in weights || name in meters);
    const days = [...new Set(at.flatMap((one) => Object.keys(one.days)))].toSorted();
    return {
      game: name.slice(0, end),
      decks: Number(name.slice(end + 1)),
      tables: at.map(({ stream }) => stream.slice(stream.lastIndexOf('/') + 1)),
      wagers: joined(at.map(({ weights }) => weights[name])),
      days: days.map((day) => ({ day, wagers: joined(at.map((one) => one.days[day]?.weights[name])) })),
      meters: at
        .flatMap(({ meters }) => Object.values(meters[name] ?? {}))
        .reduce((sum, one) => {
          for (const field of Object.keys(sum) as (keyof typeof sum)[]) sum[field] += one[field];
          return sum;
        }, noMeter()),
    };
  });
}

function joined(parts: readonly ({ readonly [wager: string]: Weight } | undefined)[]): {
  readonly [wager: string]: WagerTotal;
} {
  const sums: { [wager: string]: Weight } = {};
  for (const [wager, one] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    const sum = (sums[wager] ??= { rounds: 0, stakes: 0, staked: 0, returned: 0, squares: '0' });
    for (const field of ['rounds', 'stakes', 'staked', 'returned'] as const) sum[field] += one[field];
    sum.squares = String(BigInt(sum.squares) + BigInt(one.squares));
  }
  return sums;
}
