import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/runtime/ports/random.ts';
import { seed } from '../seed.ts';
import { temporaryFolder } from '../temporary.ts';
import { reportToSoak, times } from '../times.ts';
import { Loaded, sleep } from './loaded.ts';
import type { Wishes } from './program.ts';

const root = temporaryFolder('crash');

const crashes = times(3);
const changes = times(1);
/** So many slips are accepted at least in each life that opens, and sometimes so many more. */
const [least, more] = [100, 200];
/** So many lives has a record: all of it is checked after each kill. */
const lives = 10;

const chance = seededRandom(`${seed}`);

/** Lets a server live under load until it has done enough and pulls the plug, or before it has opened. */
async function life(loaded: Loaded, isOpened: boolean): Promise<void> {
  loaded.start();
  if (isOpened) {
    const enough = loaded.accepted + least + chance.below(more);
    const { moved } = loaded;
    await loaded.open();
    await loaded.until(() => loaded.accepted >= enough && loaded.moved > moved);
    await sleep(chance.below(30));
  } else await sleep(50 + chance.below(600));
  await loaded.kill();
}

type Done = {
  /** So many of the lives were opened to terminals before they ended. */
  opened: number;
  accepted: number;
  late: number;
  rounds: number;
  shoes: number;
  moved: number;
  movedLate: number;
};
const none = (): Done => ({ opened: 0, accepted: 0, late: 0, rounds: 0, shoes: 0, moved: 0, movedLate: 0 });

/** One record, and a server on it that is killed so often: how many slips were accepted, and how many only when they came again. */
async function killed(often: number, name: string, wishes: Wishes): Promise<Done> {
  const loaded = new Loaded(chance, { root, data: join(root, name), wishes });
  const done = none();
  for (let n = 0; n < often; n++) {
    // Every fifth is killed while it starts on what the others have left.
    const isOpened = n % 5 !== 2;
    await life(loaded, isOpened);
    if (isOpened) done.opened += 1;
    const { wrong, events } = await loaded.theme();
    expect(wrong).toEqual([]);
    done.rounds = events.get('RoundSettled') ?? 0;
    done.shoes = events.get('ShoeCommitted') ?? 0;
  }
  loaded.leave();
  const late = loaded.bettors.reduce((sum, one) => sum + one.late, 0);
  const { moved } = loaded;
  const movedLate = loaded.cashers.reduce((sum, one) => sum + one.late, 0);
  return { ...done, accepted: loaded.accepted, late, moved, movedLate };
}

/** One record after another. */
async function inParts(all: number, name: string, wishes: Wishes): Promise<Done> {
  const done = none();
  for (let n = 0; n < all; n += lives) {
    const often = Math.min(lives, all - n);
    const part = await killed(often, `${name}-${n}`, wishes);
    for (const what of Object.keys(done) as (keyof Done)[]) done[what] += part[what];
    reportToSoak(`${n + often} kills by now: ${JSON.stringify(done)}`);
  }
  return done;
}

test(`a server killed ${crashes} times under load: no acknowledged slip, note or ticket is lost or doubled, every round ends once, the record verifies`, async () => {
  const { opened, late, accepted, rounds, moved, movedLate } = await inParts(crashes, 'usual', {});
  reportToSoak(
    `${crashes} kills: ${accepted} slips accepted, ${late} of them when they came again, ${rounds} rounds settled`,
  );
  reportToSoak(`${moved} notes, tickets and payments answered, ${movedLate} of them when they came again`);
  expect(moved).toBeGreaterThanOrEqual(opened);
  expect(accepted).toBeGreaterThanOrEqual(opened * least);
  // Some were written without being answered in time, and were known when they came again: a few of them in every life,
  // by chance, so that a run of few lives may have none.
  if (crashes >= 20) expect(Math.min(late, movedLate)).toBeGreaterThan(0);
});

test(`a server killed ${changes} time${changes === 1 ? '' : 's'} while shoes change after two or three rounds: the same holds`, async () => {
  const { opened, rounds, shoes, accepted } = await inParts(changes, 'short', { behind: 410 });
  reportToSoak(`${changes} kills: ${accepted} slips accepted, ${rounds} rounds settled from ${shoes} shoes`);
  expect(accepted).toBeGreaterThanOrEqual(opened * least);
  // The cutting card comes after six cards: in the first settled round or the second, and one more may follow.
  expect(rounds).toBeLessThanOrEqual(3 * shoes);
});
