import { type PendingSettlement, type OpenIrregularity, type Referral, type Table } from './state.ts';

// What waits at a table for a ruling or a decision, and what waits with it.

/** Whether the table itself found the matter, so that it cannot be called a mistake. */
export function isFoundBySystem({ kind }: OpenIrregularity, { shoe, setting }: Table): boolean {
  if (kind === 'extra-card') return Object.values(shoe!.seen).some((times) => times > setting.decks);
  return kind === 'interruption';
}

/** Whether it is a card to be burned: that is decided, and stays until it is done. [READING 18, 24] */
export const isCardToBurn = ({ kind }: OpenIrregularity): boolean => kind === 'face-up-before';

/** Whether a report may be called a mistake; what the table found and what is decided may not. */
export const isDismissible = (irregularity: OpenIrregularity, table: Table): boolean =>
  !isCardToBurn(irregularity) && !isFoundBySystem(irregularity, table);

/** What a decision on a referral is about: what was reported of its round. A loose shoe or card is a matter by itself. [READING 55] */
export const irregularitiesOfReferral = (
  { round }: Pick<Referral, 'round'>,
  { openIrregularities }: Pick<Table, 'openIrregularities'>,
): readonly OpenIrregularity[] =>
  openIrregularities.filter(
    (irregularity) => round !== null && irregularity.round === round && !isCardToBurn(irregularity),
  );

/** What is left of the referrals once one is decided: where that was for one terminal, it still waits for the others. */
export function remainingReferrals(
  referrals: readonly Referral[],
  decided: Referral,
  terminal: string | undefined,
): Referral[] {
  const { terminals } = decided;
  const otherTerminals = terminals?.filter((one) => one !== terminal) ?? null;
  const isFullyDecided = terminal === undefined || otherTerminals?.length === 0;
  return referrals.flatMap((one) =>
    one !== decided ? [one] : isFullyDecided ? [] : [{ ...one, terminals: otherTerminals }],
  );
}

/** What is to be ruled on now: the gravest matter, unless a referral was there before it. [READING 59] */
export const leadingIrregularity = ({
  openIrregularities: [irregularity],
  referrals,
}: Pick<Table, 'openIrregularities' | 'referrals'>): OpenIrregularity | undefined =>
  referrals.length === 0 || irregularity?.beforeReferrals ? irregularity : undefined;

type DisputeState = Pick<Table, 'openIrregularities' | 'referrals' | 'phase' | 'round'>;

/** A round in question: of these terminals, or, without any, of all that had stakes in it. */
export type DisputedRound = { readonly round: string; readonly terminals: readonly string[] | null };

/**
 * The rounds whose payment is in question: what is still to be posted from them waits, and what was posted cannot be
 * collected until the matter is out of the way. [READING 52]
 */
export const disputedRounds = ({
  openIrregularities,
  referrals,
  phase,
  round: current,
}: DisputeState): readonly DisputedRound[] => [
  // A settled round that is taken up again is in question until it has its end once more.
  ...(phase !== 'idle' && current !== null && current.ending !== null ? [{ round: current.id, terminals: null }] : []),
  ...openIrregularities.flatMap(({ round }) => (round === null ? [] : [{ round, terminals: null }])),
  ...referrals.flatMap(({ round, terminals }) => (round === null ? [] : [{ round, terminals }])),
];

/** Whether what a terminal has got from a round is in question. */
export const isDisputed = (table: DisputeState, round: string, terminal: string): boolean =>
  disputedRounds(table).some((one) => one.round === round && (one.terminals?.includes(terminal) ?? true));

/** Whether a settlement waits: its round is in question, for a slip that is not posted yet. */
export const isSettlementBlocked = (
  { round, order, done }: Pick<PendingSettlement, 'round' | 'order' | 'done'>,
  table: DisputeState,
): boolean =>
  disputedRounds(table).some(
    (one) => one.round === round && (one.terminals?.some((terminal) => order.includes(terminal, done)) ?? true),
  );
