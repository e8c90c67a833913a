import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { seed } from '../../seed.ts';
import { temporaryFolder } from '../../temporary.ts';
import { reportToSoak, times } from '../../times.ts';
import { LoadedServer, sleep } from '../support/loadedServer.ts';
import type { ProgramOptions } from '../support/serverProcess.ts';

const root = temporaryFolder('crash');

const crashes = times(3);
const changes = times(1);
/** Slips accepted at least per opened server, and at most as many more at random. */
const [minAccepted, maxExtra] = [100, 200];
/** Kills per event store; after each kill the whole store is verified. */
const killsPerStore = 10;

const random = createSeededRandom(`${seed}`);

/** Runs a server under load and kills it: after enough accepted slips, or before it is open. */
async function runAndKill(loaded: LoadedServer, isOpened: boolean): Promise<void> {
  loaded.start();
  if (isOpened) {
    const target = loaded.accepted + minAccepted + random.below(maxExtra);
    const { moneyReplies } = loaded;
    await loaded.connectPatrons();
    await loaded.waitUntil(() => loaded.accepted >= target && loaded.moneyReplies > moneyReplies);
    await sleep(random.below(30));
  } else await sleep(50 + random.below(600));
  await loaded.kill();
}

type RunTotals = {
  /** Servers that were open to terminals before their kill. */
  opened: number;
  accepted: number;
  lateSlips: number;
  rounds: number;
  shoes: number;
  moneyReplies: number;
  lateMoneyReplies: number;
};
const emptyTotals = (): RunTotals => ({
  opened: 0,
  accepted: 0,
  lateSlips: 0,
  rounds: 0,
  shoes: 0,
  moneyReplies: 0,
  lateMoneyReplies: 0,
});

/** Kills servers on one event store; counts accepted slips and those accepted only after a resend. */
async function killRepeatedly(kills: number, name: string, options: ProgramOptions): Promise<RunTotals> {
  const loaded = new LoadedServer(random, { root, data: join(root, name), programOptions: options });
  const done = emptyTotals();
  for (let n = 0; n < kills; n++) {
    // Every fifth server is killed during its start.
    const isOpened = n % 5 !== 2;
    await runAndKill(loaded, isOpened);
    if (isOpened) done.opened += 1;
    const { problems, events } = await loaded.checkStore();
    expect(problems).toEqual([]);
    done.rounds = events.get('RoundSettled') ?? 0;
    done.shoes = events.get('ShoeCommitted') ?? 0;
  }
  loaded.disconnectPatrons();
  const lateSlips = loaded.bettors.reduce((sum, patron) => sum + patron.lateReplies, 0);
  const { moneyReplies } = loaded;
  const lateMoneyReplies = loaded.cashers.reduce((sum, patron) => sum + patron.lateReplies, 0);
  return { ...done, accepted: loaded.accepted, lateSlips, moneyReplies: moneyReplies, lateMoneyReplies };
}

/** One event store after another. */
async function killInBatches(all: number, name: string, options: ProgramOptions): Promise<RunTotals> {
  const done = emptyTotals();
  for (let n = 0; n < all; n += killsPerStore) {
    const kills = Math.min(killsPerStore, all - n);
    const batch = await killRepeatedly(kills, `${name}-${n}`, options);
    for (const field of Object.keys(done) as (keyof RunTotals)[]) done[field] += batch[field];
    reportToSoak(`${n + kills} kills by now: ${JSON.stringify(done)}`);
  }
  return done;
}

test(`a server killed ${crashes} times under load: no acknowledged slip, bill or ticket is lost or duplicated, every round ends once, the event log verifies`, async () => {
  const { opened, lateSlips, accepted, rounds, moneyReplies, lateMoneyReplies } = await killInBatches(
    crashes,
    'normal',
    {},
  );
  reportToSoak(
    `${crashes} kills: ${accepted} slips accepted, ${lateSlips} of them after a resend, ${rounds} rounds settled`,
  );
  reportToSoak(`${moneyReplies} loads, tickets and collects answered, ${lateMoneyReplies} of them after a resend`);
  expect(moneyReplies).toBeGreaterThanOrEqual(opened);
  expect(accepted).toBeGreaterThanOrEqual(opened * minAccepted);
  // Some commands are stored but not answered before a kill, and are recognised on their resend. That happens by
  // chance, so a run of few kills may have none.
  if (crashes >= 20) expect(Math.min(lateSlips, lateMoneyReplies)).toBeGreaterThan(0);
});

test(`a server killed ${changes} time${changes === 1 ? '' : 's'} while shoes change after two or three rounds: the same holds`, async () => {
  const { opened, rounds, shoes, accepted } = await killInBatches(changes, 'short', { behind: 410 });
  reportToSoak(`${changes} kills: ${accepted} slips accepted, ${rounds} rounds settled from ${shoes} shoes`);
  expect(accepted).toBeGreaterThanOrEqual(opened * minAccepted);
  // The cutting card comes after six cards: in the first or second settled round, and one more round may follow.
  expect(rounds).toBeLessThanOrEqual(3 * shoes);
});
