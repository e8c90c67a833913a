import { type PendingSettlement, type OpenIrregularity, type Referral, type Table, isShoeEmpty } from './state.ts';

/**
 * True if the system itself found the irregularity: an interruption, or an extra card if more copies of a card were
 * seen than the decks have. Staff cannot dismiss such an irregularity.
 */
export function isFoundBySystem({ kind }: OpenIrregularity, { shoe, settings }: Table): boolean {
  if (kind === 'extra-card') return Object.values(shoe!.seen).some((times) => times > settings.decks);
  return kind === 'interruption';
}

/** True for an irregularity that ends only when an exposed card is burned. [READING 18, 24] */
export const isAboutCardToBurn = ({ kind }: OpenIrregularity): boolean => kind === 'face-up-before';

/**
 * True while a card on the felt may be unrecorded: after an interruption at a live shoe, until two persons confirm the
 * felt. No ruling is computed before that. [READING 61]
 */
export const isFeltUnconfirmed = (irregularity: OpenIrregularity, table: Pick<Table, 'phase'>): boolean =>
  mayEnterFeltCards(irregularity, table) && !irregularity.felt;

/**
 * True while cards may be entered from the felt: cards are being dealt, and the irregularity is an interruption that
 * allows the ruling `enter`.
 */
export const mayEnterFeltCards = ({ kind, rulings }: OpenIrregularity, { phase }: Pick<Table, 'phase'>): boolean =>
  kind === 'interruption' && rulings.includes('enter') && phase === 'dealing';

/**
 * True for the two kinds of irregularity in which cards were drawn together. For these, `place` is the number of the
 * first of the cards.
 */
export const isDrawnTogetherKind = (kind: string): boolean =>
  kind === 'drawn-together' || kind === 'third-cards-together';

/** Number that the next card will have in the round, from 1. */
export const nextCardPlace = ({ round }: Pick<Table, 'round'>): number => round!.cards.length + 1;

/** Number of cards that left the shoe according to the report, but are not recorded in the round. */
export function unrecordedCardCount(
  { kind, place }: Pick<OpenIrregularity, 'kind'> & { readonly place?: number | undefined },
  { round }: Pick<Table, 'round'>,
): number {
  if (kind === 'unreadable-card') return 1;
  return place === undefined ? 0 : Math.max(0, place + 1 - round!.cards.length);
}

/** True when a card of the round may have left the shoe, recorded or not. [READING 64] */
export const mayCardBeOut = (table: Table): boolean =>
  table.round!.begun ||
  table.round!.burned === true ||
  table.shoe!.carried ||
  table.openIrregularities.some(
    (irregularity) =>
      unrecordedCardCount(irregularity, table) > 0 ||
      isFeltUnconfirmed(irregularity, table) ||
      isWrongCardDrawn(irregularity, table),
  );

/**
 * True for a foreign or extra card while cards are dealt from a live shoe: the reported card may be a card that was
 * just drawn. A virtual shoe is exempt, because each of its cards is recorded as it is drawn.
 */
const isWrongCardDrawn = ({ kind }: OpenIrregularity, { phase, shoe }: Pick<Table, 'phase' | 'shoe'>): boolean =>
  phase === 'dealing' && shoe!.root === null && (kind === 'foreign-card' || kind === 'extra-card');

/** True when staff may dismiss the irregularity as a mistaken report. */
export const isDismissible = (irregularity: OpenIrregularity, table: Table): boolean =>
  // An exposed card must be burned. Its report is dismissed only if the shoe has no card left.
  isAboutCardToBurn(irregularity) ? isShoeEmpty(table.shoe!) : !isFoundBySystem(irregularity, table);

/**
 * The open irregularities of the referred round. An irregularity about a card to burn is left out, because that card
 * belongs to the shoe and not to the round. [READING 55]
 */
export const irregularitiesOfReferral = (
  { round }: Pick<Referral, 'round'>,
  { openIrregularities }: Pick<Table, 'openIrregularities'>,
): readonly OpenIrregularity[] =>
  openIrregularities.filter(
    (irregularity) => round !== null && irregularity.round === round && !isAboutCardToBurn(irregularity),
  );

/**
 * The referrals that stay open after a decision. A decision for one terminal leaves a referral of the whole round open
 * for the other terminals.
 */
export function remainingReferrals(
  referrals: readonly Referral[],
  decided: Referral,
  terminal: string | undefined,
): Referral[] {
  const isFullyDecided = terminal === undefined || decided.terminals !== null;
  return referrals.filter((one) => one !== decided || !isFullyDecided);
}

/** The irregularity to rule on now. Undefined if no irregularity is open, or if a referral comes first. [READING 59] */
export const irregularityToRuleOn = ({
  openIrregularities: [irregularity],
  referrals,
}: Pick<Table, 'openIrregularities' | 'referrals'>): OpenIrregularity | undefined =>
  referrals.length === 0 || irregularity?.beforeReferrals ? irregularity : undefined;

type DisputeState = Pick<Table, 'openIrregularities' | 'referrals' | 'phase' | 'round'>;

/** A round whose payouts are disputed. `terminals` lists the terminals whose payouts are disputed; null for all. */
export type DisputedRound = { readonly round: string; readonly terminals: readonly string[] | null };

/** Rounds whose payouts are disputed: their postings wait, and posted amounts cannot be collected. [READING 52] */
export const disputedRounds = ({
  openIrregularities,
  referrals,
  phase,
  round: current,
}: DisputeState): readonly DisputedRound[] => [
  // A reopened round is disputed until it ends again.
  ...(phase !== 'idle' && current!.ending !== null ? [{ round: current!.id, terminals: null }] : []),
  ...openIrregularities.flatMap(({ round }) => (round === null ? [] : [{ round, terminals: null }])),
  ...referrals.flatMap(({ round, terminals }) => (round === null ? [] : [{ round, terminals }])),
];

export const isDisputedForTerminal = (table: DisputeState, round: string, terminal: string): boolean =>
  disputedRounds(table).some((one) => one.round === round && (one.terminals?.includes(terminal) ?? true));

/** True while the settlement must wait, because its round is disputed for a terminal whose slip is not posted yet. */
export const isSettlementBlocked = (
  { round, order, done }: Pick<PendingSettlement, 'round' | 'order' | 'done'>,
  table: DisputeState,
): boolean =>
  disputedRounds(table).some(
    (one) => one.round === round && (one.terminals?.some((terminal) => order.includes(terminal, done)) ?? true),
  );
