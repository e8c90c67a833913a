import { type Irregularity, type IrregularityKind } from '../../games/irregularities.ts';
import { assert } from '../../rules/assert.ts';
import { certain } from '../../rules/certain.ts';
import { quoted, refuse } from '../../rules/refusal.ts';
import { type CommandOf } from '../declare/commands.ts';
import {
  type Decision,
  type Stamp,
  bookFor,
  clausesAt,
  isRefusal,
  isVirtual,
  notHere,
  notNow,
  stampOf,
} from './decision.ts';
import { type EventOf, type TableEvent } from '../declare/events.ts';
import { type Amounts } from '../declare/kinds.ts';
import { deny, under } from '../declare/refusals.ts';
import { termsOf } from '../declare/setting.ts';
import { voidEvents } from './settling.ts';
import { type Table, isPlaying, lastRound } from '../table.ts';

/** What the book says of an irregularity: that of the round, where it is about a round that has ended. */
export function irregularityOf(table: Table, kind: IrregularityKind): Irregularity {
  const { setting, round } = table;
  const present = termsOf(setting).book.irregularities[kind];
  const about = present.afterSettlement ? lastRound(table) : null;
  return about === null || round === null ? present : bookFor(about).irregularities[kind];
}

/** An irregularity as its book has it. */
export function found(stamp: Stamp, table: Table, kind: IrregularityKind, note?: string): EventOf<'IrregularityFound'> {
  const { by, rulings, stops, afterSettlement } = irregularityOf(table, kind);
  const about = isPlaying(table) || afterSettlement ? table.round : null;
  return {
    type: 'IrregularityFound',
    ...stamp,
    ...(about && { round: about.id }),
    kind,
    by,
    rulings: Object.keys(rulings),
    stops,
    ...(note !== undefined && { note }),
  };
}

/** What a device may fail in by itself. */
const ofDevices: ReadonlySet<string> = new Set(['order-altered', 'too-few-cards']);

export function reportIrregularity(command: CommandOf<'ReportIrregularity'>, table: Table): Decision {
  const { kind, place, note } = command;
  const { shoe, round } = table;
  const stamp = stampOf(command);
  if (isVirtual(table) && !ofDevices.has(kind)) {
    return notHere('a virtual shoe can be reported for its order and for too few cards; refer anything else');
  }
  const cards = isPlaying(table) ? round!.cards.length : 0;
  if (shoe === null && kind !== 'wrong-number' && kind !== 'wrong-order') {
    return deny('shoe-not-ready', null, 'There is no shoe on the table; refer what you found.');
  }
  switch (kind) {
    case 'foreign-card':
    case 'extra-card':
    case 'missing-card':
    case 'unshuffled-cards': {
      const event = found(stamp, table, kind, note);
      if (isPlaying(table)) return [event];
      // Between rounds there is nothing to void: the shoe is taken out of use at once. [READING 25]
      return [
        { ...event, stops: false },
        { type: 'ShoeLocked', ...stamp, by: event.by, reason: note ?? kind },
      ];
    }
    case 'wrong-number':
    case 'wrong-order': {
      const settled = lastRound(table);
      const touchable = settled?.ending && 'results' in settled.ending && irregularityOf(table, kind).afterSettlement;
      if (touchable || cards > 0) return [found(stamp, table, kind, note)];
      const { tooLate, refer } = clausesAt(table);
      return deny(
        'too-late',
        kind === 'wrong-number' ? tooLate : refer,
        'No round has cards that can be put right: the next one has opened, or none was dealt; refer the matter.',
      );
    }
    case 'drawn-together':
      if (table.phase !== 'dealing' && table.phase !== 'result') {
        return notNow(table, null, 'cards are drawn together only while cards are dealt');
      }
      // The first of them is the next card unless another is named; both among the first four are the book's own case.
      return [found(stamp, table, (place ?? cards + 1) <= 3 ? 'drawn-together' : 'third-cards-together', note)];
    case 'too-few-cards':
      if (table.phase !== 'dealing') return notNow(table, null, 'too few cards show only while cards are dealt');
      return [found(stamp, table, kind, note)];
    case 'unreadable-card':
      if (table.phase !== 'dealing') return notNow(table, null, 'a card is read only while cards are dealt');
      return [found(stamp, table, kind, note)];
    case 'order-altered':
      return [found(stamp, table, kind, note)];
    case 'face-up-card':
      // Once the deal is complete, the card is the first of the next round, before anyone has bet on that.
      return table.phase === 'dealing' && cards > 0
        ? [found(stamp, table, 'face-up-after', note)]
        : faceUpBefore(stamp, table, note);
  }
}

/** Known before the first card it would favour whoever saw it: referred, with the proposal to burn it. [READING 24] */
function faceUpBefore(stamp: Stamp, table: Table, note: string | undefined): readonly TableEvent[] {
  const event = found(stamp, table, 'face-up-before', note);
  const { round } = event;
  return [
    { ...event, stops: false },
    {
      type: 'Referred',
      ...stamp,
      ...(round !== undefined && { round }),
      by: event.by,
      reason: note ?? 'A card lay face up before the first card of the round.',
      proposed: 'burn',
    },
  ];
}

/** A stake on the felt after the close: written down, and what was accepted stands. [READING 20, 21] */
export function reportWager(command: CommandOf<'ReportWager'>, table: Table): Decision {
  const { kind, place, wager, amount } = command;
  const { by } = termsOf(table.setting).book.irregularities[kind];
  if (table.phase !== 'dealing' && table.phase !== 'result')
    return notNow(table, by, 'a wager is late once bets are closed');
  if (!table.setting.offered.includes(wager)) {
    return deny(
      'wager-not-offered',
      by,
      `This table does not offer ${quoted(wager)}; it has ${table.setting.offered.join(', ')}.`,
      { wager },
    );
  }
  return [{ type: 'WagerReported', ...stampOf(command), round: table.round!.id, kind, place, wager, amount, by }];
}

/** Void or resume is no choice: it follows from what is decided by the cards dealt. [ETG 5.9, HOUSE 6, READING 10, 11, 12] */
export function reportInterruption(command: CommandOf<'ReportInterruption'>, table: Table): Decision {
  const { at, since, stateLost } = command;
  const { setting, round } = table;
  const stamp = stampOf(command);
  if (since > at)
    return under(refuse('bad-request', `The time ${since} is still to come; give when the service was lost.`));
  // At the last event the service was there, whatever was reported.
  const from = Math.max(since, table.at);
  const long = at - from > setting.interruption && table.referral === null;
  if (!isPlaying(table) || table.held !== null || !(long || stateLost)) {
    return [{ type: 'InterruptionLogged', ...stamp, ...(isPlaying(table) && { round: round!.id }), since, stateLost }];
  }
  const { game, book } = termsOf(setting);
  const { established, won, lost } = certain(game, setting.offered, round!.cards);
  const ruling = established ? 'resume' : 'void';
  const { by } = book.irregularities.interruption.rulings[ruling]!;
  const interrupted = {
    type: 'Interrupted',
    ...stamp,
    round: round!.id,
    by,
    since: from,
    stateLost,
    ruling,
    won,
    lost,
  } as const;
  if (setting.attended || table.referral !== null) return [interrupted];
  const carriedOut = rulingEvents(stamp, table, ruling, by, from, {});
  assert(!isRefusal(carriedOut), 'without staff no settled round is dealt on, so that nothing is taken back');
  return [interrupted, ...carriedOut];
}

/** Where a person is on duty he confirms it; there is nothing to choose. */
export function confirmRuling(command: CommandOf<'ConfirmRuling'>, table: Table): Decision {
  const { held } = table;
  if (held?.kind !== 'interruption') {
    return deny(
      'no-such-ruling',
      clausesAt(table).refer,
      'No interruption waits to be confirmed; rule on what was reported.',
    );
  }
  const ruling = held.rulings[0] as 'void' | 'resume';
  return rulingEvents(stampOf(command), table, ruling, held.by, held.since, command.credits ?? {});
}

function rulingEvents(
  stamp: Stamp,
  table: Table,
  ruling: 'void' | 'resume',
  by: string,
  since: number,
  credits: Amounts,
): Decision {
  if (ruling === 'void') {
    return voidEvents(stamp, table, by, 'No outcome was established before the interruption.', credits);
  }
  return [{ type: 'RoundResumed', ...stamp, round: table.round!.id, by, paused: stamp.at - since }];
}

/** Lost terminals never stop a round; what counts is what the table accepted. [ETG 5.10, HOUSE 11, READING 13] */
export function reportTerminals(command: CommandOf<'ReportTerminals'>, table: Table): Decision {
  const { at, terminals, lost } = command;
  const { round, setting } = table;
  if (setting.bets === 'chips')
    return deny('no-terminals', null, 'Patrons bet with chips at this table; it has no terminals.');
  const stamp = stampOf(command);
  const during = round !== null && { round: round.id };
  if (!lost) return [{ type: 'TerminalsBack', ...stamp, ...during, terminals }];
  const closed = isClosedAt(at, table);
  const { by } = termsOf(setting).book.irregularities['terminals-lost'];
  return [{ type: 'TerminalsLost', ...stamp, ...during, terminals, closed, by }];
}

/** Whether terminals have shown the closing of the round by then. No time runs while the table stands still. */
function isClosedAt(at: number, { phase, round, held, referral }: Table): boolean {
  if (round === null || round.deadline === null) return false;
  const stood = at - (referral?.since ?? held?.since ?? at);
  return phase !== 'closing' || at - stood >= round.deadline;
}
