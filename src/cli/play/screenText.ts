import { formatMoney } from '../../base/formatMoney.ts';
import { type Card, pointsOf } from '../../rules/card.ts';
import { versionedGameId } from '../../rules/game.ts';
import { isNatural, totalOf } from '../../rules/hand.ts';
import { handsOf } from '../../rules/play.ts';
import { factPatternText, paysText } from '../../rules/payTableText.ts';
import { type EventOf } from '../../table/schema/events.ts';
import { type Slip } from '../../table/schema/fieldTypes.ts';
import { type StakeResult, totalStake } from '../../table/payouts.ts';
import { type TableRefusal } from '../../table/schema/refusals.ts';
import { type publicView } from '../../table/views/publicView.ts';
import { formatColumns } from '../support/print.ts';
import { type PlayTotals } from './memoryLedger.ts';
import { type Seat } from './seat.ts';

// Texts that `punto play` prints: wagers, cards, results and refusals.

export const gameTitleText = ({ game, settings }: Seat): string =>
  `${game.name} (${versionedGameId(game)}), book ${game.book}, ${settings.decks} decks`;

export function layoutText({ game, settings }: Seat): readonly string[] {
  const rows = settings.offered.flatMap((id) => {
    const [min, max] = settings.limits[id]!;
    return game.wagers[id]!.lines.map((line, index) => [
      ...(index === 0 ? [id, formatMoney(min), formatMoney(max)] : ['', '', '']),
      factPatternText(line.when),
      paysText(line),
    ]);
  });
  return formatColumns(['wager', '>min', '>max', 'when', 'pays'], rows);
}

export const shoeCommittedLines = ({ shoe, size, root }: EventOf<'ShoeCommitted'>): readonly string[] => [
  `Shoe ${shoe} with ${size} cards is committed before any bet. Its root is`,
  `  ${root}`,
];

export const cutPositionText = ({ cutPosition }: EventOf<'CutPositionChosen'>): string =>
  `Your terminal chooses the cut position: card ${cutPosition} is dealt first. The table checks every card against the root.`;

export function shoeEndedText({ shoe, expected, seen, extra, missing }: EventOf<'ShoeEnded'>): string {
  const list = (cards: { readonly [card: string]: number }): string =>
    Object.entries(cards)
      .map(([card, times]) => `${times} ${card}`)
      .join(', ') || 'none';
  const counts = `${expected} cards expected, ${seen} seen, missing ${list(missing)}, extra ${list(extra)}`;
  return `Shoe ${shoe} has ended. Its cards and salts match the root: ${counts}.`;
}

const sideOf = { P: 'player', B: 'banker' } as const;
const sideNames = { player: 'Player', banker: 'Banker' } as const;

export const cuttingCardText = ({ by, roundsLeft }: EventOf<'CuttingCardOut'>): string =>
  roundsLeft === 0
    ? `  The cutting card is out: this is the last round of the shoe. (${by})`
    : `  The cutting card is out: rounds left after this one: ${roundsLeft}. (${by})`;

/**
 * Line for a dealt card: slot, card, new total of the hand and, for a third card, why it is drawn. Example: "P3 5C
 * Player 0 draws on 5".
 */
export function dealtCardText({ slot, card }: EventOf<'CardDealt'>, cards: readonly Card[]): string {
  const side = sideOf[slot[0] as 'P' | 'B'];
  const hands = handsOf(cards);
  const text = `  ${slot}  ${card}  ${sideNames[side]} ${totalOf(hands[side])}`;
  if (hands[side].length < 3) return text;
  const playerThird = hands.player[2];
  const against = side === 'banker' && playerThird !== undefined ? ` against ${pointsOf(playerThird)}` : '';
  return `${text}   draws on ${totalOf(hands[side].slice(0, 2))}${against}`;
}

type PublicRound = NonNullable<ReturnType<typeof publicView>['round']>;

/** Sentence with the winner and the totals. If no third card was drawn, the sentence also says why. */
export function roundResultText({ player, banker, winner }: PublicRound): string {
  const hasThirdCards = player.cards.length + banker.cards.length > 4;
  const hasNatural = isNatural(player.cards) || isNatural(banker.cards);
  const why = hasThirdCards ? '' : hasNatural ? 'A natural: ' : 'Both hands stand: ';
  if (winner === 'player') return `${why}Player wins with ${player.total} against ${banker.total}.`;
  if (winner === 'banker') return `${why}Banker wins with ${banker.total} against ${player.total}.`;
  return `${why}${hasThirdCards ? 'Tie' : 'tie'} at ${player.total}.`;
}

export function stakeResultLines(paid: readonly StakeResult[]): readonly string[] {
  if (paid.length === 0) return ['You had no stake in this round.'];
  const amounts = ({ stake, won, commission, returned }: StakeResult): readonly number[] => [
    stake,
    won,
    commission,
    returned,
  ];
  const sums = paid.reduce((totals, one) => amounts(one).map((part, n) => part + totals[n]!), [0, 0, 0, 0]);
  const rows = paid.map((one) => [one.wager, one.result, ...amounts(one).map(formatMoney), one.by]);
  const total = paid.length > 1 ? [['total', '', ...sums.map(formatMoney), '']] : [];
  return formatColumns(
    ['wager', 'result', '>stake', '>won', '>commission', '>returned', 'clause'],
    [...rows, ...total],
  );
}

export const creditText = (credit: number): string => `Credit ${formatMoney(credit)}.`;

export function slipText(slip: Slip, credit: number): string {
  const stakes = Object.entries(slip).map(([wager, stake]) => `${wager} ${formatMoney(stake)}`);
  const bet = stakes.length === 0 ? 'No stakes' : `Bet ${formatMoney(totalStake(slip))} (${stakes.join(', ')})`;
  return `${bet}, credit ${formatMoney(credit)}.`;
}

export const playTotalsLines = ({ rounds, staked, returned, loaded, credit }: PlayTotals): readonly string[] =>
  formatColumns(
    ['>rounds with a stake', '>loaded', '>staked', '>returned', '>credit'],
    [[String(rounds), formatMoney(loaded), formatMoney(staked), formatMoney(returned), formatMoney(credit)]],
  );

/** Formats a refusal with its code and clause. Amounts are in currency units, not in cents. */
export const formatRefusal = (refusal: TableRefusal): string =>
  `${moneyText(refusal)} (${[refusal.refused, refusal.by].filter((part) => part !== null).join(', ')})`;

function moneyText(refusal: TableRefusal): string {
  if (refusal.refused === 'over-maximum') {
    return `The maximum on ${refusal.wager} is ${formatMoney(refusal.maximum)}; stake less.`;
  }
  if (refusal.refused === 'under-minimum') {
    return `The minimum on ${refusal.wager} is ${formatMoney(refusal.minimum)}; stake more, or nothing.`;
  }
  if (refusal.refused === 'under-total-minimum') {
    return `The minimum total bet is ${formatMoney(refusal.minimum)}; stake more, or nothing.`;
  }
  if (refusal.refused === 'off-step-stake') {
    return `A stake on ${refusal.wager} must be a multiple of ${formatMoney(refusal.step)}.`;
  }
  if (refusal.refused === 'not-enough-credit') {
    return `Not enough credit: you have ${formatMoney(refusal.credit)}; stake less, or type \`load\` for more.`;
  }
  return refusal.message;
}
