import { isRefused } from '../rules/refusal.ts';
import { isDeepStrictEqual } from 'node:util';
import { type Account, tableAccount } from '../ledger/accounts.ts';
import { type Posting, postingsOf } from '../ledger/postings.ts';
import { dealOf } from '../rules/deal.ts';
import { canonicalOf } from '../rules/hash.ts';
import { outcomeOf } from '../rules/settle.ts';
import { hashOfBody } from '../store/chain.ts';
import { type StoredEntry } from '../store/store.ts';
import { decide } from '../table/decide/decide.ts';
import { type TableEvent } from '../table/declare/events.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Results, kinds } from '../table/declare/kinds.ts';
import { totalOn } from '../table/money.ts';
import { commandFrom } from '../table/declare/parse.ts';
import { gameNamed } from '../table/declare/setting.ts';
import { type Table, isPlaying } from '../table/table.ts';
import { type Rebuilt, commandBehind } from './behind.ts';
import { Problem, claim } from './problem.ts';
import { misbegun, misfit } from './staffed.ts';

/** What was found at tables. */
export type Played = { rounds: number; voids: number; shoes: number };

/**
 * One table from its first entry to its last. The command behind the entries is made again from what they say, and decided
 * again by the table as it was: the record holds just what that leads to.
 */
export class TableReplay {
  readonly #stream: string;
  readonly #played: Played;
  #table: Table | undefined;
  /** The entries of one command, as far as they were read. */
  #entries: StoredEntry[] = [];

  constructor(stream: string, played: Played) {
    this.#stream = stream;
    this.#played = played;
  }

  /** The table as it is once the last command was carried out. */
  get table(): Table | undefined {
    return this.#table;
  }

  take(entry: StoredEntry): void {
    claim(entry, entry.command !== null, 'has no command behind it');
    this.#entries.push(entry);
  }

  /** The entries of the command are all there. */
  finish(): void {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    const events = entries.map(({ event }) => event as unknown as TableEvent);
    const due = this.#decided(entries[0]!, events);
    for (const [place, entry] of entries.entries()) {
      const event = events[place]!;
      this.#settleAgain(entry, event);
      if (due) agree(entry, event, due[place]);
      else {
        const wrong = this.#table && misfit(event, events[0]!, this.#table);
        claim(entry, wrong === undefined, wrong!);
      }
      this.#moveOn(entry, event);
    }
    const missing = due?.[entries.length];
    claim(entries.at(-1)!, missing === undefined, () => `is not followed by the ${missing!.type} of its command`);
  }

  /** What the command behind the events leads to; undefined for what only staff does, once it is seen to be that. */
  #decided(entry: StoredEntry, events: readonly TableEvent[]): readonly TableEvent[] | undefined {
    let rebuilt: Rebuilt | undefined;
    try {
      rebuilt = commandBehind(events, this.#table);
    } catch (error) {
      claim(entry, false, `is not an event as it must be: ${String(error)}`);
    }
    if (rebuilt === undefined) {
      const wrong = misbegun(events[0]!, this.#table);
      claim(entry, wrong === undefined, wrong!);
      return undefined;
    }
    const { asked, isWhole } = rebuilt;
    const command = commandFrom(rebuilt.command);
    if ('refused' in command) claim(entry, false, `is not an event as it must be: ${command.message}`);
    const decision = decide(command, this.#table);
    if (isRefused(decision)) claim(entry, false, `is what the table refuses as it was: ${decision.message}`);
    claim(
      entry,
      !isWhole || hashOfBody(canonicalOf(asked)) === entry.command!.hash,
      'has another hash of what was asked than its event shows',
    );
    return decision;
  }

  /** Every round once more from its cards, by the rules alone. */
  #settleAgain(entry: StoredEntry, event: TableEvent): void {
    if ((event.type !== 'RoundSettled' && event.type !== 'RoundResettled') || event.results === undefined) return;
    const { round = null, history = [] } = this.#table ?? {};
    const game = round?.id === event.round ? round.game : history.find(({ id }) => id === event.round)?.game;
    const settles = game !== undefined && isSettledBy(game, event.cards, event.results);
    claim(entry, settles, 'settles its round otherwise than the cards do');
  }

  #moveOn(entry: StoredEntry, event: TableEvent): void {
    let due: readonly Posting[];
    try {
      due = postingsOf(event, this.#table);
      this.#table = evolve(this.#table, event);
    } catch {
      claim(entry, false, 'does not fit the table as it was');
    }
    claim(entry, arePosted(due, entry.postings), 'has other postings than its event leads to');
    if (event.type === 'TableOpened') {
      const { property, table } = this.#table.setting;
      claim(entry, this.#stream === `${property}/table/${table}`, `opens the table ${table} of ${property}`);
    }
    if (event.type === 'RoundSettled') this.#played.rounds += 1;
    if (event.type === 'RoundVoided') this.#played.voids += 1;
    if (event.type === 'ShoeEnded') this.#played.shoes += 1;
  }

  /** The account of the table's stakes, and what it holds at the end. */
  end(): readonly [account: Account, amount: number] {
    this.finish();
    if (this.#table === undefined) throw new Problem(`The stream ${this.#stream} has no entries.`);
    return [tableAccount(this.#table.setting, 'stakes'), openStakes(this.#table)];
  }
}

/** Whether an event is the one that its command leads to; else the first field that differs is named. */
function agree(entry: StoredEntry, event: TableEvent, due: TableEvent | undefined): void {
  if (isDeepStrictEqual(event, due)) return;
  claim(entry, due !== undefined, () => `is a ${event.type} that its command does not lead to`);
  claim(entry, event.type === due.type, () => `is a ${event.type} where its command leads to ${due.type}`);
  const fields = [...new Set([...Object.keys(event), ...Object.keys(due)])].toSorted() as (keyof TableEvent)[];
  const field = fields.find((name) => !isDeepStrictEqual(event[name], due[name]))!;
  claim(entry, false, `has ${field} ${shown(event[field])} where its command leads to ${shown(due[field])}`);
}

const longest = 120;

function shown(value: unknown): string {
  const text = value === undefined ? 'left out' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export const arePosted = (due: readonly Posting[], postings: readonly Posting[]): boolean =>
  due.length === postings.length &&
  due.every(({ from, to, amount }, place) => {
    const posting = postings[place]!;
    return posting.from === from && posting.to === to && posting.amount === amount;
  });

/** What lies on a table as stakes: the slips of a round that is played, and those whose settlement is not posted yet. */
function openStakes(table: Table): number {
  const { round, jobs } = table;
  const slips = round !== null && isPlaying(table) && round.ending === null ? Object.values(round.slips) : [];
  const unpaid = jobs
    .filter(({ before }) => before === null)
    .flatMap((job) => job.order.slice(job.done).map((terminal) => job.slips[terminal]!));
  return [...slips, ...unpaid].reduce((sum, slip) => sum + totalOn(slip), 0);
}

/** Whether the results are those that the cards give, wager by wager. */
function isSettledBy(name: string, cards: readonly string[], results: Results): boolean {
  const game = gameNamed(name);
  if (!kinds.cards.fits(cards) || !kinds.results.fits(results)) return false;
  const deal = dealOf(cards, { deck: game.deck, decks: 10 });
  if ('refused' in deal) return false;
  return Object.entries(results).every(([wager, one]) => {
    if (!Object.hasOwn(game.wagers, wager)) return false;
    const { result, pays, commission, by } = one;
    const outcome = outcomeOf(game.wagers[wager]!, deal.facts);
    const won = result === 'lose' ? -1 : pays[0] * (commission[1] - commission[0]);
    const per = result === 'lose' ? 1 : pays[1] * commission[1];
    return outcome.result === result && outcome.by === by && outcome.net[0] * per === won * outcome.net[1];
  });
}
