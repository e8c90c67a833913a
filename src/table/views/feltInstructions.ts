import { type WagerResults } from '../schema/fieldTypes.ts';
import { wagerResultsForCards } from '../decide/settlement.ts';
import { type RoundOutcome, stakeResult } from '../payouts.ts';
import { type ReportedChips, type Table } from '../state.ts';

// What the dealer does with chips on the felt at the end of a round.

/** The outcome by which the dealer pays; null before the last card is dealt. [READING 48, 62] */
function outcomeForDealer({ round, phase, settings }: Table): RoundOutcome | null {
  if (round === null || (phase !== 'idle' && phase !== 'result')) return null;
  return phase === 'idle' ? round.ending : { results: wagerResultsForCards(round, round.cards, settings.offered) };
}

export type FeltInstruction = {
  readonly wager: string;
  readonly do: 'take' | 'pay' | 'push' | 'return';
  readonly pays: readonly [number, number];
  readonly commission: readonly [number, number];
  readonly by: string;
};

const noOdds = [0, 1] as const;
const actionByResult = { win: 'pay', push: 'push', lose: 'take' } as const satisfies {
  readonly [R in WagerResults[string]['result']]: FeltInstruction['do'];
};

/** What the dealer does with the chips on each offered wager; null before the last card is dealt. */
export function feltInstructions(table: Table): readonly FeltInstruction[] | null {
  const ending = outcomeForDealer(table);
  if (ending === null) return null;
  if ('voidBy' in ending) {
    const { voidBy: by } = ending;
    return table.settings.offered.map((wager) => ({ wager, do: 'return', pays: noOdds, commission: noOdds, by }));
  }
  return Object.entries(ending.results).map(([wager, { result, pays, commission, by }]) => ({
    wager,
    do: actionByResult[result],
    pays,
    commission,
    by,
  }));
}

/** What the dealer does with chips that were placed, raised or withdrawn late. `wait`: the result is not known yet. */
export type ReportedChipsInstruction = Omit<ReportedChips, 'at'> & {
  readonly do: 'return' | 'take' | 'pay' | 'push' | 'wait';
  /** Amount to pay in minor units; null when nothing is paid or the amount is not whole. */
  readonly pays: number | null;
};

/** What the dealer does with the late, raised or withdrawn chips at each place. [live 5.6, 5.7] */
export const reportedChipsInstructions = (table: Table): readonly ReportedChipsInstruction[] => {
  const ending = outcomeForDealer(table);
  return (table.round?.chips ?? []).map((chips) => reportedChipsInstruction(chips, ending));
};

function reportedChipsInstruction(
  { at: _at, ...chips }: ReportedChips,
  ending: RoundOutcome | null,
): ReportedChipsInstruction {
  // Chips placed late and the excess of a late raise are not in the round. The dealer returns both. [READING 21]
  if (chips.kind !== 'withdrawn-wager') return { ...chips, do: 'return', pays: null };
  if (ending === null) return { ...chips, do: 'wait', pays: null };
  // Chips withdrawn late still win or lose. If the round is void, nothing is to be paid, because the patron has the
  // chips already. [READING 20]
  const { result, won } = stakeResult(chips.wager, chips.amount, ending);
  if (result === 'void') return { ...chips, do: 'push', pays: null };
  return { ...chips, do: actionByResult[result], pays: result === 'win' && Number.isInteger(won) ? won : null };
}
