import { type FieldsOf, type Form } from '../../rules/fields.ts';
import { type kinds } from './kinds.ts';
import { type Who } from './posts.ts';

type Declaration = { readonly says: string; readonly fields: Form<typeof kinds> };

/** All that can happen at a table, beside `type`, `v`, `at`, `who` and `second` (the other person, where there were two). */
export const events = {
  TableOpened: { says: 'The table is open.', fields: { setting: 'setting', hash: 'hash' } },
  SettingChanged: { says: 'Another setting is in use.', fields: { setting: 'setting', hash: 'hash' } },
  ShoeBrought: {
    says: 'Cards for a live shoe are at the table.',
    fields: { shoe: 'id', seal: 'reason', size: 'whole' },
  },
  CardsCounted: { says: 'The cards were counted in.', fields: { expected: 'whole', counted: 'whole' } },
  ShoeShuffled: { says: 'The cards were shuffled.', fields: { method: 'reason' } },
  ShoeCut: { says: 'The cutting card is in its place.', fields: { behind: 'whole' } },
  ShoeVerified: {
    says: 'Two persons declare the shoe ready.',
    fields: { shoe: 'id', size: 'whole', behind: 'whole', shuffled: 'flag' },
  },
  ShoeCommitted: {
    says: 'A virtual shoe is fixed by its root.',
    fields: { shoe: 'id', form: 'commitment', root: 'hex', size: 'whole', behind: 'whole' },
  },
  TurnChosen: { says: 'The card that is dealt first is chosen.', fields: { turn: 'whole' } },
  CardsBurned: {
    says: 'The first card was turned and so many more laid aside unseen.',
    fields: { card: 'card', count: 'whole', index: 'whole?', salt: 'hex?', proof: 'hexes?' },
  },
  CuttingCardOut: { says: 'The cutting card came out.', fields: { round: 'text?', by: 'text', roundsLeft: 'whole' } },
  ShoeLocked: { says: 'The shoe may not go on.', fields: { by: 'text', reason: 'text' } },
  ShoeEnded: {
    says: 'The shoe is gone: what it should have held against what was seen; a virtual one in full, unless its order is lost.',
    fields: {
      shoe: 'id',
      expected: 'whole',
      seen: 'whole',
      extra: 'counts',
      missing: 'counts',
      unopened: 'flag?',
      cards: 'cards?',
      salts: 'hexes?',
    },
  },
  BetsOpened: {
    says: 'Bets are open for a new round.',
    fields: {
      round: 'text',
      number: 'whole',
      day: 'text',
      game: 'text',
      decks: 'whole',
      hash: 'hash',
      closesAt: 'time',
      by: 'text',
    },
  },
  BetsExtended: { says: 'There is more time to bet.', fields: { round: 'text', closesAt: 'time' } },
  ClosingCalled: {
    says: 'The close is called for this time.',
    fields: { round: 'text', deadline: 'time', by: 'text' },
  },
  BetsClosed: { says: 'Bets are closed.', fields: { round: 'text', by: 'text' } },
  SlipSet: {
    says: 'The terminal has these stakes; `hold` moves from its credit to the stakes, back if below zero.',
    fields: { round: 'text', terminal: 'id', slip: 'slip', hold: 'number' },
  },
  CardDealt: {
    says: 'A card was dealt.',
    fields: {
      round: 'text',
      slot: 'slot',
      card: 'card',
      complete: 'flag',
      index: 'whole?',
      salt: 'hex?',
      proof: 'hexes?',
      keyed: 'flag?',
      byEye: 'text?',
      carried: 'flag?',
    },
  },
  CardTakenBack: { says: 'The last entry was taken back.', fields: { round: 'text', slot: 'slot', card: 'card' } },
  RoundSettled: {
    says: 'The round has its results; postings follow in chunks.',
    fields: { round: 'text', settlement: 'text', cards: 'cards', results: 'results' },
  },
  RoundResettled: {
    says: 'A settled round gets other results or is void; what it paid is reversed.',
    fields: {
      round: 'text',
      settlement: 'text',
      reverses: 'text',
      by: 'text',
      cards: 'cards',
      outcome: 'outcome',
      results: 'results?',
      slips: 'slips?',
    },
  },
  RoundVoided: {
    says: 'The round is void; every stake goes back.',
    fields: { round: 'text', settlement: 'text', by: 'text', reason: 'text' },
  },
  SettlementPosted: {
    says: 'A chunk of a settlement is posted; `shortfalls` is what could not be taken back.',
    fields: {
      round: 'text',
      settlement: 'text',
      from: 'whole',
      count: 'whole',
      last: 'flag',
      shortfalls: 'amounts?',
    },
  },
  IrregularityFound: {
    says: 'Something is wrong; where it stops the table, `rulings` are the ways out.',
    fields: { round: 'text?', kind: 'irregularity', by: 'text', rulings: 'texts', stops: 'flag', note: 'text?' },
  },
  ReportDismissed: {
    says: 'A report was a mistake.',
    fields: { kind: 'irregularity', reason: 'text', paused: 'duration' },
  },
  RoundReconstructed: {
    says: 'The cards were replayed in the order in which they left the shoe.',
    fields: {
      round: 'text',
      by: 'text',
      before: 'cards',
      after: 'cards',
      surplus: 'surplus',
      burned: 'cards',
      phase: 'phase',
      reason: 'text',
    },
  },
  OrderRestored: {
    says: 'The order of the shoe is restored.',
    fields: { by: 'text', reason: 'text', paused: 'duration' },
  },
  CardCorrected: {
    says: 'The card on record was not the card dealt.',
    fields: {
      round: 'text',
      by: 'text',
      place: 'whole',
      was: 'card',
      card: 'card',
      after: 'cards',
      burned: 'cards',
      phase: 'phase',
      reason: 'text',
    },
  },
  CardBurned: {
    says: 'A card was laid aside.',
    fields: { card: 'card', by: 'text', reason: 'text', paused: 'duration' },
  },
  WagerReported: {
    says: 'A wager was placed, raised or taken back too late; what was accepted stands.',
    fields: { round: 'text', kind: 'wager-report', place: 'id', wager: 'text', amount: 'amount', by: 'text' },
  },
  Interrupted: {
    says: 'Table service was lost; what the clause computes from the cards dealt.',
    fields: {
      round: 'text',
      by: 'text',
      since: 'time',
      stateLost: 'flag',
      ruling: 'ruling',
      won: 'texts',
      lost: 'texts',
    },
  },
  InterruptionLogged: {
    says: 'Table service was lost without stopping a round.',
    fields: { round: 'text?', since: 'time', stateLost: 'flag' },
  },
  RoundResumed: { says: 'The interrupted round goes on.', fields: { round: 'text', by: 'text', paused: 'duration' } },
  TerminalsLost: {
    says: 'Terminals were lost; `closed` tells whether the closing was displayed by then.',
    fields: { round: 'text?', terminals: 'ids', closed: 'flag', by: 'text' },
  },
  TerminalsBack: { says: 'Terminals are back.', fields: { round: 'text?', terminals: 'ids' } },
  Referred: {
    says: 'The table is frozen until the Gaming Shift Manager decides.',
    fields: { round: 'text?', by: 'text', reason: 'text', proposed: 'decision?' },
  },
  ReferralDecided: {
    says: 'The Gaming Shift Manager decided.',
    fields: { round: 'text?', decision: 'decision', by: 'text', reason: 'text', paused: 'duration' },
  },
  Proposed: {
    says: 'A first person proposes, with all it would do; a second one is asked for.',
    fields: { proposal: 'text', act: 'act', effects: 'effects', hash: 'hash', expires: 'time' },
  },
  Approved: { says: 'A second person consents.', fields: { proposal: 'text', hash: 'hash' } },
  ProposalWithdrawn: { says: 'A proposal was taken back.', fields: { proposal: 'text' } },
} as const satisfies { readonly [name: string]: Declaration };

export type EventName = keyof typeof events;
export type EventOf<N extends EventName> = {
  readonly type: N;
  /** The version of its form. */
  readonly v: 1;
  readonly at: number;
  readonly who: Who;
  readonly second?: Who;
} & FieldsOf<(typeof events)[N]['fields'], typeof kinds>;
export type TableEvent = { [N in EventName]: EventOf<N> }[EventName];
