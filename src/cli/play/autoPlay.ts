import { formatMoney } from '../../base/formatMoney.ts';
import { setImmediate as nextTick } from 'node:timers/promises';
import { assert } from '../../base/assert.ts';
import { type Slip } from '../../table/schema/fieldTypes.ts';
import { type PrintLines, dealAndSettleRound, openRound, endShoe } from './printedRound.ts';
import { layoutText, slipText, playTotalsLines, gameTitleText } from './screenText.ts';
import { type Seat, demoCredit } from './seat.ts';

const wagersPerRound = 3;

/**
 * Makes the slip for a round. It has the minimum stake on each of three wagers, as far as the credit allows; each round
 * has the next three wagers.
 */
function slipFor(round: number, { settings, credit }: Seat): Slip {
  const { offered, limits } = settings;
  const slip: { [wager: string]: number } = {};
  let creditLeft = credit;
  for (let n = 0; n < wagersPerRound; n++) {
    const wager = offered[(round * wagersPerRound + n) % offered.length]!;
    const [min] = limits[wager]!;
    if (min > creditLeft) break;
    slip[wager] = min;
    creditLeft -= min;
  }
  return slip;
}

/** Plays rounds automatically and bets on all wagers in turn. Returns the number of rounds played. */
export async function autoPlay(seat: Seat, rounds: number, print: PrintLines, signal: AbortSignal): Promise<number> {
  print(gameTitleText(seat), '', ...layoutText(seat));
  let round = 0;
  for (; round < rounds && !signal.aborted; round++) {
    openRound(seat, print);
    let slip = slipFor(round, seat);
    if (Object.keys(slip).length === 0) {
      seat.load(demoCredit);
      print(`The credit is too low for any stake. Loaded ${formatMoney(demoCredit)} of demo credit.`);
      slip = slipFor(round, seat);
    }
    assert(seat.place(slip) === true, 'minimum stakes within the credit are accepted');
    print(slipText(seat.slip, seat.credit));
    await dealAndSettleRound(seat, print, async () => {});
    // Lets signal handlers run between two rounds.
    await nextTick();
  }
  endShoe(seat, print, true);
  print('', ...playTotalsLines(seat.totals));
  return round;
}
