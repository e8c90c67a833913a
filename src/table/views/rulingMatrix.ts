import { assert } from '../../base/assert.ts';
import { type Card, deckOfCard } from '../../rules/card.ts';
import { parseDeal } from '../../rules/deal.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Facts } from '../../rules/facts.ts';
import { type PreviewedEvent } from '../schema/events.ts';
import { type WagerResults, type Slip, type SlipsByTerminal } from '../schema/fieldTypes.ts';
import { gameByName } from '../schema/settings.ts';
import { decideAsIfApproved } from '../decide/proposals.ts';
import { referralClauseOf } from '../decide/decision.ts';
import { wagerResultsForCards } from '../decide/settlement.ts';
import { irregularityToRuleOn } from '../irregularities.ts';
import { type RoundOutcome, stakeResult, totalStake } from '../payouts.ts';
import { clauseOfVoid } from '../effectsWithEarlierRound.ts';
import { type OpenIrregularity, type Referral, type RoundRecord, type Table, findRound } from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { type StaffTableCommandName, previewActor, requiredRoles, rulingOptions } from './irregularityView.ts';
import { previewApproval, approvableProposal } from './approvableProposal.ts';

/** A command that is proposed or being typed, with the events it would produce. */
export type PreviewedCommand = {
  readonly command: { readonly type: string; readonly [field: string]: unknown };
  readonly effects: readonly PreviewedEvent[];
};

/**
 * One possible ruling or decision. `house`: win or loss of the house in minor units; null if unknown. `not`: error code
 * of the refusal if the ruling is not available; null if it is.
 */
export type RulingMatrixColumn = {
  readonly ruling: string;
  readonly winner: Facts['winner'] | null;
  readonly totals: { readonly player: number; readonly banker: number } | null;
  readonly by: string | null;
  readonly round: string;
  readonly shoe: string;
  readonly first: string;
  readonly second: string | null;
  readonly not: string | null;
  readonly house: { readonly sign: -1 | 0 | 1; readonly amount: number } | null;
};

/**
 * What one terminal gets, in minor units. `paid`: what the present outcome returns; null if the round has no outcome.
 * `back`: what each ruling returns; null if that is unknown, or if the ruling is about another terminal.
 */
type RulingRow = {
  readonly terminal: string;
  readonly staked: number;
  readonly paid: number | null;
  readonly back: { readonly [ruling: string]: number | null };
  readonly disconnected: boolean;
};

export type RulingMatrix = {
  readonly round: string;
  readonly columns: readonly RulingMatrixColumn[];
  readonly rows: readonly RulingRow[];
};

type RoundWithSlips = RoundRecord & { readonly slips: SlipsByTerminal };

/**
 * A column before its amounts are computed. `ending` is the outcome for all terminals or, with `only`, for that
 * terminal.
 */
type Column = Omit<RulingMatrixColumn, 'house'> & { readonly ending: RoundOutcome | null; readonly only?: string };

/**
 * Ruling matrix: what each possible ruling or decision returns to every terminal, beside what the present result
 * returns. Null when there is nothing to decide, or when the slips of an earlier round were not given.
 */
export function rulingMatrix(
  table: Table,
  previewed = proposedAt(table),
  slips?: SlipsByTerminal,
): RulingMatrix | null {
  const round = roundInQuestion(table, previewed, slips);
  if (round === null) return null;
  const columns = columnsOf(table, round, previewed);
  const sums = new Map<string, number>();
  const rows = Object.entries(round.slips).map(([terminal, slip]) => {
    const back = Object.fromEntries(columns.map((column) => [column.ruling, returnedInColumn(slip, terminal, column)]));
    for (const { ruling } of columns) sums.set(ruling, (sums.get(ruling) ?? 0) + (back[ruling] ?? 0));
    return {
      terminal,
      staked: totalStake(slip),
      paid: round.ending && returnedOnSlip(slip, round.ending),
      back,
      disconnected: ownValue(table.disconnected, terminal)?.back === false,
    };
  });
  const staked = rows.reduce((sum, row) => sum + row.staked, 0);
  return {
    round: round.id,
    columns: columns.map(({ ending, only, ...column }) => ({
      ...column,
      house: ending === null || only !== undefined ? null : signAndAmount(staked - (sums.get(column.ruling) ?? 0)),
    })),
    rows,
  };
}

const signAndAmount = (amount: number): { readonly sign: -1 | 0 | 1; readonly amount: number } => ({
  sign: Math.sign(amount) as -1 | 0 | 1,
  amount: Math.abs(amount),
});

/**
 * The open proposal with the events that its approval would give now. If the approval would be refused, the list of
 * events is empty.
 */
function proposedAt(table: Table): PreviewedCommand | undefined {
  const proposal = approvableProposal(table);
  if (proposal === null) return undefined;
  const effects = previewApproval(table);
  return { command: proposal.command, effects: isRefused(effects) ? [] : effects };
}

/**
 * The round of the matrix: the round that the previewed command would change. Without such a round, that of the
 * irregularity or referral.
 */
function roundInQuestion(
  table: Table,
  previewed: PreviewedCommand | undefined,
  slips: SlipsByTerminal | undefined,
): RoundWithSlips | null {
  const { openIrregularities, referrals } = table;
  const openRound = irregularityToRuleOn(table)?.round ?? referrals[0]?.round ?? openIrregularities[0]?.round;
  const previewedRound = previewed && roundTouchedBy(previewed);
  const kept = findRound(table, previewedRound ?? openRound ?? null);
  if (kept === undefined || 'slips' in kept) return kept ?? null;
  // A command that changes an earlier round must give its slips. If it gives none, the round had none.
  const givenSlips = slips ?? (previewed?.command['slips'] as SlipsByTerminal | undefined) ?? (previewedRound && {});
  return givenSlips ? { ...kept, slips: givenSlips } : null;
}

const roundEventTypes: ReadonlySet<string> = new Set([
  'RoundReconstructed',
  'CardCorrected',
  'RoundSettled',
  'RoundResettled',
  'RoundVoided',
  'SlipVoided',
  'ReferralDecided',
]);

function roundTouchedBy({ effects }: PreviewedCommand): string | undefined {
  const effect = effects.find(({ type }) => roundEventTypes.has(type));
  return typeof effect?.['round'] === 'string' ? effect['round'] : undefined;
}

function columnsOf(table: Table, round: RoundWithSlips, previewed: PreviewedCommand | undefined): readonly Column[] {
  const standOutcome = outcomeWithCards(table, round, round.cards);
  const previewedColumn = previewed && previewColumn(table, round, previewed);
  const others = offeredColumns(table, round, standOutcome);
  if (previewedColumn === undefined) return others;
  return others.some(({ ruling }) => ruling === previewedColumn.ruling)
    ? others.map((column) => (column.ruling === previewedColumn.ruling ? previewedColumn : column))
    : [previewedColumn, ...others];
}

function offeredColumns(table: Table, round: RoundWithSlips, standOutcome: RoundOutcome | null): readonly Column[] {
  const irregularity = irregularityToRuleOn(table);
  if (irregularity?.round === round.id)
    return [...irregularityColumns(table, irregularity), standColumn(round, standOutcome)];
  const referral = table.referrals.find((one) => one.round === round.id);
  return irregularity === undefined && referral !== undefined
    ? decisionColumns(table, round, referral, standOutcome)
    : [standColumn(round, standOutcome)];
}

/** The column of the present result. It is there for comparison and is not an option. */
const standColumn = (round: RoundRecord, ending: RoundOutcome | null): Column => ({
  ruling: 'stand',
  ...winnerAndTotals(round.cards, ending),
  by: null,
  round: 'none',
  shoe: 'goes on',
  first: 'none',
  second: null,
  not: 'no-such-ruling',
  ending,
});

/** The columns of the ruling options. Until cards are given, only a void has a known outcome. */
const irregularityColumns = (table: Table, irregularity: OpenIrregularity): readonly Column[] =>
  rulingOptions(irregularity, table).map(({ ruling, by, round, shoe, first, second, not }) => {
    const ending = ruling === 'void' ? { voidBy: by } : null;
    return { ruling, winner: null, totals: null, by, round, shoe, first, second, not, ending };
  });

function decisionColumns(
  table: Table,
  round: RoundWithSlips,
  referral: Referral,
  standOutcome: RoundOutcome | null,
): readonly Column[] {
  const { proposed } = referral;
  const by = referralClauseOf(table, round.id);
  const decisions = [
    'void',
    'stand',
    'continue',
    ...(proposed?.decision === 'burn' ? (['burn'] as const) : []),
  ] as const;
  return decisions.map((decision) => {
    const slipsContext = decision === 'void' && 'slipsHash' in round ? { slips: round.slips } : {};
    const act = {
      type: 'DecideReferral',
      at: table.at,
      actor: previewActor,
      referral: referral.id,
      decision,
      reason: '-',
      ...slipsContext,
    } as const;
    const effects = decideAsIfApproved(act, { v: 1, at: table.at, actor: previewActor }, table, undefined);
    const voidBy = clauseOfVoid(isRefused(effects) ? [] : effects) ?? by;
    const ending = decision === 'void' ? { voidBy } : decision === 'stand' ? standOutcome : null;
    return {
      ruling: decision,
      ...winnerAndTotals(round.cards, decision === 'stand' ? ending : null),
      by: decision === 'void' ? voidBy : by,
      round: decision === 'void' ? 'void' : decision === 'stand' ? 'none' : 'goes on',
      shoe: !isRefused(effects) && effects.some(({ type }) => type === 'ShoeLocked') ? 'locked' : 'goes on',
      ...requiredRoles('DecideReferral', table, act),
      not: isRefused(effects) ? effects.refused : null,
      ending,
    };
  });
}

const rulingNames: { readonly [act: string]: string } = {
  ReconstructRound: 'reconstruct',
  CorrectCard: 'correct',
  VoidRound: 'void',
};

/** The column of the previewed command; undefined if the command is no ruling or changes no round. */
function previewColumn(
  table: Table,
  round: RoundWithSlips,
  { command, effects }: PreviewedCommand,
): Column | undefined {
  const ruling =
    rulingNames[command.type] ?? (command.type === 'DecideReferral' ? String(command['decision']) : undefined);
  const roundEffect = effects.find(({ type }) => roundEventTypes.has(type));
  if (ruling === undefined || roundEffect === undefined) return undefined;
  const slip = effects.find(({ type }) => type === 'SlipVoided');
  const { cards, ending } = outcomeAfter(table, round, effects);
  const replayed = ruling === 'reconstruct' || ruling === 'correct';
  return {
    ruling,
    ...winnerAndTotals(cards, ending),
    by: clauseOfVoid(effects) ?? String(roundEffect['by']),
    round: replayed ? 'replayed' : ruling === 'void' ? 'void' : 'goes on',
    shoe: effects.some(({ type }) => type === 'ShoeLocked') ? 'locked' : 'goes on',
    ...requiredRoles(command.type as StaffTableCommandName, table, command),
    not: null,
    ending,
    ...(slip && { only: String(slip['terminal']) }),
  };
}

/** Cards and outcome of the round after the events; the outcome is null if the events give no outcome. */
function outcomeAfter(table: Table, round: RoundWithSlips, effects: readonly PreviewedEvent[]) {
  const replay = effects.find(({ type }) => type === 'RoundReconstructed' || type === 'CardCorrected');
  const cards = (replay?.['after'] as readonly string[] | undefined) ?? round.cards;
  const end = effects.find(
    ({ type }) =>
      type === 'RoundVoided' || type === 'RoundResettled' || type === 'RoundSettled' || type === 'SlipVoided',
  );
  if (end?.['results'] !== undefined) return { cards, ending: { results: end['results'] as WagerResults } };
  if (end !== undefined) return { cards, ending: { voidBy: String(end['by']) } };
  return { cards, ending: replay ? outcomeWithCards(table, round, cards) : null };
}

/** The outcome of the round with these cards; null if they are no complete deal. A void round stays void. */
function outcomeWithCards({ settings }: Table, round: RoundRecord, cards: readonly string[]): RoundOutcome | null {
  const { ending } = round;
  if (ending && 'voidBy' in ending) return ending;
  const deal = parseDeal(cards, { deck: gameByName(round.game).deck, decks: 10 });
  if (!('facts' in deal)) return null;
  const offered = ending ? Object.keys(ending.results) : settings.offered;
  return { results: wagerResultsForCards(round, cards, offered) };
}

function winnerAndTotals(
  cards: readonly string[],
  ending: RoundOutcome | null,
): Pick<RulingMatrixColumn, 'winner' | 'totals'> {
  const deal = ending !== null && 'results' in ending ? requireCompleteDeal(cards) : undefined;
  return deal === undefined
    ? { winner: null, totals: null }
    : { winner: deal.winner, totals: { player: deal.playerTotal, banker: deal.bankerTotal } };
}

function requireCompleteDeal(cards: readonly string[]): Facts {
  const deal = parseDeal(cards, { deck: deckOfCard(cards[0] as Card), decks: 10 });
  assert('facts' in deal, 'the cards of a round with results are a complete deal');
  return deal.facts;
}

function returnedInColumn(slip: Slip, terminal: string, { ending, only }: Column): number | null {
  if (ending === null || (only !== undefined && only !== terminal)) return null;
  return returnedOnSlip(slip, ending);
}

function returnedOnSlip(slip: Slip, ending: RoundOutcome): number {
  let sum = 0;
  for (const wager in slip) sum += stakeResult(wager, slip[wager]!, ending).returned;
  return sum;
}
