// Entry point `punto`: cards, game versions, deals, settlement, and the wagers that the cards dealt so far decide.
export {
  type Card,
  type DeckId,
  type Rank,
  type Suit,
  cardsOfDeck,
  deckOfCard,
  decks,
  isDeckId,
  parseCard,
  pointsOf,
  rankOf,
  suitOf,
} from '../rules/card.ts';
export { type ShoeDecks, allCardsOfShoe, parseShoeDecks } from '../rules/shoe.ts';
export { type Side, isNatural, isPair, totalOf } from '../rules/hand.ts';
export { type Hands, type CardSlot, sideToDraw, handsOf, nextSlot, slots } from '../rules/play.ts';
export { type Deal, parseDeal, parseDealtCards } from '../rules/deal.ts';
export { type FactName, type FactValue, type Facts, factNames, factValues } from '../rules/facts.ts';
export { type Ratio, formatRatio } from '../base/ratio.ts';
export { type LossLine, type PayLine, type Wager, type FactPattern, chipStepOfWager } from '../rules/wager.ts';
export {
  type Game,
  versionedGameId,
  parseLayout,
  chipStepOf,
  wagerIdsOf,
  wagerOf,
  parseWagerIds,
} from '../rules/game.ts';
export { type WagerOutcome, type WagerResultKind, type SettledStake, wagerOutcomeOf, settle } from '../rules/settle.ts';
export { type DecidedWagers, decidedWagers } from '../rules/decidedWagers.ts';
export { type WagerStatus, wagerStatuses } from '../rules/wagerStatus.ts';
export { factPatternText, factMeanings, payTableRows, paysText } from '../rules/payTableText.ts';
export { canonicalJson, hashOf } from '../base/canonicalJson.ts';
export {
  type ShoeCommitment,
  cardProof,
  commitmentScheme,
  committedIndex,
  isCommittedCard,
  isCommittedShoe,
  shoeRoot,
  shoeTree,
} from '../rules/shoeCommitment.ts';
export { type Refusal, isRefused } from '../base/refusal.ts';
export { baccarat } from '../games/baccarat.ts';
export { sandsSuper } from '../games/sandsSuper.ts';
export { sandsElements } from '../games/sandsElements.ts';
export { fabulous4 } from '../games/fabulous4.ts';
export { fortuneSix, noCommissionBaccarat, super6, superSix, tiger, tigerNoCommission } from '../games/electronic.ts';
export { parseGame } from '../games/parseGame.ts';
export { findGame, games, isInForce } from '../games/registry.ts';
export { RefusalError, orThrow } from './orThrow.ts';
