import { type Card, pointsOf } from '../../rules/card.ts';
import { type Game } from '../../rules/game.ts';
import { isNatural, totalOf } from '../../rules/hand.ts';
import { handsOf, nextSlot } from '../../rules/play.ts';
import { type Clauses } from '../../games/rulebooks.ts';
import { type CommandName } from '../schema/commands.ts';
import { resolveSettings } from '../schema/settings.ts';
import { isFeltUnconfirmed } from '../decide/irregularities/interruptions.ts';
import { isCuttingCardDue, needsInspection } from '../decide/shoes.ts';
import { resultsFor } from '../decide/settlement.ts';
import { leadingIrregularity } from '../irregularities.ts';
import { type Round, type ShoeState, type Table } from '../state.ts';
import { openProposal } from './openProposal.ts';

/** A sentence as data: a screen has the words for each code, in its language; `by` is the clause that says so. */
export type Prompt = {
  readonly code: string;
  readonly with: { readonly [name: string]: string };
  readonly by: string | null;
};

const say = (code: string, by: string | null, what: { readonly [name: string]: string | number } = {}): Prompt => ({
  code,
  with: Object.fromEntries(Object.entries(what).map(([name, value]) => [name, String(value)])),
  by,
});

/** What the table wants now, and why. A proposal counts until that time is over. */
export function promptOf(table: Table, at: number = table.at): Prompt {
  const { referrals, round, phase } = table;
  const proposal = openProposal(table);
  const { clauses } = resolveSettings(table.setting).book;
  const matter = leadingIrregularity(table);
  if (proposal !== null && at <= proposal.expires && !isBeside(proposal.act.type)) {
    return say('proposed', clauses.posts, { act: proposal.act.type });
  }
  if (matter !== undefined) {
    return say(isFeltUnconfirmed(matter, table) ? 'felt-first' : 'stopped', matter.by, { kind: matter.kind });
  }
  const [referral] = referrals;
  if (referral !== undefined) return say('frozen', referral.by, { referral: referral.id });
  switch (phase) {
    case 'idle':
      return betweenRounds(table, clauses);
    case 'betting':
      return say('bets-open', clauses.open, { slips: round!.terminals });
    case 'closing':
      return say('closing', clauses.close, { slips: round!.terminals });
    case 'dealing':
      return cardDue(round!.cards, table, clauses);
    case 'result':
      return resultOf(round!, table, clauses);
  }
}

/** What is proposed beside the game: the table goes on meanwhile. */
const besides: ReadonlySet<CommandName> = new Set<CommandName>([
  'ChangeSetting',
  'CloseTable',
  'ReopenTable',
  'CountSealedShoe',
  'CollectShortfall',
  'WriteOffShortfall',
  'DecideReferral',
]);
const isBeside = (act: CommandName): boolean => besides.has(act);

function betweenRounds(table: Table, clauses: Clauses): Prompt {
  const { pendingSettlements: jobs, closed, shoe, setting, round } = table;
  if (jobs.length > 0) {
    const slips = jobs.reduce((sum, { order }) => sum + order.length, 0);
    return say('paying', settleClause(resolveSettings(setting).game), {
      posted: jobs.reduce((sum, { done }) => sum + done, 0),
      slips,
    });
  }
  if (closed) return say('closed', null);
  const wanting = shoe === null ? say('no-shoe', clauses.cards) : wantedOf(shoe, table, clauses);
  if (wanting !== undefined) return wanting;
  if (round === null) return say('ready', clauses.open, { last: 'none' });
  const { player, banker } = totalsOf(round.cards);
  const isVoid = 'voidBy' in round.ending!;
  return say('ready', clauses.open, {
    number: round.number,
    last: isVoid ? 'void' : winnerOf(player, banker),
    player,
    banker,
  });
}

/** What a shoe still wants before a round can open. */
function wantedOf(shoe: ShoeState, { setting }: Table, clauses: Clauses): Prompt | undefined {
  const { id: named } = shoe;
  if (!shoe.ready) {
    if (setting.dealing === 'virtual') return say('choose-turn', null, { shoe: named });
    if (needsInspection(shoe)) return say('inspect-shoe', clauses.cards, { shoe: named });
    if (!shoe.counted) return say('count-shoe', clauses.cards, { shoe: named });
    if (!shoe.shuffled) return say('shuffle-shoe', null, { shoe: named });
    if (shoe.behindCut === null) return say('cut-shoe', clauses.cut, { shoe: named });
    return say('verify-shoe', clauses.posts, { shoe: named });
  }
  if (shoe.lockedBy !== null) return say('shoe-locked', shoe.lockedBy, { shoe: named });
  if (shoe.roundsLeft === 0 || (shoe.drawn >= shoe.size && !shoe.carried)) {
    return say('shoe-over', clauses.cut, { shoe: named });
  }
  if (setting.burn === 'first-card' && !shoe.burned) return say('burn-first', null, { shoe: named });
  return isCuttingCardDue(shoe) ? say('cutting-card-due', clauses.cut, { shoe: named }) : undefined;
}

const places = ['first-card', 'second-card', 'third-card', 'fourth-card'] as const;

/** The card that the table of play asks for, and why it does. */
function cardDue(cards: readonly Card[], { shoe }: Table, { deal, play }: Clauses): Prompt {
  const slot = nextSlot(cards)!;
  const lies: { readonly [name: string]: string } = shoe!.carried ? { carried: 'yes' } : {};
  const place = places[cards.length];
  if (place !== undefined) return say(place, deal, { slot, ...lies });
  const { player, banker } = totalsOf(cards.slice(0, 4));
  const totals = { slot, player, banker, ...lies };
  if (slot === 'P3') return say('player-draws', play, totals);
  const third = cards[4];
  return third === undefined
    ? say('player-stands', play, totals)
    : say('banker-draws', play, { ...totals, card: third, third: pointsOf(third) });
}

/** Who has won, and which wagers with it. */
function resultOf(round: Round, { setting }: Table, { winner: wins, tie }: Clauses): Prompt {
  const { cards } = round;
  const { player, banker } = totalsOf(cards);
  const winner = winnerOf(player, banker);
  const hands = handsOf(cards);
  const results = resultsFor(round, cards, setting.offered);
  return say(`result-${winner}`, winner === 'tie' ? tie : wins, {
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

/** The clause by which a game pays its main wagers. */
export const settleClause = ({ wagers }: Game): string =>
  wagers['player']!.lines.find(({ pays }) => pays !== 'push')!.by;
