// Strict program of a library user: imports every entry point and uses its types.
import {
  type Card,
  type Game,
  type Refusal,
  RefusalError,
  decidedWagers,
  parseDeal,
  findGame,
  games,
  isRefused,
  orThrow,
  parseCard,
  settle,
  parseShoeDecks,
  wagerIdsOf,
} from 'punto';
import {
  type ClientReply,
  PatronClient,
  type PatronClientState,
  DisplayClient,
  createClientEnvironment,
} from 'punto/client';
import { type Posting, applyEventsWithPostings, tableDecider } from 'punto/ledger';
import { type Fraction, freshShoe, formatFraction, parSheetOf } from 'punto/odds';
import { type NextMarks, type RoadResult, roadsOf } from 'punto/roads';
import { type SimulationResult, simulate } from 'punto/sim';
import {
  type TableCommand,
  type Table,
  type TableEvent,
  parseTableCommand,
  decide,
  evolve,
  publicView,
} from 'punto/table';

const game: Game = orThrow(findGame('tiger', '2026-01-01'));
const card: Card | Refusal = parseCard('KD', 'french');
const shoe = orThrow(parseShoeDecks(game.deck, 8));
const deal = parseDeal(['KC', '2D', '5H', '4S', '7C', 'KD'], shoe);
if (isRefused(deal)) throw new RefusalError(deal);
const won: number = orThrow(settle(game, 'tiger', deal.facts, 500)).won;
const lost: readonly string[] = decidedWagers(game, wagerIdsOf(game), deal.cards).lost;

const expected: Fraction = parSheetOf(game, freshShoe(shoe)).wagers['tiger']!.expected;
const results: readonly RoadResult[] = [{ winner: 'banker', playerPair: false, bankerPair: true }];
const ask: NextMarks = roadsOf(results).ask('player');
const played: SimulationResult = orThrow(simulate({ game, decks: 8, cut: 14, seed: '1' }, 10));

function moved(table: Table | undefined, command: TableCommand): readonly Posting[] {
  const events: readonly TableEvent[] = orThrow(decide(command, table));
  const after: Table = events.reduce<Table | undefined>((at, event) => evolve(at, event), table)!;
  publicView(after).phase satisfies string;
  return applyEventsWithPostings(tableDecider, events, table).entries.flatMap(({ postings }) => postings);
}
const command = parseTableCommand({ type: 'OpenBets' });
if (!isRefused(command)) moved(undefined, command);

const environment = createClientEnvironment((address) => new WebSocket(address));
const patron = new PatronClient(environment, () => 'ws://127.0.0.1/socket', '0'.repeat(64));
patron.watch(({ view, own }: PatronClientState) => console.log(view?.phase, own?.credit));
const answer: Promise<ClientReply<never>> | undefined = undefined;
new DisplayClient(
  environment,
  () => 'ws://127.0.0.1/socket',
  'X09',
  ({ connection }) => console.log(connection),
).close();
console.log(games.length, card, won, lost, formatFraction(expected), ask.bigEye, played.agrees, answer);
