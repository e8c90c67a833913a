import { gamingDayOf } from '../../schema/gamingDay.ts';
import { type TableRefusal, refuseAtTable } from '../../schema/refusals.ts';
import { type EarlierRound, type Round, type Table } from '../../state.ts';
import { clausesOfTable } from '../decision.ts';

/**
 * True if the round has not ended, or was settled on the gaming day of the time `at`. A voided round cannot be
 * corrected. [READING 28]
 */
export const isCorrectableRound = ({ ending, day }: Round | EarlierRound, at: number, { settings }: Table): boolean =>
  ending === null || ('results' in ending && day === gamingDayOf(at, settings.profile));

/** Refusal while no round has a card that can be corrected; undefined if there is such a card. */
export function noCorrectableCardRefusal(table: Table): TableRefusal | undefined {
  const { round, history, at } = table;
  const rounds = [...(round === null ? [] : [round]), ...history];
  const dealt = rounds.filter((one) => one.cards.length > 0 && isCorrectableRound(one, at, table));
  const { correction } = clausesOfTable(table);
  if (dealt.length === 0)
    return refuseAtTable('no-such-card', correction, 'No recorded card can be corrected now; refer what is wrong.');
  return dealt.every(({ virtual }) => virtual)
    ? refuseAtTable('card-proven', correction, 'A card of a virtual shoe is proven; there is no scan to correct.')
    : undefined;
}
