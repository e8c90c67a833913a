import { nextSlot } from '../../rules/play.ts';
import { resolveSettings } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { type ServerMessageOf } from '../../wire/messages.ts';

export type Due = Omit<ServerMessageOf<'due'>, 'type'>;

/** What a reader of cards is told of its table: where the next card goes, and which shoe it comes from. */
export function dueOf(table: Table): Due {
  const { setting, phase, round, shoe, openIrregularities: held, referrals } = table;
  const goesOn = held.length === 0 && referrals.length === 0;
  const isFirst = phase === 'idle' && setting.burn === 'first-card' && shoe?.ready === true && !shoe.burned;
  return {
    table: setting.table,
    slot: goesOn && phase === 'dealing' ? nextSlot(round!.cards)! : null,
    burn: goesOn && isFirst && shoe.lockedBy === null,
    shoe: shoe && {
      id: shoe.id,
      deck: resolveSettings(setting).game.deck,
      decks: setting.decks,
      size: shoe.size,
      out: shoe.drawn,
      behind: shoe.behindCut,
      cuttingCardOut: shoe.roundsLeft !== null,
      seen: { ...shoe.seen },
    },
  };
}
