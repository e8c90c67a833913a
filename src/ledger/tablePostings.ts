import { assert } from '../base/assert.ts';
import { type EventOf, type TableEvent } from '../table/schema/events.ts';
import { type StakeResult, keysInPostingOrder, stakeResult } from '../table/payouts.ts';
import { type TableSettings } from '../table/schema/settings.ts';
import { type PendingSettlement, type Table, outcomePaidBefore } from '../table/state.ts';
import { type Account, tableAccount, terminalAccount } from './accounts.ts';

/**
 * Posting: an amount in cents from one account to another. What leaves one account enters another, so the books always
 * balance.
 */
export type Posting = { readonly from: Account; readonly to: Account; readonly amount: number };

/** Postings of a table event. `table` is the state before the event. */
export function tablePostings(event: TableEvent, table: Table | undefined): readonly Posting[] {
  switch (event.type) {
    case 'SlipSet':
      return slipPostings(event, settingsOf(table));
    case 'SettlementPosted':
      return chunkPostings(event, table);
    case 'ShortfallCollected':
      return shortfallPostings(event, settingsOf(table), terminalAccount(settingsOf(table), event.terminal));
    case 'ShortfallWrittenOff':
      return shortfallPostings(event, settingsOf(table), tableAccount(settingsOf(table), 'house'));
    case 'TableOpened':
    case 'SettingsChanged':
    case 'TableClosed':
    case 'TableReopened':
    case 'CutCorrected':
    case 'SlipVoided':
    case 'ShoeBrought':
    case 'CardsInspected':
    case 'ShoeSealed':
    case 'ShoeCounted':
    case 'SealedShoeCounted':
    case 'CountInvestigated':
    case 'FeltConfirmed':
    case 'SupervisorCalled':
    case 'CallAnswered':
    case 'NoteAdded':
    case 'CardsCounted':
    case 'ShoeShuffled':
    case 'ShoeCut':
    case 'ShoeVerified':
    case 'ShoeCommitted':
    case 'CutPositionChosen':
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
    case 'TerminalsDisconnected':
    case 'TerminalsReconnected':
    case 'Referred':
    case 'ReferralDecided':
    case 'Proposed':
    case 'Approved':
    case 'ProposalWithdrawn':
      return [];
  }
}

function settingsOf(table: Table | undefined): TableSettings {
  assert(table !== undefined, 'a table is open when money moves');
  return table.settings;
}

/**
 * Postings of a slip. `debit` is the increase of its stakes: taken from the credit if positive, returned to the credit
 * if negative.
 */
function slipPostings({ terminal, debit }: EventOf<'SlipSet'>, setting: TableSettings): readonly Posting[] {
  const credit = terminalAccount(setting, terminal);
  const stakes = tableAccount(setting, 'stakes');
  return debit >= 0 ? postingUnlessZero(credit, stakes, debit) : postingUnlessZero(stakes, credit, -debit);
}

/** Postings that pay a shortfall, wholly or in part, from the account `from`. [READING 57] */
const shortfallPostings = (
  { terminal, amount }: EventOf<'ShortfallCollected'> | EventOf<'ShortfallWrittenOff'>,
  setting: TableSettings,
  from: Account,
): readonly Posting[] => postingUnlessZero(from, terminalAccount(setting, terminal, 'shortfall'), amount);

/** One posting, or none when the amount is zero. */
export const postingUnlessZero = (from: Account, to: Account, amount: number): readonly Posting[] =>
  amount === 0 ? [] : [{ from, to, amount }];

export function pendingSettlementOf(
  { settlement }: EventOf<'SettlementPosted'>,
  table: Table | undefined,
): PendingSettlement {
  const job = table?.pendingSettlements.find((candidate) => candidate.settlement === settlement);
  assert(job !== undefined, 'a posted chunk belongs to a pending settlement');
  return job;
}

function chunkPostings(event: EventOf<'SettlementPosted'>, table: Table | undefined): readonly Posting[] {
  const job = pendingSettlementOf(event, table);
  const setting = settingsOf(table);
  const postings: Posting[] = [];
  for (let index = event.from; index < event.from + event.count; index++) {
    const terminal = job.order[index]!;
    const shortfall = event.shortfalls && Object.hasOwn(event.shortfalls, terminal) ? event.shortfalls[terminal]! : 0;
    postings.push(...terminalPostings(setting, job, terminal, shortfall));
  }
  return postings;
}

/**
 * Postings of one terminal in a settlement. The shortfall comes first, then credits, then debits. So the balance of
 * the terminal is never negative in between. [READING 16]
 */
function terminalPostings(
  setting: TableSettings,
  job: PendingSettlement,
  terminal: string,
  shortfall: number,
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
  const credits: Posting[] = [];
  const debits: Posting[] = [];
  for (const wager of keysInPostingOrder(slip)) {
    const present = stakeResult(wager, slip[wager]!, after);
    if (before === null) credits.push(...paymentPostings(present, accounts));
    else {
      const former = stakeResult(wager, slip[wager]!, before);
      (present.returned >= former.returned ? credits : debits).push(...correctionPostings(former, present, accounts));
    }
  }
  return [
    ...postingUnlessZero(terminalAccount(setting, terminal, 'shortfall'), accounts.terminal, shortfall),
    ...credits,
    ...debits,
  ];
}

type Accounts = { readonly [K in 'terminal' | 'stakes' | 'house' | 'commission']: Account };

/** Postings of a first settlement: the stake, then the winnings before commission, then the commission. [READING 42] */
const paymentPostings = (paid: StakeResult, accounts: Accounts): readonly Posting[] => [
  ...postingUnlessZero(accounts.stakes, stakeReceiver(paid, accounts), paid.stake),
  ...winningsPostings(paid, accounts),
];

const stakeReceiver = ({ result }: StakeResult, { house, terminal }: Accounts): Account =>
  result === 'lose' ? house : terminal;

const winningsPostings = ({ won, commission }: StakeResult, accounts: Accounts): readonly Posting[] => [
  ...postingUnlessZero(accounts.house, accounts.terminal, won + commission),
  ...postingUnlessZero(accounts.terminal, accounts.commission, commission),
];

/**
 * Postings of a correction: they reverse the former payment and make the present payment. Equal payments need no
 * posting.
 */
function correctionPostings(former: StakeResult, present: StakeResult, accounts: Accounts): readonly Posting[] {
  // For one stake, equal returns mean equal winnings, but the commission may still differ.
  if (former.commission === present.commission && former.returned === present.returned) return [];
  const formerReceiver = stakeReceiver(former, accounts);
  const receiver = stakeReceiver(present, accounts);
  const stakePostings =
    formerReceiver === receiver
      ? []
      : [
          ...postingUnlessZero(formerReceiver, accounts.stakes, present.stake),
          ...postingUnlessZero(accounts.stakes, receiver, present.stake),
        ];
  const reversed = winningsPostings(former, accounts)
    .map(({ from, to, amount }) => ({ from: to, to: from, amount }))
    .toReversed();
  return receiver === accounts.terminal
    ? [...stakePostings, ...winningsPostings(present, accounts), ...reversed]
    : [...winningsPostings(present, accounts), ...reversed, ...stakePostings];
}
