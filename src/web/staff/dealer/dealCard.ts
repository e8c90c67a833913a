import { type Card } from '../../../rules/card.ts';
import { nextSlot } from '../../../rules/play.ts';
import { scanOf } from '../../../rules/cardScan.ts';
import { type DealerView } from '../../../wire/staff/dealerView.ts';
import { cardName } from '../kit/components/card.tsx';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { afterwards, draft, keepRefused, refuseWith, typed, dealerView } from './state.ts';
import { send } from '../kit/sendCommand.ts';
import { dealerStrings } from './strings.ts';
import { viewClauses } from './sidePanel.tsx';

// Cards on their way to the table, one after the other: the next one goes when the one before is on the screen.

type Waiting = { readonly card: string; readonly how: 'keyed' | 'scanned' };
const waiting: Waiting[] = [];
let isSending = false;

/** Two scans within so many milliseconds may be two cards that came out at once. */
const atOnce = 300;
let lastScan = -Infinity;

const shown = (): number => dealerView.value?.round?.cards.length ?? 0;

/** The card stands on the screen, or it never will. */
const arrived = async (count: number): Promise<void> => {
  for (let n = 0; n < 40 && shown() < count; n++) await new Promise((go) => setTimeout(go, 25));
};

async function sendAll(): Promise<void> {
  if (isSending) return;
  isSending = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const now = dealerView.value;
    const slot =
      now === null || now.round === null ? undefined : nextSlot(now.round.cards.map(({ card }) => card) as Card[]);
    if (now === null || slot === undefined || now.phase !== 'dealing') {
      notDue(now);
      continue;
    }
    const before = shown();
    const { card, how } = next;
    const taken = await send(
      {
        type: 'DealCard',
        slot,
        card,
        ...(how === 'keyed' && { keyed: true }),
        ...(afterwards.value === now.round!.id && { afterwards: true }),
      },
      (why, by) => keepRefused(dealerStrings().refusedCard(cardName(card), why), by),
    );
    if (taken) await arrived(before + 1);
    else waiting.length = 0;
  }
  isSending = false;
}

function notDue(now: DealerView | null): void {
  waiting.length = 0;
  if (now !== null) refuseWith(dealerStrings().notDue, viewClauses(now).play);
}

/** A card for the slot that is due. */
export function sendCard(card: string, how: 'keyed' | 'scanned'): void {
  typed.value = '';
  if (how === 'scanned') {
    const at = performance.now();
    const isClose = at - lastScan < atOnce;
    lastScan = at;
    if (isClose) {
      draft.value = { what: 'together', card };
      return;
    }
  }
  waiting.push({ card, how });
  void sendAll();
}

/**
 * What a scanner typed, in the form that the property sets, as a card of the table's deck. The cutting card is reported, and
 * what is no card is told; neither gives one.
 */
export function scannedCard(text: string, { deck, scanner }: DealerView): string | undefined {
  const scan = scanOf(text, deck, scanner);
  if ('card' in scan) return scan.card;
  if ('cut' in scan) void send({ type: 'ReportCuttingCard' }, keepRefused);
  else keepRefused(`${dealerStrings().badScan(text.trim())}. ${staffRefusalText('unreadable-scan', '')}`);
  return undefined;
}

/** A card that a reader read and the table did not take. */
export const tellScanned = (text: string, code: string, message: string, by: string | null): void => {
  const now = dealerView.peek();
  const scan = now && scanOf(text, now.deck, now.scanner);
  const name = scan !== null && 'card' in scan ? cardName(scan.card) : text;
  keepRefused(dealerStrings().refusedCard(name, staffRefusalText(code, message)), by);
};
