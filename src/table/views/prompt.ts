import { type Card, pointsOf } from '../../rules/card.ts';
import { type Game } from '../../rules/game.ts';
import { isNatural, totalOf } from '../../rules/hand.ts';
import { handsOf, nextSlot } from '../../rules/play.ts';
import { type TableClauses } from '../../games/rulebooks.ts';
import { type CommandName } from '../schema/commands.ts';
import { gameAndRulebookOf } from '../schema/settings.ts';
import { drawClauseOfTable } from '../decide/decision.ts';
import { isCuttingCardDue } from '../decide/shoeEnd.ts';
import { isShoeInspectionDue } from '../decide/shoePreparation.ts';
import { wagerResultsForCards } from '../decide/settlement.ts';
import { isFeltUnconfirmed, irregularityToRuleOn } from '../irregularities.ts';
import { type Round, type ShoeState, type Table, isShoeEmpty } from '../state.ts';
import { approvableProposal } from './approvableProposal.ts';

/**
 * What the table needs now. Screens have a text for each `code`; `with` has the values to insert. `by` is the clause,
 * or null.
 */
export type Prompt = {
  readonly code: string;
  readonly with: { readonly [name: string]: string };
  readonly by: string | null;
};

const prompt = (
  code: string,
  by: string | null,
  values: { readonly [name: string]: string | number } = {},
): Prompt => ({
  code,
  with: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  by,
});

/**
 * The prompt for the dealer at the time `at`: what the table needs now. An open proposal is the prompt only until it
 * expires.
 */
export function dealerPromptOf(table: Table, at: number = table.at): Prompt {
  const { referrals, round, phase } = table;
  const proposal = approvableProposal(table);
  const { clauses } = gameAndRulebookOf(table.settings).book;
  const irregularity = irregularityToRuleOn(table);
  if (proposal !== null && at <= proposal.expires && !isSideCommand(proposal.command.type)) {
    return prompt('proposed', clauses.roles, { command: proposal.command.type });
  }
  if (irregularity !== undefined) {
    return prompt(isFeltUnconfirmed(irregularity, table) ? 'felt-first' : 'stopped', irregularity.by, {
      kind: irregularity.kind,
    });
  }
  const [referral] = referrals;
  if (referral !== undefined) return prompt('frozen', referral.by, { referral: referral.id });
  switch (phase) {
    case 'idle':
      return betweenRoundsPrompt(table, clauses);
    case 'betting':
      return prompt('bets-open', clauses.open, { slips: round!.terminals });
    case 'closing':
      return prompt('closing', clauses.close, { slips: round!.terminals });
    case 'dealing':
      return cardDuePrompt(round!.cards, table);
    case 'result':
      return resultPrompt(round!, table, clauses);
  }
}

/** Commands whose proposal does not interrupt play. Such a proposal is never the prompt. */
const sideCommands: ReadonlySet<CommandName> = new Set<CommandName>([
  'ChangeSettings',
  'CloseTable',
  'ReopenTable',
  'CountSealedShoe',
  'CollectShortfall',
  'WriteOffShortfall',
  'DecideReferral',
]);
const isSideCommand = (act: CommandName): boolean => sideCommands.has(act);

function betweenRoundsPrompt(table: Table, clauses: TableClauses): Prompt {
  const { pendingSettlements, closed, shoe, settings, round } = table;
  if (pendingSettlements.length > 0) {
    const slips = pendingSettlements.reduce((sum, { order }) => sum + order.length, 0);
    return prompt('paying', settleClauseOfGame(gameAndRulebookOf(settings).game), {
      posted: pendingSettlements.reduce((sum, { done }) => sum + done, 0),
      slips,
    });
  }
  if (closed) return prompt('closed', null);
  const shoePrompt = shoe === null ? prompt('no-shoe', clauses.cards) : shoePromptOf(shoe, table, clauses);
  if (shoePrompt !== undefined) return shoePrompt;
  if (round === null) return prompt('ready', clauses.open, { last: 'none' });
  const { player, banker } = totalsOf(round.cards);
  const isVoid = 'voidBy' in round.ending!;
  return prompt('ready', clauses.open, {
    number: round.number,
    last: isVoid ? 'void' : winnerOf(player, banker),
    player,
    banker,
  });
}

/** The prompt for what the shoe needs before a round can open; undefined if the shoe needs nothing. */
function shoePromptOf(shoe: ShoeState, { settings }: Table, clauses: TableClauses): Prompt | undefined {
  const { id: shoeId } = shoe;
  if (!shoe.ready) {
    if (settings.dealing === 'virtual') return prompt('choose-turn', null, { shoe: shoeId });
    if (isShoeInspectionDue(shoe)) return prompt('inspect-shoe', clauses.cards, { shoe: shoeId });
    if (!shoe.counted) return prompt('count-shoe', clauses.cards, { shoe: shoeId });
    if (!shoe.shuffled) return prompt('shuffle-shoe', null, { shoe: shoeId });
    if (shoe.behindCut === null) return prompt('cut-shoe', clauses.cut, { shoe: shoeId });
    return prompt('verify-shoe', clauses.roles, { shoe: shoeId });
  }
  if (shoe.lockedBy !== null) return prompt('shoe-locked', shoe.lockedBy, { shoe: shoeId });
  if (shoe.roundsLeft === 0 || isShoeEmpty(shoe)) {
    return prompt('shoe-over', clauses.cut, { shoe: shoeId });
  }
  if (settings.burn === 'first-card' && !shoe.burned) return prompt('burn-first', null, { shoe: shoeId });
  return isCuttingCardDue(shoe) ? prompt('cutting-card-due', clauses.cut, { shoe: shoeId }) : undefined;
}

const placeCodes = ['first-card', 'second-card', 'third-card', 'fourth-card'] as const;

/** The prompt for the next card, with the totals that decide who draws. */
function cardDuePrompt(cards: readonly Card[], table: Table): Prompt {
  const { shoe } = table;
  const by = drawClauseOfTable(table);
  const slot = nextSlot(cards)!;
  const carried: { readonly [name: string]: string } = shoe!.carried ? { carried: 'yes' } : {};
  const place = placeCodes[cards.length];
  if (place !== undefined) return prompt(place, by, { slot, ...carried });
  const { player, banker } = totalsOf(cards.slice(0, 4));
  const totals = { slot, player, banker, ...carried };
  if (slot === 'P3') return prompt('player-draws', by, totals);
  const third = cards[4];
  return third === undefined
    ? prompt('player-stands', by, totals)
    : prompt('banker-draws', by, { ...totals, card: third, third: pointsOf(third) });
}

function resultPrompt(round: Round, { settings }: Table, { winner: winnerClause, tie }: TableClauses): Prompt {
  const { cards } = round;
  const { player, banker } = totalsOf(cards);
  const winner = winnerOf(player, banker);
  const hands = handsOf(cards);
  const results = wagerResultsForCards(round, cards, settings.offered);
  return prompt(`result-${winner}`, winner === 'tie' ? tie : winnerClause, {
    player,
    banker,
    playerCards: hands.player.length,
    bankerCards: hands.banker.length,
    natural: [isNatural(hands.player) && 'player', isNatural(hands.banker) && 'banker'].filter(Boolean).join(' '),
    won: Object.keys(results)
      .filter((wager) => results[wager]!.result === 'win')
      .join(' '),
  });
}

const winnerOf = (player: number, banker: number): 'player' | 'banker' | 'tie' =>
  player === banker ? 'tie' : player > banker ? 'player' : 'banker';

function totalsOf(cards: readonly Card[]): { readonly player: number; readonly banker: number } {
  const { player, banker } = handsOf(cards);
  return { player: totalOf(player), banker: totalOf(banker) };
}

export const settleClauseOfGame = ({ wagers }: Game): string =>
  wagers['player']!.lines.find(({ pays }) => pays !== 'push')!.by;
