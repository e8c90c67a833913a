import { publicView } from '../../table/views/publicView.ts';
import { beadAndBigRoadLines } from './roadsText.ts';
import {
  dealtCardText,
  shoeCommittedLines,
  creditText,
  cuttingCardText,
  shoeEndedText,
  stakeResultLines,
  roundResultText,
  cutPositionText,
} from './screenText.ts';
import { type Seat, findEvent } from './seat.ts';

export type PrintLines = (...lines: readonly string[]) => void;

/** Opens bets and prints the number of the round. If a new shoe is needed, it is first committed and printed. */
export function openRound(seat: Seat, print: PrintLines): void {
  const events = seat.open();
  const committed = findEvent(events, 'ShoeCommitted');
  const turn = findEvent(events, 'CutPositionChosen');
  if (committed) print('', ...shoeCommittedLines(committed));
  if (turn) print(cutPositionText(turn));
  const { round, shoe, call } = publicView(seat.table);
  print('', `Round ${round!.number} of shoe ${shoe!.id}. ${call}.`);
}

/** Closes bets, deals, settles, and prints cards, result and roads. Awaits `wait` before each card. */
export async function dealAndSettleRound(seat: Seat, print: PrintLines, wait: () => Promise<void>): Promise<void> {
  let isClosed = false;
  for (const { event: dealt, cards, cuttingCard } of seat.deal()) {
    if (!isClosed) print(`${publicView(seat.table).call}.`);
    isClosed = true;
    if (cuttingCard) print(cuttingCardText(cuttingCard));
    await wait();
    print(dealtCardText(dealt, cards));
  }
  seat.settle();
  const { round, roads } = publicView(seat.table);
  print(
    roundResultText(round!),
    '',
    ...stakeResultLines(seat.paid),
    creditText(seat.credit),
    '',
    ...beadAndBigRoadLines(roads),
  );
  endShoe(seat, print, false);
}

/**
 * Ends the shoe if its end is due; with `force`, also before that. If the shoe has ended, prints the count of its
 * cards.
 */
export function endShoe(seat: Seat, print: PrintLines, force: boolean): void {
  const ended = seat.endShoe(force);
  if (ended) print('', shoeEndedText(ended));
}
