import { assert } from '../../rules/assert.ts';
import { type EventOf, type TableEvent } from '../declare/events.ts';
import { type Who, areSame } from '../declare/posts.ts';
import { deal, end, open, recordOf, replay, resettle, roundAt, see, setSlip, shoeAt } from './rounds.ts';
import { type Shoe, type Table, own } from '../table.ts';

/**
 * The table after an event. It only writes down what the event says and asks no rule, so that old records replay the
 * same under new code. It owns the table it is given and changes it in place: a copy of all slips for each slip would
 * make the work per slip grow with the number of terminals.
 */
export function evolve(table: Table | undefined, event: TableEvent): Table {
  if (event.type === 'TableOpened') return opened(event);
  assert(table !== undefined, 'a table is opened before anything else happens at it');
  table.at = event.at;
  apply(table, event);
  return table;
}

const opened = ({ at, setting }: EventOf<'TableOpened'>): Table => ({
  setting,
  at,
  phase: 'idle',
  shoe: null,
  shoes: [],
  day: '',
  round: null,
  history: [],
  jobs: [],
  held: null,
  referral: null,
  proposal: null,
  proposals: 0,
  lost: {},
});

function apply(table: Table, event: Exclude<TableEvent, EventOf<'TableOpened'>>): void {
  switch (event.type) {
    case 'SettingChanged':
      table.setting = event.setting;
      return;
    case 'ShoeBrought':
      bring(table, newShoe(event.shoe, event.size, event.who));
      return;
    case 'ShoeCommitted':
      bring(table, {
        ...newShoe(event.shoe, event.size, event.who),
        counted: true,
        shuffled: true,
        behind: event.behind,
        root: event.root,
      });
      return;
    case 'CardsCounted':
      prepare(table, event.who).counted = event.counted === event.expected;
      return;
    case 'ShoeShuffled':
      prepare(table, event.who).shuffled = true;
      return;
    case 'ShoeCut':
      prepare(table, event.who).behind = event.behind;
      return;
    case 'ShoeVerified':
      shoeAt(table).ready = true;
      return;
    case 'TurnChosen': {
      const shoe = prepare(table, event.who);
      shoe.turn = event.turn;
      shoe.ready = true;
      return;
    }
    case 'CardsBurned': {
      const shoe = shoeAt(table);
      shoe.burned = true;
      shoe.drawn += 1 + event.count;
      see(shoe, event.card, 1);
      return;
    }
    case 'CuttingCardOut':
      shoeAt(table).roundsLeft = event.roundsLeft;
      return;
    case 'ShoeLocked':
      shoeAt(table).lockedBy = event.by;
      table.held = null;
      return;
    case 'ShoeEnded':
      table.shoe = null;
      if (table.proposal?.act.type === 'EndShoe') table.proposal = null;
      return;
    case 'BetsOpened':
      open(table, event);
      return;
    case 'BetsExtended':
      roundAt(table).closesAt = event.closesAt;
      return;
    case 'ClosingCalled':
      table.phase = 'closing';
      roundAt(table).deadline = event.deadline;
      return;
    case 'BetsClosed':
      table.phase = 'dealing';
      return;
    case 'SlipSet':
      setSlip(roundAt(table), event.terminal, event.slip);
      return;
    case 'CardDealt':
      deal(table, event);
      return;
    case 'CardTakenBack': {
      const shoe = shoeAt(table);
      const round = roundAt(table);
      round.cards.pop();
      round.lastEntry = false;
      see(shoe, event.card, -1);
      shoe.drawn -= 1;
      return;
    }
    case 'RoundSettled':
      end(table, { results: event.results });
      return;
    case 'RoundVoided':
      end(table, { voidBy: event.by });
      table.held = null;
      return;
    case 'RoundResettled':
      resettle(table, event);
      return;
    case 'SettlementPosted': {
      const job = table.jobs[0]!;
      job.done += event.count;
      if (event.last) table.jobs.shift();
      return;
    }
    case 'IrregularityFound':
      if (event.stops) hold(table, event);
      return;
    case 'ReportDismissed':
    case 'OrderRestored':
    case 'RoundResumed':
      release(table, event.paused);
      return;
    case 'CardBurned': {
      const shoe = shoeAt(table);
      shoe.drawn += 1;
      see(shoe, event.card, 1);
      release(table, event.paused);
      return;
    }
    case 'RoundReconstructed': {
      const lies = event.surplus === 'carried';
      replay(table, event.before, event);
      const { shoe } = table;
      if (shoe === null || (!lies && !shoe.carried)) return;
      // A card that lay ready is among those given, unless it still lies there.
      shoe.drawn += Number(lies) - Number(shoe.carried);
      shoe.carried = lies;
      return;
    }
    case 'CardCorrected':
      replay(table, recordOf(table, event.round).cards, event);
      return;
    case 'Interrupted':
      table.held = { kind: 'interruption', by: event.by, since: event.since, rulings: [event.ruling], note: null };
      return;
    case 'TerminalsLost':
      for (const terminal of event.terminals) lose(table, terminal, event.closed);
      return;
    case 'TerminalsBack':
      for (const terminal of event.terminals) {
        const lost = own(table.lost, terminal);
        // Back while bets are open, it takes part like any other.
        if (table.phase === 'betting' || table.phase === 'closing') delete table.lost[terminal];
        else if (lost) lost.back = true;
      }
      return;
    case 'Referred':
      table.referral = {
        by: event.by,
        reason: event.reason,
        since: event.at,
        proposed: event.proposed ?? null,
      };
      return;
    case 'ReferralDecided':
      table.referral = null;
      shift(table, event.paused);
      // What was held all the while has lost no more time than that.
      if (table.held) table.held.since += event.paused;
      if (event.decision === 'stand') table.held = null;
      if (event.decision === 'burn') {
        table.held = { kind: 'face-up-before', by: event.by, since: event.at, rulings: ['burn'], note: event.reason };
      }
      return;
    case 'Proposed':
      table.proposals += 1;
      table.proposal = {
        id: event.proposal,
        act: event.act,
        hash: event.hash,
        who: event.who,
        expires: event.expires,
      };
      return;
    case 'Approved':
    case 'ProposalWithdrawn':
      table.proposal = null;
      return;
    case 'WagerReported':
    case 'InterruptionLogged':
      return;
  }
}

const newShoe = (id: string, size: number, who: Who): Shoe => ({
  id,
  size,
  hands: [who],
  counted: false,
  shuffled: false,
  behind: null,
  ready: false,
  root: null,
  turn: null,
  burned: false,
  drawn: 0,
  carried: false,
  seen: {},
  rounds: 0,
  roundsLeft: null,
  lockedBy: null,
});

function bring(table: Table, shoe: Shoe): void {
  table.shoe = shoe;
  table.shoes.push(shoe.id);
}

function prepare(table: Table, who: Who): Shoe {
  const shoe = shoeAt(table);
  if (!shoe.hands.some((one) => areSame(one, who))) shoe.hands.push(who);
  return shoe;
}

/** What a terminal showed when it went counts until it is back; reporting it twice changes nothing. */
function lose({ lost }: Table, terminal: string, closed: boolean): void {
  const before = own(lost, terminal);
  if (!before || before.back) lost[terminal] = { closed, back: false };
}

function hold(table: Table, { kind, by, at, rulings, note }: EventOf<'IrregularityFound'>): void {
  table.held = { kind, by, since: at, rulings, note: note ?? null };
}

function release(table: Table, paused: number): void {
  table.held = null;
  shift(table, paused);
}

/** While a table stands still no time runs. */
function shift({ phase, round }: Table, paused: number): void {
  if (round === null || phase === 'idle') return;
  round.closesAt += paused;
  if (round.deadline !== null) round.deadline += paused;
  if (round.resultAt !== null) round.resultAt += paused;
}
