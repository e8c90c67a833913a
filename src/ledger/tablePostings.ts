import { assert } from '../base/assert.ts';
import { type EventOf, type TableEvent } from '../table/schema/events.ts';
import { type StakeResult, postingOrder, stakeResult } from '../table/payouts.ts';
import { type TableSettings } from '../table/schema/settings.ts';
import { type PendingSettlement, type Table, outcomePaidBefore } from '../table/state.ts';
import { type Account, tableAccount, terminalAccount } from './accounts.ts';

/** One amount that leaves one account for another: balanced by its shape. */
export type Posting = { readonly from: Account; readonly to: Account; readonly amount: number };

/** The money that an event moves, given the table as it was when the event happened, before it evolved. */
export function tablePostings(event: TableEvent, table: Table | undefined): readonly Posting[] {
  switch (event.type) {
    case 'SlipSet':
      return slipPostings(event, settingOf(table));
    case 'SettlementPosted':
      return chunkPostings(event, table);
    case 'ShortfallCollected':
      return shortfallPostings(event, settingOf(table), terminalAccount(settingOf(table), event.terminal));
    case 'ShortfallWrittenOff':
      return shortfallPostings(event, settingOf(table), tableAccount(settingOf(table), 'house'));
    case 'TableOpened':
    case 'SettingChanged':
    case 'TableClosed':
    case 'TableReopened':
    case 'CutCorrected':
    case 'SlipVoided':
    case 'ShoeBrought':
    case 'CardsInspected':
    case 'ShoeSealed':
    case 'SealedShoeCounted':
    case 'CountLookedInto':
    case 'FeltConfirmed':
    case 'SupervisorCalled':
    case 'CallAnswered':
    case 'NoteAdded':
    case 'CardsCounted':
    case 'ShoeShuffled':
    case 'ShoeCut':
    case 'ShoeVerified':
    case 'ShoeCommitted':
    case 'TurnChosen':
    case 'CardsBurned':
    case 'CuttingCardOut':
    case 'ShoeLocked':
    case 'ShoeEnded':
    case 'BetsOpened':
    case 'BetsExtended':
    case 'ClosingCalled':
    case 'BetsClosed':
    case 'CardDealt':
    case 'CardTakenBack':
    case 'RoundSettled':
    case 'RoundResettled':
    case 'RoundVoided':
    case 'IrregularityFound':
    case 'ReportDismissed':
    case 'RoundReconstructed':
    case 'OrderRestored':
    case 'CardCorrected':
    case 'CardBurned':
    case 'WagerReported':
    case 'Interrupted':
    case 'InterruptionLogged':
    case 'RoundResumed':
    case 'TerminalsLost':
    case 'TerminalsBack':
    case 'Referred':
    case 'ReferralDecided':
    case 'Proposed':
    case 'Approved':
    case 'ProposalWithdrawn':
      return [];
  }
}

function settingOf(table: Table | undefined): TableSettings {
  assert(table !== undefined, 'money moves at a table that is open');
  return table.setting;
}

/** What the new slip holds beyond the old one leaves the credit; what it holds less comes back. */
function slipPostings({ terminal, hold }: EventOf<'SlipSet'>, setting: TableSettings): readonly Posting[] {
  const credit = terminalAccount(setting, terminal);
  const stakes = tableAccount(setting, 'stakes');
  return hold >= 0 ? postingIf(credit, stakes, hold) : postingIf(stakes, credit, -hold);
}

/** What a terminal owed is made good, by itself or by the house. [READING 57] */
const shortfallPostings = (
  { terminal, amount }: EventOf<'ShortfallCollected'> | EventOf<'ShortfallWrittenOff'>,
  setting: TableSettings,
  from: Account,
): readonly Posting[] => postingIf(from, terminalAccount(setting, terminal, 'shortfall'), amount);

/** Nothing is posted for nothing. */
export const postingIf = (from: Account, to: Account, amount: number): readonly Posting[] =>
  amount === 0 ? [] : [{ from, to, amount }];

/** The settlement that a chunk belongs to. */
export function jobOf({ settlement }: EventOf<'SettlementPosted'>, table: Table | undefined): PendingSettlement {
  const job = table?.pendingSettlements.find((one) => one.settlement === settlement);
  assert(job !== undefined, 'a chunk is posted of a settlement that waits');
  return job;
}

function chunkPostings(event: EventOf<'SettlementPosted'>, table: Table | undefined): readonly Posting[] {
  const job = jobOf(event, table);
  const setting = settingOf(table);
  const postings: Posting[] = [];
  for (let place = event.from; place < event.from + event.count; place++) {
    const terminal = job.order[place]!;
    const short = event.shortfalls && Object.hasOwn(event.shortfalls, terminal) ? event.shortfalls[terminal]! : 0;
    postings.push(...terminalPostings(setting, job, terminal, short));
  }
  return postings;
}

/**
 * All that one terminal gets or gives back. What it gets comes first, and what it cannot give back comes from the
 * shortfall before that, so that its credit is at no moment below zero. [READING 16]
 */
function terminalPostings(
  setting: TableSettings,
  job: PendingSettlement,
  terminal: string,
  short: number,
): readonly Posting[] {
  const accounts: Accounts = {
    terminal: terminalAccount(setting, terminal),
    stakes: tableAccount(setting, 'stakes'),
    house: tableAccount(setting, 'house'),
    commission: tableAccount(setting, 'commission'),
  };
  const { after } = job;
  const slip = job.slips[terminal]!;
  const before = outcomePaidBefore(job, terminal);
  const gives: Posting[] = [];
  const takes: Posting[] = [];
  for (const wager of postingOrder(slip)) {
    const now = stakeResult(wager, slip[wager]!, after);
    if (before === null) gives.push(...payment(now, accounts));
    else {
      const then = stakeResult(wager, slip[wager]!, before);
      (now.returned >= then.returned ? gives : takes).push(...change(then, now, accounts));
    }
  }
  return [...postingIf(terminalAccount(setting, terminal, 'shortfall'), accounts.terminal, short), ...gives, ...takes];
}

type Accounts = { readonly [K in 'terminal' | 'stakes' | 'house' | 'commission']: Account };

/** Where the stake goes, and the winnings gross with the commission taken off. [READING 42] */
const payment = (paid: StakeResult, accounts: Accounts): readonly Posting[] => [
  ...postingIf(accounts.stakes, stakeGoesTo(paid, accounts), paid.stake),
  ...winnings(paid, accounts),
];

const stakeGoesTo = ({ result }: StakeResult, { house, terminal }: Accounts): Account =>
  result === 'lose' ? house : terminal;

const winnings = ({ won, commission }: StakeResult, accounts: Accounts): readonly Posting[] => [
  ...postingIf(accounts.house, accounts.terminal, won + commission),
  ...postingIf(accounts.terminal, accounts.commission, commission),
];

/** A payment reversed and made otherwise. Where nothing differs nothing is posted. */
function change(then: StakeResult, now: StakeResult, accounts: Accounts): readonly Posting[] {
  if (then.won === now.won && then.commission === now.commission && then.returned === now.returned) return [];
  const was = stakeGoesTo(then, accounts);
  const is = stakeGoesTo(now, accounts);
  const stake =
    was === is ? [] : [...postingIf(was, accounts.stakes, now.stake), ...postingIf(accounts.stakes, is, now.stake)];
  const undone = winnings(then, accounts)
    .map(({ from, to, amount }) => ({ from: to, to: from, amount }))
    .toReversed();
  return now.returned >= then.returned
    ? [...stake, ...winnings(now, accounts), ...undone]
    : [...winnings(now, accounts), ...undone, ...stake];
}
