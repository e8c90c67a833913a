import { type StoreReader, type StoredEntry } from '../../store/store.ts';
import { type JurisdictionProfile } from '../../table/schema/settings.ts';
import { gamingDayOf } from '../../table/schema/gamingDay.ts';

const hourMs = 3_600_000;
/** Upper bound for the length of a gaming day, in milliseconds, even when daylight saving time ends. */
const maxDayMs = 26 * hourMs;

type Signed = { readonly sign: -1 | 0 | 1; readonly amount: number };

function gamingDayAround(at: number, profile: JurisdictionProfile): { readonly began: number; readonly ends: number } {
  const day = gamingDayOf(at, profile);
  /**
   * Binary search between two times: the first moment of the day if `isThatDay`, else the first moment after the day.
   */
  const firstMoment = (from: number, to: number, isThatDay: boolean): number => {
    let [before, after] = [from, to];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if ((gamingDayOf(middle, profile) === day) === isThatDay) after = middle;
      else before = middle;
    }
    return after;
  };
  return { began: firstMoment(Math.max(0, at - maxDayMs), at, true), ends: firstMoment(at, at + maxDayMs, false) };
}

/** Turnover, win, voids and corrections of one table in the current gaming day, and its rounds in the last hour. */
export class TableGamingDayTotals {
  readonly #profile: JurisdictionProfile;
  #day: ReturnType<typeof gamingDayAround>;
  #sequence = 0;
  #turnover = 0;
  #win = 0;
  #voids = 0;
  #corrected = 0;
  /** Times of the settlements in the last hour. */
  #settled: number[] = [];

  constructor(profile: JurisdictionProfile, at: number) {
    this.#profile = profile;
    this.#day = gamingDayAround(at, profile);
  }

  /** Reads the entries since the beginning of the gaming day, and at least the entries of the last hour. */
  async load(store: Pick<StoreReader, 'read'>, stream: string, sequence: number, at: number): Promise<void> {
    this.#sequence = await lastBefore(store, stream, sequence, Math.min(this.#day.began, at - hourMs));
    for await (const entries of store.read(stream, this.#sequence)) this.add(entries);
  }

  /** Adds entries to the totals; entries that were counted already are skipped. */
  add(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      if (entry.sequence <= this.#sequence) continue;
      this.#sequence = entry.sequence;
      this.#apply(entry);
    }
  }

  #apply({ event, postings, at }: StoredEntry): void {
    if (event.type === 'RoundSettled') this.#settled.push(at);
    if (at >= this.#day.ends) this.#startDay(at);
    if (at < this.#day.began) return;
    if (event.type === 'RoundVoided') this.#voids += 1;
    if (event.type === 'RoundResettled' || event.type === 'RoundReconstructed') this.#corrected += 1;
    for (const { from, to, amount } of postings) {
      const [out, into] = [kindOf(from), kindOf(to)];
      if (event.type === 'SlipSet') this.#turnover += into === 'stakes' ? amount : -amount;
      else this.#win += (isHouse(into) ? amount : 0) - (isHouse(out) ? amount : 0);
    }
  }

  #startDay(at: number): void {
    this.#day = gamingDayAround(at, this.#profile);
    this.#turnover = this.#win = this.#voids = this.#corrected = 0;
  }

  at(now: number): {
    readonly since: number;
    readonly turnover: number;
    readonly win: Signed;
    readonly roundsPerHour: number;
    readonly voids: number;
    readonly corrected: number;
  } {
    if (now >= this.#day.ends) this.#startDay(now);
    this.#settled = this.#settled.filter((settled) => settled > now - hourMs);
    const { length } = this.#settled;
    const win = { sign: Math.sign(this.#win) as Signed['sign'], amount: Math.abs(this.#win) };
    return {
      since: this.#day.began,
      turnover: Math.max(0, this.#turnover),
      win,
      roundsPerHour: length,
      voids: this.#voids,
      corrected: this.#corrected,
    };
  }
}

const kindOf = (account: string): string => account.split('/', 3)[2]!;
const isHouse = (kind: string): boolean => kind === 'house' || kind === 'commission';

/** Binary search: the sequence of the last entry before a moment, 0 if there is none. Entries are ordered by time. */
async function lastBefore(
  store: Pick<StoreReader, 'read'>,
  stream: string,
  last: number,
  moment: number,
): Promise<number> {
  let [before, after] = [0, last + 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if ((await entryTime(store, stream, middle)) < moment) before = middle;
    else after = middle;
  }
  return before;
}

async function entryTime(store: Pick<StoreReader, 'read'>, stream: string, sequence: number): Promise<number> {
  for await (const [entry] of store.read(stream, sequence - 1, 1)) return entry!.at;
  return Infinity;
}
