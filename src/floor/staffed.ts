import { isRefused } from '../rules/refusal.ts';
import { isDeepStrictEqual } from 'node:util';
import { type Card } from '../rules/card.ts';
import { isWholeShoe } from '../rules/commitment.ts';
import { readFields } from '../rules/fields.ts';
import { nextSlot } from '../rules/play.ts';
import { isVirtual } from '../table/decide/decision.ts';
import { type EventName, type EventOf, type TableEvent, events } from '../table/declare/events.ts';
import { kinds } from '../table/declare/kinds.ts';
import { areSame } from '../table/declare/posts.ts';
import { changeSetting } from '../table/decide/settings.ts';
import { resultsFor } from '../table/decide/settling.ts';
import { drawn } from '../table/decide/shoes.ts';
import { type Table, isPlaying, nextSettlementOf, settlementOf } from '../table/table.ts';

// What staff does cannot always be made again from what it led to: a consent brings credits that no event keeps. Such
// events are held to what the table shows: cards, results, chunks, phases, and what they must come from.

const base = { type: 'text', v: 'number', at: 'time', who: 'who', second: 'who?' } as const;

/** Why events cannot be what staff did at this table; undefined where nothing speaks against it. */
export function misbegun(first: TableEvent, table: Table | undefined): string | undefined {
  if (table === undefined) return 'comes before the table was opened';
  const ofStaff = typeof first.who === 'object' && first.who !== null && 'person' in first.who;
  return ofStaff || first.type === 'SettlementPosted' ? undefined : 'is nothing that is asked of a table without staff';
}

/** What is done by hand to the cards of a live shoe. Those of a virtual one are proven, and it prepares itself. */
const byHand: ReadonlySet<string> = new Set([
  'ShoeBrought',
  'CardsCounted',
  'ShoeShuffled',
  'ShoeCut',
  'ShoeVerified',
  'CuttingCardOut',
  'CardTakenBack',
  'CardBurned',
  'RoundReconstructed',
  'CardCorrected',
] satisfies EventName[]);

/** Why an event that came with what staff did cannot be; `first` is the one that it came with. */
export function misfit(event: TableEvent, first: TableEvent, table: Table): string | undefined {
  if (!Object.hasOwn(events, event.type)) return 'is no event of a table';
  const fields = readFields(event as never, { ...base, ...events[event.type].fields }, kinds);
  if ('refused' in fields) return `is not an event as it must be: ${fields.message}`;
  if (isVirtual(table) && byHand.has(event.type)) return 'is done by hand, and the shoe is virtual';
  switch (event.type) {
    case 'TableOpened':
    case 'ShoeCommitted':
    case 'TurnChosen':
    case 'BetsOpened':
    case 'ClosingCalled':
    case 'BetsClosed':
    case 'SlipSet':
    case 'Interrupted':
    case 'InterruptionLogged':
    case 'RoundResumed':
      return 'comes by a command of its own and not with another';
    case 'CardDealt':
      return undealt(event, table);
    case 'CardsBurned':
      return unproven(event, table);
    case 'RoundSettled':
      return unsettled(event, table);
    case 'RoundVoided':
      return unvoided(event, first, table);
    case 'RoundResettled':
      return unresettled(event, table);
    case 'SettlementPosted':
      return unposted(event, table);
    case 'ShoeEnded':
      return unopened(event, table);
    case 'SettingChanged':
      return unchanged(event, table);
    case 'Approved':
      return unapproved(event, table);
    case 'ReferralDecided':
      return table.referrals.length === 0 ? 'decides what nobody referred' : undefined;
    case 'ShoeBrought':
    case 'CardsCounted':
    case 'ShoeShuffled':
    case 'ShoeCut':
    case 'ShoeVerified':
    case 'CuttingCardOut':
    case 'ShoeLocked':
    case 'BetsExtended':
    case 'CardTakenBack':
    case 'IrregularityFound':
    case 'ReportDismissed':
    case 'RoundReconstructed':
    case 'OrderRestored':
    case 'CardCorrected':
    case 'CardBurned':
    case 'WagerReported':
    case 'TerminalsLost':
    case 'TerminalsBack':
    case 'Referred':
    case 'TableClosed':
    case 'TableReopened':
    case 'CutCorrected':
    case 'SlipVoided':
    case 'ShortfallCollected':
    case 'ShortfallWrittenOff':
    case 'Proposed':
    case 'ProposalWithdrawn':
      return undefined;
  }
}

function undealt(event: EventOf<'CardDealt'>, table: Table): string | undefined {
  const { phase, round } = table;
  if (phase !== 'dealing' || round?.id !== event.round) return 'deals a card to a round that takes none';
  if (event.slot !== nextSlot(round.cards)) return 'deals a card to a place that is not due';
  const complete = nextSlot([...round.cards, event.card as Card]) === undefined;
  return event.complete === complete ? unproven(event, table) : 'is wrong about whether the deal is complete';
}

/** A card that the shoe does not have at the place that is due. */
function unproven(event: EventOf<'CardDealt' | 'CardsBurned'>, table: Table): string | undefined {
  const { card, index, salt, proof } = event;
  if (table.shoe === null) return 'takes a card where there is no shoe';
  const next = drawn({ card, ...(salt !== undefined && { salt }), ...(proof && { proof }) }, table);
  if (isRefused(next)) return `has another card than the shoe: ${next.message}`;
  return next.proof?.index === index ? undefined : 'names another place in the shoe than was due';
}

function unsettled(event: EventOf<'RoundSettled'>, table: Table): string | undefined {
  const { phase, round, setting } = table;
  if (phase !== 'result' || round === null || round.ending !== null || round.id !== event.round)
    return 'settles a round that is not dealt to its end';
  if (event.settlement !== nextSettlementOf(round)) return 'has the number of another settlement';
  if (!isDeepStrictEqual(event.cards, round.cards)) return 'has other cards than were dealt';
  return isDeepStrictEqual(event.results, resultsFor(round, round.cards, setting.offered))
    ? undefined
    : 'has other results than the rules give';
}

function unvoided(event: EventOf<'RoundVoided'>, first: TableEvent, table: Table): string | undefined {
  const { round } = table;
  if (!isPlaying(table) || round === null || round.ending !== null || round.id !== event.round)
    return 'voids a round that is not played';
  if (event.settlement !== nextSettlementOf(round)) return 'has the number of another settlement';
  const consented = first.type === 'Approved';
  const decided = first.type === 'ReferralDecided' && first.decision === 'void';
  return consented || decided ? undefined : 'voids its round without a reason in the record';
}

function unresettled(event: EventOf<'RoundResettled'>, table: Table): string | undefined {
  const round = [...table.history, ...(table.round ? [table.round] : [])].find(({ id }) => id === event.round);
  if (round?.ending === null || round === undefined || 'voidBy' in round.ending)
    return 'settles a round again that was not settled';
  if (event.settlement !== nextSettlementOf(round) || event.reverses !== settlementOf(round))
    return 'has the number of another settlement';
  if (event.results === undefined) return event.outcome === 'void' ? undefined : 'has no results';
  return isDeepStrictEqual(event.results, resultsFor(round, event.cards, Object.keys(round.ending.results)))
    ? undefined
    : 'has other results than the rules give';
}

function unposted(event: EventOf<'SettlementPosted'>, { jobs: [job], setting }: Table): string | undefined {
  if (job === undefined || job.settlement !== event.settlement || job.round !== event.round)
    return 'posts a settlement that is not due';
  if (event.from !== job.done) return 'passes over slips, or posts them again';
  const left = job.order.length - job.done;
  if (event.count !== Math.min(left, setting.chunk)) return 'posts another number of slips than is due';
  return event.last === (event.count === left) ? undefined : 'is wrong about being the last of its settlement';
}

function unopened(event: EventOf<'ShoeEnded'>, { shoe }: Table): string | undefined {
  if (shoe === null || shoe.id !== event.shoe) return 'ends a shoe that is not on the table';
  if (shoe.root === null) return undefined;
  const { cards, salts } = event;
  if (cards === undefined || salts === undefined)
    return shoe.lockedBy === null ? 'ends a shoe without opening it' : undefined;
  return isWholeShoe({ shoe: shoe.id, size: shoe.size, root: shoe.root }, cards as readonly Card[], salts)
    ? undefined
    : 'opens another shoe than was committed';
}

function unapproved(event: EventOf<'Approved'>, { proposal }: Table): string | undefined {
  if (proposal === null || proposal.id !== event.proposal || proposal.hash !== event.hash)
    return 'consents to what was not proposed';
  return areSame(event.who, proposal.who) ? 'is the consent of whoever proposed it' : undefined;
}

/** What a change of the setting leads to needs nothing that its event does not keep. */
function unchanged(event: EventOf<'SettingChanged'>, table: Table): string | undefined {
  const { v, at, who, second, setting } = event;
  const stamp = { v, at, who, ...(second && { second }) };
  const due = changeSetting({ type: 'ChangeSetting', at, who, setting }, stamp, table);
  if (isRefused(due)) return `is what the table refuses as it was: ${due.message}`;
  return isDeepStrictEqual([event], due) ? undefined : 'has another setting than can be asked for';
}
