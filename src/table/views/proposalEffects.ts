import { type Card } from '../../rules/card.ts';
import { type Facts } from '../../rules/facts.ts';
import { totalOf } from '../../rules/hand.ts';
import { type CardSlot, handsOf, nextSlot } from '../../rules/play.ts';
import { isRefused } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type EventName, type EventOf, type PreviewedEvent } from '../schema/events.ts';
import { type SlipsByTerminal, type WagerResults } from '../schema/fieldTypes.ts';
import { type ProposableCommand } from '../decide/proposals.ts';
import { wagerResultsForCards } from '../decide/settlement.ts';
import { type RoundOutcome, totalReturned, totalStake } from '../payouts.ts';
import { clauseOfVoid, isRoundVoidEvent } from '../effectsWithEarlierRound.ts';
import { type RoundRecord, type Table, findRound, outcomePaidBefore } from '../state.ts';
import { previewApproval } from './approvableProposal.ts';
import { type TableSettingsDifference, settingsDifferences } from './settingsDifferences.ts';

// What an open proposal would do, for the person who signs second. It depends only on the stored command, the events
// that the table would decide now, and the state. So every screen shows the same, also after a restart.

/** One change that the proposal makes. The screen has a text for each type and language. */
type ProposalChange =
  | {
      readonly type: 'settings-change' | 'table-close' | 'table-reopen' | 'order-restore' | 'shoe-ready' | 'card-carry';
    }
  | { readonly type: 'cut-correct'; readonly shoe: string; readonly was: number; readonly behind: number }
  | ({ readonly type: 'shoe-end' } & CountedShoe & { readonly isUnopened: boolean })
  | { readonly type: 'shoe-seal'; readonly shoe: string; readonly seal: string; readonly to: string | null }
  | ({ readonly type: 'shoe-count'; readonly seal: string } & CountedShoe)
  | { readonly type: 'shoe-lock'; readonly shoe: string; readonly by: string }
  | { readonly type: 'round-void' | 'round-replay' }
  | { readonly type: 'slip-void'; readonly terminal: string }
  | { readonly type: 'round-resume'; readonly won: readonly string[]; readonly lost: readonly string[] }
  | { readonly type: 'card-enter'; readonly slot: CardSlot; readonly card: string }
  | {
      readonly type: 'card-correct';
      readonly place: number;
      readonly slot: CardSlot;
      readonly was: string;
      readonly card: string;
    }
  | { readonly type: 'card-burn'; readonly card: string }
  | { readonly type: 'report-dismiss'; readonly kind: string }
  | { readonly type: 'irregularity'; readonly kind: string; readonly stops: boolean; readonly by: string }
  | { readonly type: 'felt-confirm'; readonly count: number }
  | {
      readonly type: 'referral-decide';
      readonly decision: string;
      readonly terminal: string | null;
      readonly round: string | null;
    }
  | { readonly type: 'refer'; readonly by: string; readonly decision: string | null }
  | ({ readonly type: 'shortfall-collect' } & Shortfall)
  | ({ readonly type: 'shortfall-write-off' } & Shortfall);

type CountedShoe = {
  readonly shoe: string;
  readonly expected: number;
  readonly seen: number;
  readonly extra: { readonly [card: string]: number };
  readonly missing: { readonly [card: string]: number };
};
type Shortfall = { readonly terminal: string; readonly round: string; readonly amount: number; readonly left: number };

type PlacedCard = { readonly card: Card; readonly slot: CardSlot };

/** Result of the cards of a round. `due`: the table of play needs another card, for `slot`. */
type CardsOutcome =
  | { readonly type: 'void' }
  | { readonly type: 'due'; readonly slot: CardSlot; readonly player: number; readonly banker: number }
  | {
      readonly type: 'result';
      readonly winner: Facts['winner'];
      readonly player: number;
      readonly banker: number;
    };

/** The round before and after. `cards`: null if the cards stay the same. `burned`: the surplus cards. */
type RoundEffect = {
  readonly id: string;
  readonly number: number;
  readonly cards: {
    readonly before: readonly PlacedCard[];
    readonly after: readonly PlacedCard[];
    readonly burned: readonly string[];
  } | null;
  readonly before: CardsOutcome;
  readonly after: CardsOutcome;
  /** When the round is settled or voided; null if a card is due. `later`: after the pause for reports of mistakes. */
  readonly settled: 'now' | 'later' | null;
  /** Results by wager: as settled before, and as the proposal would settle them. Null for none, as for a void. */
  readonly results: { readonly before: WagerResults | null; readonly after: WagerResults | null };
};

/**
 * Amounts of one credit session in minor units. `paid`: posted for the round; null before the first settlement. `due`:
 * what the session gets for the round in all; null while a card is due. `credit`, `isOpen`, `collected` and `short` may
 * change until the approval. `collected`: paid money that has left the credit. `short`: money that could not be taken
 * back now.
 */
type MoneyEffectRow = {
  readonly terminal: string;
  readonly staked: number;
  readonly paid: number | null;
  readonly due: number | null;
  readonly credit: number | null;
  readonly isOpen: boolean;
  readonly collected: number | null;
  readonly short: number | null;
};

/** Sums over all sessions of the round; `count` is their number. `rows` may list only some of the sessions. */
type MoneyEffect = {
  readonly count: number;
  readonly staked: number;
  readonly paid: number | null;
  readonly due: number | null;
  readonly takenBack: number;
  readonly paidMore: number;
  readonly collected: number;
  readonly short: number;
  readonly rows: readonly MoneyEffectRow[];
};

/** What is recorded of the preparation of a shoe. Null: not recorded yet. */
type ShoeFacts = {
  readonly id: string;
  readonly size: number;
  readonly seal: string | null;
  readonly decks: number | null;
  readonly backs: string | null;
  readonly inspected: boolean | null;
  readonly counted: boolean;
  readonly shuffle: string | null;
  readonly behind: number | null;
};

export type TableProposalEffects = {
  readonly command: ProposableCommand['type'];
  /** Error code with which the approval would be refused now; null if the approval is possible. */
  readonly not: string | null;
  readonly by: string | null;
  readonly changes: readonly ProposalChange[];
  readonly settings: readonly TableSettingsDifference[];
  readonly shoe: ShoeFacts | null;
  readonly round: RoundEffect | null;
  readonly money: MoneyEffect | null;
};

/** Credit of a session in minor units, and whether the session is open. */
export type CreditLookup = (session: string) => { readonly credit: number; readonly open: boolean };

/** The effects of the open proposal. The proposal must exist. */
export function proposalEffects(table: Table, creditOf?: CreditLookup): TableProposalEffects {
  const { command } = table.proposal!;
  const decision = previewApproval(table);
  return proposalEffectsOfCommand(command as ProposableCommand, decision, table, creditOf);
}

type CommandWithoutActor = { readonly type: ProposableCommand['type']; readonly [field: string]: unknown };

/** The effects of a command that would give these events or this refusal. */
export function proposalEffectsOfCommand(
  command: CommandWithoutActor,
  decision: readonly PreviewedEvent[] | { readonly refused: string },
  table: Table,
  creditOf?: CreditLookup,
): TableProposalEffects {
  const events = isRefused(decision) ? [] : decision;
  const { type } = command;
  const ofCommand = changesByCommand[type] as (
    ...given: Parameters<ChangesOf<typeof type>>
  ) => readonly ProposalChange[];
  const settings = find(events, 'SettingsChanged')?.settings;
  const round = roundEffect(events, table);
  return {
    command: type,
    not: isRefused(decision) ? decision.refused : null,
    by: clauseOf(events),
    changes: isRefused(decision)
      ? []
      : [
          ...ofCommand(events, table, command as unknown as Parameters<ChangesOf<typeof type>>[2]),
          ...furtherChanges(events),
        ],
    settings: settings === undefined ? [] : settingsDifferences(table.settings, settings),
    shoe: type === 'VerifyShoe' ? shoeFacts(table) : null,
    round,
    money: moneyEffect(events, table, command['slips'] as SlipsByTerminal | undefined, round, creditOf),
  };
}

/**
 * The effects for a dealer's console, at which the second person may sign. Drops the money rows of sessions whose paid
 * money does not change. [READING 60]
 */
export const keepChangedMoneyRows = (one: TableProposalEffects): TableProposalEffects => ({
  ...one,
  money: one.money && { ...one.money, rows: one.money.rows.filter(({ paid, due }) => paid !== null && paid !== due) },
});

type Events = readonly PreviewedEvent[];
type ChangesOf<N extends ProposableCommand['type']> = (
  events: Events,
  table: Table,
  command: CommandOf<N>,
) => readonly ProposalChange[];

const find = <N extends EventName>(events: Events, type: N): EventOf<N> | undefined =>
  events.find((event) => event.type === type) as EventOf<N> | undefined;

const findAll = <N extends EventName>(events: Events, type: N): readonly EventOf<N>[] =>
  events.filter((event) => event.type === type) as unknown as readonly EventOf<N>[];

/** The clause of the events. If a void ends a referral, this is the clause of the void. [READING 65] */
function clauseOf(events: Events): string | null {
  const by = clauseOfVoid(events) ?? events.find((event) => typeof event['by'] === 'string')?.['by'];
  return typeof by === 'string' ? by : null;
}

const voidChanges = (events: Events): readonly ProposalChange[] =>
  events.some(isRoundVoidEvent) ? [{ type: 'round-void' }] : [];

const burnChanges = (cards: readonly string[]): readonly ProposalChange[] =>
  cards.map((card) => ({ type: 'card-burn', card }));

const countedShoe = ({ shoe, expected, seen, extra, missing }: CountedShoe): CountedShoe => ({
  shoe,
  expected,
  seen,
  extra,
  missing,
});

/** The changes that each command makes. A proposable command without an entry does not compile. */
const changesByCommand: { readonly [N in ProposableCommand['type']]: ChangesOf<N> } = {
  ChangeSettings: () => [{ type: 'settings-change' }],
  CloseTable: () => [{ type: 'table-close' }],
  ReopenTable: () => [{ type: 'table-reopen' }],
  CorrectCut: (events) => {
    const { shoe, was, behind } = find(events, 'CutCorrected')!;
    return [{ type: 'cut-correct', shoe, was, behind }];
  },
  VerifyShoe: () => [{ type: 'shoe-ready' }],
  EndShoe: (events) => {
    const ended = find(events, 'ShoeEnded')!;
    return [{ type: 'shoe-end', ...countedShoe(ended), isUnopened: ended.unopened === true }];
  },
  SealShoe: (events) => {
    const { shoe, seal, to = null } = find(events, 'ShoeSealed')!;
    return [{ type: 'shoe-seal', shoe, seal, to }];
  },
  CountSealedShoe: (events) => {
    const counted = find(events, 'SealedShoeCounted')!;
    return [{ type: 'shoe-count', seal: counted.seal, ...countedShoe(counted) }];
  },
  VoidRound: voidChanges,
  ReconstructRound: (events) => {
    const { burned, surplus } = find(events, 'RoundReconstructed')!;
    const carried: readonly ProposalChange[] = surplus === 'carried' ? [{ type: 'card-carry' }] : [];
    return [{ type: 'round-replay' }, ...burnChanges(burned), ...carried];
  },
  RestoreOrder: () => [{ type: 'order-restore' }],
  EnterCard: (events) => {
    const { slot, card } = find(events, 'CardDealt')!;
    return [{ type: 'card-enter', slot, card }];
  },
  CorrectCard: (events, table) => {
    const { round, place, was, card, burned } = find(events, 'CardCorrected')!;
    const { slot } = placedCards(findRound(table, round)!.cards)[place - 1]!;
    return [{ type: 'card-correct', place, slot, was, card }, ...burnChanges(burned)];
  },
  BurnCard: (events) => burnChanges([find(events, 'CardBurned')!.card]),
  DismissReport: (events) => [{ type: 'report-dismiss', kind: find(events, 'ReportDismissed')!.kind }],
  ConfirmFelt: (events) => {
    const { cards, unseen } = find(events, 'FeltConfirmed')!;
    return [
      ...findAll(events, 'CardDealt').map(({ slot, card }) => ({ type: 'card-enter', slot, card }) as const),
      { type: 'felt-confirm', count: cards.length },
      ...(unseen ? [{ type: 'card-carry' } as const] : []),
    ];
  },
  ConfirmRuling: (events) => {
    const resumed = find(events, 'RoundResumed');
    return resumed === undefined
      ? voidChanges(events)
      : [{ type: 'round-resume', won: resumed.won, lost: resumed.lost }];
  },
  DecideReferral: (events) => {
    const { decision, terminal = null, round = null } = find(events, 'ReferralDecided')!;
    const slip = find(events, 'SlipVoided');
    return [
      { type: 'referral-decide', decision, terminal, round },
      ...(slip === undefined ? voidChanges(events) : [{ type: 'slip-void', terminal: slip.terminal } as const]),
    ];
  },
  CollectShortfall: (events) => {
    const { terminal, round, amount, left } = find(events, 'ShortfallCollected')!;
    return [{ type: 'shortfall-collect', terminal, round, amount, left }];
  },
  WriteOffShortfall: (events) => {
    const { terminal, round, amount, left } = find(events, 'ShortfallWrittenOff')!;
    return [{ type: 'shortfall-write-off', terminal, round, amount, left }];
  },
};

/** Changes that more than one command may have. */
const furtherChanges = (events: Events): readonly ProposalChange[] => {
  const found = find(events, 'IrregularityFound');
  const locked = find(events, 'ShoeLocked');
  const referred = find(events, 'Referred');
  return [
    ...(found ? [{ type: 'irregularity', kind: found.kind, stops: found.stops, by: found.by } as const] : []),
    ...(locked ? [{ type: 'shoe-lock', shoe: locked.shoe, by: locked.by } as const] : []),
    ...(referred ? [{ type: 'refer', by: referred.by, decision: referred.proposed ?? null } as const] : []),
  ];
};

function shoeFacts({ shoe }: Table): ShoeFacts | null {
  if (shoe === null) return null;
  const { id, size, seal, decks, backs, inspected, counted, shuffle, behindCut: behind } = shoe;
  return { id, size, seal, decks, backs, inspected, counted, shuffle, behind };
}

/** The cards of a round with their slots. */
const placedCards = (cards: readonly Card[]): readonly PlacedCard[] =>
  cards.map((card, n) => ({ card, slot: nextSlot(cards.slice(0, n))! }));

/** Events that change the cards or the outcome of a round. */
const roundEvents = [
  'RoundReconstructed',
  'CardCorrected',
  'CardDealt',
  'RoundVoided',
  'RoundResettled',
  'RoundSettled',
] as const satisfies readonly EventName[];

function roundEffect(events: Events, table: Table): RoundEffect | null {
  const about = roundEvents.map((type) => find(events, type)).find((event) => event !== undefined);
  const round = about && findRound(table, about.round);
  if (round === undefined) return null;
  const replayed = find(events, 'RoundReconstructed') ?? find(events, 'CardCorrected');
  const dealt = findAll(events, 'CardDealt').map(({ card }) => card);
  const after = (replayed?.after ?? [...round.cards, ...dealt]) as readonly Card[];
  const outcome = outcomeOfEvents(events);
  const afterOutcome = outcome && 'voidBy' in outcome ? ({ type: 'void' } as const) : cardsOutcome(after);
  return {
    id: round.id,
    number: round.number,
    cards:
      replayed || dealt.length > 0
        ? { before: placedCards(round.cards), after: placedCards(after), burned: replayed?.burned ?? [] }
        : null,
    before: round.ending && 'voidBy' in round.ending ? { type: 'void' } : cardsOutcome(round.cards),
    after: afterOutcome,
    settled: afterOutcome.type === 'due' ? null : outcome === null ? 'later' : 'now',
    results: {
      before: resultsBefore(round),
      after: afterOutcome.type === 'result' ? resultsOfCards(round, after, table) : null,
    },
  };
}

function cardsOutcome(cards: readonly Card[]): CardsOutcome {
  const hands = handsOf(cards);
  const [player, banker] = [totalOf(hands.player), totalOf(hands.banker)];
  const slot = nextSlot(cards);
  if (slot !== undefined) return { type: 'due', slot, player, banker };
  return { type: 'result', winner: player === banker ? 'tie' : player > banker ? 'player' : 'banker', player, banker };
}

/** The outcome that the events give the round; null if they give none. */
function outcomeOfEvents(events: Events): RoundOutcome | null {
  const voided = find(events, 'RoundVoided');
  const settledAgain = find(events, 'RoundResettled');
  const results = settledAgain?.results ?? find(events, 'RoundSettled')?.results;
  if (results !== undefined) return { results };
  const by = voided?.by ?? settledAgain?.by;
  return by === undefined ? null : { voidBy: by };
}

const resultsBefore = ({ ending }: RoundRecord): WagerResults | null =>
  ending && 'results' in ending ? ending.results : null;

function resultsOfCards(round: RoundRecord, cards: readonly Card[], { settings }: Table): WagerResults {
  const before = resultsBefore(round);
  return wagerResultsForCards(round, cards, before ? Object.keys(before) : settings.offered);
}

/** Amounts before and after the proposal; null if the proposal moves no stakes. */
function moneyEffect(
  events: Events,
  table: Table,
  givenSlips: SlipsByTerminal | undefined,
  effect: RoundEffect | null,
  creditOf: CreditLookup | undefined,
): MoneyEffect | null {
  const slip = find(events, 'SlipVoided');
  const round = findRound(table, effect?.id ?? slip?.round ?? null);
  if (round === undefined) return null;
  const slips = slip ? { [slip.terminal]: slip.slip } : 'slips' in round ? round.slips : (givenSlips ?? {});
  if (Object.keys(slips).length === 0) return null;
  const posted = outcomeOfEvents(events);
  // Without an outcome in the events, the cards may give results, which are settled after the pause.
  const results = effect?.results.after;
  const after: RoundOutcome | null = slip ? { voidBy: slip.by } : (posted ?? (results ? { results } : null));
  const paidTo = paidOutcomes(round, table);
  const rows = Object.entries(slips).map(([terminal, stakes]): MoneyEffectRow => {
    const paidOutcome = paidTo(terminal);
    const paid = round.ending === null ? null : paidOutcome === null ? 0 : totalReturned(stakes, paidOutcome);
    const due = after && totalReturned(stakes, after);
    return { terminal, staked: totalStake(stakes), paid, due, ...liveAmounts(paid, due, creditOf?.(terminal)) };
  });
  const sum = (amountOf: (row: MoneyEffectRow) => number | null): number =>
    rows.reduce((total, row) => total + (amountOf(row) ?? 0), 0);
  return {
    count: rows.length,
    staked: sum(({ staked }) => staked),
    paid: round.ending === null ? null : sum(({ paid }) => paid),
    due: after && sum(({ due }) => due),
    takenBack: sum(({ paid, due }) => (paid === null || due === null ? 0 : Math.max(0, paid - due))),
    paidMore: sum(({ paid, due }) => (paid === null || due === null ? 0 : Math.max(0, due - paid))),
    collected: sum(({ collected }) => collected),
    short: sum(({ short }) => short),
    rows,
  };
}

/** Returns a function that gives the outcome by which a terminal was last paid; null if the terminal was not paid. */
function paidOutcomes({ id, ending }: RoundRecord, { pendingSettlements }: Table) {
  const pending = pendingSettlements.find(({ round }) => round === id);
  const unposted = new Set(pending?.order.slice(pending.done));
  return (terminal: string): RoundOutcome | null =>
    pending !== undefined && unposted.has(terminal) ? outcomePaidBefore(pending, terminal) : ending;
}

/** Amounts that may change until the approval, so the approval hash leaves them out. Null if the credit is unknown. */
function liveAmounts(paid: number | null, due: number | null, session: ReturnType<CreditLookup> | undefined) {
  if (session === undefined) return { credit: null, isOpen: false, collected: null, short: null };
  const { credit, open } = session;
  const owed = paid === null || due === null ? 0 : Math.max(0, paid - due);
  return {
    credit,
    isOpen: open,
    collected: Math.max(0, (paid ?? 0) - credit),
    short: Math.max(0, owed - credit),
  };
}
