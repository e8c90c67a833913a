import { expect, test } from 'vitest';
import { TableGamingDayTotals } from '../../../src/runtime/projections/tableGamingDayTotals.ts';
import { type Account } from '../../../src/ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../../../src/store/store.ts';

const profile = { name: 'demo', version: '1', approved: [], timeZone: 'UTC', dayStartHour: 6 };
const hour = 3_600_000;
/** Six in the morning of a day. */
const dayStart = Date.UTC(2026, 5, 2, 6);

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
  const entries = [
    entry(dayStart - 20 * hour, 'SlipSet', [['terminal', 'stakes', 900]]),
    entry(dayStart - 2 * hour, 'RoundVoided'),
    entry(dayStart, 'SlipSet', [['terminal', 'stakes', 500]]),
    entry(dayStart + 1, 'SlipSet', [['stakes', 'terminal', 100]]),
    entry(dayStart + hour, 'SettlementPosted', [
      ['stakes', 'terminal', 400],
      ['house', 'terminal', 400],
      ['terminal', 'commission', 20],
    ]),
    entry(dayStart + hour, 'RoundSettled'),
    entry(dayStart + 1.5 * hour, 'RoundResettled'),
  ];
  const read: StoreReader['read'] = async function* (_stream, after = 0, atOnce = 2) {
    for (let n = after; n < entries.length; n += atOnce) yield entries.slice(n, n + atOnce);
  };
  const now = dayStart + 1.75 * hour;
  const totals = new TableGamingDayTotals(profile, now);
  await totals.load({ read }, 'demo/table/tiger', entries.length, now);
  const expected = {
    since: dayStart,
    turnover: 400,
    win: { sign: -1, amount: 380 },
    roundsPerHour: 1,
    voids: 0,
    corrected: 1,
  };
  expect(totals.at(now)).toEqual(expected);
  // Entries that were counted are not counted again, and an hour later the pace is empty.
  totals.add(entries);
  expect(totals.at(now + hour)).toEqual({ ...expected, roundsPerHour: 0 });
  // The next day begins with nothing.
  totals.add([entry(dayStart + 25 * hour, 'RoundVoided')]);
  expect(totals.at(dayStart + 25 * hour)).toMatchObject({
    since: dayStart + 24 * hour,
    turnover: 0,
    voids: 1,
    corrected: 0,
  });
});
