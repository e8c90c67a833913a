import { type PendingSettlement, type OpenIrregularity, type Referral, type Table } from './state.ts';

// Look-ups on open irregularities and referrals, and on the settlements that they block.

/** True when the system itself found the irregularity, so that it cannot be dismissed as a mistake. */
export function isFoundBySystem({ kind }: OpenIrregularity, { shoe, settings }: Table): boolean {
  if (kind === 'extra-card') return Object.values(shoe!.seen).some((times) => times > settings.decks);
  return kind === 'interruption';
}

/** True for an irregularity that ends only when an exposed card is burned. [READING 18, 24] */
export const isAboutCardToBurn = ({ kind }: OpenIrregularity): boolean => kind === 'face-up-before';

/** True for a report of staff, which may be a mistake; false for what the system found and for a card to burn. */
export const isDismissible = (irregularity: OpenIrregularity, table: Table): boolean =>
  !isAboutCardToBurn(irregularity) && !isFoundBySystem(irregularity, table);

/** The open irregularities of the referred round, without a card to burn, which belongs to the shoe. [READING 55] */
export const irregularitiesOfReferral = (
  { round }: Pick<Referral, 'round'>,
  { openIrregularities }: Pick<Table, 'openIrregularities'>,
): readonly OpenIrregularity[] =>
  openIrregularities.filter(
    (irregularity) => round !== null && irregularity.round === round && !isAboutCardToBurn(irregularity),
  );

/** Open referrals after a decision; a referral about several terminals stays open for those not decided. */
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

/** The irregularity to rule on now: the most serious one; undefined if a referral comes before it. [READING 59] */
export const leadingIrregularity = ({
  openIrregularities: [irregularity],
  referrals,
}: Pick<Table, 'openIrregularities' | 'referrals'>): OpenIrregularity | undefined =>
  referrals.length === 0 || irregularity?.beforeReferrals ? irregularity : undefined;

type DisputeState = Pick<Table, 'openIrregularities' | 'referrals' | 'phase' | 'round'>;

/** A round whose payouts are disputed, for these terminals; null for all. */
export type DisputedRound = { readonly round: string; readonly terminals: readonly string[] | null };

/** Rounds whose payouts are disputed: their postings wait, and posted amounts cannot be collected. [READING 52] */
export const disputedRounds = ({
  openIrregularities,
  referrals,
  phase,
  round: current,
}: DisputeState): readonly DisputedRound[] => [
  // A reopened round is disputed until it ends again.
  ...(phase !== 'idle' && current !== null && current.ending !== null ? [{ round: current.id, terminals: null }] : []),
  ...openIrregularities.flatMap(({ round }) => (round === null ? [] : [{ round, terminals: null }])),
  ...referrals.flatMap(({ round, terminals }) => (round === null ? [] : [{ round, terminals }])),
];

export const isDisputedForTerminal = (table: DisputeState, round: string, terminal: string): boolean =>
  disputedRounds(table).some((one) => one.round === round && (one.terminals?.includes(terminal) ?? true));

/** True when the settlement must wait: its round is disputed for a slip that is not posted yet. */
export const isSettlementBlocked = (
  { round, order, done }: Pick<PendingSettlement, 'round' | 'order' | 'done'>,
  table: DisputeState,
): boolean =>
  disputedRounds(table).some(
    (one) => one.round === round && (one.terminals?.some((terminal) => order.includes(terminal, done)) ?? true),
  );
