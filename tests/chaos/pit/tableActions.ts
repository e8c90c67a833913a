import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { nextSlot } from '../../../src/rules/play.ts';
import { type CommandName } from '../../../src/table/schema/commands.ts';
import { reportableIrregularityKinds } from '../../../src/table/schema/fieldTypes.ts';
import { irregularityToRuleOn } from '../../../src/table/irregularities.ts';
import { nextCommands } from '../../../src/table/views/nextCommands.ts';
import { type Table } from '../../../src/table/state.ts';
import { type PhysicalCards } from './physicalCards.ts';

/** Command of a staff member to a table. */
export type TableAction = { readonly type: CommandName; readonly [field: string]: unknown };

/** What a staff member sees: the table view and the physical cards. */
export type Situation = {
  readonly table: Table;
  readonly felt: PhysicalCards;
  readonly random: RandomSource;
  readonly now: number;
  readonly isFinishing: boolean;
};

const pick = <T>(from: readonly T[], { below }: RandomSource): T => from[below(from.length)]!;

/** True once in `times`, at random. */
export const oneIn = ({ below }: RandomSource, times: number): boolean => below(times) === 0;

/** Next command of a dealer: calls, cards, settlements, reports; now and then a wrong one. */
export function dealerAction(situation: Situation): TableAction | undefined {
  const { table, random, isFinishing } = situation;
  if (!isFinishing && oneIn(random, 25)) return wrongAction(situation);
  if (!isFinishing && oneIn(random, 30)) return reportAction(situation);
  if (irregularityToRuleOn(table) !== undefined)
    return isFinishing || oneIn(random, 3) ? rulingAction(situation) : undefined;
  if (table.referrals.length > 0) return undefined;
  const { phase, round, settings } = table;
  switch (phase) {
    case 'idle':
      return actionBetweenRounds(situation);
    case 'betting':
      return oneIn(random, 12) ? { type: 'ExtendBets', time: 1_000 * random.below(10) } : { type: 'CallClose' };
    case 'closing':
      return undefined;
    case 'dealing':
      return dealCard(situation);
    case 'result':
      if (!isFinishing && settings.bets === 'chips' && oneIn(random, 4)) return wagerReport(situation);
      // Before payment the dealer may notice a miskeyed card.
      return isMisrecorded(situation) && oneIn(random, 2) ? correctCard(situation, round!.id) : { type: 'Settle' };
  }
}

function actionBetweenRounds({ table, felt, random, isFinishing }: Situation): TableAction | undefined {
  const { shoe, proposal, sealed, closed, pendingSettlements: jobs } = table;
  if (jobs.length > 0 || closed) return undefined;
  if (isFinishing) return undefined;
  if (sealed.length > 0 && !proposal && oneIn(random, 6))
    return { type: 'CountSealedShoe', shoe: sealed[0]!.id, seen: felt.fullCount(table) };
  if (shoe === null) return { type: 'BringShoe', shoe: `L${random.below(1e6)}`, seal: 'S1', decks: 8, backs: 'red' };
  const next = nextCommands(table);
  if (!shoe.ready) {
    if (proposal) return undefined;
    if (shoe.inspected !== true) return { type: 'InspectCards', match: !oneIn(random, 12) };
    if (!shoe.counted) return { type: 'CountCards', cards: oneIn(random, 12) ? shoe.size - 1 : shoe.size };
    if (!shoe.shuffled) return { type: 'ShuffleShoe', method: 'by hand' };
    if (shoe.behindCut === null) return { type: 'CutShoe', behind: shoe.size - 60 - random.below(60) };
    return { type: 'VerifyShoe' };
  }
  if (next.includes('BurnCards')) return { type: 'BurnCards', card: felt.anyCard(table) };
  if (next.includes('ReportCuttingCard')) return { type: 'ReportCuttingCard' };
  if (next.includes('OpenBets')) return { type: 'OpenBets' };
  if (proposal) return undefined;
  return oneIn(random, 3) ? { type: 'SealShoe', seal: 'S2' } : { type: 'EndShoe', seen: felt.fullCount(table) };
}

/** Keys the physical card, or another one in 1 of 30 cases. */
function dealCard({ table, felt, random, isFinishing }: Situation): TableAction | undefined {
  const { round } = table;
  const slot = nextSlot(round!.cards);
  if (slot === undefined) return undefined;
  const index = round!.cards.length;
  if (index > 0 && felt.cardsOf(table)[index - 1] !== round!.cards[index - 1] && oneIn(random, 2))
    return { type: 'TakeBackCard' };
  const card = felt.draw(table, index);
  return { type: 'DealCard', slot, card: !isFinishing && oneIn(random, 30) ? felt.anyCard(table) : card };
}

/** Whether the recorded cards differ from the physical cards. */
function isMisrecorded({ table, felt }: Situation): boolean {
  const { round } = table;
  const out = felt.cardsOf(table);
  return round !== null && out.length > 0 && round.cards.some((card, index) => out[index] !== card);
}

function correctCard({ table, felt }: Situation, round: string): TableAction {
  const out = felt.cardsOf(table);
  const index = table.round!.cards.findIndex((card, n) => out[n] !== card);
  return { type: 'CorrectCard', round, place: index + 1, card: out[index] ?? felt.anyCard(table), reason: 'misread' };
}

/** A command that does not fit the phase, or a wrong card. */
function wrongAction({ table, felt, random }: Situation): TableAction {
  const slot = pick(['P1', 'B1', 'P2', 'B2', 'P3', 'B3'], random);
  const odd: readonly TableAction[] = [
    { type: 'OpenBets' },
    { type: 'CallClose' },
    { type: 'CloseBets' },
    { type: 'Settle' },
    { type: 'TakeBackCard' },
    { type: 'DealCard', slot, card: felt.anyCard(table) },
    { type: 'DealCard', slot, card: 'ZZ' },
    { type: 'CutShoe', behind: 3 },
    { type: 'ReportCuttingCard' },
    { type: 'DecideReferral', decision: 'void', reason: 'because' },
    { type: 'ConfirmRuling' },
    { type: 'AnswerCall' },
    { type: 'CloseTable', reason: 'tired' },
    { type: 'WithdrawProposal', proposal: 'P0' },
  ];
  return pick(odd, random);
}

/** A report of any kind. */
function reportAction(situation: Situation): TableAction {
  const { table, random } = situation;
  const { round } = table;
  const terminals = Object.keys(round?.slips ?? {}).slice(0, 2);
  const other: readonly TableAction[] = [
    { type: 'ReportCuttingCard' },
    { type: 'ReportInterruption', since: table.at, stateLost: oneIn(random, 3) },
    {
      type: 'ReportTerminals',
      terminals: terminals.length > 0 ? terminals : ['T1.1'],
      disconnected: random.below(2) === 0,
    },
    { type: 'Refer', reason: 'a quarrel', ...(oneIn(random, 2) && terminals[0] && { terminal: terminals[0] }) },
    { type: 'CallSupervisor', reason: 'please' },
    { type: 'AddNote', text: 'a word', to: pick(['dealer', 'floor', 'record'], random) },
    wagerReport(situation),
  ];
  if (oneIn(random, 3)) return pick(other, random);
  const kind = pick(reportableIrregularityKinds, random);
  const position = kind === 'drawn-together' && { place: 1 + random.below(6) };
  return { type: 'ReportIrregularity', kind, ...position };
}

function wagerReport({ table, random }: Situation): TableAction {
  const kind = pick(['late-wager', 'raised-wager', 'withdrawn-wager'], random);
  return {
    type: 'ReportWager',
    kind,
    place: `X${random.below(5)}`,
    wager: pick(table.settings.offered, random),
    amount: 500,
  };
}

/** One of the ruling options, with the physical cards. */
export function rulingAction(situation: Situation): TableAction | undefined {
  const { table, random } = situation;
  const options = nextCommands(table).filter((type) => type !== 'Refer' || oneIn(random, 12));
  const type = pick(options.length > 0 ? options : (['Refer'] as const), random);
  return rulingActions[type]?.(situation) ?? (reasonOnly.has(type) ? { type, reason: 'as seen' } : undefined);
}

/** Rulings that need only a reason. */
const reasonOnly: ReadonlySet<string> = new Set(['VoidRound', 'RestoreOrder', 'DismissReport', 'Refer']);

const rulingActions: { readonly [type in CommandName]?: (situation: Situation) => TableAction | undefined } = {
  ConfirmFelt: (situation) => (isUnentered(situation) ? enterCard(situation) : { type: 'ConfirmFelt' }),
  EnterCard: (situation) =>
    isUnentered(situation) || irregularityToRuleOn(situation.table)?.kind === 'unreadable-card'
      ? enterCard(situation)
      : { type: 'ConfirmFelt' },
  ConfirmRuling: () => ({ type: 'ConfirmRuling' }),
  ReconstructRound: reconstructRound,
  CorrectCard: (situation) =>
    situation.table.round === null ? undefined : correctCard(situation, situation.table.round.id),
  BurnCard: ({ table, felt }) => ({ type: 'BurnCard', card: felt.anyCard(table), reason: 'face up' }),
  DecideReferral: decisionAction,
};

/** Whether a physical card is not recorded. */
const isUnentered = ({ table, felt }: Situation): boolean =>
  table.round !== null && felt.cardsOf(table).length > table.round.cards.length;

/** The physical cards; now and then in another order. */
function reconstructRound({ table, felt, random, isFinishing }: Situation): TableAction {
  const { round } = table;
  const cards = round === null ? [] : [...round.cards, ...felt.cardsOf(table).slice(round.cards.length)];
  if (!isFinishing && cards.length > 1 && oneIn(random, 2)) cards.push(...cards.splice(random.below(cards.length), 1));
  return { type: 'ReconstructRound', cards, unseen: !isFinishing && oneIn(random, 4), reason: 'by the film' };
}

function enterCard({ table, felt }: Situation): TableAction | undefined {
  const slot = nextSlot(table.round?.cards ?? []);
  if (slot === undefined) return { type: 'ConfirmFelt' };
  return { type: 'EnterCard', slot, card: felt.draw(table, table.round!.cards.length), reason: 'by eye' };
}

/** Decision of a Gaming Shift Manager. */
export function decisionAction({ table, random }: Situation): TableAction {
  const referral = table.referrals.at(random.below(table.referrals.length || 1));
  return {
    type: 'DecideReferral',
    decision: pick(['stand', 'continue', 'void', 'void', 'burn'], random),
    reason: 'decided',
    ...(oneIn(random, 4) && { lock: true }),
    ...(referral && oneIn(random, 3) && { referral: referral.id }),
  };
}

/** Next command of a supervisor: rules, approves, refers. `rank` is the rank of `person` in the line. */
export function supervisorAction(situation: Situation, person: string, rank: number): TableAction | undefined {
  const { table, random, isFinishing, now } = situation;
  const { proposal, call, closed, openIrregularities, referrals } = table;
  if (call !== null && oneIn(random, 2)) return { type: 'AnswerCall' };
  const [difference] = table.differences;
  if (difference && oneIn(random, 4))
    return { type: 'InvestigateCount', shoe: difference.shoe, reason: 'counted again' };
  // Some proposals are ignored until they expire, and are approved too late.
  const isIgnored = !isFinishing && proposal !== null && Number(proposal.id.slice(1)) % 9 === 0;
  if (isIgnored && now <= proposal.expires) return undefined;
  if (proposal !== null && (now <= proposal.expires || (!isFinishing && oneIn(random, 3)))) {
    const { id, hash, actor } = proposal;
    const isOwn = 'person' in actor && actor.person === person;
    if (isOwn && !isFinishing && oneIn(random, 4)) return { type: 'Approve', proposal: id, hash };
    if (!isFinishing && oneIn(random, 10)) return { type: 'WithdrawProposal', proposal: id };
    if (!isFinishing && oneIn(random, 10)) return { type: 'Approve', proposal: id, hash: `sha256:${'0'.repeat(64)}` };
    // Some supervisors ignore the proposal, some propose another.
    const mayApprove = !isOwn && (rank > 1 || !oneIn(random, 5));
    if (mayApprove && (isFinishing || !oneIn(random, 5))) return { type: 'Approve', proposal: id, hash };
    if (!oneIn(random, 4)) return undefined;
  }
  if (irregularityToRuleOn(table) !== undefined) return rulingAction(situation);
  // A decision after payment needs two persons; the second is the manager.
  if (referrals.length > 0)
    return rank > 2 || oneIn(random, isFinishing ? 2 : 8) ? decisionAction(situation) : undefined;
  if (closed)
    return rank > 1 && (proposal === null || now > proposal.expires)
      ? { type: 'ReopenTable', reason: 'a new shift' }
      : undefined;
  if (isFinishing) return undefined;
  if (rank > 1 && oneIn(random, 60)) return { type: 'CloseTable', reason: 'the end of a shift' };
  if (openIrregularities.length === 0 && oneIn(random, 20)) return lateAction(situation);
  const [owed] = Object.entries(table.shortfalls);
  if (owed !== undefined && oneIn(random, 2)) return shortfallAction(owed, random);
  return oneIn(random, 40) ? reportAction(situation) : undefined;
}

/** Corrects or refers a settled round, of this shoe or an earlier one. */
function lateAction(situation: Situation): TableAction | undefined {
  const { table, felt, random } = situation;
  const { round, history } = table;
  if (round === null) return undefined;
  if (isMisrecorded(situation)) return correctCard(situation, round.id);
  const earlier = pick([round, round, ...history.slice(-3)], random);
  const position = 1 + random.below(Math.max(1, earlier.cards.length));
  const [terminal] = 'slips' in earlier && oneIn(random, 2) ? Object.keys(earlier.slips) : [];
  if (oneIn(random, 3))
    return {
      type: 'Refer',
      reason: 'a patron complains',
      round: earlier.id,
      ...(terminal !== undefined && { terminal }),
    };
  return { type: 'CorrectCard', round: earlier.id, place: position, card: felt.anyCard(table), reason: 'by the film' };
}

function shortfallAction(
  [terminal, rounds]: readonly [string, { readonly [round: string]: number }],
  random: RandomSource,
): TableAction {
  const [round, owed] = Object.entries(rounds)[0]!;
  const type = oneIn(random, 2) ? 'CollectShortfall' : 'WriteOffShortfall';
  return { type, terminal, round, amount: oneIn(random, 2) ? owed : 1 + random.below(owed), reason: 'as agreed' };
}
