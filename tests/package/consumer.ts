// A strict program of somebody else: it uses every door of the library as a reader of its types would.
import {
  type Card,
  type Game,
  type Refusal,
  Refused,
  certain,
  dealOf,
  findGame,
  games,
  isRefused,
  orThrow,
  parseCard,
  settle,
  shoeOf,
  wagerIdsOf,
} from 'punto';
import { type Answer, Patron, type Seen, Watcher, machine } from 'punto/client';
import { type Posting, entered, tableDecider } from 'punto/ledger';
import { type Fraction, freshShoe, printFraction, sheetOf } from 'punto/odds';
import { type Ask, type Result, roadsOf } from 'punto/roads';
import { type Simulated, simulate } from 'punto/sim';
import { type Command, type Table, type TableEvent, commandFrom, decide, evolve, publicView } from 'punto/table';

const game: Game = orThrow(findGame('tiger', '2026-01-01'));
const card: Card | Refusal = parseCard('KD', 'french');
const shoe = orThrow(shoeOf(game.deck, 8));
const deal = dealOf(['KC', '2D', '5H', '4S', '7C', 'KD'], shoe);
if (isRefused(deal)) throw new Refused(deal);
const won: number = orThrow(settle(game, 'tiger', deal.facts, 500)).won;
const lost: readonly string[] = certain(game, wagerIdsOf(game), deal.cards).lost;

const expected: Fraction = sheetOf(game, freshShoe(shoe)).wagers['tiger']!.expected;
const results: readonly Result[] = [{ winner: 'banker', playerPair: false, bankerPair: true }];
const ask: Ask = roadsOf(results).ask('player');
const played: Simulated = orThrow(simulate({ game, decks: 8, cut: 14, seed: '1' }, 10));

function moved(table: Table | undefined, command: Command): readonly Posting[] {
  const events: readonly TableEvent[] = orThrow(decide(command, table));
  const after: Table = events.reduce<Table | undefined>((at, event) => evolve(at, event), table)!;
  publicView(after).phase satisfies string;
  return entered(tableDecider, events, table).entries.flatMap(({ postings }) => postings);
}
const command = commandFrom({ type: 'OpenBets' });
if (!isRefused(command)) moved(undefined, command);

const world = machine((address) => new WebSocket(address));
const patron = new Patron(world, () => 'ws://127.0.0.1/socket', '0'.repeat(64));
patron.watch(({ view, own }: Seen) => console.log(view?.phase, own?.credit));
const answer: Promise<Answer<never>> | undefined = undefined;
new Watcher(
  world,
  () => 'ws://127.0.0.1/socket',
  'X09',
  ({ link }) => console.log(link),
).close();
console.log(games.length, card, won, lost, printFraction(expected), ask.bigEye, played.agrees, answer);
