import { type Card } from '../../../rules/card.ts';
import { nextSlot } from '../../../rules/play.ts';
import { scanOf } from '../../../rules/cardScan.ts';
import { type DealerView } from '../../../wire/staff/views.ts';
import { cardName } from '../kit/components/card.tsx';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { afterwards, draft, keepRefused, refuseWith, typed, dealerView } from './state.ts';
import { send } from '../kit/sendCommand.ts';
import { dealerStrings } from './strings.ts';
import { viewClauses } from './sidePanel.tsx';

// Queue of cards: the next card is sent when the previous one is on screen.

type Waiting = { readonly card: string; readonly how: 'keyed' | 'scanned' };
const waiting: Waiting[] = [];
let isSending = false;

/** Two scans within this time may be two cards that left the shoe together. */
const atOnce = 300;
let lastScan = -Infinity;

const shown = (): number => dealerView.value?.round?.cards.length ?? 0;

/** Waits until the view shows `count` cards, one second at most. */
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

/** Queues a card for the slot that is due. A scan right after another asks whether both left the shoe together. */
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
 * Card in a scan, by the property's scanner format. A scanned cutting card is reported; an unreadable scan is shown as
 * refused. Both return undefined.
 */
export function scannedCard(text: string, { deck, scanner }: DealerView): string | undefined {
  const scan = scanOf(text, deck, scanner);
  if ('card' in scan) return scan.card;
  if ('cut' in scan) void send({ type: 'ReportCuttingCard' }, keepRefused);
  else keepRefused(`${dealerStrings().badScan(text.trim())}. ${staffRefusalText('unreadable-scan', '')}`);
  return undefined;
}

/** Shows a card from the card reader that the table has refused. */
export const tellScanned = (text: string, code: string, message: string, by: string | null): void => {
  const now = dealerView.peek();
  const scan = now && scanOf(text, now.deck, now.scanner);
  const name = scan !== null && 'card' in scan ? cardName(scan.card) : text;
  keepRefused(dealerStrings().refusedCard(name, staffRefusalText(code, message)), by);
};
