import { type PendingSettlement, type OpenIrregularity, type Referral, type Table } from './state.ts';

// Open irregularities, referrals, and the settlements that they block.

/** True when the system detected it, so that it cannot be dismissed as a mistake. */
export function isFoundBySystem({ kind }: OpenIrregularity, { shoe, settings }: Table): boolean {
  if (kind === 'extra-card') return Object.values(shoe!.seen).some((times) => times > settings.decks);
  return kind === 'interruption';
}

/** True for a card that must be burned; it stays open until that is done. [READING 18, 24] */
export const isAboutCardToBurn = ({ kind }: OpenIrregularity): boolean => kind === 'face-up-before';

/** True for a report that may be a mistake; not for detected or decided ones. */
export const isDismissible = (irregularity: OpenIrregularity, table: Table): boolean =>
  !isAboutCardToBurn(irregularity) && !isFoundBySystem(irregularity, table);

/** The irregularities of the referred round. A loose shoe or card is a question of its own. [READING 55] */
export const irregularitiesOfReferral = (
  { round }: Pick<Referral, 'round'>,
  { openIrregularities }: Pick<Table, 'openIrregularities'>,
): readonly OpenIrregularity[] =>
  openIrregularities.filter(
    (irregularity) => round !== null && irregularity.round === round && !isAboutCardToBurn(irregularity),
  );

/** Open referrals after a decision; one about several terminals stays open for the others. */
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

/** The irregularity to rule on now: the most serious, unless a referral was there before it. [READING 59] */
export const leadingIrregularity = ({
  openIrregularities: [irregularity],
  referrals,
}: Pick<Table, 'openIrregularities' | 'referrals'>): OpenIrregularity | undefined =>
  referrals.length === 0 || irregularity?.beforeReferrals ? irregularity : undefined;

type DisputeState = Pick<Table, 'openIrregularities' | 'referrals' | 'phase' | 'round'>;

/** A disputed round: for these terminals, or for all when null. */
export type DisputedRound = { readonly round: string; readonly terminals: readonly string[] | null };

/** Disputed rounds: postings wait, and what was posted cannot be collected until the dispute ends. [READING 52] */
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

/** True when the round is disputed for a slip that is not posted yet. */
export const isSettlementBlocked = (
  { round, order, done }: Pick<PendingSettlement, 'round' | 'order' | 'done'>,
  table: DisputeState,
): boolean =>
  disputedRounds(table).some(
    (one) => one.round === round && (one.terminals?.some((terminal) => order.includes(terminal, done)) ?? true),
  );
