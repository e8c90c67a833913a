import { terminalAccount } from '../ledger/accounts.ts';
import { type Asked } from '../store/store.ts';
import { type Slips } from '../table/declare/kinds.ts';
import { type Table, isPlaying, own, paidBefore } from '../table/table.ts';
import { paidOn, totalOn } from '../table/money.ts';
import { frozenOf } from '../table/matters.ts';
import { type Terminal, presentSession } from '../terminal/terminal.ts';
import { type Purse } from './purse.ts';
import { type Brought } from './answers.ts';
import { type Owner } from './world.ts';

// What the floor knows and whoever asks does not: credit, and what of it stands at tables. It is written down with the
// command that was decided by it.

/** Commands that may take back what a round has paid. */
const mayTakeBack: ReadonlySet<string> = new Set([
  'Settle',
  'PostSettlement',
  'ConfirmRuling',
  'VoidRound',
  'ReconstructRound',
  'CorrectCard',
  'DecideReferral',
  'CollectShortfall',
  'Approve',
]);

export function broughtToTable(asked: Asked, table: Table | undefined, brought: Brought, purse: Purse): Brought {
  if (table === undefined) return {};
  const creditOf = (holder: string): number => Math.max(0, purse.available(terminalAccount(table.setting, holder)));
  if (asked.type === 'SetSlip') return { credit: creditOf((asked.who as { terminal: string }).terminal) };
  if (!mayTakeBack.has(asked.type)) return {};
  const holders = paidTo(asked, table, (brought['slips'] ?? {}) as Slips);
  return holders.length === 0 ? {} : { credits: Object.fromEntries(holders.map((one) => [one, creditOf(one)])) };
}

/**
 * Those whose credit a round that was paid may reach: the last one, or an earlier one whose slips were brought; and whoever
 * is to pay what is owed.
 */
function paidTo(asked: Asked, { round, jobs, proposal, shortfalls }: Table, slips: Slips): readonly string[] {
  const act = asked.type === 'Approve' ? proposal?.act : asked;
  const owing = Object.keys(shortfalls).filter((one) => act?.type === 'CollectShortfall' && act['terminal'] === one);
  const proposed = (proposal?.act['slips'] ?? {}) as Slips;
  const again = jobs.flatMap((job) => job.order.filter((holder) => paidBefore(job, holder) !== null));
  const settled = round !== null && round.ending !== null ? Object.keys(round.slips) : [];
  return [...new Set([...settled, ...again, ...owing, ...Object.keys({ ...proposed, ...slips })])].toSorted();
}

export function broughtToTerminal(
  asked: Asked,
  terminal: Terminal | undefined,
  purse: Purse,
  owner: Owner,
  tables: Iterable<Table>,
): Brought {
  if (terminal === undefined) return {};
  const available = (holder: string, kind?: 'hand-pay'): number =>
    Math.max(0, purse.available(terminalAccount(owner, holder, kind)));
  switch (asked.type) {
    case 'CollectCredit': {
      const session = presentSession(terminal);
      // A stake that was taken off or paid stands until that is written.
      let staked = purse.coming(terminalAccount(owner, session));
      const states = [...tables];
      for (const table of states) staked += stakedAt(table, session);
      const credit = available(session);
      let inQuestion = 0;
      for (const table of states) inQuestion += questionedAt(table, session, credit);
      return { credit, staked, inQuestion };
    }
    case 'PaySession':
      return { credit: available(`${terminal.terminal}.${String(asked['session'])}`) };
    case 'PayByHand':
      return { waiting: available(terminal.terminal, 'hand-pay') };
    default:
      return {};
  }
}

/** What a session has at stake at a table: in the round that is played, or settled and not yet posted. */
function stakedAt(table: Table, session: string): number {
  const { round, jobs } = table;
  const slip = round !== null && isPlaying(table) && round.ending === null ? own(round.slips, session) : undefined;
  const unpaid = jobs.filter((job) => paidBefore(job, session) === null && job.order.indexOf(session, job.done) >= 0);
  return [...(slip ? [slip] : []), ...unpaid.map(({ slips }) => slips[session]!)].reduce(
    (sum, one) => sum + totalOn(one),
    0,
  );
}

/** What a session has got from rounds of a table that are in question; all of its credit where that is not known any more. [READING 52] */
function questionedAt(table: Table, session: string, credit: number): number {
  const { round } = table;
  return frozenOf(table).reduce((sum, { round: about, terminals }) => {
    if (terminals !== null && !terminals.includes(session)) return sum;
    if (round?.id !== about) return sum + credit;
    const slip = own(round.slips, session);
    if (slip === undefined || round.ending === null) return sum;
    return sum + paidOn(slip, round.ending).reduce((all, { returned }) => all + returned, 0);
  }, 0);
}
