import { type IrregularityKind } from '../../../../src/games/irregularities.ts';
import { type Ruling } from './participants.ts';
import { type Bets } from '../support/staffAndPatron.ts';

// Every irregularity that people report at an ETG table, from the report to the last credit. Cards, keys and credits
// are written down by hand from the rulebook: nothing is computed by the code under test.

export type Case = {
  readonly kind: IrregularityKind;
  /** Title of the test. */
  readonly name: string;
  /** Ending; `npm test` runs one of each. */
  readonly ends: 'void' | 'shoe ended' | 'reconstructed' | 'resumed' | 'as it stands' | 'referral';
  readonly bets: readonly [Bets, Bets];
  /** Cards before the report, in the order in which they are keyed; null when it comes before the close. */
  readonly dealt: string | null;
  /** Two digits of the report, and the details that it needs. */
  readonly report: { readonly row: string; readonly more?: readonly string[]; readonly prompt: string };
  /** Clause of the report, as both patrons see it while the table is stopped; null when nothing stops. */
  readonly stopped: string | null;
  /** Digit of the Gaming Shift Manager's decision on a referral. */
  readonly decided?: string;
  readonly ruling?: Ruling;
  /** Cards after it, and the result on the console; null when the round is void. */
  readonly goesOn: { readonly cards: string; readonly result: string } | null;
  /** Clause and reason of a void, as patrons read them. */
  readonly voidNotice?: { readonly by: string; readonly why: string };
  /** Change of each credit over the round, in cents, and the clause by which each wager was settled. */
  readonly gains: readonly [number, number];
  readonly settled?: readonly [By, By];
  /** Prompt of the console in the end. */
  readonly after: string;
};

type By = { readonly [wager: string]: string };

// 25.00 on Banker against 5.00 on Player and 1.00 on Tie: every outcome gives another pair of credits.
const defaultBets: Case['bets'] = [{ banker: 2_500 }, { player: 500, tie: 100 }];
/** Banker pays 0.95 to 1: 25.00 win 23.75; the other loses 6.00. [ETG 4.7] */
const banker: Pick<Case, 'gains' | 'settled'> = {
  gains: [2_375, -600],
  settled: [{ banker: 'ETG 4.7' }, { player: 'ETG 3.9', tie: 'ETG 1.1.17' }],
};
/** Player pays 1 to 1: 25.00 are lost; the other wins 5.00 and loses 1.00. [ETG 4.7] */
const player: Pick<Case, 'gains' | 'settled'> = {
  gains: [-2_500, 400],
  settled: [{ banker: 'ETG 3.9' }, { player: 'ETG 4.7', tie: 'ETG 1.1.17' }],
};
const nothing: Pick<Case, 'gains'> = { gains: [0, 0] };

const ready = 'Ready for the next round';
const outOfUse = 'Shoe locked: change it';
const voids: Ruling = { by: 'supervisor', keys: ['v', 'Enter'], signed: 'manager' };

/** Fault of the shoe that voids the round in progress and takes the shoe out of use. [ETG 5.1.1, READING 26] */
const fault = (kind: IrregularityKind, row: string, why: string, ruling: Ruling, dealt: string): Case => ({
  kind,
  name: `${kind}: the round is void, the shoe is out of use`,
  ends: 'shoe ended',
  bets: defaultBets,
  dealt,
  report: { row, prompt: `Stopped: ${why[0]!.toLowerCase()}${why.slice(1)}` },
  stopped: 'ETG 5.1',
  ruling,
  goesOn: null,
  voidNotice: { by: 'ETG 5.1.1', why },
  ...nothing,
  after: outOfUse,
});

export const cases: readonly Case[] = [
  // Player 8 and Banker 6 would have won 4.00 for the second patron: the pair that was seen changes nothing. [READING
  // 27]
  fault('foreign-card', '13', 'Foreign card', voids, '8C 6D KH'),
  fault('missing-card', '33', 'Missing card', { by: 'dealer', keys: ['1', 'Enter'], signed: 'pin' }, '9C 2D KH 3S'),
  fault('unshuffled-cards', '34', 'Shoe not shuffled', { by: 'dealer', keys: ['Enter'], signed: 'supervisor' }, '2C'),
  {
    // As laid Player has 1 + 4 + 8 = 3 and Banker 3 + 2 = 5: Tiger would lose. In the order in which they left the shoe
    // Player has 1 + 3 + 8 = 2 and Banker 4 + 2 = 6 in two cards: Tiger pays 12 to 1.
    kind: 'wrong-order',
    name: 'wrong-order: the cards are put right as they left the shoe',
    ends: 'reconstructed',
    bets: [{ tiger: 500 }, { player: 500 }],
    dealt: 'AC 3H 4D 2S 8D',
    report: { row: '21', prompt: 'Stopped: cards dealt out of order' },
    stopped: 'ETG 5.7',
    ruling: { by: 'supervisor', keys: ['o', 'ArrowRight', 'Shift+ArrowRight', 'Enter'], signed: 'manager' },
    goesOn: { cards: '', result: 'Banker wins, 6 to 2' },
    gains: [6_000, -500],
    settled: [{ tiger: 'ETG 4.10' }, { player: 'ETG 3.9' }],
    after: ready,
  },
  {
    // The third card was an eight: Player 0 + 8 is a natural against 9 + 7 = 6, and no card is drawn.
    kind: 'extra-card',
    name: 'extra-card: the card was read wrongly, and the round is settled by the card that was dealt',
    ends: 'reconstructed',
    bets: defaultBets,
    dealt: 'KS 9H KS 7D',
    report: { row: '14', prompt: 'Stopped: extra card' },
    stopped: 'ETG 5.1',
    ruling: { by: 'supervisor', keys: ['c', 'o', '3', '8', 's', 'Enter'], signed: 'manager' },
    goesOn: { cards: '', result: 'Player wins, 8 to 6' },
    ...player,
    after: ready,
  },
  fault('extra-card', '14', 'Extra card', voids, 'KS KS KS'),
  {
    kind: 'wrong-order',
    name: 'wrong-order: the order is unknown, and the round is void',
    ends: 'shoe ended',
    bets: defaultBets,
    dealt: 'AC 3H 4D',
    report: { row: '21', prompt: 'Stopped: cards dealt out of order' },
    stopped: 'ETG 5.7',
    ruling: voids,
    goesOn: null,
    voidNotice: { by: 'ETG 5.2', why: 'Cards dealt out of order' },
    ...nothing,
    after: outOfUse,
  },
  {
    // Player has a natural 9 against 5; the five that was drawn all the same belongs to no hand and was seen: it is
    // burned.
    kind: 'wrong-number',
    name: 'wrong-number: a card too many that was seen is burned, and the round stands as it should have been',
    ends: 'reconstructed',
    bets: defaultBets,
    dealt: '9C 2D KH 3S',
    report: { row: '22', prompt: 'Stopped: wrong number of cards' },
    stopped: 'ETG 5.7',
    ruling: {
      by: 'supervisor',
      keys: ['o', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Insert', '5', 'c', 'Enter'],
      signed: 'manager',
    },
    goesOn: { cards: '', result: 'Player wins, 9 to 5' },
    ...player,
    after: ready,
  },
  {
    // The dealer keys the order: the five left the shoe first. Player has 5 + 3, a natural 8, against 4 + 2 = 6; as laid
    // it would have been 7 to 7, and Tie would have paid.
    kind: 'drawn-together',
    name: 'drawn-together: their order is known, and the round goes on in it',
    ends: 'reconstructed',
    bets: defaultBets,
    dealt: '4C 5D',
    report: { row: '23', more: ['1'], prompt: 'Stopped: cards drawn together' },
    stopped: 'ETG 5.8',
    ruling: { by: 'dealer', keys: ['1', 'Enter', '5', 'd', '4', 'c', 'Enter'], signed: 'pin' },
    goesOn: { cards: '3H 2S', result: 'Player wins, 8 to 6' },
    ...player,
    after: ready,
  },
  {
    // As laid it is 7 to 7: Tie would pay 8 to 1.
    kind: 'drawn-together',
    name: 'drawn-together: their order cannot be known, and the round is void; the shoe goes on',
    ends: 'void',
    bets: defaultBets,
    dealt: '4C 5D 3H 2S',
    report: { row: '23', more: ['2'], prompt: 'Stopped: cards drawn together' },
    stopped: 'ETG 5.8',
    ruling: voids,
    goesOn: null,
    voidNotice: { by: 'ETG 5.8.1', why: 'Cards drawn together' },
    ...nothing,
    after: ready,
  },
  {
    // Player 3 and Banker 3 both draw. The two came out at once: the seven first and then the five, so Player has 0.
    // Banker draws to a seven with three and five: 8. The other way round Player had 8 and Banker 0.
    kind: 'third-cards-together',
    name: 'third-cards-together: their order is known, and each goes to the hand it belongs to',
    ends: 'reconstructed',
    bets: defaultBets,
    dealt: 'AC 3D 2H KS 5C 7D',
    report: { row: '23', more: ['5'], prompt: 'Stopped: cards drawn together' },
    stopped: 'ETG 5.8',
    ruling: {
      by: 'supervisor',
      keys: ['o', ...Array.from({ length: 4 }, () => 'ArrowRight'), 'Shift+ArrowRight', 'Enter'],
      signed: 'manager',
    },
    goesOn: { cards: '', result: 'Banker wins, 8 to 0' },
    ...banker,
    after: ready,
  },
  {
    kind: 'third-cards-together',
    name: 'third-cards-together: their order cannot be known, and the round is void; the shoe goes on',
    ends: 'void',
    bets: defaultBets,
    dealt: 'AC 3D 2H KS',
    report: { row: '23', more: ['Enter'], prompt: 'Stopped: cards drawn together' },
    stopped: 'ETG 5.8',
    ruling: voids,
    goesOn: null,
    voidNotice: { by: 'ETG 5.8.1', why: 'Cards drawn together' },
    ...nothing,
    after: ready,
  },
  {
    // Player 3 draws a five: 8. Banker 3 against a five draws a seven: 0.
    kind: 'order-altered',
    name: 'order-altered: the order is restored, and the round goes on',
    ends: 'resumed',
    bets: defaultBets,
    dealt: 'AC 3D 2H KS',
    report: { row: '31', prompt: 'Stopped: shoe order disturbed' },
    stopped: 'ETG 5.2',
    ruling: { by: 'supervisor', keys: ['k', 'Enter'], signed: 'manager' },
    goesOn: { cards: '5C 7D', result: 'Player wins, 8 to 0' },
    ...player,
    after: ready,
  },
  {
    kind: 'order-altered',
    name: 'order-altered: the order cannot be restored, and the round is void',
    ends: 'shoe ended',
    bets: defaultBets,
    dealt: 'AC 3D 2H KS',
    report: { row: '31', prompt: 'Stopped: shoe order disturbed' },
    stopped: 'ETG 5.2',
    ruling: voids,
    goesOn: null,
    voidNotice: { by: 'ETG 5.2', why: 'Shoe order disturbed' },
    ...nothing,
    after: outOfUse,
  },
  {
    kind: 'too-few-cards',
    name: 'too-few-cards: the round cannot be finished and is void',
    ends: 'shoe ended',
    bets: defaultBets,
    dealt: 'AC 3D 2H KS',
    report: { row: '32', prompt: 'Stopped: not enough cards to finish' },
    stopped: 'ETG 5.3',
    ruling: { by: 'dealer', keys: ['Enter'], signed: 'pin' },
    goesOn: null,
    voidNotice: { by: 'ETG 5.3', why: 'Not enough cards to finish' },
    ...nothing,
    after: outOfUse,
  },
  {
    // A natural 9 to 5 would have won 4.00 for the second patron.
    kind: 'anything-else',
    name: 'anything-else: it is referred in words, and the Gaming Shift Manager has the round void',
    ends: 'referral',
    bets: defaultBets,
    dealt: '9C 2D KH 3S',
    report: {
      row: '61',
      more: [...Array.from('Glass broke'), 'Enter'],
      prompt: 'Frozen: the Gaming Shift Manager decides',
    },
    stopped: 'ETG 6.1',
    decided: '3',
    goesOn: null,
    voidNotice: { by: 'ETG 6.1', why: 'The camera was looked at' },
    ...nothing,
    after: ready,
  },
  {
    // No patron has bet on a known card: it is burned, and bets stay open. Banker 9 + 10 = 9 against 2 + 4 = 6.
    kind: 'face-up-before',
    name: 'face-up-before: it is referred, and the Gaming Shift Manager has the card burned by two',
    ends: 'referral',
    bets: defaultBets,
    dealt: null,
    report: { row: '15', prompt: 'Frozen: the Gaming Shift Manager decides' },
    stopped: 'ETG 6.1',
    decided: '1',
    ruling: { by: 'supervisor', keys: ['o', '7', 'h', 'Enter'], signed: 'manager' },
    goesOn: { cards: '2C 9S 4D TD', result: 'Banker wins, 9 to 6' },
    ...banker,
    after: ready,
  },
  {
    // It is played as any other: Player 1 + 4 + 8 = 3, Banker 3 + 2 = 5, which stands against an eight.
    kind: 'face-up-after',
    name: 'face-up-after: the card is played as any other, and nothing stops',
    ends: 'as it stands',
    bets: defaultBets,
    dealt: 'AC',
    report: { row: '15', prompt: 'Banker’s first card' },
    stopped: null,
    goesOn: { cards: '3H 4D 2S 8D', result: 'Banker wins, 5 to 3' },
    ...banker,
    after: ready,
  },
  {
    // The king is entered by eye: Player has a natural 9 against 2 + 3 = 5.
    kind: 'unreadable-card',
    name: 'unreadable-card: it is entered by eye by two, and the round goes on',
    ends: 'resumed',
    bets: defaultBets,
    dealt: '9C 2D',
    report: { row: '12', prompt: 'Stopped: card cannot be read' },
    stopped: 'ETG 6.3',
    ruling: { by: 'supervisor', keys: ['o', 'k', 'h', 'Enter'], signed: 'manager' },
    goesOn: { cards: '3S', result: 'Player wins, 9 to 5' },
    ...player,
    after: ready,
  },
  {
    kind: 'unreadable-card',
    name: 'unreadable-card: the card cannot be identified, and the round is void',
    ends: 'void',
    bets: defaultBets,
    dealt: '9C 2D',
    report: { row: '12', prompt: 'Stopped: card cannot be read' },
    stopped: 'ETG 6.3',
    ruling: voids,
    goesOn: null,
    voidNotice: { by: 'HOUSE 9', why: 'Card cannot be read' },
    ...nothing,
    after: ready,
  },
  {
    // A four was keyed as a nine: Player has 4, not a natural, and draws a queen; Banker 5 stands against it and wins.
    kind: 'mis-scan',
    name: 'mis-scan: the card that was dealt counts, and what it makes due is drawn',
    ends: 'reconstructed',
    bets: defaultBets,
    dealt: '9C 2D KH 3S',
    report: { row: '11', prompt: 'Which card is wrong, and what is it?' },
    stopped: null,
    ruling: { by: 'dealer', keys: ['1', '4', 'c', 'Enter'], signed: 'supervisor' },
    goesOn: { cards: 'QD', result: 'Banker wins, 5 to 4' },
    ...banker,
    after: ready,
  },
  {
    // Player 2 + 4 = 6, Banker 9 + 10 = 9.
    kind: 'cutting-card',
    name: 'cutting-card: the round is finished, and is the last of the shoe',
    ends: 'shoe ended',
    bets: defaultBets,
    dealt: '2C 9S',
    report: { row: '35', prompt: 'Player’s second card' },
    stopped: null,
    goesOn: { cards: '4D TD', result: 'Banker wins, 9 to 6' },
    ...banker,
    after: 'End of shoe: change it',
  },
  {
    kind: 'anything-else',
    name: 'anything-else: the Gaming Shift Manager lets the round go on, and it is settled by its cards',
    ends: 'referral',
    bets: defaultBets,
    dealt: '9C 2D KH 3S',
    report: {
      row: '61',
      more: [...Array.from('Glass broke'), 'Enter'],
      prompt: 'Frozen: the Gaming Shift Manager decides',
    },
    stopped: 'ETG 6.1',
    decided: '2',
    goesOn: { cards: '', result: 'Player wins, 9 to 5' },
    ...player,
    after: ready,
  },
];

/** Not possible at a terminal: only chips can lie on a felt too late; a late slip is refused. [ETG 5.4, 5.5] */
export const chipsOnly = [
  ['late-wager', '41'],
  ['raised-wager', '42'],
  ['withdrawn-wager', '43'],
] as const satisfies readonly (readonly [IrregularityKind, string])[];

/** Kinds with tests of their own, since they take more than a report: see `interruptions.test.ts`. */
export const byItself = [
  'interruption',
  'terminals-lost',
  'cutting-card-missing',
] as const satisfies readonly IrregularityKind[];
