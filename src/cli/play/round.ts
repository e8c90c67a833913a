import { publicView } from '../../table/views/publicView.ts';
import { roadsText } from './roadsText.ts';
import {
  cardText,
  committedText,
  creditText,
  cuttingCardText,
  endedText,
  paidText,
  resultText,
  turnText,
} from './screenText.ts';
import { type Seat, findEvent } from './seat.ts';

/** Writes lines for the patron. */
export type Print = (...lines: readonly string[]) => void;

/** Bets open, from a new shoe if one is needed. */
export function openRound(seat: Seat, say: Print): void {
  const events = seat.open();
  const committed = findEvent(events, 'ShoeCommitted');
  const turn = findEvent(events, 'CutPositionChosen');
  if (committed) say('', ...committedText(committed));
  if (turn) say(turnText(turn));
  const { round, shoe, call } = publicView(seat.table);
  say('', `Round ${round!.number} of shoe ${shoe!.id}. ${call}.`);
}

/** The round from the close to the roads, with a wait before each card. */
export async function dealRound(seat: Seat, say: Print, wait: () => Promise<void>): Promise<void> {
  let closed = false;
  for (const { dealt, cards, cuttingCard } of seat.deal()) {
    if (!closed) say(`${publicView(seat.table).call}.`);
    closed = true;
    if (cuttingCard) say(cuttingCardText(cuttingCard));
    await wait();
    say(cardText(dealt, cards));
  }
  seat.settle();
  const { round, roads } = publicView(seat.table);
  say(resultText(round!), '', ...paidText(seat.paid), creditText(seat.credit), '', ...roadsText(roads));
  endShoe(seat, say, false);
}

/** A shoe that has had its last round is opened for all to check; `anyway` opens any. */
export function endShoe(seat: Seat, say: Print, anyway: boolean): void {
  const ended = seat.endShoe(anyway);
  if (ended) say('', endedText(ended));
}
