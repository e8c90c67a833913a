import { rulebookOf } from '../../../../src/games/rulebooks.ts';
import { games } from '../../../../src/games/registry.ts';
import { type Card } from '../../../../src/rules/card.ts';
import { versionedGameId } from '../../../../src/rules/game.ts';
import { totalOf } from '../../../../src/rules/hand.ts';
import { handsOf, nextSlot, slots } from '../../../../src/rules/play.ts';
import { defaultScanFormat } from '../../../../src/rules/cardScan.ts';
import { type DealerView } from '../../../../src/wire/staff/dealerView.ts';
import { type PromptView } from '../../../../src/wire/staff/viewParts.ts';

// Fake dealer's views: every state of the console, without a table.

type Round = NonNullable<DealerView['round']>;
export type Shoe = NonNullable<DealerView['shoe']>;

export const gameNamed = (id: string) => games.find((game) => game.id === id)!;
export const dealer = { person: 'p1', number: 'D-214', role: 'dealer', acting: null };
export const supervisor = { person: 'p2', number: 'S-031', role: 'supervisor', acting: null };

export const promptView = (
  code: string,
  by: string | null,
  fields: { readonly [name: string]: string } = {},
): PromptView => ({
  code,
  with: fields,
  by,
});

export const hash = 'ba1d8d81'.padEnd(64, '0');

export function roundOf(text: string, at: number, more: Partial<Round> = {}): Round {
  const cards = (text === '' ? [] : text.split(' ')) as Card[];
  const { player, banker } = handsOf(cards);
  const isOver = nextSlot(cards) === undefined;
  const [p, b] = [totalOf(player), totalOf(banker)];
  return {
    id: 'r41',
    number: 41,
    openedAt: at - 40_000,
    closesAt: at + 14_000,
    deadline: at - 5_000,
    resultAt: isOver ? at - 5_000 : null,
    player: { cards: [...player], total: p },
    banker: { cards: [...banker], total: b },
    cards: cards.map((card, n) => ({
      card,
      slot: n === 4 ? nextSlot(cards.slice(0, 4))! : slots[n]!,
      at: at - 10_000,
      how: 'scanned',
      dealer: 'D-214',
    })),
    winner: isOver ? (p === b ? 'tie' : p > b ? 'player' : 'banker') : null,
    won: null,
    pushed: null,
    voidBy: null,
    begun: cards.length > 0,
    mayTakeBack: cards.length > 0 && !isOver,
    settlements: 0,
    ...more,
  };
}

export const shoeOf = (more: Partial<Shoe> = {}): Shoe => ({
  id: 'S-2211',
  size: 416,
  out: 214,
  ready: true,
  seal: '7741',
  decks: 8,
  backs: 'red',
  inspected: true,
  counted: true,
  shuffled: true,
  shuffle: 'machine',
  behind: 16,
  burned: true,
  virtual: false,
  toCut: 186,
  cuttingCardOut: false,
  roundsLeft: null,
  lockedBy: null,
  carried: false,
  rounds: 40,
  ...more,
});

/** Every row of the report menu, by the rulebook of the game. */
function reportsOf(
  id: string,
  bets: DealerView['bets'],
  isNow: (kind: string) => string | null,
): DealerView['reports'] {
  const { irregularities } = rulebookOf(gameNamed(id));
  const rows = {
    'mis-scan': '11',
    'unreadable-card': '12',
    'foreign-card': '13',
    'extra-card': '14',
    'face-up-before': '15',
    'face-up-after': '15',
    'wrong-order': '21',
    'wrong-number': '22',
    'drawn-together': '23',
    'third-cards-together': '23',
    'order-altered': '31',
    'too-few-cards': '32',
    'missing-card': '33',
    'unshuffled-cards': '34',
    'cutting-card': '35',
    'cutting-card-missing': '36',
    'late-wager': '41',
    'raised-wager': '42',
    'withdrawn-wager': '43',
    interruption: '51',
    'terminals-lost': '52',
    'anything-else': '61',
  } as const;
  const named = {
    'face-up-before': 'face-up-card',
    'face-up-after': 'face-up-card',
    'third-cards-together': 'drawn-together',
  };
  return (Object.keys(rows) as (keyof typeof rows)[]).map((kind) => {
    const { by, stops, rulings } = irregularities[kind];
    const isWager = kind.endsWith('-wager');
    const command = isWager
      ? 'ReportWager'
      : kind === 'mis-scan'
        ? 'CorrectCard'
        : kind === 'cutting-card'
          ? 'ReportCuttingCard'
          : kind === 'interruption'
            ? 'ReportInterruption'
            : kind === 'terminals-lost'
              ? 'ReportTerminals'
              : kind === 'anything-else'
                ? 'Refer'
                : 'ReportIrregularity';
    return {
      kind,
      row: rows[kind],
      by,
      command,
      as: command === 'ReportIrregularity' || isWager ? ((named as { [k: string]: string })[kind] ?? kind) : null,
      does: kind === 'mis-scan' ? 'corrects' : rulings.refer ? 'refers' : stops ? 'stops' : 'noted',
      not:
        isWager && bets === 'terminals'
          ? 'chips-only'
          : kind === 'terminals-lost' && bets === 'chips'
            ? 'terminals-only'
            : isNow(kind),
    };
  });
}

/** Reports that are not possible once cards are out. */
const whenDealt = (kind: string): string | null =>
  kind === 'face-up-before' || kind === 'third-cards-together' || kind === 'cutting-card-missing' ? 'not-now' : null;

/** View at a moment; `more` is what differs from an idle table. */
export function viewOf(at: number, id = 'tiger', more: Partial<DealerView> = {}): DealerView {
  const game = gameNamed(id);
  const book = rulebookOf(game);
  const bets = more.bets ?? 'terminals';
  return {
    table: 'L11',
    game: { name: game.name, version: versionedGameId(game), rulebook: game.book },
    clauses: { ...book.clauses, settle: game.wagers['banker']!.lines.find(({ pays }) => pays !== 'push')!.by },
    deck: game.deck,
    decks: 8,
    bets,
    dealing: 'scanned',
    scanner: defaultScanFormat,
    attended: true,
    offered: Object.entries(game.wagers).map(([wager, { name }]) => ({ wager, name })),
    burn: 'first-card',
    bettingTime: 20_000,
    grace: 500,
    pause: 3_000,
    interruption: 10_000,
    phase: 'idle',
    prompt: promptView('ready', book.clauses.open, { number: '40', last: 'player', player: '7', banker: '6' }),
    due: null,
    next: ['OpenBets'],
    round: roundOf('2C 9H 5D KS', at, { number: 40, id: 'r40' }),
    shoe: shoeOf(),
    sealed: [],
    warnings: [],
    slips: 9,
    terminalsDisconnected: 1,
    stopped: null,
    waiting: [],
    referred: [],
    proposal: null,
    reports: reportsOf(id, bets, whenDealt),
    felt: null,
    places: [],
    paying: null,
    messages: [
      { at: at - 15_000, prompt: promptView('terminals-lost', 'ETG 5.10', { count: '1' }), from: null, isUrgent: true },
      { at: at - 157_000, prompt: promptView('note', null, { text: '21:40' }), from: supervisor, isUrgent: false },
      {
        at: at - 4_287_000,
        prompt: promptView('shoe-verified', null, { shoe: 'S-2211' }),
        from: supervisor,
        isUrgent: false,
      },
    ],
    called: null,
    dealer,
    fault: null,
    ...more,
  };
}
