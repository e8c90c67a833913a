import { type Card } from '../../../rules/card.ts';
import { nextSlot } from '../../../rules/play.ts';
import { parseScan } from '../../../rules/cardScan.ts';
import { type DealerView } from '../../../wire/staff/dealerView.ts';
import { cardName } from '../kit/components/card.tsx';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { manuallyFinishedRoundId, consoleDraft, showRefusedCard, typedRank, dealerView } from './state.ts';
import { sendCommand, showRefusal } from '../kit/sendCommand.ts';
import { dealerStrings } from './strings.ts';
import { nextCardClause } from './panels/sidePanel.tsx';

// Queue of scanned and keyed cards. After each accepted card the queue waits until the view shows that card, or for a
// second at most. Only then is the next card sent. A refusal empties the queue.

type QueuedCard = { readonly card: string; readonly source: 'keyed' | 'scanned' };
const queue: QueuedCard[] = [];
let isSending = false;

/** Two cards that are scanned within this time may have left the shoe together. */
const togetherMs = 300;
let lastScan = -Infinity;

const cardsShown = (): number => dealerView.value?.round?.cards.length ?? 0;

/** Waits until the view shows `count` cards, but no longer than a second. */
const waitUntilShown = async (count: number): Promise<void> => {
  for (let n = 0; n < 40 && cardsShown() < count; n++) await new Promise((resolve) => setTimeout(resolve, 25));
};

async function sendQueue(): Promise<void> {
  if (isSending) return;
  isSending = true;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const view = dealerView.value;
    const slot =
      view === null || view.round === null ? undefined : nextSlot(view.round.cards.map(({ card }) => card) as Card[]);
    if (view === null || slot === undefined || view.phase !== 'dealing') {
      refuseNotDue(view);
      continue;
    }
    const shownBefore = cardsShown();
    const { card, source } = next;
    const isAccepted = await sendCommand(
      {
        type: 'DealCard',
        slot,
        card,
        ...(source === 'keyed' && { keyed: true }),
        ...(manuallyFinishedRoundId.value === view.round!.id && { afterwards: true }),
      },
      { onRefusal: (reason, by) => showRefusedCard(dealerStrings().refusedCard(cardName(card), reason), by) },
    );
    if (isAccepted) await waitUntilShown(shownBefore + 1);
    else queue.length = 0;
  }
  isSending = false;
}

function refuseNotDue(view: DealerView | null): void {
  queue.length = 0;
  if (view !== null) showRefusal(dealerStrings().notDue, nextCardClause(view));
}

/**
 * Queues a card for the due slot. A card that is scanned within `togetherMs` of the last scan is not queued: the
 * console first asks whether both cards left the shoe together.
 */
export function queueCard(card: string, source: 'keyed' | 'scanned'): void {
  typedRank.value = '';
  if (source === 'scanned') {
    const at = performance.now();
    const isTogether = at - lastScan < togetherMs;
    lastScan = at;
    if (isTogether) {
      consoleDraft.value = { type: 'together', card };
      return;
    }
  }
  queue.push({ card, source });
  void sendQueue();
}

/**
 * Reads a scanned text in the scanner format of the property, and returns the card. Any other scan is handled here and
 * gives undefined: a cutting card is reported, and an unreadable text is shown as refused.
 */
export function parseCardOrHandleScan(text: string, { deck, scanner }: DealerView): string | undefined {
  const scan = parseScan(text, deck, scanner);
  if ('card' in scan) return scan.card;
  if ('cut' in scan) void sendCommand({ type: 'ReportCuttingCard' }, { onRefusal: showRefusedCard });
  else showRefusedCard(`${dealerStrings().badScan(text.trim())}. ${staffRefusalText('unreadable-scan', '')}`);
  return undefined;
}

/**
 * Shows a scanned card as refused. The reason is the text of the error code or, for a code without a text, `message`.
 */
export const showRefusedScan = (text: string, code: string, message: string, by: string | null): void => {
  const view = dealerView.peek();
  const scan = view && parseScan(text, view.deck, view.scanner);
  const name = scan !== null && 'card' in scan ? cardName(scan.card) : text;
  showRefusedCard(dealerStrings().refusedCard(name, staffRefusalText(code, message)), by);
};
