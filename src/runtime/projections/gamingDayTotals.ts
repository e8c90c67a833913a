import { type StoreReader, type StoredEntry } from '../../store/store.ts';
import { type Profile } from '../../table/schema/settings.ts';
import { gamingDayOf } from '../../table/schema/gamingDay.ts';

const hour = 3_600_000;
/** No gaming day is longer, whatever the clock of the property does that day. */
const longestDay = 26 * hour;

/** An amount that may be below zero. */
type Signed = { readonly sign: -1 | 0 | 1; readonly amount: number };

/** When the gaming day began that a time belongs to, and when the next one does. */
function dayOf(at: number, profile: Profile): { readonly began: number; readonly ends: number } {
  const day = gamingDayOf(at, profile);
  /** The first moment after `from`, up to `to`, from which on it is that day or not. */
  const turnIn = (from: number, to: number, isThatDay: boolean): number => {
    let [before, after] = [from, to];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if ((gamingDayOf(middle, profile) === day) === isThatDay) after = middle;
      else before = middle;
    }
    return after;
  };
  return { began: turnIn(Math.max(0, at - longestDay), at, true), ends: turnIn(at, at + longestDay, false) };
}

/** What a table has taken in and won since the gaming day turned, and how quickly it deals. */
export class GamingDayTotals {
  readonly #profile: Profile;
  #day: ReturnType<typeof dayOf>;
  #sequence = 0;
  #drop = 0;
  #win = 0;
  #voids = 0;
  #corrected = 0;
  /** When rounds were settled, as far back as an hour. */
  #settled: number[] = [];

  constructor(profile: Profile, at: number) {
    this.#profile = profile;
    this.#day = dayOf(at, profile);
  }

  /** Reads what was written since the day turned, or within the last hour. */
  async load(store: Pick<StoreReader, 'read'>, stream: string, sequence: number, at: number): Promise<void> {
    this.#sequence = await firstSince(store, stream, sequence, Math.min(this.#day.began, at - hour));
    for await (const entries of store.read(stream, this.#sequence)) this.add(entries);
  }

  /** Takes in what was written; what it has seen already is passed over. */
  add(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      if (entry.sequence <= this.#sequence) continue;
      this.#sequence = entry.sequence;
      this.#take(entry);
    }
  }

  #take({ event, postings, at }: StoredEntry): void {
    if (event.type === 'RoundSettled') this.#settled.push(at);
    if (at >= this.#day.ends) this.#turn(at);
    if (at < this.#day.began) return;
    if (event.type === 'RoundVoided') this.#voids += 1;
    if (event.type === 'RoundResettled' || event.type === 'RoundReconstructed') this.#corrected += 1;
    for (const { from, to, amount } of postings) {
      const [out, into] = [kindOf(from), kindOf(to)];
      if (event.type === 'SlipSet') this.#drop += into === 'stakes' ? amount : -amount;
      else this.#win += (isHouse(into) ? amount : 0) - (isHouse(out) ? amount : 0);
    }
  }

  /** Another day has begun, and its figures with it. */
  #turn(at: number): void {
    this.#day = dayOf(at, this.#profile);
    this.#drop = this.#win = this.#voids = this.#corrected = 0;
  }

  at(now: number): {
    readonly since: number;
    readonly drop: number;
    readonly win: Signed;
    readonly roundsAnHour: number;
    readonly voids: number;
    readonly corrected: number;
  } {
    if (now >= this.#day.ends) this.#turn(now);
    this.#settled = this.#settled.filter((settled) => settled > now - hour);
    const { length } = this.#settled;
    const win = { sign: Math.sign(this.#win) as Signed['sign'], amount: Math.abs(this.#win) };
    return {
      since: this.#day.began,
      drop: Math.max(0, this.#drop),
      win,
      roundsAnHour: length,
      voids: this.#voids,
      corrected: this.#corrected,
    };
  }
}

const kindOf = (account: string): string => account.split('/', 3)[2]!;
const isHouse = (kind: string): boolean => kind === 'house' || kind === 'commission';

/** The last entry before a moment: entries lie in the order of their times. */
async function firstSince(
  store: Pick<StoreReader, 'read'>,
  stream: string,
  last: number,
  moment: number,
): Promise<number> {
  let [before, after] = [0, last + 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if ((await timeOf(store, stream, middle)) < moment) before = middle;
    else after = middle;
  }
  return before;
}

async function timeOf(store: Pick<StoreReader, 'read'>, stream: string, sequence: number): Promise<number> {
  for await (const [entry] of store.read(stream, sequence - 1, 1)) return entry!.at;
  return Infinity;
}
