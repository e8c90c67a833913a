import {
  type DealerView,
  type OpenIrregularityView,
  type RulingOptionView,
} from '../../../../src/wire/staff/dealerView.ts';
import { type Shoe, dealer, gameNamed, hash, roundOf, promptView, shoeOf, supervisor, viewOf } from './dealerViews.ts';
import { reconstructed, verifiedShoe } from './effectsOfProposals.ts';

const option = (
  ruling: string,
  command: string,
  by: string,
  [round, money, shoe]: readonly [string, string, string],
): RulingOptionView => ({
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

const wrongOrder = (at: number): OpenIrregularityView => ({
  kind: 'wrong-order',
  by: 'ETG 5.7',
  round: 'r41',
  note: null,
  since: at - 12_000,
  reporter: dealer,
  place: null,
  options: [
    option('reconstruct', 'ReconstructRound', 'ETG 5.7', ['replayed', 'follows the cards', 'goes on']),
    option('void', 'VoidRound', 'ETG 5.2', ['void', 'returned', 'locked']),
    option('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
  ],
  dismiss: { first: 'dealer', second: 'supervisor' },
  computed: null,
});

const laid = 'AC 3H 4D 2S 8D';

const proposal = (at: number, command: string): NonNullable<DealerView['proposal']> => ({
  id: 'proposal-7',
  command,
  reason: 'Cards dealt out of order',
  from: dealer,
  second: 'supervisor',
  hash,
  since: at - 13_000,
  expires: at + 107_000,
  effects: command === 'VerifyShoe' ? verifiedShoe : reconstructed(laid, 'AC 4D 3H 2S 8D'),
});

const chips = (at: number, more: Partial<DealerView> = {}): DealerView =>
  viewOf(at, 'baccarat', {
    table: 'L12',
    bets: 'chips',
    dealing: 'keyed',
    slips: 0,
    terminalsDisconnected: 0,
    shoe: shoeOf({ id: 'S-0311', out: 65, toCut: 335, rounds: 12 }),
    messages: [
      {
        at: at - 900_000,
        prompt: promptView('shoe-verified', null, { shoe: 'S-0311' }),
        from: supervisor,
        isUrgent: false,
      },
    ],
    ...more,
  });

/** Instructions for the felt of a game when these wagers win. */
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
  viewOf(at, 'tiger', { prompt: promptView(code, 'ETG 2.1', {}), shoe, slips: 0, terminalsDisconnected: 0, next: [] });

const voidOfInterruption: RulingOptionView = {
  ...option('void', 'ConfirmRuling', 'ETG 5.9.1', ['void', 'returned', 'goes on']),
  first: 'supervisor',
  second: null,
};

/** Round interrupted after two cards. */
const interrupted = (at: number, known: Partial<OpenIrregularityView>): DealerView =>
  viewOf(at, 'tiger', {
    phase: 'dealing',
    due: 'P2',
    prompt: promptView('stopped', 'ETG 5.9', { kind: 'interruption' }),
    round: roundOf('2C 4H', at),
    stopped: { ...wrongOrder(at), kind: 'interruption', by: 'ETG 5.9', dismiss: null, ...known },
  });

export const states: { readonly [name: string]: (at: number) => DealerView } = {
  idle: (at) => viewOf(at),
  unshuffled: (at) => viewOf(at, 'tiger', { warnings: ['not-shuffled'] }),
  betting: (at) =>
    viewOf(at, 'tiger', {
      phase: 'betting',
      prompt: promptView('bets-open', 'ETG 3.1', { slips: '6' }),
      slips: 6,
      round: roundOf('', at),
    }),
  closing: (at) =>
    viewOf(at, 'tiger', {
      phase: 'closing',
      prompt: promptView('closing', 'ETG 3.2', { slips: '9' }),
      round: roundOf('', at, { deadline: at + 1_000_000 }),
    }),
  first: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P1',
      prompt: promptView('first-card', 'ETG 3.6.1', { slot: 'P1' }),
      round: roundOf('', at),
    }),
  third: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P3',
      prompt: promptView('player-draws', 'ETG 3.8', { slot: 'P3', player: '5', banker: '3' }),
      round: roundOf('2C 4H 3D 9S', at),
    }),
  bthird: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'B3',
      prompt: promptView('banker-draws', 'ETG 3.8', { slot: 'B3', player: '5', banker: '3', third: '6', card: '6H' }),
      round: roundOf('2C 4H 3D 9S 6H', at),
    }),
  elements: (at) =>
    viewOf(at, 'sands-elements', {
      table: 'L13',
      phase: 'dealing',
      dealing: 'keyed',
      due: 'B2',
      prompt: promptView('fourth-card', 'ELM 3.7', { slot: 'B2' }),
      round: roundOf('71 L3 42', at, { number: 27 }),
      shoe: shoeOf({ id: 'S-0877', size: 520, out: 131, toCut: 369 }),
    }),
  last: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P2',
      prompt: promptView('third-card', 'ETG 3.6.1', { slot: 'P2' }),
      round: roundOf('JC 4H', at, { number: 80 }),
      shoe: shoeOf({ out: 402, cuttingCardOut: true, roundsLeft: 1, toCut: null, rounds: 79 }),
      messages: [{ at, prompt: promptView('cutting-card', 'ETG 3.10'), from: dealer, isUrgent: true }],
    }),
  result: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      prompt: promptView('result-banker', 'ETG 3.9', {
        player: '5',
        banker: '6',
        won: 'banker tiger big-tiger',
        natural: '',
      }),
      round: roundOf('2C 4H 3D 9S KH 3C', at),
    }),
  paying: (at) =>
    viewOf(at, 'tiger', {
      phase: 'paying',
      prompt: promptView('paying', 'ETG 4.7', { posted: '3000', slips: '12040' }),
      paying: { posted: 3000, slips: 12_040 },
      slips: 12_040,
      round: roundOf('2C 4H 3D 9S KH 3C', at),
    }),
  felt: (at) =>
    viewOf(at, 'sands-super', {
      table: 'L14',
      bets: 'chips',
      slips: 0,
      prompt: promptView('ready', 'SUP 3.1', { number: '62', last: 'banker', player: '5', banker: '6' }),
      felt: feltOf('sands-super', ['banker', 'sands-six', 'banker-wins-on-6']),
      round: roundOf('2C 4H 3D 9S KH 3C', at, { number: 62 }),
    }),
  'felt-result': (at) =>
    chips(at, {
      phase: 'result',
      prompt: promptView('result-banker', 'BAC 3.10', { player: '5', banker: '6', won: 'banker', natural: '' }),
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
      prompt: promptView('third-card', 'BAC 3.7.1', { slot: 'P2' }),
      round: roundOf('2C 4H', at, { number: 12 }),
    }),
  'chips-betting': (at) =>
    chips(at, {
      phase: 'betting',
      prompt: promptView('bets-open', 'BAC 3.1', { slips: '0' }),
      round: roundOf('', at, { number: 12 }),
    }),
  wrong: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      prompt: promptView('result-banker', 'ETG 3.9', { player: '3', banker: '5', won: 'banker', natural: '' }),
      round: roundOf(laid, at),
    }),
  held: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      prompt: promptView('stopped', 'ETG 5.7', { kind: 'wrong-order' }),
      stopped: wrongOrder(at),
      called: { at: at - 12_000, reason: 'shoe', from: dealer },
      round: roundOf(laid, at),
      messages: [{ at: at - 12_000, prompt: promptView('wrong-order', 'ETG 5.7'), from: dealer, isUrgent: true }],
    }),
  /** The shoe was disturbed between rounds: a void locks it, and no round. Only the supervisor may dismiss. */
  loose: (at) =>
    viewOf(at, 'tiger', {
      prompt: promptView('stopped', 'ETG 5.2', { kind: 'order-altered' }),
      stopped: {
        ...wrongOrder(at),
        kind: 'order-altered',
        by: 'ETG 5.2',
        round: null,
        options: [
          option('restore', 'RestoreOrder', 'ETG 5.2', ['goes on', 'unchanged', 'goes on']),
          option('void', 'VoidRound', 'ETG 5.2', ['unchanged', 'unchanged', 'locked']),
          option('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
        ],
        dismiss: { first: 'supervisor', second: 'gaming-shift-manager' },
      },
    }),
  approve: (at) =>
    viewOf(at, 'tiger', {
      phase: 'result',
      prompt: promptView('proposed', 'ETG 6.2', { command: 'ReconstructRound' }),
      stopped: wrongOrder(at),
      proposal: proposal(at, 'ReconstructRound'),
      round: roundOf(laid, at),
    }),
  unreadable: (at) =>
    viewOf(at, 'tiger', {
      phase: 'dealing',
      due: 'P2',
      prompt: promptView('stopped', 'ETG 6.3', { kind: 'unreadable-card' }),
      round: roundOf('2C 4H', at),
      stopped: {
        ...wrongOrder(at),
        kind: 'unreadable-card',
        by: 'ETG 6.3',
        options: [
          option('enter', 'EnterCard', 'ETG 6.3', ['goes on', 'unchanged', 'goes on']),
          option('void', 'VoidRound', 'HOUSE 9', ['void', 'returned', 'goes on']),
          option('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
        ],
      },
    }),
  'interruption-felt': (at) =>
    interrupted(at, {
      options: [
        option('enter', 'EnterCard', 'ETG 5.9', ['goes on', 'unchanged', 'goes on']),
        { ...voidOfInterruption, not: 'felt-first' },
        option('felt', 'ConfirmFelt', 'ETG 5.9', ['none', 'unchanged', 'goes on']),
        option('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on']),
      ],
    }),
  interruption: (at) =>
    interrupted(at, {
      options: [voidOfInterruption, option('refer', 'Refer', 'ETG 6.1', ['frozen', 'unchanged', 'goes on'])],
      computed: { ruling: 'void', by: 'ETG 5.9.1', decided: [] },
    }),
  referred: (at) =>
    viewOf(at, 'super-six', {
      phase: 'betting',
      prompt: promptView('frozen', 'ETG 6.1', { referral: 'f1' }),
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
      messages: [{ at: at - 68_000, prompt: promptView('referred', 'ETG 6.1'), from: supervisor, isUrgent: true }],
    }),
  fault: (at) =>
    viewOf(at, 'super-6', {
      phase: 'dealing',
      due: 'P2',
      fault: 'broken',
      round: roundOf('9D 2C', at, { number: 44 }),
    }),
  closed: (at) => viewOf(at, 'tiger', { phase: 'closed', prompt: promptView('closed', null) }),
  'shoe-over': (at) =>
    viewOf(at, 'tiger', {
      prompt: promptView('shoe-over', 'ETG 3.10', { shoe: 'S-2211' }),
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
