import { expect, test } from 'vitest';
import { GamingDayTotals } from '../../../src/runtime/projections/gamingDayTotals.ts';
import { type Account } from '../../../src/ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../../../src/store/store.ts';

const profile = { name: 'demo', version: '1', approved: [], timeZone: 'UTC', dayStartHour: 6 };
const hour = 3_600_000;
/** Six in the morning of a day. */
const turn = Date.UTC(2026, 5, 2, 6);

let sequences = 0;
const entry = (at: number, type: string, moves: readonly (readonly [string, string, number])[] = []): StoredEntry =>
  ({
    sequence: ++sequences,
    at,
    event: { type, v: 1, at },
    postings: moves.map(([from, to, amount]) => ({
      from: `demo/XTS/${from}/x` as Account,
      to: `demo/XTS/${to}/x` as Account,
      amount,
    })),
  }) as unknown as StoredEntry;

test('totals of a table start with the gaming day, and its pace with the last hour', async () => {
  const record = [
    entry(turn - 20 * hour, 'SlipSet', [['terminal', 'stakes', 900]]),
    entry(turn - 2 * hour, 'RoundVoided'),
    entry(turn, 'SlipSet', [['terminal', 'stakes', 500]]),
    entry(turn + 1, 'SlipSet', [['stakes', 'terminal', 100]]),
    entry(turn + hour, 'SettlementPosted', [
      ['stakes', 'terminal', 400],
      ['house', 'terminal', 400],
      ['terminal', 'commission', 20],
    ]),
    entry(turn + hour, 'RoundSettled'),
    entry(turn + 1.5 * hour, 'RoundResettled'),
  ];
  const read: StoreReader['read'] = async function* (_stream, after = 0, atOnce = 2) {
    for (let n = after; n < record.length; n += atOnce) yield record.slice(n, n + atOnce);
  };
  const now = turn + 1.75 * hour;
  const figures = new GamingDayTotals(profile, now);
  await figures.load({ read }, 'demo/table/tiger', record.length, now);
  const told = { since: turn, turnover: 400, win: { sign: -1, amount: 380 }, roundsPerHour: 1, voids: 0, corrected: 1 };
  expect(figures.at(now)).toEqual(told);
  // Entries that were counted are not counted again, and an hour later the pace is empty.
  figures.add(record);
  expect(figures.at(now + hour)).toEqual({ ...told, roundsPerHour: 0 });
  // The next day begins with nothing.
  figures.add([entry(turn + 25 * hour, 'RoundVoided')]);
  expect(figures.at(turn + 25 * hour)).toMatchObject({ since: turn + 24 * hour, turnover: 0, voids: 1, corrected: 0 });
});
