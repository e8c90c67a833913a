import { nextSlot } from '../rules/play.ts';
import { indexOf } from '../rules/commitment.ts';
import { type Table } from '../table/table.ts';
import { type Chance } from './chance.ts';
import { type Asked } from './runner.ts';
import { type HiddenShoe } from './shoe.ts';

/** How long a table without staff waits between its steps, in milliseconds. */
export type Pace = { readonly betweenRounds: number; readonly betweenCards: number };

export const floorPost = { system: 'floor' } as const;
export const shufflerPost = { system: 'shuffler' } as const;

/** What a table without staff does next, and when. */
export type Step =
  | { readonly at: number; readonly asked: Asked }
  /** A shoe is to be shuffled, sealed and committed. */
  | { readonly at: number; readonly shuffle: true };

/**
 * The dealer of a table that has none: a function of the table alone, so that a table which comes back from its record
 * goes on where it stood. Undefined where somebody else has to decide.
 */
export function nextStep(table: Table, pace: Pace, hidden: HiddenShoe | undefined, chance: Chance): Step | undefined {
  const { phase, round, shoe, setting } = table;
  const ask = (at: number, type: Asked['type'], fields: object = {}): Step => ({
    at,
    asked: { type, who: floorPost, ...fields },
  });
  if (table.referral !== null) return undefined;
  // What a clause computes is carried out by itself; anything else waits for somebody.
  if (table.held !== null) return table.held.kind === 'interruption' ? ask(table.at, 'ConfirmRuling') : undefined;
  switch (phase) {
    case 'idle':
      if (table.jobs.length > 0) return ask(table.at, 'PostSettlement');
      if (shoe === null) return { at: table.at + pace.betweenRounds, shuffle: true };
      if (!shoe.ready) return ask(table.at, 'ChooseTurn', { turn: chance.below(shoe.size) });
      if (shoe.lockedBy !== null || shoe.roundsLeft === 0) {
        return hidden && ask(table.at + pace.betweenRounds, 'EndShoe', { cards: hidden.cards, salts: hidden.salts });
      }
      return ask(table.at + pace.betweenRounds, 'OpenBets');
    case 'betting':
      return ask(round!.closesAt, 'CallClose');
    case 'closing':
      return ask(round!.deadline! + setting.grace, 'CloseBets');
    case 'dealing': {
      const index = indexOf(shoe!.size, shoe!.turn!, shoe!.drawn);
      return (
        hidden && ask(table.at + pace.betweenCards, 'DealCard', { slot: nextSlot(round!.cards)!, ...hidden.at(index) })
      );
    }
    case 'result':
      return ask(round!.resultAt! + setting.pause, 'Settle');
  }
}
