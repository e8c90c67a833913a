import { nextSlot } from '../../rules/play.ts';
import { gameAndRulebookOf } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { type ServerMessageOf } from '../../wire/messages.ts';

/** Fields of the message `due`, which gives a card reader the slot of the next card. */
export type NextCardMessageFields = Omit<ServerMessageOf<'due'>, 'type'>;

export function nextCardMessageFieldsOf(table: Table): NextCardMessageFields {
  const { settings, phase, round, shoe, openIrregularities: irregularities, referrals } = table;
  const mayDeal = irregularities.length === 0 && referrals.length === 0;
  const isBurnDue = phase === 'idle' && settings.burn === 'first-card' && shoe?.ready === true && !shoe.burned;
  return {
    table: settings.table,
    slot: mayDeal && phase === 'dealing' ? nextSlot(round!.cards)! : null,
    burn: mayDeal && isBurnDue && shoe.lockedBy === null,
    shoe: shoe && {
      id: shoe.id,
      deck: gameAndRulebookOf(settings).game.deck,
      decks: settings.decks,
      size: shoe.size,
      out: shoe.drawn,
      behind: shoe.behindCut,
      cuttingCardOut: shoe.roundsLeft !== null,
      seen: { ...shoe.seen },
    },
  };
}
