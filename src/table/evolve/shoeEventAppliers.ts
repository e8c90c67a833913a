import { type EventAppliers } from './eventAppliers.ts';
import { type Actor, isSameActor } from '../../access/actor.ts';
import { assert } from '../../base/assert.ts';
import { type EventOf } from '../schema/events.ts';
import { isAboutCardToBurn } from '../irregularities.ts';
import { type ShoeState, type Table } from '../state.ts';
import { closeIrregularities } from './irregularities.ts';
import { countSeenCard, requireShoe } from './rounds.ts';

export const shoeEventAppliers = {
  ShoeBrought(table, event) {
    placeShoe(table, {
      ...newShoe(event.shoe, event.size, event.actor),
      seal: event.seal,
      decks: event.decks ?? null,
      backs: event.backs ?? null,
    });
  },
  CardsInspected(table, event) {
    recordPreparer(table, event.actor).inspected = event.match;
  },
  CardsCounted(table, event) {
    recordPreparer(table, event.actor).counted = event.counted === event.expected;
  },
  ShoeShuffled(table, event) {
    const shoe = recordPreparer(table, event.actor);
    shoe.shuffled = true;
    shoe.shuffle = event.method;
  },
  ShoeCut(table, event) {
    recordPreparer(table, event.actor).behindCut = event.behind;
  },
  CutCorrected(table, event) {
    requireShoe(table).behindCut = event.behind;
  },
  ShoeVerified(table) {
    requireShoe(table).ready = true;
  },
  ShoeCommitted(table, event) {
    placeShoe(table, {
      ...newShoe(event.shoe, event.size, event.actor),
      counted: true,
      shuffled: true,
      behindCut: event.behind,
      root: event.root,
    });
  },
  CutPositionChosen(table, event) {
    const shoe = recordPreparer(table, event.actor);
    shoe.cutPosition = event.cutPosition;
    shoe.ready = true;
  },
  CardsBurned(table, event) {
    const shoe = requireShoe(table);
    shoe.burned = true;
    shoe.drawn += 1 + event.count;
    countSeenCard(shoe, event.card, 1);
  },
  CuttingCardOut(table, event) {
    requireShoe(table).roundsLeft = event.roundsLeft;
  },
  ShoeLocked(table, event) {
    requireShoe(table).lockedBy = event.by;
    // The lock ends the irregularities that are about the shoe alone. Only a card to burn stays open: the exposed card
    // must still be burned.
    closeIrregularities(
      table,
      event.at,
      (irregularity) => irregularity.round === null && !isAboutCardToBurn(irregularity),
    );
  },
  ShoeEnded(table, event) {
    table.shoe = null;
    recordCountDifference(table, event);
    if (table.proposal?.command.type === 'EndShoe') table.proposal = null;
  },
  ShoeSealed(table, event) {
    applyShoeSealed(table, event);
  },
  ShoeCounted(table, event) {
    const shoe = table.sealed.find(({ id }) => id === event.shoe) ?? requireShoe(table);
    if (hasCountDifference(event)) shoe.miscounts = (shoe.miscounts ?? 0) + 1;
  },
  SealedShoeCounted(table, event) {
    table.sealed = table.sealed.filter(({ id }) => id !== event.shoe);
    recordCountDifference(table, event);
  },
  CountInvestigated(table, event) {
    table.differences = table.differences.filter(({ shoe }) => shoe !== event.shoe);
  },
} satisfies Partial<EventAppliers>;

const newShoe = (id: string, size: number, actor: Actor): ShoeState => ({
  id,
  size,
  seal: null,
  decks: null,
  backs: null,
  inspected: null,
  preparedBy: [actor],
  counted: false,
  shuffled: false,
  shuffle: null,
  behindCut: null,
  ready: false,
  root: null,
  cutPosition: null,
  burned: false,
  drawn: 0,
  carried: false,
  seen: {},
  rounds: 0,
  roundsLeft: null,
  lockedBy: null,
});

function placeShoe(table: Table, shoe: ShoeState): void {
  table.shoe = shoe;
  table.shoes.push(shoe.id);
}

function recordPreparer(table: Table, actor: Actor): ShoeState {
  const shoe = requireShoe(table);
  if (!shoe.preparedBy.some((one) => isSameActor(one, actor))) shoe.preparedBy.push(actor);
  return shoe;
}

/**
 * Moves the shoe to the sealed shoes. Takes its game and decks from the settings, because both change only between
 * shoes.
 */
function applyShoeSealed(table: Table, { shoe: id, seal: under, to, at, actor, second }: EventOf<'ShoeSealed'>): void {
  const { size } = requireShoe(table);
  const { game, decks } = table.settings;
  assert(second !== undefined, 'two persons seal a shoe');
  table.sealed.push({ id, seal: under, to: to ?? null, game, decks, size, since: at, by: [actor, second] });
  table.shoe = null;
}

/** Records a closing count that differs in any card, for the pit manager to investigate. [HOUSE 7] */
function recordCountDifference(table: Table, event: EventOf<'ShoeEnded'> | EventOf<'SealedShoeCounted'>): void {
  const { shoe, expected, seen, at } = event;
  if (hasCountDifference(event)) table.differences.push({ shoe, expected, seen, since: at });
}

const hasCountDifference = ({ extra, missing }: Pick<EventOf<'SealedShoeCounted'>, 'extra' | 'missing'>): boolean =>
  Object.keys({ ...extra, ...missing }).length > 0;
