import { isDeepStrictEqual } from 'node:util';
import { games } from '../../../src/games/registry.ts';
import { parseComposition } from '../../../src/odds/composition.ts';
import { oddsOf } from '../../../src/odds/sheet.ts';
import { type DerivedRoad } from '../../../src/roads/derived.ts';
import { type RoadResult, type Roads, roadsOf } from '../../../src/roads/roads.ts';
import { decidedWagers } from '../../../src/rules/decidedWagers.ts';
import { type ShoeCommitment, isCommittedCard, isCommittedShoe, shoeTree } from '../../../src/rules/shoeCommitment.ts';
import { parseDeal, parseDealtCards } from '../../../src/rules/deal.ts';
import { type FactName } from '../../../src/rules/facts.ts';
import { type Game, versionedGameId, wagerIdsOf } from '../../../src/rules/game.ts';
import { totalOf } from '../../../src/rules/hand.ts';
import { canonicalJson, hashOf } from '../../../src/base/canonicalJson.ts';
import { handsOf, nextSlot } from '../../../src/rules/play.ts';
import { isRefused } from '../../../src/base/refusal.ts';
import { wagerOutcomeOf } from '../../../src/rules/settle.ts';
import { type Card, cardsOfDeck } from '../../../src/rules/card.ts';

// Runs the vectors as an independent program would, from their text and docs/vectors.md. The computed line must equal the
// given line.

type Line = { readonly [field: string]: unknown };

const gameOf = ({ game: name }: Line): Game => {
  const found = games.find((game) => versionedGameId(game) === name);
  if (found === undefined) throw new Error(`there is no game ${String(name)}`);
  return found;
};

const letters = { banker: 'B', player: 'P', tie: 'T' } as const;
const signOf = ({ bankerPair, playerPair }: Pick<RoadResult, 'bankerPair' | 'playerPair'>): string =>
  bankerPair ? (playerPair ? 'D' : 'B') : playerPair ? 'P' : '-';

const totalsOf = (hands: ReturnType<typeof handsOf>): object => ({
  player: totalOf(hands.player),
  banker: totalOf(hands.banker),
});

const sha256 = (hex: Uint8Array): string => Buffer.from(hex).toString('hex');

type Claim = { readonly index: number; readonly card: Card; readonly salt: string; readonly proof: readonly string[] };
type Link = { readonly text: string; readonly hash: string };

/** Computes a whole line from its input fields. */
const answers: { readonly [family: string]: (line: Line) => object } = {
  canonical: ({ value }) => ({ value, text: canonicalJson(value), hash: hashOf(value) }),

  games: (line) => {
    const game = gameOf(line);
    return { game: versionedGameId(game), data: game, text: canonicalJson(line['data']), hash: hashOf(game) };
  },

  deals: (line) => {
    const game = gameOf(line);
    const cards = line['cards'] as readonly string[];
    const deal = parseDeal(cards, { deck: game.deck, decks: 8 });
    if (isRefused(deal)) return { game: versionedGameId(game), cards, refused: deal.refused };
    const { hands, facts } = deal;
    return {
      game: versionedGameId(game),
      cards: deal.cards,
      hands,
      totals: totalsOf(hands),
      facts: Object.fromEntries(Object.keys(line['facts'] as object).map((name) => [name, facts[name as FactName]])),
      wagers: Object.fromEntries(wagerIdsOf(game).map((id) => [id, wagerOutcomeOf(game.wagers[id]!, facts)])),
    };
  },

  partial: (line) => {
    const game = gameOf(line);
    const cards = parseDealtCards(line['cards'] as readonly string[], { deck: game.deck, decks: 8 });
    if (isRefused(cards)) throw new Error(cards.message);
    const { established, won, lost } = decidedWagers(game, wagerIdsOf(game), cards);
    const hands = handsOf(cards);
    return {
      game: versionedGameId(game),
      cards,
      hands,
      totals: totalsOf(hands),
      next: nextSlot(cards) ?? null,
      established,
      won,
      lost,
      open: wagerIdsOf(game).filter((id) => ![...won, ...lost].includes(id)),
    };
  },

  counts: (line) => {
    const game = gameOf(line);
    const shoe = parseComposition(line['left'], game.deck);
    if (isRefused(shoe)) throw new Error(shoe.message);
    const { deals, wagers } = oddsOf(game, shoe);
    return {
      game: versionedGameId(game),
      left: Object.fromEntries(cardsOfDeck(game.deck).map((card, index) => [card, shoe.counts[index]])),
      draws: String(deals),
      wagers: Object.fromEntries(
        Object.entries(wagers).map(([id, { outcomes }]) => [
          id,
          outcomes.map(({ net, count }) => ({ net, count: String(count) })),
        ]),
      ),
    };
  },

  roads: (line) => {
    const [results, pairs] = [line['results'] as string, line['pairs'] as string];
    const roads = roadsOf(
      results.split('').map((letter, index) => ({
        winner: letter === 'B' ? 'banker' : letter === 'P' ? 'player' : 'tie',
        bankerPair: 'BD'.includes(pairs[index]!),
        playerPair: 'PD'.includes(pairs[index]!),
      })),
    );
    const derived = (road: DerivedRoad) => roads.cellsOf(road).map(({ column, row, mark }) => [column, row, mark]);
    const nextMarks = ({ bigEye, small, cockroach }: ReturnType<Roads['ask']>) => ({
      bigEye: bigEye ?? null,
      small: small ?? null,
      cockroach: cockroach ?? null,
    });
    return {
      results,
      pairs,
      beadPlate: roads.beads.map((bead) => [bead.column, bead.row, letters[bead.winner], signOf(bead)]),
      bigRoad: roads.bigRoad.map((cell) => [cell.column, cell.row, letters[cell.winner], cell.ties, signOf(cell)]),
      leadingTies: roads.leadingTies,
      bigEye: derived('bigEye'),
      small: derived('small'),
      cockroach: derived('cockroach'),
      ask: { banker: nextMarks(roads.ask('banker')), player: nextMarks(roads.ask('player')) },
    };
  },

  chains: ({ name, entries }) => {
    const links = entries as readonly Link[];
    const at = links.findIndex((link, index) => !isValidLink(link, index, links));
    return { name, entries, whole: at < 0, bad: at < 0 ? null : at + 1 };
  },

  shoes: (line) => {
    const { shoe, size, root, cards, salts, claims } = line as ShoeCommitment & {
      readonly cards: readonly Card[];
      readonly salts: readonly string[];
      readonly claims: readonly Claim[];
    };
    if (!isCommittedShoe({ shoe, size, root }, cards, salts)) throw new Error('the root is another');
    return {
      shoe,
      size,
      root,
      cards,
      salts,
      leaves: shoeTree(shoe, cards, salts)[0]!.map(sha256),
      claims: claims.map(({ index, card, salt, proof }) => ({
        index,
        card,
        salt,
        proof,
        holds: isCommittedCard({ shoe, size, root }, index, card, salt, proof),
      })),
    };
  },
};

function isValidLink({ text, hash }: Link, index: number, links: readonly Link[]): boolean {
  const entry = JSON.parse(text) as { stream: string; sequence: number; previous: string };
  const { stream } = JSON.parse(links[0]!.text) as { stream: string };
  const before = index === 0 ? `sha256:${'0'.repeat(64)}` : links[index - 1]!.hash;
  return (
    canonicalJson(entry) === text &&
    hashOf(entry) === hash &&
    entry.stream === stream &&
    entry.sequence === index + 1 &&
    entry.previous === before
  );
}

/** True if the computed line equals the given one. */
export function agrees(family: string, text: string): boolean {
  const line = JSON.parse(text) as Line;
  try {
    // Through JSON, which drops undefined fields.
    return isDeepStrictEqual(JSON.parse(JSON.stringify(answers[family]!(line))), line);
  } catch {
    return false;
  }
}

/** Lines after the header, whose count must match. */
export function vectorLines(family: string, text: string): readonly string[] {
  const [head, ...lines] = text.split('\n');
  const { family: named, version, vectors } = JSON.parse(head!) as Line;
  if (named !== family || version !== 1 || lines.pop() !== '' || lines.length !== vectors) {
    throw new Error(`${family} is not whole`);
  }
  return lines;
}
