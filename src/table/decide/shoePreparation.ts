import { isSameActor } from '../../access/actor.ts';
import { isRefused, quoted, refuse } from '../../base/refusal.ts';
import { pointsOf } from '../../rules/card.ts';
import { commitmentScheme } from '../../rules/shoeCommitment.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type TableRefusal, refuseAtTable, withClause } from '../schema/refusals.ts';
import { minCardsBehindCut, gameAndRulebookOf } from '../schema/settings.ts';
import { type ShoeState, type Table, isPlaying } from '../state.ts';
import { checkDrawnCard } from './cards.ts';
import {
  type TableDecision,
  type EventStamp,
  clausesAt,
  usesVirtualShoe,
  refuseNotHere,
  refuseNotNow,
  tableEventStamp,
} from './decision.ts';

export function decideBringShoe(command: CommandOf<'BringShoe'>, table: Table): TableDecision {
  if (usesVirtualShoe(table)) return refuseNotHere('commit a virtual shoe');
  const { shoe, seal, decks, backs } = command;
  const { settings } = table;
  const refusal = newShoeRefusal(shoe, table);
  if (refusal !== undefined) return refusal;
  if (decks !== undefined && decks !== settings.decks) {
    return refuseAtTable(
      'wrong-count',
      clausesAt(table).cards,
      `The table plays ${settings.decks} decks; bring as many.`,
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
  if (!usesVirtualShoe(table)) return refuseNotHere('bring a live shoe');
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
    ? refuseAtTable('shoe-used', null, `A shoe ${quoted(id)} was here before; give this one an id of its own.`)
    : undefined;
}

function shoeInPreparation(table: Table): ShoeState | TableRefusal {
  if (usesVirtualShoe(table)) return refuseNotHere('a virtual shoe is committed');
  if (table.shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe; bring one first.');
  return table.shoe.ready ? refuseNotNow(table, null, 'the shoe is ready') : table.shoe;
}

/** Visual inspection of faces and backs. [2.1 of every book] */
export function decideInspectCards(command: CommandOf<'InspectCards'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  const { match, note } = command;
  const by = clausesAt(table).cards;
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

/** Enough cards stay behind the cutting card for the last rounds. [READING 23] */
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
  const { cut } = clausesAt(table);
  const min = minCardsBehindCut(table.settings);
  if (behind < min) {
    return refuseAtTable(
      'too-few-behind-cut',
      cut,
      `Too few cards are behind the cutting card (${behind}); leave ${min} at least.`,
      { minimum: min },
    );
  }
  return behind < size
    ? undefined
    : refuseAtTable('wrong-count', cut, `The shoe has ${size} cards; put the cutting card among them.`, {
        expected: size,
      });
}

/** Corrects a wrongly recorded depth of the cutting card. [READING 58] */
export function decideCorrectCut(command: CommandOf<'CorrectCut'>, stamp: EventStamp, table: Table): TableDecision {
  const { shoe } = table;
  const { cut } = clausesAt(table);
  if (usesVirtualShoe(table)) return refuseNotHere('the cutting card of a virtual shoe lies where the setting says');
  if (shoe === null || !shoe.ready)
    return refuseAtTable('shoe-not-ready', cut, 'There is no shoe that is ready; bring one and have it verified.');
  if (isPlaying(table)) return refuseNotNow(table, cut, 'finish the round first');
  if (shoe.roundsLeft !== null) return refuseNotNow(table, cut, 'the cutting card is out already');
  const { behind, reason } = command;
  return (
    depthRefusal(behind, shoe, table) ?? [
      { type: 'CutCorrected', ...stamp, shoe: shoe.id, was: shoe.behindCut!, behind, by: cut, reason },
    ]
  );
}

export function decideVerifyShoe(stamp: EventStamp, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  if (!shoe.counted) {
    return refuseAtTable('wrong-count', null, `The cards are not counted, or not ${shoe.size}; count them.`, {
      expected: shoe.size,
    });
  }
  if (needsInspection(shoe)) {
    const finding = shoe.inspected === null ? 'The cards are not inspected' : 'The cards are not the decks of the shoe';
    return refuseAtTable('not-inspected', clausesAt(table).cards, `${finding}; inspect them, or bring others.`);
  }
  if (shoe.behindCut === null)
    return refuseAtTable('shoe-not-ready', clausesAt(table).cut, 'The shoe is not cut; cut it.');
  const { id, size, behindCut: behind, shuffled } = shoe;
  return [{ type: 'ShoeVerified', ...stamp, shoe: id, size, behind, shuffled }];
}

/** A shoe with declared decks or backs needs an inspection, and a failed inspection blocks it. */
export const needsInspection = ({ decks, backs, inspected }: ShoeState): boolean =>
  inspected === null ? decks !== null || backs !== null : !inspected;

/** The actor who committed the order may not choose the cut position. */
export function decideChooseCutPosition(command: CommandOf<'ChooseCutPosition'>, table: Table): TableDecision {
  const { shoe } = table;
  if (!usesVirtualShoe(table)) return refuseNotHere('a live shoe is cut by hand');
  if (shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe; commit one first.');
  if (shoe.cutPosition !== null) return refuseNotNow(table, null, 'the turn is chosen once');
  if (command.cutPosition >= shoe.size) {
    return withClause(refuse('bad-request', `The turn is ${command.cutPosition}; choose a number below ${shoe.size}.`));
  }
  if (shoe.preparedBy.some((who) => isSameActor(who, command.actor))) {
    return refuseAtTable(
      'same-person',
      clausesAt(table).roles,
      'The actor who committed the shoe may not choose the turn; let another do it.',
    );
  }
  return [{ type: 'CutPositionChosen', ...tableEventStamp(command), shoe: shoe.id, cutPosition: command.cutPosition }];
}

/** The first card says how many more are burned: an ace one, a ten or picture ten. */
export function decideBurnCards(command: CommandOf<'BurnCards'>, table: Table): TableDecision {
  const { shoe, settings } = table;
  if (settings.burn === 'none') return refuseNotHere('this table burns no cards');
  if (isPlaying(table) || shoe === null || !shoe.ready) {
    return refuseAtTable('shoe-not-ready', null, 'Cards are burned before the first round of a shoe; make one ready.');
  }
  if (shoe.burned) return refuseNotNow(table, null, 'the cards are burned once');
  const first = checkDrawnCard(command, table);
  if (isRefused(first)) return first;
  const count = pointsOf(first.card) || 10;
  return [{ type: 'CardsBurned', ...tableEventStamp(command), shoe: shoe.id, card: first.card, count, ...first.proof }];
}
