import { bookOf } from '../../../src/games/books.ts';
import { games } from '../../../src/games/registry.ts';
import { type Card } from '../../../src/rules/card.ts';
import { fullNameOf } from '../../../src/rules/game.ts';
import { totalOf } from '../../../src/rules/hand.ts';
import { handsOf, nextSlot, slots } from '../../../src/rules/play.ts';
import { type DealerView, type Sentence, type StaffMatter, type Way } from '../../../src/wire/staff/views.ts';

// What a dealer sees, made up: every state of the console, without a table.

type Round = NonNullable<DealerView['round']>;
type Shoe = NonNullable<DealerView['shoe']>;

const gameNamed = (id: string) => games.find((game) => game.id === id)!;
const dealer = { person: 'p1', number: 'D-214', post: 'dealer', acting: null };
const supervisor = { person: 'p2', number: 'S-031', post: 'supervisor', acting: null };

const say = (code: string, by: string | null, given: { readonly [name: string]: string } = {}): Sentence => ({
  code,
  with: given,
  by,
});

export const hash = 'ba1d8d81'.padEnd(64, '0');

/** A round with these cards. */
function roundOf(text: string, at: number, more: Partial<Round> = {}): Round {
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

const shoeOf = (more: Partial<Shoe> = {}): Shoe => ({
  id: 'S-2211',
  size: 416,
  out: 214,
  ready: true,
  decks: 8,
  backs: 'red',
  inspected: true,
  counted: true,
  shuffled: true,
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

/** Every row of "Something is wrong", by the book of the game. */
function reportsOf(
  id: string,
  bets: DealerView['bets'],
  isNow: (kind: string) => string | null,
): DealerView['reports'] {
  const { irregularities } = bookOf(gameNamed(id));
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

/** What can be reported once cards are out. */
const whenDealt = (kind: string): string | null =>
  kind === 'face-up-before' || kind === 'third-cards-together' || kind === 'cutting-card-missing' ? 'not-now' : null;

/** A view at a moment; what differs from a quiet table is given. */
export function viewOf(at: number, id = 'tiger', more: Partial<DealerView> = {}): DealerView {
  const game = gameNamed(id);
  const book = bookOf(game);
  const bets = more.bets ?? 'terminals';
  return {
    table: 'L11',
    game: { name: game.name, version: fullNameOf(game), book: game.book },
    clauses: { ...book.clauses, settle: game.wagers['banker']!.lines.find(({ pays }) => pays !== 'push')!.by },
    deck: game.deck,
    decks: 8,
    bets,
    dealing: 'scanned',
    attended: true,
    offered: Object.entries(game.wagers).map(([wager, { name }]) => ({ wager, name })),
    burn: 'first-card',
    bettingTime: 20_000,
    grace: 500,
    pause: 3_000,
    interruption: 10_000,
    phase: 'idle',
    says: say('ready', book.clauses.open, { number: '40', last: 'player', player: '7', banker: '6' }),
    due: null,
    next: ['OpenBets'],
    round: roundOf('2C 9H 5D KS', at, { number: 40, id: 'r40' }),
    shoe: shoeOf(),
    sealed: [],
    warnings: [],
    slips: 9,
    terminalsLost: 1,
    stopped: null,
    waiting: [],
    referred: [],
    proposal: null,
    reports: reportsOf(id, bets, whenDealt),
    felt: null,
    places: [],
    paying: null,
    messages: [
      { at: at - 15_000, says: say('terminals-lost', 'ETG 5.10', { count: '1' }), from: null, isUrgent: true },
      { at: at - 157_000, says: say('note', null, { text: '21:40' }), from: supervisor, isUrgent: false },
      { at: at - 4_287_000, says: say('shoe-verified', null, { shoe: 'S-2211' }), from: supervisor, isUrgent: false },
    ],
    called: null,
    dealer,
    trouble: null,
    ...more,
  };
}

const way = (
  ruling: string,
  command: string,
  by: string,
  [round, money, shoe]: readonly [string, string, string],
): Way => ({
  ruling,
  command,
  by,
  round,
  money,
  shoe,
  first: 'dealer',
  second: command === 'Refer' ? null : 'supervisor',
  not: null,
});

const wrongOrder = (at: number): StaffMatter => ({
  kind: 'wrong-order',
  by: 'ETG 5.7',
  round: 'r41',
  note: null,
  since: at - 12_000,
  reporter: dealer,
  place: null,
  ways: [
    way('reconstruct', 'ReconstructRound', 'ETG 5.7', ['replayed', 'follows the cards', 'goes on']),
    way('void', 'VoidRound', 'ETG 5.2', ['void', 'returned', 'locked']),
    way('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
  ],
  mayDismiss: true,
  computed: null,
});

const laid = 'AC 3H 4D 2S 8D';

const proposal = (at: number, act: string): NonNullable<DealerView['proposal']> => ({
  id: 'proposal-7',
  act,
  reason: 'Cards in the wrong place',
  from: dealer,
  second: 'supervisor',
  hash,
  since: at - 13_000,
  expires: at + 107_000,
});

const chips = (at: number, more: Partial<DealerView> = {}): DealerView =>
  viewOf(at, 'baccarat', {
    table: 'L12',
    bets: 'chips',
    dealing: 'keyed',
    slips: 0,
    terminalsLost: 0,
    shoe: shoeOf({ id: 'S-0311', out: 65, toCut: 335, rounds: 12 }),
    messages: [
      { at: at - 900_000, says: say('shoe-verified', null, { shoe: 'S-0311' }), from: supervisor, isUrgent: false },
    ],
    ...more,
  });

/** What is taken and paid on the felt of a game after these results. */
const feltOf = (id: string, wins: readonly string[]): DealerView['felt'] =>
  Object.entries(gameNamed(id).wagers).map(([wager, { by, lines }]) => {
    const line = lines.find(({ pays }) => pays !== 'push')!;
    const isWon = wins.includes(wager);
    return {
      wager,
      do: isWon ? 'pay' : 'take',
      pays: isWon && line.pays !== 'push' ? [...line.pays] : [0, 1],
      commission: isWon && line.commission ? [...line.commission] : [0, 1],
      by: isWon ? line.by : by,
    };
  });

const newShoe = (more: Partial<Shoe>): Shoe =>
  shoeOf({
    id: 'S-2212',
    out: 0,
    rounds: 0,
    ready: false,
    counted: false,
    shuffled: false,
    inspected: null,
    behind: null,
    toCut: null,
    burned: false,
    ...more,
  });

const shoeStep = (at: number, code: string, shoe: Shoe | null): DealerView =>
  viewOf(at, 'tiger', { says: say(code, 'ETG 2.1', {}), shoe, slips: 0, terminalsLost: 0, next: [] });

/** Every state of the console that a view alone makes, by the name that the design has for it. */
export const states: { readonly [name: string]: (at: number) => DealerView } = {
  idle: (at) => viewOf(at),
  betting: (at) =>
    viewOf(at, 'tiger', {
      phase: 'betting',
      says: say('bets-open', 'ETG 3.1', { slips: '6' }),
      slips: 6,
      round: roundOf('', at),
    }),
  closing: (at) =>
    viewOf(at, 'tiger', {
      phase: 'closing',
      says: say('closing', 'ETG 3.2', { slips: '9' }),
      round: roundOf('', at, { deadline: at + 1_000_000 }),
    }),
  first: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P1',
      says: say('first-card', 'ETG 3.6', { slot: 'P1' }),
      round: roundOf('', at),
    }),
  third: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P3',
      says: say('player-draws', 'ETG 3.8', { slot: 'P3', player: '5', banker: '3' }),
      round: roundOf('2C 4H 3D 9S', at),
    }),
  bthird: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'B3',
      says: say('banker-draws', 'ETG 3.8', { slot: 'B3', player: '5', banker: '3', third: '6', card: '6H' }),
      round: roundOf('2C 4H 3D 9S 6H', at),
    }),
  elements: (at) =>
    viewOf(at, 'sands-elements', {
      table: 'L13',
      phase: 'dealing',
      dealing: 'keyed',
      due: 'B2',
      says: say('fourth-card', 'ELM 3.7', { slot: 'B2' }),
      round: roundOf('71 L3 42', at, { number: 27 }),
      shoe: shoeOf({ id: 'S-0877', size: 520, out: 131, toCut: 369 }),
    }),
  last: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P2',
      says: say('third-card', 'ETG 3.6', { slot: 'P2' }),
      round: roundOf('JC 4H', at, { number: 80 }),
      shoe: shoeOf({ out: 402, cuttingCardOut: true, roundsLeft: 1, toCut: null, rounds: 79 }),
      messages: [{ at, says: say('cutting-card', 'ETG 3.10'), from: dealer, isUrgent: true }],
    }),
  result: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      says: say('result-banker', 'ETG 3.9', { player: '5', banker: '6', won: 'banker tiger big-tiger', natural: '' }),
      round: roundOf('2C 4H 3D 9S KH 3C', at),
    }),
  paying: (at) =>
    viewOf(at, 'tiger', {
      phase: 'paying',
      says: say('paying', 'ETG 4.7', { posted: '3000', slips: '12040' }),
      paying: { posted: 3000, slips: 12_040 },
      slips: 12_040,
      round: roundOf('2C 4H 3D 9S KH 3C', at),
    }),
  felt: (at) =>
    viewOf(at, 'sands-super', {
      table: 'L14',
      bets: 'chips',
      slips: 0,
      says: say('ready', 'SUP 3.1', { number: '62', last: 'banker', player: '5', banker: '6' }),
      felt: feltOf('sands-super', ['banker', 'sands-six', 'banker-wins-on-6']),
      round: roundOf('2C 4H 3D 9S KH 3C', at, { number: 62 }),
    }),
  'felt-result': (at) =>
    chips(at, {
      phase: 'result',
      says: say('result-banker', 'BAC 3.10', { player: '5', banker: '6', won: 'banker', natural: '' }),
      felt: feltOf('baccarat', ['banker']),
      round: roundOf('2C 4H 3D 9S KH 3C', at, { number: 12 }),
      places: [
        { place: '6', wager: 'banker', kind: 'late-wager', amount: 20_000, by: 'BAC 5.6', do: 'return', pays: null },
        { place: '3', wager: 'banker', kind: 'withdrawn-wager', amount: 5_000, by: 'BAC 5.7', do: 'pay', pays: 4_750 },
      ],
    }),
  'chips-dealing': (at) =>
    chips(at, {
      phase: 'dealing',
      due: 'P2',
      says: say('third-card', 'BAC 3.7', { slot: 'P2' }),
      round: roundOf('2C 4H', at, { number: 12 }),
    }),
  'chips-betting': (at) =>
    chips(at, {
      phase: 'betting',
      says: say('bets-open', 'BAC 3.1', { slips: '0' }),
      round: roundOf('', at, { number: 12 }),
    }),
  wrong: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      says: say('result-banker', 'ETG 3.9', { player: '3', banker: '5', won: 'banker', natural: '' }),
      round: roundOf(laid, at),
    }),
  held: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      says: say('stopped', 'ETG 5.7', { kind: 'wrong-order' }),
      stopped: wrongOrder(at),
      called: { at: at - 12_000, reason: 'shoe', from: dealer },
      round: roundOf(laid, at),
      messages: [{ at: at - 12_000, says: say('wrong-order', 'ETG 5.7'), from: dealer, isUrgent: true }],
    }),
  approve: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      says: say('proposed', 'ETG 6.2', { act: 'ReconstructRound' }),
      stopped: wrongOrder(at),
      proposal: proposal(at, 'ReconstructRound'),
      round: roundOf(laid, at),
    }),
  unreadable: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P2',
      says: say('stopped', 'ETG 6.3', { kind: 'unreadable-card' }),
      round: roundOf('2C 4H', at),
      stopped: {
        ...wrongOrder(at),
        kind: 'unreadable-card',
        by: 'ETG 6.3',
        ways: [
          way('enter', 'EnterCard', 'ETG 6.3', ['goes on', 'unchanged', 'goes on']),
          way('void', 'VoidRound', 'HOUSE 9', ['void', 'returned', 'goes on']),
          way('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
        ],
      },
    }),
  'interruption-felt': (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P2',
      says: say('stopped', 'ETG 5.9', { kind: 'interruption' }),
      round: roundOf('2C 4H', at),
      stopped: {
        ...wrongOrder(at),
        kind: 'interruption',
        by: 'ETG 5.9',
        mayDismiss: false,
        ways: [
          way('enter', 'EnterCard', 'ETG 5.9', ['goes on', 'unchanged', 'goes on']),
          {
            ...way('void', 'ConfirmRuling', 'ETG 5.9.1', ['void', 'returned', 'goes on']),
            first: 'supervisor',
            second: null,
            not: 'felt-first',
          },
          way('felt', 'ConfirmFelt', 'ETG 5.9', ['none', 'unchanged', 'goes on']),
          way('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
        ],
      },
    }),
  interruption: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P2',
      says: say('stopped', 'ETG 5.9', { kind: 'interruption' }),
      round: roundOf('2C 4H', at),
      stopped: {
        ...wrongOrder(at),
        kind: 'interruption',
        by: 'ETG 5.9',
        mayDismiss: false,
        ways: [
          {
            ...way('void', 'ConfirmRuling', 'ETG 5.9.1', ['void', 'returned', 'goes on']),
            first: 'supervisor',
            second: null,
          },
          way('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
        ],
        computed: { ruling: 'void', by: 'ETG 5.9.1', decided: [] },
      },
    }),
  referred: (at) =>
    viewOf(at, 'super-six', {
      phase: 'betting',
      says: say('frozen', 'ETG 6.1', { referral: 'f1' }),
      round: roundOf('', at, { number: 19 }),
      referred: [
        {
          id: 'f1',
          by: 'ETG 6.1',
          reason: 'Card face up',
          round: null,
          since: at - 68_000,
          from: supervisor,
          terminals: null,
          proposed: null,
        },
      ],
      messages: [{ at: at - 68_000, says: say('referred', 'ETG 6.1'), from: supervisor, isUrgent: true }],
    }),
  fault: (at) =>
    viewOf(at, 'super-6', {
      phase: 'dealing',
      due: 'P2',
      trouble: 'broken',
      round: roundOf('9D 2C', at, { number: 44 }),
    }),
  closed: (at) => viewOf(at, 'tiger', { phase: 'closed', says: say('closed', null) }),
  'shoe-over': (at) =>
    viewOf(at, 'tiger', {
      says: say('shoe-over', 'ETG 3.10', { shoe: 'S-2211' }),
      shoe: shoeOf({ out: 404, cuttingCardOut: true, roundsLeft: 0, toCut: null, rounds: 80 }),
    }),
  'shoe-bring': (at) => shoeStep(at, 'no-shoe', null),
  'shoe-inspect': (at) => shoeStep(at, 'inspect-shoe', newShoe({})),
  'shoe-count': (at) => shoeStep(at, 'count-shoe', newShoe({ inspected: true })),
  'shoe-shuffle': (at) => shoeStep(at, 'shuffle-shoe', newShoe({ inspected: true, counted: true })),
  'shoe-cut': (at) => shoeStep(at, 'cut-shoe', newShoe({ inspected: true, counted: true, shuffled: true })),
  'shoe-verify': (at) =>
    shoeStep(at, 'verify-shoe', newShoe({ inspected: true, counted: true, shuffled: true, behind: 16, toCut: 400 })),
  'shoe-verify-two': (at) => ({
    ...shoeStep(at, 'proposed', newShoe({ inspected: true, counted: true, shuffled: true, behind: 16, toCut: 400 })),
    proposal: proposal(at, 'VerifyShoe'),
  }),
  'shoe-burn': (at) =>
    shoeStep(at, 'burn-first', shoeOf({ id: 'S-2212', out: 0, rounds: 0, burned: false, toCut: 400 })),
  'cutting-card-due': (at) => shoeStep(at, 'cutting-card-due', shoeOf({ out: 401, toCut: 0 })),
};
