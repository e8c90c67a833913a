import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assert } from '../../src/base/assert.ts';
import { hasSameStakes } from '../../src/rules/stakes.ts';
import { type SlipEvent } from '../../src/web/patron/slip/slipMachine.ts';
import {
  acceptedStakes,
  amountToMinimumOf,
  spotStatus,
  isShowingOpenBets,
} from '../../src/web/patron/slip/slipView.ts';
import { reportToSoak, times } from '../times.ts';
import { layout } from './tableModel.ts';
import { SlipTrial } from './slipTrial.ts';

// The slip of a terminal with the real client, against a model of a table and a network that loses, delays, duplicates
// and delivers late messages of an earlier connection.

type Action = (trial: SlipTrial) => Promise<void> | void;

/** A possible action, with a name for error messages. */
const withName = (name: string, action: Action): Action => Object.assign(action, { [fc.toStringMethod]: () => name });
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const wager = fc.constantFrom(...layout.map((spot) => spot.wager));
const keys = ['undo', 'clear', 'again', 'double'] as const;

const taps: fc.Arbitrary<SlipEvent> = fc.oneof(
  weighted(8, fc.record({ type: fc.constant('add'), wager })),
  weighted(2, fc.record({ type: fc.constant('chip'), place: fc.nat(2) })),
  weighted(4, fc.record({ type: fc.constantFrom(...keys) })),
);

const times4 = fc.integer({ min: 1, max: 4 });

const tableActions: fc.Arbitrary<Action> = fc.oneof(
  weighted(
    6,
    fc
      .tuple(fc.integer({ min: 100, max: 2_500 }), fc.constantFrom(0, 1_000))
      .map(([time, won]) => withName(`goes on ${time} ${won}`, ({ model }) => model.nextPhase(time, won))),
  ),
  weighted(
    3,
    fc.integer({ min: 100, max: 2_500 }).map((time) => withName(`opens ${time}`, ({ model }) => model.open(time))),
  ),
  weighted(
    1,
    fc
      .constantFrom('mis-scan', 'referred', 'cannot-record', null)
      .map((kind) => withName(`stops ${kind}`, ({ model }) => model.stop(kind))),
  ),
  weighted(
    1,
    fc
      .constantFrom({}, { player: 1_000 }, { tie: 600, banker: 1_000 })
      .map((slip) => withName(`another page bets ${JSON.stringify(slip)}`, ({ model }) => model.bet(slip))),
  ),
);

const networkActions: fc.Arbitrary<Action> = fc.oneof(
  weighted(
    6,
    times4.map((count) => withName(`up ${count}`, (trial) => trial.deliverToServer(count))),
  ),
  weighted(
    8,
    times4.map((count) => withName(`down ${count}`, (trial) => trial.deliverToClient(count))),
  ),
  weighted(
    8,
    fc.constant(
      withName('flows', async (trial) => {
        await trial.deliverToServer(Infinity);
        await trial.deliverToClient(Infinity);
      }),
    ),
  ),
  weighted(1, fc.constant(withName('cut', (trial) => trial.disconnect()))),
  weighted(
    2,
    fc
      .tuple(fc.nat(9), times4, fc.boolean())
      .map(([index, count, isTwice]) =>
        withName(`late ${index} ${count} ${isTwice}`, ({ model }) => model.deliverLate(index, count, isTwice)),
      ),
  ),
  weighted(1, fc.constant(withName('an answer twice', ({ model }) => model.duplicateReply()))),
);

const actions: fc.Arbitrary<Action> = fc.oneof(
  weighted(
    6,
    taps.map((event) => withName(JSON.stringify(event), (trial) => trial.dispatch(event))),
  ),
  weighted(2, tableActions),
  weighted(7, networkActions),
  weighted(
    3,
    fc
      .oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(50, 150, 334, 900, 3_000))
      .map((time) => withName(`pass ${time}`, (trial) => trial.advance(time))),
  ),
  weighted(1, fc.constant(withName('quiet', (trial) => trial.settle()))),
);

/** A seated terminal at a table in betting. */
async function seated(): Promise<SlipTrial> {
  const trial = new SlipTrial();
  trial.model.nextPhase(2_000, 0);
  await trial.deliverToServer(Infinity);
  await trial.deliverToClient(Infinity);
  await trial.deliverToServer(Infinity);
  await trial.deliverToClient(Infinity);
  assert(trial.state.isFresh && trial.isOpen, 'the terminal is at its table');
  return trial;
}

test('the slip shows as accepted exactly what the server stored, and all requests end, on any network', async () => {
  const done = { acts: 0, slips: 0, resent: 0, losses: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 20, maxLength: 80 }), async (all) => {
      const trial = await seated();
      for (const action of all) {
        await action(trial);
        await trial.flush();
      }
      await trial.settle();
      const { state, model } = trial;
      expect(state.connection).toBe('open');
      expect(acceptedStakes(state)).toEqual(model.slip);
      expect(state.own!.credit).toBe(model.credit);
      expect(state.sent).toBeNull();
      if (state.wanted !== null) expect(amountToMinimumOf(state)).toBeDefined();
      for (const { wager: one } of layout) expect(spotStatus(state, one)).not.toBe('maybe');
      done.acts += all.length;
      done.slips += trial.sentSlips.length;
      done.resent += trial.resent;
      done.losses += trial.terminal.sockets.length - 1;
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
        const felts = [trial.visibleStakes];
        for (const [event, up, down, time] of steps) {
          if (event.type === 'undo' && felts.length > 1) felts.pop();
          trial.dispatch(event);
          if (event.type !== 'undo' && !hasSameStakes(trial.visibleStakes, felts.at(-1)!))
            felts.push(trial.visibleStakes);
          expect(trial.visibleStakes).toEqual(felts.at(-1)!);
          // Some messages in flight arrive; refusals are not part of this test.
          await trial.deliverToServer(up);
          await trial.deliverToClient(down);
          await trial.advance(time);
          if (trial.state.refused !== null && trial.state.refused.code !== 'over-maximum') return;
        }
        for (let n = felts.length - 2; n >= 0; n--) {
          trial.dispatch({ type: 'undo' });
          expect(trial.visibleStakes).toEqual(felts[n]);
        }
        expect(trial.state.undoHistory).toEqual([]);
        await trial.settle();
        expect(trial.model.slip).toEqual(felts[0]);
      },
    ),
    { numRuns: times(100) },
  );
});

test('the close of bets is shown at its time and when a heartbeat reports it', async () => {
  for (const isReported of [false, true]) {
    const trial = await seated();
    trial.model.nextPhase(1_000, 0);
    await trial.deliverToClient(Infinity);
    const isShownOpen = (): boolean => isShowingOpenBets(trial.state.view, trial.state.at);
    expect(isShownOpen()).toBe(true);
    if (isReported) trial.model.connection.down.push({ type: 'heartbeat', at: trial.model.now + 1_000 });
    else trial.terminal.advance(1_000);
    await trial.deliverToClient(Infinity);
    expect(isShownOpen()).toBe(false);
  }
});
