import { isSameActor } from '../../access/actor.ts';
import { type Card, type DeckId, cardsOf, parseCard, pointsOf } from '../../rules/card.ts';
import { isRefused, quoted, refuse } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { commitmentScheme, committedIndex, isCommitted, isWholeShoe } from '../../rules/shoeCommitment.ts';
import {
  type TableDecision,
  type Stamp,
  clausesAt,
  isVirtual,
  refuseNotHere,
  refuseNotNow,
  tableStamp,
} from './decision.ts';
import { type TableRefusal, refuseAtTable, withClause } from '../schema/refusals.ts';
import { minCardsBehindCut, resolveSettings } from '../schema/settings.ts';
import { type ShoeState, type Table, isPlaying } from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';

export function decideBringShoe(command: CommandOf<'BringShoe'>, table: Table): TableDecision {
  if (isVirtual(table)) return refuseNotHere('commit a virtual shoe');
  const { shoe, seal, decks, backs } = command;
  const { setting } = table;
  const refusal = newShoeRefusal(shoe, table);
  if (refusal !== undefined) return refusal;
  if (decks !== undefined && decks !== setting.decks) {
    return refuseAtTable(
      'wrong-count',
      clausesAt(table).cards,
      `The table plays ${setting.decks} decks; bring as many.`,
      {
        expected: setting.decks,
      },
    );
  }
  return [
    {
      type: 'ShoeBrought',
      ...tableStamp(command),
      shoe,
      seal,
      size: resolveSettings(setting).size,
      ...(decks !== undefined && { decks }),
      ...(backs !== undefined && { backs }),
    },
  ];
}

export function decideCommitShoe(command: CommandOf<'CommitShoe'>, table: Table): TableDecision {
  if (!isVirtual(table)) return refuseNotHere('bring a live shoe');
  const { size } = resolveSettings(table.setting);
  const { behind } = table.setting;
  return (
    newShoeRefusal(command.shoe, table) ?? [
      {
        type: 'ShoeCommitted',
        ...tableStamp(command),
        shoe: command.shoe,
        form: commitmentScheme,
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

/** The live shoe that is being made ready. */
function shoeInPreparation(table: Table): ShoeState | TableRefusal {
  if (isVirtual(table)) return refuseNotHere('a virtual shoe is committed');
  if (table.shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe; bring one first.');
  return table.shoe.ready ? refuseNotNow(table, null, 'the shoe is ready') : table.shoe;
}

/** Faces and backs, looked at by eye. [2.1 of every book] */
export function decideInspectCards(command: CommandOf<'InspectCards'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  const { match, note } = command;
  const by = clausesAt(table).cards;
  return [
    { type: 'CardsInspected', ...tableStamp(command), shoe: shoe.id, match, ...(note !== undefined && { note }), by },
  ];
}

export function decideCountCards(command: CommandOf<'CountCards'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  return [{ type: 'CardsCounted', ...tableStamp(command), shoe: shoe.id, expected: shoe.size, counted: command.cards }];
}

export function decideShuffleShoe(command: CommandOf<'ShuffleShoe'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  return isRefused(shoe)
    ? shoe
    : [{ type: 'ShoeShuffled', ...tableStamp(command), shoe: shoe.id, method: command.method }];
}

/** Enough cards stay behind the cutting card that the last rounds can be dealt. [READING 23] */
export function decideCutShoe(command: CommandOf<'CutShoe'>, table: Table): TableDecision {
  const shoe = shoeInPreparation(table);
  if (isRefused(shoe)) return shoe;
  return (
    depthRefusal(command.behind, shoe, table) ?? [
      { type: 'ShoeCut', ...tableStamp(command), shoe: shoe.id, behind: command.behind },
    ]
  );
}

function depthRefusal(behind: number, { size }: ShoeState, table: Table): TableRefusal | undefined {
  const { cut } = clausesAt(table);
  const min = minCardsBehindCut(table.setting);
  if (behind < min) {
    return refuseAtTable(
      'too-few-behind-cut',
      cut,
      `Too few cards are behind the cutting card (${behind}); leave ${min} at least.`,
      { least: min },
    );
  }
  return behind < size
    ? undefined
    : refuseAtTable('wrong-count', cut, `The shoe has ${size} cards; put the cutting card among them.`, {
        expected: size,
      });
}

/** The depth as it truly was, where the one on record was wrong. [READING 58] */
export function decideCorrectCut(command: CommandOf<'CorrectCut'>, stamp: Stamp, table: Table): TableDecision {
  const { shoe } = table;
  const { cut } = clausesAt(table);
  if (isVirtual(table)) return refuseNotHere('the cutting card of a virtual shoe lies where the setting says');
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

/** Whether the cutting card of a live shoe must be out by count, though nobody has reported it. [READING 58] */
export const isCuttingCardDue = ({ root, size, drawn: drawnCards, behindCut, roundsLeft: left }: ShoeState): boolean =>
  root === null && left === null && drawnCards > size - behindCut!;

export function decideVerifyShoe(stamp: Stamp, table: Table): TableDecision {
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

/** A shoe whose decks or backs were told is inspected; and none is used whose cards were found wrong. */
export const needsInspection = ({ decks, backs, inspected }: ShoeState): boolean =>
  inspected === null ? decks !== null || backs !== null : !inspected;

/** Whoever committed the order cannot also choose where it begins. */
export function decideChooseTurn(command: CommandOf<'ChooseTurn'>, table: Table): TableDecision {
  const { shoe } = table;
  if (!isVirtual(table)) return refuseNotHere('a live shoe is cut by hand');
  if (shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe; commit one first.');
  if (shoe.turn !== null) return refuseNotNow(table, null, 'the turn is chosen once');
  if (command.turn >= shoe.size) {
    return withClause(refuse('bad-request', `The turn is ${command.turn}; choose a number below ${shoe.size}.`));
  }
  if (shoe.preparedBy.some((who) => isSameActor(who, command.who))) {
    return refuseAtTable(
      'same-person',
      clausesAt(table).posts,
      'Whoever committed the shoe cannot choose the turn; let another do it.',
    );
  }
  return [{ type: 'TurnChosen', ...tableStamp(command), shoe: shoe.id, turn: command.turn }];
}

type ShownCard = { readonly card: string; readonly salt?: string; readonly proof?: readonly string[] };
/** A card as the shoe gives it, with its place and proof where the shoe is virtual. */
export type DrawnCard = {
  readonly card: Card;
  readonly proof?: { index: number; salt: string; proof: readonly string[] };
};

/** The next card of the shoe as it was shown. */
export function drawCard(shown: ShownCard, table: Table): DrawnCard | TableRefusal {
  const shoe = table.shoe!;
  const { game, book } = resolveSettings(table.setting);
  const card = parseCard(shown.card, game.deck);
  if (isRefused(card)) return withClause(card);
  if (shoe.lockedBy !== null) {
    return refuseAtTable(
      'shoe-locked',
      shoe.lockedBy,
      'No card of a locked shoe is dealt; refer the round, or change the shoe.',
    );
  }
  if (shoe.drawn >= shoe.size && !shoe.carried) {
    return refuseAtTable(
      'shoe-over',
      book.irregularities['too-few-cards'].by,
      'The shoe has no card left; report too few cards.',
    );
  }
  const { salt, proof } = shown;
  if (!isVirtual(table)) {
    return salt === undefined && proof === undefined
      ? { card }
      : refuseNotHere('leave salt and proof out for a live shoe');
  }
  const index = committedIndex(shoe.size, shoe.turn!, shoe.drawn);
  const commitment = { shoe: shoe.id, size: shoe.size, root: shoe.root! };
  if (salt === undefined || proof === undefined || !isCommitted(commitment, index, card, salt, proof)) {
    return refuseAtTable(
      'wrong-proof',
      null,
      `${card} is not shown to be card ${index} of the shoe; give the committed card with its salt and proof.`,
    );
  }
  return { card, proof: { index, salt, proof } };
}

/** The first card tells how many more are laid aside: an ace one, a ten or picture ten. */
export function decideBurnCards(command: CommandOf<'BurnCards'>, table: Table): TableDecision {
  const { shoe, setting } = table;
  if (setting.burn === 'none') return refuseNotHere('this table burns no cards');
  if (isPlaying(table) || shoe === null || !shoe.ready) {
    return refuseAtTable('shoe-not-ready', null, 'Cards are burned before the first round of a shoe; make one ready.');
  }
  if (shoe.burned) return refuseNotNow(table, null, 'the cards are burned once');
  const first = drawCard(command, table);
  if (isRefused(first)) return first;
  const count = pointsOf(first.card) || 10;
  return [{ type: 'CardsBurned', ...tableStamp(command), shoe: shoe.id, card: first.card, count, ...first.proof }];
}

/** [ETG 3.10, HOUSE 3] */
export function decideReportCuttingCard(command: CommandOf<'ReportCuttingCard'>, table: Table): TableDecision {
  const { shoe, round } = table;
  const { cut } = clausesAt(table);
  if (isVirtual(table)) return refuseNotHere('the table itself knows when the cutting card comes');
  if (shoe === null || !shoe.ready)
    return refuseAtTable('shoe-not-ready', cut, 'There is no shoe that is ready; bring one and have it verified.');
  if (shoe.roundsLeft !== null) return refuseNotNow(table, cut, 'the cutting card is out already');
  return [
    {
      type: 'CuttingCardOut',
      ...tableStamp(command),
      shoe: shoe.id,
      ...(isPlaying(table) && { round: round!.id }),
      by: cut,
      roundsLeft: roundsLeft(table),
    },
  ];
}

/**
 * Out before the first card of a round, that round is the last; else as the setting says. [READING 23] Reported between
 * rounds where it must be out already, it came out in the round before. [READING 58]
 */
export function roundsLeft(table: Table): number {
  if (!isPlaying(table)) return isCuttingCardDue(table.shoe!) ? table.setting.roundsAfterCut : 1;
  return table.round!.begun ? table.setting.roundsAfterCut : 0;
}

/** What the shoe should have held against what was seen. A difference is reported; no round is touched. [READING 25] */
export function decideEndShoe(command: CommandOf<'EndShoe'>, stamp: Stamp, table: Table): TableDecision {
  const { shoe } = table;
  if (isPlaying(table)) return refuseNotNow(table, null, 'finish the round first');
  if (shoe === null) return refuseAtTable('shoe-not-ready', null, 'There is no shoe to end; bring one.');
  const { game } = resolveSettings(table.setting);
  const { seen, cards, salts } = command;
  if (shoe.root === null) {
    if (seen === undefined || cards !== undefined || salts !== undefined) {
      return refuseNotHere('give "seen", how often each card was counted, in the shoe and out of it');
    }
    const counts = normalizeCounts(seen, game.deck);
    if (isRefused(counts)) return counts;
    const compared = compareCounts(counts, game.deck, table.setting.decks);
    return [{ type: 'ShoeEnded', ...stamp, shoe: shoe.id, expected: shoe.size, ...compared }];
  }
  if (shoe.lockedBy !== null && cards === undefined && salts === undefined && seen === undefined) {
    // A device that has lost its order cannot open it: written down as such. [READING 29]
    const drawnCards = Object.values(shoe.seen).reduce((sum, times) => sum + times, 0);
    const ended = { shoe: shoe.id, expected: shoe.size, seen: drawnCards, extra: {}, missing: {}, unopened: true };
    return [{ type: 'ShoeEnded', ...stamp, ...ended }];
  }
  if (cards === undefined || salts === undefined || seen !== undefined) {
    return refuseNotHere('give "cards" and "salts", all of the shoe in their committed order');
  }
  const opened: Card[] = [];
  for (const text of cards) {
    const card = parseCard(text, game.deck);
    if (isRefused(card)) return withClause(card);
    opened.push(card);
  }
  if (!isWholeShoe({ shoe: shoe.id, size: shoe.size, root: shoe.root }, opened, salts)) {
    return refuseAtTable('wrong-proof', null, 'These are not the cards that were committed; open the shoe as it was.');
  }
  const counts: { [card: string]: number } = {};
  for (const card of opened) counts[card] = (ownValue(counts, card) ?? 0) + 1;
  return [
    {
      type: 'ShoeEnded',
      ...stamp,
      shoe: shoe.id,
      expected: shoe.size,
      ...compareCounts(counts, game.deck, table.setting.decks),
      cards: opened,
      salts,
    },
  ];
}

type Counts = { readonly [card: string]: number };

/** How often each card was counted, by the card it stands for. */
export function normalizeCounts(seen: Counts, deck: DeckId): Counts | TableRefusal {
  const counts: { [card: string]: number } = {};
  for (const [text, times] of Object.entries(seen)) {
    const card = parseCard(text, deck);
    if (isRefused(card)) return withClause(card);
    counts[card] = (ownValue(counts, card) ?? 0) + times;
  }
  return counts;
}

/** What so many decks hold against what was counted. */
export function compareCounts(counts: Counts, deck: DeckId, decks: number) {
  const extra: { [card: string]: number } = {};
  const missing: { [card: string]: number } = {};
  let seen = 0;
  for (const card of cardsOf(deck)) {
    const times = ownValue(counts, card) ?? 0;
    seen += times;
    if (times > decks) extra[card] = times - decks;
    if (times < decks) missing[card] = decks - times;
  }
  return { seen, extra, missing };
}
