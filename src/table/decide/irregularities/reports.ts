import { type IrregularityRule, type IrregularityKind, isMoreSerious } from '../../../games/irregularities.ts';
import { quoteForMessage, refuse } from '../../../base/refusal.ts';
import { type CommandOf } from '../../schema/commands.ts';
import {
  type TableDecision,
  type EventStamp,
  rulebookOfRound,
  clausesOfTable,
  isDealtFromVirtualShoe,
  refuseMoreCardsThanShoeHolds,
  refuseNotHere,
  refuseNotNow,
  referredEvent,
  tableEventStamp,
} from '../decision.ts';
import { type EventOf, type TableEvent } from '../../schema/events.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../../schema/refusals.ts';
import { gameAndRulebookOf } from '../../schema/settings.ts';
import { isDrawnTogetherKind, nextCardPlace, unrecordedCardCount } from '../../irregularities.ts';
import { countText } from '../../../base/countText.ts';
import { isCuttingCardDue } from '../shoeEnd.ts';
import { type Table, isPlaying, justEndedRound, justSettledRound } from '../../state.ts';

/**
 * The rule of the rulebook for a kind of irregularity. For a kind that may be reported after settlement, this is the
 * rulebook of the round that just ended, if there is one; otherwise that of the table.
 */
export function irregularityRule(table: Table, kind: IrregularityKind): IrregularityRule {
  const current = gameAndRulebookOf(table.settings).book.irregularities[kind];
  const about = current.afterSettlement ? justEndedRound(table) : null;
  return about === null ? current : rulebookOfRound(about).irregularities[kind];
}

/**
 * The event of an irregularity. It names the round in play. Between rounds, it names the last round if the kind may be
 * reported after settlement; otherwise it names no round.
 */
export function irregularityFoundEvent(
  stamp: EventStamp,
  table: Table,
  kind: IrregularityKind,
  note?: string,
): EventOf<'IrregularityFound'> {
  const { by, rulings, stops, afterSettlement } = irregularityRule(table, kind);
  const about = isPlaying(table) || afterSettlement ? table.round : null;
  return {
    type: 'IrregularityFound',
    ...stamp,
    ...(about && { round: about.id }),
    kind,
    by,
    // A virtual card is proven, so there is no scan to correct.
    rulings: Object.keys(rulings).filter((ruling) => ruling !== 'correct' || !isDealtFromVirtualShoe(table)),
    stops,
    ...(note !== undefined && { note }),
  };
}

/** Kinds of irregularity that a virtual shoe can have. */
const deviceFaultKinds: ReadonlySet<string> = new Set([
  'foreign-card',
  'extra-card',
  'missing-card',
  'unshuffled-cards',
  'order-altered',
  'too-few-cards',
]);

export function decideReportIrregularity(command: CommandOf<'ReportIrregularity'>, table: Table): TableDecision {
  const isAboutCards = command.kind === 'wrong-number' || command.kind === 'wrong-order';
  // If the report is about cards of a round, the cards are proven if that round was dealt from a virtual shoe. The
  // present settings do not matter then.
  const areCardsProven = isAboutCards && table.round !== null ? table.round.virtual : isDealtFromVirtualShoe(table);
  if (areCardsProven && !deviceFaultKinds.has(command.kind)) {
    return refuseNotHere(
      'for a virtual shoe report only foreign, extra, missing or unshuffled cards, an altered order or too few cards; refer anything else',
    );
  }
  if (table.shoe === null && !isAboutCards) {
    return refuseAtTable('shoe-not-ready', null, 'There is no shoe at the table; refer what you found.');
  }
  const kind = classifyReport(command, table);
  if (typeof kind !== 'string') return kind;
  const emptyShoe = cardBeyondShoeRefusal(kind, command, table);
  if (emptyShoe !== undefined) return emptyShoe;
  const [leading] = table.openIrregularities;
  if (leading !== undefined && !isMoreSerious(kind, leading.kind)) {
    return refuseAtTable(
      'awaiting-ruling',
      leading.by,
      `The table waits for a ruling on ${leading.kind}; make that ruling first, then report ${kind}.`,
    );
  }
  return reportEvents(command, table, kind);
}

function classifyReport(
  { kind, place }: CommandOf<'ReportIrregularity'>,
  table: Table,
): IrregularityKind | TableRefusal {
  const { phase, shoe } = table;
  const cards = isPlaying(table) ? table.round!.cards.length : 0;
  if (place !== undefined && kind !== 'drawn-together') {
    return tableRefusalWithClause(refuse('bad-request', 'Only cards drawn together have a "place"; leave it out.'));
  }
  switch (kind) {
    case 'foreign-card':
    case 'extra-card':
    case 'missing-card':
    case 'unshuffled-cards':
    case 'order-altered':
      return kind;
    case 'wrong-number':
    case 'wrong-order': {
      const isCorrectable = justSettledRound(table) !== null && irregularityRule(table, kind).afterSettlement;
      if (isCorrectable || cards > 0) return kind;
      const { tooLate, refer } = clausesOfTable(table);
      return refuseAtTable(
        'too-late',
        kind === 'wrong-number' ? tooLate : refer,
        'No round has cards that can be corrected: the next round has opened, or no card was dealt; refer what is wrong.',
      );
    }
    case 'drawn-together': {
      if (phase !== 'dealing' && phase !== 'result') {
        return refuseNotNow(
          table,
          null,
          'cards drawn together can only be reported after the close of bets and before settlement',
        );
      }
      // Without `place`, the first of the two cards is the next card. After a complete deal no card is due, and a
      // further card is surplus. [READING 66]
      const first = place ?? cards + 1;
      const last = phase === 'dealing' ? cards + 1 : cards;
      // The rulebook has two cases: within the first four cards, and after them. [READING 56]
      const drawn = first <= 4 ? 'drawn-together' : 'third-cards-together';
      if (first >= 1 && first <= last) return drawn;
      return phase === 'result' && first > last
        ? refuseAtTable(
            'no-such-card',
            irregularityRule(table, 'wrong-number').by,
            'The deal is complete, so a further card is surplus; report "wrong-number" and reconstruct the round.',
          )
        : refuseAtTable(
            'no-such-card',
            irregularityRule(table, drawn).by,
            `The round has no card ${first} yet; give a number from 1 to ${last}.`,
          );
    }
    case 'too-few-cards':
      return phase === 'dealing'
        ? kind
        : refuseNotNow(table, null, 'too few cards can only be reported while cards are dealt');
    case 'unreadable-card':
      return phase === 'dealing'
        ? kind
        : refuseNotNow(table, null, 'an unreadable card can only be reported while cards are dealt');
    case 'face-up-card':
      // After a complete deal, the exposed card is the first card of the next round. No bet on that round is placed
      // yet, so the kind is `face-up-before`.
      return phase === 'dealing' && cards > 0 ? 'face-up-after' : 'face-up-before';
    case 'cutting-card-missing':
      return !isPlaying(table) && isCuttingCardDue(shoe!)
        ? kind
        : refuseNotNow(
            table,
            clausesOfTable(table).cut,
            'a missing cutting card can only be reported between rounds, once so many cards are drawn that it must be out',
          );
  }
}

/** Refusal of a report of more cards than the shoe holds; undefined for any other report. [READING 67] */
function cardBeyondShoeRefusal(
  kind: IrregularityKind,
  { place }: CommandOf<'ReportIrregularity'>,
  table: Table,
): TableRefusal | undefined {
  const { shoe } = table;
  if (shoe === null) return undefined;
  const first = isDrawnTogetherKind(kind) ? (place ?? nextCardPlace(table)) : undefined;
  const reported = kind === 'face-up-before' ? 1 : unrecordedCardCount({ kind, place: first }, table);
  const left = shoe.size - shoe.drawn + Number(shoe.carried);
  return reported <= left
    ? undefined
    : refuseMoreCardsThanShoeHolds(
        table,
        `The shoe holds ${countText(left, 'card')}, fewer than reported; count the cards on the table.`,
      );
}

function reportEvents(
  command: CommandOf<'ReportIrregularity'>,
  table: Table,
  kind: IrregularityKind,
): readonly TableEvent[] {
  const { note, place } = command;
  const stamp = tableEventStamp(command);
  const event = { ...irregularityFoundEvent(stamp, table, kind, note), ...(place !== undefined && { place }) };
  // Between rounds there is no round to void, so the shoe is locked at once. [READING 25]
  if (shoeFaultKinds.has(kind) && !isPlaying(table)) {
    return [
      { ...event, stops: false },
      { type: 'ShoeLocked', ...stamp, shoe: table.shoe!.id, by: event.by, reason: note ?? kind },
    ];
  }
  if (kind === 'face-up-before') return faceUpBeforeEvents(stamp, table, event);
  return kind === 'cutting-card-missing' ? cuttingCardMissingEvents(stamp, table, event) : [event];
}

const shoeFaultKinds: ReadonlySet<string> = new Set(['foreign-card', 'extra-card', 'missing-card', 'unshuffled-cards']);

/**
 * Refers the exposed next card to the Gaming Shift Manager, because patrons who saw it have an advantage. The referral
 * proposes to burn the card. [READING 24]
 */
function faceUpBeforeEvents(
  stamp: EventStamp,
  table: Table,
  event: EventOf<'IrregularityFound'>,
): readonly TableEvent[] {
  // After a complete deal, the card does not belong to the round. So the referral must not be about the round. [READING
  // 55]
  const { round, ...loose } = event;
  const about = round === undefined || table.phase === 'result' ? {} : { round };
  return [
    { ...loose, ...about, stops: false },
    referredEvent(stamp, table, {
      ...about,
      by: event.by,
      reason: event.note ?? 'A card lay face up before the first card of the round.',
      proposed: 'burn',
      proposedBy: irregularityRule(table, 'face-up-before').rulings.burn!.by,
    }),
  ];
}

/** Treats the missing cutting card as out, and refers its absence to the Gaming Shift Manager. [READING 58] */
const cuttingCardMissingEvents = (
  stamp: EventStamp,
  table: Table,
  event: EventOf<'IrregularityFound'>,
): readonly TableEvent[] => [
  { ...event, stops: false },
  {
    type: 'CuttingCardOut',
    ...stamp,
    shoe: table.shoe!.id,
    by: clausesOfTable(table).cut,
    roundsLeft: table.settings.roundsAfterCut,
    missing: true,
  },
  referredEvent(stamp, table, { by: event.by, reason: event.note ?? 'The cutting card is missing.' }),
];

/** Records chips that were placed, raised or withdrawn late; accepted stakes do not change. [READING 20, 21] */
export function decideReportWager(command: CommandOf<'ReportWager'>, table: Table): TableDecision {
  const { kind, place, wager, amount } = command;
  const { by } = gameAndRulebookOf(table.settings).book.irregularities[kind];
  if (table.phase !== 'dealing' && table.phase !== 'result')
    return refuseNotNow(table, by, 'late chips can only be reported after bets are closed');
  if (!table.settings.offered.includes(wager)) {
    return refuseAtTable(
      'wager-not-offered',
      by,
      `This table does not offer ${quoteForMessage(wager)}; it offers ${table.settings.offered.join(', ')}.`,
      { wager },
    );
  }
  return [
    { type: 'WagerReported', ...tableEventStamp(command), round: table.round!.id, kind, place, wager, amount, by },
  ];
}

/**
 * Records terminals that disconnected or are back. A disconnected terminal never stops a round. [ETG 5.10, HOUSE 11,
 * READING 13]
 */
export function decideReportTerminalConnections(command: CommandOf<'ReportTerminals'>, table: Table): TableDecision {
  const { at, terminals, disconnected, since = at } = command;
  const { round, settings } = table;
  if (settings.bets === 'chips')
    return refuseAtTable(
      'no-terminals',
      null,
      'Patrons bet with chips at this table; there are no terminals to report.',
    );
  if (terminals.length === 0 || new Set(terminals).size < terminals.length) {
    return tableRefusalWithClause(
      refuse('bad-request', 'The list of terminals is empty or names a terminal twice; name each terminal once.'),
    );
  }
  const stamp = tableEventStamp(command);
  const during = round !== null && { round: round.id };
  if (!disconnected) return [{ type: 'TerminalsReconnected', ...stamp, ...during, terminals }];
  const closed = wasClosingShown(Math.min(since, at), at, table);
  const { by } = gameAndRulebookOf(settings).book.irregularities['terminals-lost'];
  return [{ type: 'TerminalsDisconnected', ...stamp, ...during, terminals, closed, by }];
}

/**
 * True when, at the time `then`, the terminals had displayed the close of bets. Deadlines do not run while the table is
 * stopped.
 */
function wasClosingShown(then: number, at: number, { phase, round, stoppedSince }: Table): boolean {
  if (round === null || round.deadline === null) return false;
  if (then === at && phase !== 'closing') return true;
  return Math.min(then, stoppedSince ?? then) >= round.deadline;
}
