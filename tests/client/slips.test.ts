import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assert } from '../../src/base/assert.ts';
import { areSameStakes } from '../../src/rules/stakes.ts';
import { type Event } from '../../src/web/patron/slip/slipMachine.ts';
import { acceptedOf, lackingIn, spotStatus, takesBets } from '../../src/web/patron/slip/slipView.ts';
import { reportToSoak, times } from '../times.ts';
import { layout } from './model.ts';
import { Trial } from './trial.ts';

// The slip of a terminal with the real client, against a model of a table and a network that loses, delays, doubles and
// brings late what an earlier link had sent.

type Act = (trial: Trial) => Promise<void> | void;

/** What may happen, with words for a failure. */
const named = (name: string, act: Act): Act => Object.assign(act, { [fc.toStringMethod]: () => name });
const weighed = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const wager = fc.constantFrom(...layout.map((spot) => spot.wager));
const keys = ['undo', 'clear', 'again', 'double'] as const;

const taps: fc.Arbitrary<Event> = fc.oneof(
  weighed(8, fc.record({ type: fc.constant('add'), wager })),
  weighed(2, fc.record({ type: fc.constant('chip'), place: fc.nat(2) })),
  weighed(4, fc.record({ type: fc.constantFrom(...keys) })),
);

const times4 = fc.integer({ min: 1, max: 4 });

const tableActs: fc.Arbitrary<Act> = fc.oneof(
  weighed(
    6,
    fc
      .tuple(fc.integer({ min: 100, max: 2_500 }), fc.constantFrom(0, 1_000))
      .map(([time, won]) => named(`goes on ${time} ${won}`, ({ model }) => model.goOn(time, won))),
  ),
  weighed(
    3,
    fc.integer({ min: 100, max: 2_500 }).map((time) => named(`opens ${time}`, ({ model }) => model.open(time))),
  ),
  weighed(
    1,
    fc
      .constantFrom('mis-scan', 'referred', 'cannot-record', null)
      .map((kind) => named(`stops ${kind}`, ({ model }) => model.stop(kind))),
  ),
  weighed(
    1,
    fc
      .constantFrom({}, { player: 1_000 }, { tie: 600, banker: 1_000 })
      .map((slip) => named(`another page bets ${JSON.stringify(slip)}`, ({ model }) => model.bet(slip))),
  ),
);

const networkActs: fc.Arbitrary<Act> = fc.oneof(
  weighed(
    6,
    times4.map((count) => named(`up ${count}`, (trial) => trial.up(count))),
  ),
  weighed(
    8,
    times4.map((count) => named(`down ${count}`, (trial) => trial.down(count))),
  ),
  weighed(
    8,
    fc.constant(
      named('flows', async (trial) => {
        await trial.up(Infinity);
        await trial.down(Infinity);
      }),
    ),
  ),
  weighed(1, fc.constant(named('cut', (trial) => trial.cut()))),
  weighed(
    2,
    fc
      .tuple(fc.nat(9), times4, fc.boolean())
      .map(([place, count, isTwice]) =>
        named(`late ${place} ${count} ${isTwice}`, ({ model }) => model.late(place, count, isTwice)),
      ),
  ),
  weighed(1, fc.constant(named('an answer twice', ({ model }) => model.answerTwice()))),
);

const acts: fc.Arbitrary<Act> = fc.oneof(
  weighed(
    6,
    taps.map((event) => named(JSON.stringify(event), (trial) => trial.act(event))),
  ),
  weighed(2, tableActs),
  weighed(7, networkActs),
  weighed(
    3,
    fc
      .oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(50, 150, 334, 900, 3_000))
      .map((time) => named(`pass ${time}`, (trial) => trial.pass(time))),
  ),
  weighed(1, fc.constant(named('quiet', (trial) => trial.quiet()))),
);

/** At a table that takes bets, with the link up. */
async function seated(): Promise<Trial> {
  const trial = new Trial();
  trial.model.goOn(2_000, 0);
  await trial.up(Infinity);
  await trial.down(Infinity);
  await trial.up(Infinity);
  await trial.down(Infinity);
  assert(trial.state.isFresh && trial.isOpen, 'the terminal is at its table');
  return trial;
}

test('the slip shows as accepted exactly what the server stored, and all requests end, on any network', async () => {
  const done = { acts: 0, slips: 0, resent: 0, losses: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 20, maxLength: 80 }), async (all) => {
      const trial = await seated();
      for (const act of all) {
        await act(trial);
        await trial.heard();
      }
      await trial.quiet();
      const { state, model } = trial;
      expect(state.link).toBe('open');
      expect(acceptedOf(state)).toEqual(model.slip);
      expect(state.own!.credit).toBe(model.credit);
      expect(state.sent).toBeNull();
      if (state.wanted !== null) expect(lackingIn(state)).toBeDefined();
      for (const { wager: one } of layout) expect(spotStatus(state, one)).not.toBe('maybe');
      done.acts += all.length;
      done.slips += trial.request.length;
      done.resent += trial.resent;
      done.losses += trial.machine.sockets.length - 1;
    }),
    { numRuns: times(150) },
  );
  expect(done.slips).toBeGreaterThan(100);
  expect(done.resent).toBeGreaterThan(0);
  expect(done.losses).toBeGreaterThan(50);
  reportToSoak(
    `${done.acts.toLocaleString('en')} acts at a terminal whose link was lost ${done.losses.toLocaleString('en')} times: ${done.slips.toLocaleString('en')} slips, ${done.resent.toLocaleString('en')} sent again.`,
  );
});

test('undo restores each step exactly, whatever happens to the slips on the network', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(taps, fc.nat(3), fc.nat(3), fc.nat(400)), { minLength: 1, maxLength: 12 }),
      async (steps) => {
        const trial = await seated();
        const felts = [trial.felt];
        for (const [event, up, down, time] of steps) {
          if (event.type === 'undo' && felts.length > 1) felts.pop();
          trial.act(event);
          if (event.type !== 'undo' && !areSameStakes(trial.felt, felts.at(-1)!)) felts.push(trial.felt);
          expect(trial.felt).toEqual(felts.at(-1)!);
          // Of what is under way some arrives; what is refused is not of this test.
          await trial.up(up);
          await trial.down(down);
          await trial.pass(time);
          if (trial.state.refused !== null && trial.state.refused.code !== 'over-maximum') return;
        }
        for (let n = felts.length - 2; n >= 0; n--) {
          trial.act({ type: 'undo' });
          expect(trial.felt).toEqual(felts[n]);
        }
        expect(trial.state.before).toEqual([]);
        await trial.quiet();
        expect(trial.model.slip).toEqual(felts[0]);
      },
    ),
    { numRuns: times(100) },
  );
});

test('the close of bets is shown at its time and when a heartbeat reports it', async () => {
  for (const isTold of [false, true]) {
    const trial = await seated();
    trial.model.goOn(1_000, 0);
    await trial.down(Infinity);
    const shows = (): boolean => takesBets(trial.state.view, trial.state.at);
    expect(shows()).toBe(true);
    if (isTold) trial.model.line.down.push({ type: 'heartbeat', at: trial.model.now + 1_000 });
    else trial.machine.pass(1_000);
    await trial.down(Infinity);
    expect(shows()).toBe(false);
  }
});
