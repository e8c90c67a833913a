import { type Effect, type Ruling } from '../../games/irregularities.ts';
import { type Card, parseCard } from '../../rules/card.ts';
import { hashOf } from '../../rules/hash.ts';
import { slotAsked, dealt } from './cards.ts';
import { type CommandOf } from '../declare/commands.ts';
import { type Decision, type Stamp, bookFor, clausesAt, isRefusal, notNow, replayOf, stampOf } from './decision.ts';
import { type TableEvent } from '../declare/events.ts';
import { type Amounts, type Slips } from '../declare/kinds.ts';
import { type TableRefusal, deny, under } from '../declare/refusals.ts';
import { found, irregularityOf } from './reports.ts';
import { gameNamed, gamingDayOf, termsOf } from '../declare/setting.ts';
import { resettlementEvents, settlementEvents, voidEvents } from './settling.ts';
import { drawn } from './shoes.ts';
import {
  type EarlierRound,
  type Round,
  type RoundRecord,
  type Shoe,
  type Table,
  isFoundByTable,
  isPlaying,
  lastRound,
  own,
} from '../table.ts';

/** What the held irregularity lets this ruling do. */
function effectOf(table: Table, ruling: Ruling): Effect | TableRefusal {
  const { held } = table;
  const ways = held?.rulings ?? [];
  if (held === null || held.kind === 'interruption' || !ways.includes(ruling)) {
    const open = ways.length === 0 ? 'report what is wrong first, or refer it' : `the ways out are ${ways.join(', ')}`;
    return deny(
      'no-such-ruling',
      held?.by ?? clausesAt(table).refer,
      `Nothing that was reported leads there; ${open}.`,
    );
  }
  return irregularityOf(table, held.kind).rulings[ruling]!;
}

const pausedSince = (stamp: Stamp, table: Table): number => stamp.at - table.held!.since;

export function voidRound(
  command: CommandOf<'VoidRound'>,
  stamp: Stamp,
  table: Table,
  credits: Amounts | undefined,
): Decision {
  const { round, held } = table;
  const untouched = isPlaying(table) && !round!.begun && round!.ending === null;
  if (held === null && untouched && 'person' in stamp.who)
    return voidEvents(stamp, table, clausesAt(table).posts, command.reason, credits);
  const effect = effectOf(table, 'void');
  if (isRefusal(effect)) return effect;
  const locks = effect.shoe === 'locked';
  const settled = irregularityOf(table, held!.kind).afterSettlement;
  if (!isPlaying(table) && !settled) return lockEvents(stamp, table.shoe, effect.by, command.reason);
  const ended = voidEvents(stamp, table, effect.by, command.reason, credits);
  if (isRefusal(ended)) return ended;
  return locks ? [...ended, ...lockEvents(stamp, shoeOf(table), effect.by, command.reason)] : ended;
}

const lockEvents = (stamp: Stamp, shoe: Shoe | null, by: string, reason: string): readonly TableEvent[] =>
  shoe === null ? [] : [{ type: 'ShoeLocked', ...stamp, by, reason }];

/** The shoe that the round was dealt from, if it is still on the table. */
const shoeOf = ({ shoe, round }: Table): Shoe | null => (shoe?.id === round?.shoe ? shoe : null);

/** The cards of the round once more, in the order in which they left the shoe. [READING 17, 18] */
export function reconstructRound(
  command: CommandOf<'ReconstructRound'>,
  stamp: Stamp,
  table: Table,
  credits: Amounts | undefined,
): Decision {
  const effect = effectOf(table, 'reconstruct');
  if (isRefusal(effect)) return effect;
  const round = table.round!;
  const cards: Card[] = [];
  for (const text of command.cards) {
    const card = parseCard(text, gameNamed(round.game).deck);
    if (typeof card !== 'string') return under(card, effect.by);
    cards.push(card);
  }
  const absent = without(round.cards, cards)[0];
  if (absent !== undefined || cards.length > mostDrawn) {
    return deny(
      'wrong-cards',
      effect.by,
      absent === undefined
        ? `A round does not draw ${cards.length} cards; give those that left the shoe.`
        : `${absent} is on record and not in the list; give every card that left the shoe, or correct the scan first.`,
    );
  }
  if (command.unseen && shoeOf(table) === null) return gone(effect.by);
  return replayed(
    stamp,
    table,
    round,
    cards,
    credits,
    ({ used, surplus, phase }) => ({
      type: 'RoundReconstructed',
      ...stamp,
      round: round.id,
      by: effect.by,
      before: round.cards,
      after: used,
      surplus: command.unseen ? 'carried' : surplus.length > 0 ? 'burned' : 'none',
      burned: surplus,
      phase,
      reason: command.reason,
    }),
    effect.by,
  );
}

/** Six for the round, and two more by mistake. */
const mostDrawn = 8;

const gone = (by: string): TableRefusal =>
  deny('too-late', by, 'The round needs its shoe, which is gone; refer the matter.');

/** What is in the first list more often than in the second. */
function without(cards: readonly Card[], others: readonly Card[]): readonly Card[] {
  const left = [...others];
  return cards.filter((card) => {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

type Replayed = {
  readonly used: readonly Card[];
  readonly surplus: readonly Card[];
  readonly phase: 'dealing' | 'result' | 'settled';
};

/** Other cards for the round that is played or was played last: drawn on where cards are due, settled again where it was settled. */
function replayed(
  stamp: Stamp,
  table: Table,
  round: RoundRecord,
  cards: readonly Card[],
  credits: Amounts | undefined,
  event: (replay: Replayed) => TableEvent,
  by: string,
): Decision {
  const { used, surplus, complete } = replayOf(cards);
  if (!complete) {
    const shoe = shoeOf(table);
    if (shoe === null) return gone(by);
    if (shoe.lockedBy !== null) {
      return deny(
        'shoe-locked',
        shoe.lockedBy,
        'The round needs another card and its shoe may not go on; refer the matter.',
      );
    }
  }
  const again = complete && round.ending !== null;
  const told = event({ used, surplus, phase: again ? 'settled' : complete ? 'result' : 'dealing' });
  const overflow = overflowEvents(stamp, table, round, [...used, ...surplus]);
  if (!again) return [told, ...overflow];
  const settled = resettlementEvents(stamp, table, round, used, by, undefined, credits);
  return isRefusal(settled) ? settled : [told, ...settled, ...overflow];
}

/** A card that is now seen more often than the decks hold. [HOUSE 7, HOUSE 9] */
function overflowEvents(stamp: Stamp, table: Table, round: RoundRecord, cards: readonly Card[]): readonly TableEvent[] {
  const { shoe, setting } = table;
  if (shoe?.id !== round.shoe) return [];
  const times = (list: readonly string[], card: string): number => list.filter((one) => one === card).length;
  const extra = [...new Set([...cards, ...Object.keys(shoe.seen)])].find(
    (card) => (own(shoe.seen, card) ?? 0) - times(round.cards, card) + times(cards, card) > setting.decks,
  );
  return extra === undefined ? [] : extraEvents(stamp, table, extra);
}

/** Stops a round that is played; between rounds the shoe is taken out of use. [READING 25] */
function extraEvents(stamp: Stamp, table: Table, card: string): readonly TableEvent[] {
  const note = `${card} is seen more often than the decks hold.`;
  const event = found(stamp, table, 'extra-card', note);
  if (isPlaying(table)) return [event];
  return [
    { ...event, stops: false },
    { type: 'ShoeLocked', ...stamp, by: event.by, reason: note },
  ];
}

/** [ETG 6.3, HOUSE 9, READING 28] */
export function correctCard(
  command: CommandOf<'CorrectCard'>,
  stamp: Stamp,
  table: Table,
  credits: Amounts | undefined,
): Decision {
  if (table.held !== null) {
    const effect = effectOf(table, 'correct');
    if (isRefusal(effect)) return effect;
  }
  const round = correctable(command.round, stamp, table);
  if (isRefusal(round)) return round;
  const { correction } = bookFor(round).clauses;
  if (round.virtual) {
    return deny('card-proven', correction, 'A card of a virtual shoe is proven; there is no scan to correct.');
  }
  const card = parseCard(command.card, gameNamed(round.game).deck);
  if (typeof card !== 'string') return under(card, correction);
  const was = round.cards[command.place - 1];
  if (was === undefined || was === card) {
    return deny(
      'no-such-card',
      correction,
      was === undefined
        ? `The round has no card ${command.place}; it has ${round.cards.length}.`
        : `Card ${command.place} is ${card} on record already; nothing is to be corrected.`,
    );
  }
  const cards = round.cards.with(command.place - 1, card);
  const told = ({ used, surplus, phase }: Replayed): TableEvent => ({
    type: 'CardCorrected',
    ...stamp,
    round: round.id,
    by: correction,
    place: command.place,
    was,
    card,
    after: used,
    burned: surplus,
    phase,
    reason: command.reason,
  });
  if ('slips' in round) {
    if (command.slips)
      return deny('slips-differ', correction, 'The table has the slips of this round; leave them out.');
    return replayed(stamp, table, round, cards, credits, told, correction);
  }
  const { used, surplus, complete } = replayOf(cards);
  if (!complete || surplus.length > 0) {
    return deny(
      'too-late',
      correction,
      'The scan changed who had to draw, and later rounds have been dealt; refer the matter.',
    );
  }
  const slips = command.slips ?? {};
  if (!areSlipsOf(slips, round)) {
    return deny('slips-differ', correction, 'The slips are not those of the round; give them as the record has them.');
  }
  const settled = resettlementEvents(stamp, table, round, used, correction, slips, credits);
  if (isRefusal(settled)) return settled;
  return [told({ used, surplus, phase: 'settled' }), ...settled, ...overflowEvents(stamp, table, round, used)];
}

/** The round that is played, or a settled one of this gaming day. */
function correctable(id: string, stamp: Stamp, table: Table): Round | EarlierRound | TableRefusal {
  const round = table.round?.id === id ? table.round : table.history.find((one) => one.id === id);
  const ended = round?.ending;
  const isVoid = ended !== null && ended !== undefined && 'voidBy' in ended;
  const today = gamingDayOf(stamp.at, table.setting.profile);
  if (round === undefined || isVoid || (ended !== null && round.day !== today)) {
    return deny(
      'no-such-round',
      clausesAt(table).refer,
      'No round of this gaming day that stands has that id; refer the matter.',
    );
  }
  return round;
}

/** Whether these are the slips of the round, every one of them. */
const areSlipsOf = (slips: Slips, { slipsHash }: EarlierRound): boolean => hashOf(slips) === slipsHash;

/** [READING 44] */
export function enterCard(command: CommandOf<'EnterCard'>, stamp: Stamp, table: Table): Decision {
  const effect = effectOf(table, 'enter');
  if (isRefusal(effect)) return effect;
  const round = slotAsked(command.slot, table);
  if (isRefusal(round)) return round;
  const next = drawn({ card: command.card }, table);
  return isRefusal(next) ? next : dealt(stamp, table, round, next, { byEye: effect.by });
}

export function restoreOrder(command: CommandOf<'RestoreOrder'>, stamp: Stamp, table: Table): Decision {
  const effect = effectOf(table, 'restore');
  if (isRefusal(effect)) return effect;
  return [
    { type: 'OrderRestored', ...stamp, by: effect.by, reason: command.reason, paused: pausedSince(stamp, table) },
  ];
}

export function burnCard(command: CommandOf<'BurnCard'>, stamp: Stamp, table: Table): Decision {
  const effect = effectOf(table, 'burn');
  if (isRefusal(effect)) return effect;
  const card = parseCard(command.card, termsOf(table.setting).game.deck);
  if (typeof card !== 'string') return under(card, effect.by);
  const { shoe, setting } = table;
  return [
    { type: 'CardBurned', ...stamp, card, by: effect.by, reason: command.reason, paused: pausedSince(stamp, table) },
    ...((own(shoe!.seen, card) ?? 0) < setting.decks ? [] : extraEvents(stamp, table, card)),
  ];
}

/** A report may be a mistake; a count that the table made itself is none. */
export function dismissReport(command: CommandOf<'DismissReport'>, stamp: Stamp, table: Table): Decision {
  const { held } = table;
  if (held === null)
    return deny('no-such-ruling', clausesAt(table).refer, 'Nothing is reported; there is nothing to dismiss.');
  if (isFoundByTable(table) || held.kind === 'face-up-before') {
    return deny('no-such-ruling', held.by, 'The table found this itself, or it is decided; it cannot be dismissed.');
  }
  return [
    { type: 'ReportDismissed', ...stamp, kind: held.kind, reason: command.reason, paused: pausedSince(stamp, table) },
  ];
}

/** [ETG 6.1, HOUSE 1] */
export function refer(command: CommandOf<'Refer'>, table: Table): Decision {
  const { round } = table;
  const { refer: by } = clausesAt(table);
  return [{ type: 'Referred', ...stampOf(command), ...(round && { round: round.id }), by, reason: command.reason }];
}

export function decideReferral(command: CommandOf<'DecideReferral'>, table: Table): Decision {
  const { referral, held, round } = table;
  const { refer: by, play } = clausesAt(table);
  if (referral === null) return notNow(table, by, 'nothing is referred');
  const { decision, reason, credits } = command;
  const stamp = stampOf(command);
  const paused = command.at - referral.since;
  const decided: TableEvent = {
    type: 'ReferralDecided',
    ...stamp,
    ...(round && { round: round.id }),
    decision,
    by,
    reason,
    paused,
  };
  switch (decision) {
    case 'continue':
      return [decided];
    case 'burn':
      return referral.proposed === 'burn'
        ? [decided]
        : deny('no-such-ruling', by, 'No loose card was referred; decide otherwise.');
    case 'stand': {
      // What was reported may be left as it is, unless a clause or the table's own count commands what follows.
      if (held !== null && (held.rulings.every((one) => one === 'void') || isFoundByTable(table)))
        return commanded(table);
      if (!isPlaying(table)) return [decided];
      if (table.phase !== 'result')
        return deny('deal-not-complete', play, 'The round is not dealt to its end; let it continue.');
      const settled = settlementEvents(stamp, table, credits ?? {});
      return isRefusal(settled) ? settled : [decided, ...settled];
    }
    case 'void': {
      if (held !== null && !held.rulings.includes('void')) return commanded(table);
      const last = lastRound(table);
      if (!isPlaying(table) && !(last?.ending && 'results' in last.ending)) {
        return deny('no-such-round', by, 'There is no round to void; decide otherwise.');
      }
      const ended = voidEvents(stamp, table, by, reason, credits ?? {});
      if (isRefusal(ended)) return ended;
      const locks = command.lock || (held !== null && irregularityOf(table, held.kind).rulings.void!.shoe === 'locked');
      return [decided, ...ended, ...(locks ? lockEvents(stamp, shoeOf(table), by, reason) : [])];
    }
  }
}

const commanded = ({ held }: Table): TableRefusal =>
  deny(
    'void-commanded',
    held!.by,
    `What was reported is not open to that decision; the ways out are ${held!.rulings.join(', ')}.`,
  );
