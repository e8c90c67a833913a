import { isSameActor } from '../../access/actor.ts';
import { isRefused, quoteForMessage, refuse } from '../../base/refusal.ts';
import { pointsOf } from '../../rules/card.ts';
import { commitmentScheme } from '../../rules/shoeCommitment.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../schema/refusals.ts';
import { minCardsBehindCut, gameAndRulebookOf } from '../schema/settings.ts';
import { type ShoeState, type Table, isPlaying } from '../state.ts';
import { checkDrawnCard } from './cards.ts';
import {
  type TableDecision,
  type EventStamp,
  clausesOfTable,
  isDealtFromVirtualShoe,
  refuseMoreCardsThanShoeHolds,
  refuseNotHere,
  refuseNotNow,
  tableEventStamp,
} from './decision.ts';

export function decideBringShoe(command: CommandOf<'BringShoe'>, table: Table): TableDecision {
  if (isDealtFromVirtualShoe(table)) return refuseNotHere('commit a virtual shoe instead');
  const { shoe, seal, decks, backs } = command;
  const { settings } = table;
  const refusal = newShoeRefusal(shoe, table);
  if (refusal !== undefined) return refusal;
  if (decks !== undefined && decks !== settings.decks) {
    return refuseAtTable(
      'wrong-count',
      clausesOfTable(table).cards,
      `The table plays with ${settings.decks} decks; bring that many.`,
      {
        expected: settings.decks,
      },
    );
  }
  return [
    {
      type: 'ShoeBrought',
      ...tableEventStamp(command),
      shoe,
      seal,
      size: gameAndRulebookOf(settings).size,
      ...(decks !== undefined && { decks }),
      ...(backs !== undefined && { backs }),
    },
  ];
}

export function decideCommitShoe(command: CommandOf<'CommitShoe'>, table: Table): TableDecision {
  if (!isDealtFromVirtualShoe(table)) return refuseNotHere('bring a live shoe instead');
  const { size } = gameAndRulebookOf(table.settings);
  const { behind } = table.settings;
  return (
    newShoeRefusal(command.shoe, table) ?? [
      {
        type: 'ShoeCommitted',
        ...tableEventStamp(command),
        shoe: command.shoe,
        scheme: commitmentScheme,
        root: command.root,
        size,
        behind,
      },
    ]
  );
}

function newShoeRefusal(id: string, table: Table): TableRefusal | undefined {
  if (isPlaying(table)) return refuseNotNow(table, null, 'finish the round first');
  if (table.shoe !== null) return refuseNotNow(table, null, 'end the shoe that is on the table first');
  return table.shoes.includes(id) || table.sealed.some((one) => one.id === id)
    ? refuseAtTable(
        'shoe-used',
        null,
        `A shoe ${quoteForMessage(id)} was at this table before; give this one a new id.`,
      )
    : undefined;
}

function shoeInPreparation(table: Table): ShoeState | TableRefusal {
  if (isDealtFromVirtualShoe(table)) return refuseNotHere('commit a virtual shoe instead');
  if (table.shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe; bring one first.');
  return table.shoe.ready ? refuseNotNow(table, null, 'the shoe is ready and needs no preparation') : table.shoe;
}

/** Records the visual inspection of faces and backs. [2.1 of every book] */
export function decideInspectCards(command: CommandOf<'InspectCards'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  const { match, note } = command;
  const by = clausesOfTable(table).cards;
  return [
    {
      type: 'CardsInspected',
      ...tableEventStamp(command),
      shoe: shoe.id,
      match,
      ...(note !== undefined && { note }),
      by,
    },
  ];
}

export function decideCountCards(command: CommandOf<'CountCards'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  return [
    { type: 'CardsCounted', ...tableEventStamp(command), shoe: shoe.id, expected: shoe.size, counted: command.cards },
  ];
}

export function decideShuffleShoe(command: CommandOf<'ShuffleShoe'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  return isRefused(shoe)
    ? shoe
    : [{ type: 'ShoeShuffled', ...tableEventStamp(command), shoe: shoe.id, method: command.method }];
}

/** Records the cut of a live shoe; enough cards for the last rounds must be behind the cutting card. [READING 23] */
export function decideCutShoe(command: CommandOf<'CutShoe'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  return (
    depthRefusal(command.behind, shoe, table) ?? [
      { type: 'ShoeCut', ...tableEventStamp(command), shoe: shoe.id, behind: command.behind },
    ]
  );
}

function depthRefusal(behind: number, { size }: ShoeState, table: Table): TableRefusal | undefined {
  const { cut } = clausesOfTable(table);
  const min = minCardsBehindCut(table.settings);
  if (behind < min) {
    return refuseAtTable(
      'too-few-behind-cut',
      cut,
      `Too few cards are behind the cutting card (${behind}); leave at least ${min}.`,
      { minimum: min },
    );
  }
  return behind < size
    ? undefined
    : refuseAtTable(
        'wrong-count',
        cut,
        `The shoe has only ${size} cards; give a smaller number behind the cutting card.`,
        {
          expected: size,
        },
      );
}

/** Corrects a wrongly recorded number of cards behind the cutting card. [READING 58] */
export function decideCorrectCut(command: CommandOf<'CorrectCut'>, stamp: EventStamp, table: Table): TableDecision {
  const { shoe } = table;
  const { cut } = clausesOfTable(table);
  if (isDealtFromVirtualShoe(table))
    return refuseNotHere('the settings fix the cutting card of a virtual shoe; change them between shoes');
  if (shoe === null || !shoe.ready) return refuseAtTable('shoe-not-ready', cut, 'No shoe is ready; prepare one first.');
  if (isPlaying(table)) return refuseNotNow(table, cut, 'finish the round first');
  if (shoe.roundsLeft !== null)
    return refuseNotNow(table, cut, 'the cutting card is already out, so the cut cannot be corrected');
  const { behind, reason } = command;
  return (
    depthRefusal(behind, shoe, table) ?? [
      { type: 'CutCorrected', ...stamp, shoe: shoe.id, was: shoe.behindCut!, behind, by: cut, reason },
    ]
  );
}

/** Refusal while a step in the preparation of the shoe is missing; undefined if the shoe can be declared ready. */
export function shoeVerificationRefusal(shoe: ShoeState, table: Table): TableRefusal | undefined {
  if (!shoe.counted) {
    return refuseAtTable(
      'wrong-count',
      null,
      `The ${shoe.size} cards of the shoe were not counted, or the count differs; count the cards.`,
      {
        expected: shoe.size,
      },
    );
  }
  if (isShoeInspectionDue(shoe)) {
    const finding =
      shoe.inspected === null ? 'The cards have not been inspected' : 'The cards did not pass the inspection';
    return refuseAtTable('not-inspected', clausesOfTable(table).cards, `${finding}; inspect them, or bring others.`);
  }
  return shoe.behindCut === null
    ? refuseAtTable('shoe-not-ready', clausesOfTable(table).cut, 'The shoe has not been cut; cut it first.')
    : undefined;
}

export function decideVerifyShoe(stamp: EventStamp, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  const { id, size, behindCut, shuffled } = shoe;
  return (
    shoeVerificationRefusal(shoe, table) ?? [
      { type: 'ShoeVerified', ...stamp, shoe: id, size, behind: behindCut!, shuffled },
    ]
  );
}

/**
 * True while the shoe must be inspected: it failed its last inspection, or it has had none although decks or backs were
 * declared.
 */
export const isShoeInspectionDue = ({ decks, backs, inspected }: ShoeState): boolean =>
  inspected === null ? decks !== null || backs !== null : !inspected;

/** Chooses the first card of a virtual shoe; the actor who committed the order of its cards may not choose. */
export function decideChooseCutPosition(command: CommandOf<'ChooseCutPosition'>, table: Table): TableDecision {
  const { shoe } = table;
  if (!isDealtFromVirtualShoe(table)) return refuseNotHere('a live shoe is cut by hand; record that cut instead');
  if (shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe; commit one first.');
  if (shoe.cutPosition !== null)
    return refuseNotNow(table, null, 'the cut position is already chosen and cannot change');
  if (command.cutPosition >= shoe.size) {
    return tableRefusalWithClause(
      refuse('bad-request', `The cut position is ${command.cutPosition}; choose a number below ${shoe.size}.`),
    );
  }
  if (shoe.preparedBy.some((actor) => isSameActor(actor, command.actor))) {
    return refuseAtTable(
      'same-person',
      clausesOfTable(table).roles,
      'The actor who committed the shoe may not choose the cut position; let another actor choose.',
    );
  }
  return [{ type: 'CutPositionChosen', ...tableEventStamp(command), shoe: shoe.id, cutPosition: command.cutPosition }];
}

/**
 * Burns the first card, and then as many more cards as the first card counts: one for an ace, ten for a ten or picture
 * card.
 */
export function decideBurnCards(command: CommandOf<'BurnCards'>, table: Table): TableDecision {
  const { shoe, settings } = table;
  if (settings.burn === 'none') return refuseNotHere('by its settings no cards are burned');
  if (isPlaying(table) || shoe === null || !shoe.ready) {
    return refuseAtTable(
      'shoe-not-ready',
      null,
      'Cards are burned between rounds, from a shoe that is ready; finish the round, or prepare a shoe.',
    );
  }
  if (shoe.burned) return refuseNotNow(table, null, 'the first cards are already burned, so there is nothing to burn');
  const first = checkDrawnCard(command, table);
  if (isRefused(first)) return first;
  const count = pointsOf(first.card) || 10;
  if (shoe.drawn + 1 + count > shoe.size)
    return refuseMoreCardsThanShoeHolds(
      table,
      'The shoe holds too few cards for the burn; end the shoe and bring another.',
    );
  return [{ type: 'CardsBurned', ...tableEventStamp(command), shoe: shoe.id, card: first.card, count, ...first.proof }];
}
