import { formatMoney } from '../../base/formatMoney.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { assert } from '../../base/assert.ts';
import { type Slip } from '../../table/schema/fieldTypes.ts';
import { type Print, dealRound, openRound, endShoe } from './round.ts';
import { layoutText, slipText, summaryText, titleText } from './screenText.ts';
import { type Seat, demoCredit } from './seat.ts';

/** So many wagers get a stake in each round. */
const spots = 3;

/** The next wagers of the layout, each at its minimum, as far as the credit goes. */
function slipFor(round: number, { settings, credit }: Seat): Slip {
  const { offered, limits } = settings;
  const slip: { [wager: string]: number } = {};
  let left = credit;
  for (let spot = 0; spot < spots; spot++) {
    const wager = offered[(round * spots + spot) % offered.length]!;
    const [least] = limits[wager]!;
    if (least > left) break;
    slip[wager] = least;
    left -= least;
  }
  return slip;
}

/**
 * Plays without a person: a rotation over all wagers on offer, until the rounds are played or the signal aborts. Returns how
 * many were played.
 */
export async function autoPlay(seat: Seat, rounds: number, say: Print, stopped: AbortSignal): Promise<number> {
  say(titleText(seat), '', ...layoutText(seat));
  let round = 0;
  for (; round < rounds && !stopped.aborted; round++) {
    openRound(seat, say);
    let slip = slipFor(round, seat);
    if (Object.keys(slip).length === 0) {
      seat.load(demoCredit);
      say(`The credit is too low for any stake: ${formatMoney(demoCredit)} of demo credit is loaded.`);
      slip = slipFor(round, seat);
    }
    assert(seat.place(slip) === true, 'minimum stakes within the credit are taken');
    say(slipText(seat.slip, seat.credit));
    await dealRound(seat, say, async () => {});
    // A signal comes in between two rounds only.
    await turn();
  }
  endShoe(seat, say, true);
  say('', ...summaryText(seat.figures));
  return round;
}
