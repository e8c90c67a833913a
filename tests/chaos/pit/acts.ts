import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { nextSlot } from '../../../src/rules/play.ts';
import { type CommandName } from '../../../src/table/schema/commands.ts';
import { reportableKinds } from '../../../src/table/schema/fieldTypes.ts';
import { leadingIrregularity } from '../../../src/table/irregularities.ts';
import { nextCommands } from '../../../src/table/views/nextCommands.ts';
import { type Table } from '../../../src/table/state.ts';
import { type Felt } from './felt.ts';

/** A command of a table as staff ask it. */
export type Act = { readonly type: CommandName; readonly [field: string]: unknown };

/** What somebody has before their eyes: the table as it is shown, and what truly lies there. */
export type Sight = {
  readonly table: Table;
  readonly felt: Felt;
  readonly chance: RandomSource;
  readonly now: number;
  readonly isCalm: boolean;
};

const pick = <T>(from: readonly T[], { below }: RandomSource): T => from[below(from.length)]!;

/** One time in so many. */
export const seldom = ({ below }: RandomSource, times: number): boolean => below(times) === 0;

/** What a dealer does next: calls, cards, settlements, reports; now and then something that does not fit. */
export function dealerAct(sight: Sight): Act | undefined {
  const { table, chance, isCalm } = sight;
  if (!isCalm && seldom(chance, 25)) return errs(sight);
  if (!isCalm && seldom(chance, 30)) return reports(sight);
  if (leadingIrregularity(table) !== undefined) return isCalm || seldom(chance, 3) ? ruling(sight) : undefined;
  if (table.referrals.length > 0) return undefined;
  const { phase, round, settings } = table;
  switch (phase) {
    case 'idle':
      return between(sight);
    case 'betting':
      return seldom(chance, 12) ? { type: 'ExtendBets', time: 1_000 * chance.below(10) } : { type: 'CallClose' };
    case 'closing':
      return undefined;
    case 'dealing':
      return deal(sight);
    case 'result':
      if (!isCalm && settings.bets === 'chips' && seldom(chance, 4)) return chips(sight);
      // Somebody looks before it is paid, and finds that another card was keyed.
      return isWrong(sight) && seldom(chance, 2) ? correct(sight, round!.id) : { type: 'Settle' };
  }
}

function between({ table, felt, chance, isCalm }: Sight): Act | undefined {
  const { shoe, proposal, sealed, closed, pendingSettlements: jobs } = table;
  if (jobs.length > 0 || closed) return undefined;
  if (isCalm) return undefined;
  if (sealed.length > 0 && !proposal && seldom(chance, 6))
    return { type: 'CountSealedShoe', shoe: sealed[0]!.id, seen: felt.counted(table) };
  if (shoe === null) return { type: 'BringShoe', shoe: `L${chance.below(1e6)}`, seal: 'S1', decks: 8, backs: 'red' };
  const next = nextCommands(table);
  if (!shoe.ready) {
    if (proposal) return undefined;
    if (shoe.inspected !== true) return { type: 'InspectCards', match: !seldom(chance, 12) };
    if (!shoe.counted) return { type: 'CountCards', cards: seldom(chance, 12) ? shoe.size - 1 : shoe.size };
    if (!shoe.shuffled) return { type: 'ShuffleShoe', method: 'by hand' };
    if (shoe.behindCut === null) return { type: 'CutShoe', behind: shoe.size - 60 - chance.below(60) };
    return { type: 'VerifyShoe' };
  }
  if (next.includes('BurnCards')) return { type: 'BurnCards', card: felt.any(table) };
  if (next.includes('ReportCuttingCard')) return { type: 'ReportCuttingCard' };
  if (next.includes('OpenBets')) return { type: 'OpenBets' };
  if (proposal) return undefined;
  return seldom(chance, 3) ? { type: 'SealShoe', seal: 'S2' } : { type: 'EndShoe', seen: felt.counted(table) };
}

/** The card that truly lies there is keyed, but for one in thirty. */
function deal({ table, felt, chance, isCalm }: Sight): Act | undefined {
  const { round } = table;
  const slot = nextSlot(round!.cards);
  if (slot === undefined) return undefined;
  const place = round!.cards.length;
  if (place > 0 && felt.cardsOf(table)[place - 1] !== round!.cards[place - 1] && seldom(chance, 2))
    return { type: 'TakeBackCard' };
  const card = felt.draw(table, place);
  return { type: 'DealCard', slot, card: !isCalm && seldom(chance, 30) ? felt.any(table) : card };
}

/** Whether the round on record is not the one that lies there. */
function isWrong({ table, felt }: Sight): boolean {
  const { round } = table;
  const out = felt.cardsOf(table);
  return round !== null && out.length > 0 && round.cards.some((card, place) => out[place] !== card);
}

function correct({ table, felt }: Sight, round: string): Act {
  const out = felt.cardsOf(table);
  const place = table.round!.cards.findIndex((card, n) => out[n] !== card);
  return { type: 'CorrectCard', round, place: place + 1, card: out[place] ?? felt.any(table), reason: 'misread' };
}

/** Something that does not fit the moment, or a card that is not there. */
function errs({ table, felt, chance }: Sight): Act {
  const slot = pick(['P1', 'B1', 'P2', 'B2', 'P3', 'B3'], chance);
  const odd: readonly Act[] = [
    { type: 'OpenBets' },
    { type: 'CallClose' },
    { type: 'CloseBets' },
    { type: 'Settle' },
    { type: 'TakeBackCard' },
    { type: 'DealCard', slot, card: felt.any(table) },
    { type: 'DealCard', slot, card: 'ZZ' },
    { type: 'CutShoe', behind: 3 },
    { type: 'ReportCuttingCard' },
    { type: 'DecideReferral', decision: 'void', reason: 'because' },
    { type: 'ConfirmRuling' },
    { type: 'AnswerCall' },
    { type: 'CloseTable', reason: 'tired' },
    { type: 'WithdrawProposal', proposal: 'P0' },
  ];
  return pick(odd, chance);
}

/** Anything that may be wrong, of every kind. */
function reports(sight: Sight): Act {
  const { table, chance } = sight;
  const { round } = table;
  const terminals = Object.keys(round?.slips ?? {}).slice(0, 2);
  const other: readonly Act[] = [
    { type: 'ReportCuttingCard' },
    { type: 'ReportInterruption', since: table.at, stateLost: seldom(chance, 3) },
    {
      type: 'ReportTerminals',
      terminals: terminals.length > 0 ? terminals : ['T1.1'],
      disconnected: chance.below(2) === 0,
    },
    { type: 'Refer', reason: 'a quarrel', ...(seldom(chance, 2) && terminals[0] && { terminal: terminals[0] }) },
    { type: 'CallSupervisor', reason: 'please' },
    { type: 'AddNote', text: 'a word', to: pick(['dealer', 'floor', 'record'], chance) },
    chips(sight),
  ];
  if (seldom(chance, 3)) return pick(other, chance);
  const kind = pick(reportableKinds, chance);
  const place = kind === 'drawn-together' && { place: 1 + chance.below(6) };
  return { type: 'ReportIrregularity', kind, ...place };
}

function chips({ table, chance }: Sight): Act {
  const kind = pick(['late-wager', 'raised-wager', 'withdrawn-wager'], chance);
  return {
    type: 'ReportWager',
    kind,
    place: `X${chance.below(5)}`,
    wager: pick(table.settings.offered, chance),
    amount: 500,
  };
}

/** One of the ways out of what the table waits for, with what truly lies there. */
export function ruling(sight: Sight): Act | undefined {
  const { table, chance } = sight;
  const ways = nextCommands(table).filter((type) => type !== 'Refer' || seldom(chance, 12));
  const type = pick(ways.length > 0 ? ways : (['Refer'] as const), chance);
  return wayOut[type]?.(sight) ?? (isBare.has(type) ? { type, reason: 'as seen' } : undefined);
}

/** What takes no more than a reason. */
const isBare: ReadonlySet<string> = new Set(['VoidRound', 'RestoreOrder', 'DismissReport', 'Refer']);

const wayOut: { readonly [type in CommandName]?: (sight: Sight) => Act | undefined } = {
  ConfirmFelt: (sight) => (isUnentered(sight) ? enter(sight) : { type: 'ConfirmFelt' }),
  EnterCard: (sight) =>
    isUnentered(sight) || leadingIrregularity(sight.table)?.kind === 'unreadable-card'
      ? enter(sight)
      : { type: 'ConfirmFelt' },
  ConfirmRuling: () => ({ type: 'ConfirmRuling' }),
  ReconstructRound: reconstruct,
  CorrectCard: (sight) => (sight.table.round === null ? undefined : correct(sight, sight.table.round.id)),
  BurnCard: ({ table, felt }) => ({ type: 'BurnCard', card: felt.any(table), reason: 'face up' }),
  DecideReferral: decision,
};

/** Whether a card lies there that is not on record. */
const isUnentered = ({ table, felt }: Sight): boolean =>
  table.round !== null && felt.cardsOf(table).length > table.round.cards.length;

/** The cards as they lie; now and then two of them lay the other way round. */
function reconstruct({ table, felt, chance, isCalm }: Sight): Act {
  const { round } = table;
  const cards = round === null ? [] : [...round.cards, ...felt.cardsOf(table).slice(round.cards.length)];
  if (!isCalm && cards.length > 1 && seldom(chance, 2)) cards.push(...cards.splice(chance.below(cards.length), 1));
  return { type: 'ReconstructRound', cards, unseen: !isCalm && seldom(chance, 4), reason: 'by the film' };
}

function enter({ table, felt }: Sight): Act | undefined {
  const slot = nextSlot(table.round?.cards ?? []);
  if (slot === undefined) return { type: 'ConfirmFelt' };
  return { type: 'EnterCard', slot, card: felt.draw(table, table.round!.cards.length), reason: 'by eye' };
}

/** What a Gaming Shift Manager decides. */
export function decision({ table, chance }: Sight): Act {
  const referral = table.referrals.at(chance.below(table.referrals.length || 1));
  return {
    type: 'DecideReferral',
    decision: pick(['stand', 'continue', 'void', 'void', 'burn'], chance),
    reason: 'decided',
    ...(seldom(chance, 4) && { lock: true }),
    ...(referral && seldom(chance, 3) && { referral: referral.id }),
  };
}

/** What a supervisor does at a table: rules, consents, quarrels. `person` is who looks, `rank` how high in the line. */
export function supervisorAct(sight: Sight, person: string, rank: number): Act | undefined {
  const { table, chance, isCalm, now } = sight;
  const { proposal, call, closed, openIrregularities: held, referrals } = table;
  if (call !== null && seldom(chance, 2)) return { type: 'AnswerCall' };
  const [difference] = table.differences;
  if (difference && seldom(chance, 4))
    return { type: 'InvestigateCount', shoe: difference.shoe, reason: 'counted again' };
  // Nobody likes some of them: they expire, and are consented to too late.
  const isShunned = !isCalm && proposal !== null && Number(proposal.id.slice(1)) % 9 === 0;
  if (isShunned && now <= proposal.expires) return undefined;
  if (proposal !== null && (now <= proposal.expires || (!isCalm && seldom(chance, 3)))) {
    const { id, hash, actor } = proposal;
    const isOwn = 'person' in actor && actor.person === person;
    if (isOwn && !isCalm && seldom(chance, 4)) return { type: 'Approve', proposal: id, hash };
    if (!isCalm && seldom(chance, 10)) return { type: 'WithdrawProposal', proposal: id };
    if (!isCalm && seldom(chance, 10)) return { type: 'Approve', proposal: id, hash: `sha256:${'0'.repeat(64)}` };
    // Some look away, some propose against it.
    const isForMe = !isOwn && (rank > 1 || !seldom(chance, 5));
    if (isForMe && (isCalm || !seldom(chance, 5))) return { type: 'Approve', proposal: id, hash };
    if (!seldom(chance, 4)) return undefined;
  }
  if (leadingIrregularity(table) !== undefined) return ruling(sight);
  // A decision on what was paid takes two, of whom the second is the manager.
  if (referrals.length > 0) return rank > 2 || seldom(chance, isCalm ? 2 : 8) ? decision(sight) : undefined;
  if (closed)
    return rank > 1 && (proposal === null || now > proposal.expires)
      ? { type: 'ReopenTable', reason: 'a new shift' }
      : undefined;
  if (isCalm) return undefined;
  if (rank > 1 && seldom(chance, 60)) return { type: 'CloseTable', reason: 'the end of a shift' };
  if (held.length === 0 && seldom(chance, 20)) return late(sight);
  const [owing] = Object.entries(table.shortfalls);
  if (owing !== undefined && seldom(chance, 2)) return shortfall(owing, chance);
  return seldom(chance, 40) ? reports(sight) : undefined;
}

/** A settled round is looked at again: of the present shoe, or one before. */
function late(sight: Sight): Act | undefined {
  const { table, felt, chance } = sight;
  const { round, history } = table;
  if (round === null) return undefined;
  if (isWrong(sight)) return correct(sight, round.id);
  const old = pick([round, round, ...history.slice(-3)], chance);
  const place = 1 + chance.below(Math.max(1, old.cards.length));
  const [terminal] = 'slips' in old && seldom(chance, 2) ? Object.keys(old.slips) : [];
  if (seldom(chance, 3))
    return { type: 'Refer', reason: 'a patron complains', round: old.id, ...(terminal !== undefined && { terminal }) };
  return { type: 'CorrectCard', round: old.id, place, card: felt.any(table), reason: 'by the film' };
}

function shortfall(
  [terminal, rounds]: readonly [string, { readonly [round: string]: number }],
  chance: RandomSource,
): Act {
  const [round, owed] = Object.entries(rounds)[0]!;
  const type = seldom(chance, 2) ? 'CollectShortfall' : 'WriteOffShortfall';
  return { type, terminal, round, amount: seldom(chance, 2) ? owed : 1 + chance.below(owed), reason: 'as agreed' };
}
