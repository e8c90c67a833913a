import { type Card } from '../../../../src/rules/card.ts';
import { totalOf } from '../../../../src/rules/hand.ts';
import { handsOf, nextSlot } from '../../../../src/rules/play.ts';
import {
  type MoneyEffect,
  type ProposalEffects,
  type RoundEffect,
} from '../../../../src/wire/staff/proposalEffects.ts';

// Fake effects of proposals, as the server sends them with a view.

export const noEffects = (command: string, more: Partial<ProposalEffects> = {}): ProposalEffects => ({
  command,
  not: null,
  by: 'ETG 6.3',
  changes: [],
  settings: [],
  shoe: null,
  round: null,
  money: null,
  ...more,
});

const placed = (text: string) => {
  const cards = text.split(' ') as Card[];
  return cards.map((card, n) => ({ card, slot: nextSlot(cards.slice(0, n))! }));
};

function outcome(text: string): RoundEffect['after'] {
  const { player, banker } = handsOf(text.split(' ') as Card[]);
  const [p, b] = [totalOf(player), totalOf(banker)];
  return { type: 'result', winner: p === b ? 'tie' : p > b ? 'player' : 'banker', player: p, banker: b };
}

const win = (pays: [number, number], commission: [number, number] = [0, 1]) =>
  ({ result: 'win', pays, commission, by: 'ETG 4.1' }) as const;
const lose = { result: 'lose', pays: [0, 1], commission: [0, 1], by: 'ETG 4.1' } as const;

/** Round 41 of the console states, replayed with a surplus card. */
export const reconstructed = (laid: string, drawn: string, burned: readonly string[] = []): ProposalEffects =>
  noEffects('ReconstructRound', {
    by: 'ETG 5.7',
    changes: [{ type: 'round-replay' }, ...burned.map((card) => ({ type: 'card-burn', card }) as const)],
    round: {
      id: 'demo/L11/2026-11-17/S-2211/41',
      number: 41,
      cards: { before: placed(laid), after: placed(drawn), burned: [...burned] },
      before: outcome(laid),
      after: outcome(drawn),
      settled: 'later',
      results: { before: null, after: { banker: win([1, 1], [1, 20]), tiger: win([12, 1]), player: lose } },
    },
    money: { ...noAmounts, count: 9, staked: 1_250_000, due: 1_921_000 },
  });

const noAmounts: MoneyEffect = {
  count: 0,
  staked: 0,
  paid: null,
  due: null,
  takenBack: 0,
  paidMore: 0,
  collected: 0,
  short: 0,
  rows: [],
};

/** Round 38 voided after its settlement, when one of two patrons had collected. */
export const voidedAfterSettlement: ProposalEffects = noEffects('VoidRound', {
  by: 'ETG 5.2',
  changes: [{ type: 'round-void' }, { type: 'shoe-lock', shoe: 'S-2211', by: 'ETG 5.2' }],
  round: {
    id: 'demo/L11/2026-11-17/S-2211/38',
    number: 38,
    cards: null,
    before: outcome('9S 2C 9H 4D'),
    after: { type: 'void' },
    settled: 'now',
    results: { before: { player: win([1, 1]), banker: lose }, after: null },
  },
  money: {
    count: 3,
    staked: 1_012_500,
    paid: 2_005_000,
    due: 1_012_500,
    takenBack: 1_002_500,
    paidMore: 10_000,
    collected: 5_000,
    short: 2_500,
    rows: [
      {
        terminal: 'T-0301.1',
        staked: 2_500,
        paid: 5_000,
        due: 2_500,
        credit: 0,
        isOpen: false,
        collected: 5_000,
        short: 2_500,
      },
      {
        terminal: 'T-0302.7',
        staked: 1_000_000,
        paid: 2_000_000,
        due: 1_000_000,
        credit: 4_500_000,
        isOpen: true,
        collected: 0,
        short: 0,
      },
      {
        terminal: 'T-0304.12',
        staked: 10_000,
        paid: 0,
        due: 10_000,
        credit: 2_000,
        isOpen: true,
        collected: 0,
        short: 0,
      },
    ],
  },
});

/** A shoe that waits to be verified. */
export const verifiedShoe: ProposalEffects = noEffects('VerifyShoe', {
  by: null,
  changes: [{ type: 'shoe-ready' }],
  shoe: {
    id: 'S-2212',
    size: 416,
    seal: '7742',
    decks: 8,
    backs: 'red',
    inspected: true,
    counted: true,
    shuffle: 'by hand',
    behind: 16,
  },
});
