import { type Actor, type StaffActor } from '../../src/access/actor.ts';
import { isRefused } from '../../src/base/refusal.ts';
import { applyEventsWithPostings, tableDecider } from '../../src/deciders/deciders.ts';
import { chosenDeals } from '../../src/labpack/vectors/chosenDeals.ts';
import { type Card, cardsOfDeck } from '../../src/rules/card.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { irregularityToRuleOn } from '../../src/table/irregularities.ts';
import { type CommandName, type CommandOf, type TableCommand } from '../../src/table/schema/commands.ts';
import { decide } from '../../src/table/decide/decide.ts';
import { type TableDecision } from '../../src/table/decide/decision.ts';
import { type Slip } from '../../src/table/schema/fieldTypes.ts';
import {
  TableScenario,
  afterSettlement,
  dealer,
  defaultSettings,
  gameOf,
  managers,
  shiftManager,
  supervisor,
} from '../table/tableScenario.ts';
import { type StormFloor, type StormTerminal } from './stormFloor.ts';

/** A second shift manager, who decides what the first has referred or approves what the first decides. */
const otherManager: StaffActor = { person: 'g2', role: 'gaming-shift-manager' };
export type Fields<N extends CommandName> = Omit<CommandOf<N>, 'type' | 'at' | 'actor'>;
type Slips = { readonly [terminal: string]: Slip };

/** A live table of the storm, with the cards that are left in its shoe. */
export class StormTable extends TableScenario {
  readonly floor: StormFloor;
  readonly patrons: readonly StormTerminal[];
  readonly #stream: string;
  readonly #left = new Map<Card, number>();
  /** Deals that reach the pay lines of the game; they are dealt first. */
  readonly #arranged: (readonly Card[])[];
  #shoes = 0;

  constructor(floor: StormFloor, patrons: readonly StormTerminal[], name: string, changes: object = {}) {
    super();
    this.floor = floor;
    this.patrons = patrons;
    const table = [name, ...Object.entries(changes).flat()].join('-');
    this.#stream = `sg1/table/${table}`;
    this.#arranged = (chosenDeals[name] as readonly (readonly Card[])[]).filter(isComplete);
    this.open(name, { table, ...changes });
    this.changeShoe();
  }

  /** As a running table does: without the copies that show that `decide` changes no state. */
  override submit<N extends CommandName>(type: N, fields: Fields<N>, actor: Actor = dealer): TableDecision {
    this.at = this.floor.at = Math.max(this.floor.at, this.at);
    const command = { type, at: this.at, actor, ...fields } as unknown as TableCommand;
    const decision = decide(command, this.table);
    if (isRefused(decision)) return decision;
    const { entries, state: table } = applyEventsWithPostings(tableDecider, decision, this.table);
    this.table = table;
    this.entries.push(...structuredClone(entries));
    this.floor.enter(this.#stream, { type, ...fields, actor }, entries);
    return decision;
  }

  /** True when the table accepts the command, and the second person approves it where one is needed. */
  attempt<N extends CommandName>(
    type: N,
    fields: Fields<N>,
    [first, second]: readonly [StaffActor, StaffActor] = [dealer, supervisor],
  ): boolean {
    if (isRefused(this.submit(type, fields, first))) return false;
    const { proposal } = this.table!;
    if (proposal === null) return true;
    const { id, hash } = proposal;
    return !isRefused(this.submit('Approve', { proposal: id, hash, credits: this.floor.credits }, second));
  }

  /** As `attempt`, but a refusal is an error of the test. */
  rule<N extends CommandName>(type: N, fields: Fields<N>, persons?: readonly [StaffActor, StaffActor]): void {
    if (!this.attempt(type, fields, persons))
      throw new Error(`${type} is refused in ${JSON.stringify(this.table!.phase)}`);
  }
  ruleAfterSettlement<N extends CommandName>(type: N, fields: Fields<N>): void {
    this.rule(type, fields, afterSettlement);
  }

  /** The whole shoe is counted and leaves; a new one is verified. `between` is done while there is none. */
  changeShoe(between: () => void = () => {}): void {
    const deck = cardsOfDeck(gameOf(this.table!.settings.game).deck);
    if (this.table!.shoe !== null)
      this.rule('EndShoe', { seen: Object.fromEntries(deck.map((card) => [card, this.table!.settings.decks])) });
    between();
    for (const card of deck) this.#left.set(card, this.table!.settings.decks);
    this.shoe(`${this.table!.settings.table}-${++this.#shoes}`);
  }
  changeWagers(offered: readonly string[]): void {
    const limits = Object.fromEntries(offered.map((wager) => [wager, [100, 100_000]]));
    const { game, table, chunk } = this.table!.settings;
    const settings = defaultSettings(game, { table, chunk, offered, limits });
    this.changeShoe(() => this.rule('ChangeSettings', { settings }, managers));
  }

  /** The next card of the shoe, of those that are left; `isWanted` narrows the choice. */
  draw(isWanted: (card: Card) => boolean = () => true): Card {
    const left = [...this.#left].flatMap(([card, count]) => (isWanted(card) ? Array<Card>(count).fill(card) : []));
    return this.#take(this.floor.pick(left));
  }
  #take(card: Card): Card {
    this.#left.set(card, this.#left.get(card)! - 1);
    return card;
  }
  /** A correction: the card that really left the shoe replaces the recorded card, which is still in the shoe. */
  correction(place: number, isWanted: (card: Card) => boolean = () => true, round = this.round): Fields<'CorrectCard'> {
    const { cards } = [...this.table!.history, this.table!.round!].findLast(({ id }) => id === round)!;
    const was = cards[place - 1]!;
    const card = this.draw((each) => each !== was && isWanted(each));
    if (round.includes(`/${this.table!.shoe!.id}/`)) this.#left.set(was, this.#left.get(was)! + 1);
    return { round, place, card, reason: 'It was misread.', credits: this.floor.credits };
  }
  get #count(): number {
    return [...this.#left.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Bets of most patrons on some wagers each; the first patron bets on every wager. */
  takeBets(): void {
    this.do('OpenBets', {});
    const { offered } = this.table!.settings;
    for (const [index, patron] of this.patrons.entries()) {
      const wagers = offered.filter(() => index === 0 || this.floor.random.below(3) === 0);
      const slip = Object.fromEntries(wagers.map((wager) => [wager, 100 * (1 + this.floor.random.below(20))]));
      if (wagers.length > 0 && this.table!.settings.bets !== 'chips') this.bet(patron, slip);
    }
  }
  bet(patron: StormTerminal, slip: Slip): void {
    this.do('SetSlip', { round: this.round, slip, credit: patron.credit }, { terminal: patron.session });
  }

  /** Opens and closes bets. A shoe with few cards is changed first. */
  begin(): this {
    if (this.#count < 60 || this.table!.shoe!.lockedBy !== null) this.changeShoe();
    this.takeBets();
    return this.close();
  }
  get cards(): readonly Card[] {
    return this.table!.round!.cards;
  }
  dealCard(card = this.draw()): void {
    this.do('DealCard', { slot: nextSlot(this.cards)!, card });
  }
  dealUpTo(count: number, isWanted?: (card: Card) => boolean): this {
    while (this.cards.length < count && nextSlot(this.cards) !== undefined) this.dealCard(this.draw(isWanted));
    return this;
  }
  /** All cards of the round: an arranged deal as long as there is one, then chance. */
  dealAll(): this {
    const arranged = this.cards.length === 0 ? (this.#arranged.at(-1) ?? []) : [];
    if (arranged.some((card) => arranged.filter((each) => each === card).length > this.#left.get(card)!))
      return this.dealUpTo(6);
    for (const card of arranged) this.dealCard(this.#take(card));
    if (arranged.length > 0) this.#arranged.pop();
    return this.dealUpTo(6);
  }
  get hasArrangedDeals(): boolean {
    return this.#arranged.length > 0;
  }
  playStorm(): this {
    return this.begin().dealAll().payAll();
  }
  payFirstChunk(): this {
    this.wait(2_000).do('Settle', { credits: this.floor.credits });
    return this;
  }
  payAll(): this {
    return this.payFirstChunk().post();
  }
  post(): this {
    while (this.table!.pendingSettlements.length > 0) this.do('PostSettlement', { credits: this.floor.credits });
    return this;
  }

  /** The slips of a round, except those that were voided alone. */
  slipsOf(round: string): Slips {
    const slips: { [terminal: string]: Slip } = {};
    for (const { terminal, slip, ...event } of this.events('SlipSet'))
      if (event.round === round) slips[terminal] = slip;
    for (const { terminal, ...event } of this.events('SlipVoided')) if (event.round === round) delete slips[terminal];
    return slips;
  }

  /** Plays on until nothing is open. */
  finish(): void {
    for (let step = 0; step < 60; step++) {
      const { referrals, pendingSettlements, phase } = this.table!;
      if (irregularityToRuleOn(this.table!) !== undefined) this.#dismiss();
      else if (referrals.length > 0) this.#decide();
      else if (pendingSettlements.length > 0 && phase === 'idle') this.post();
      else if (phase === 'idle') return;
      else this.#playOn();
    }
    throw new Error(`the round does not end: ${JSON.stringify(this.table!.openIrregularities)}`);
  }
  #dismiss(): void {
    const reason = 'It was none.';
    const persons = [
      [dealer, supervisor],
      [supervisor, shiftManager],
    ] as const;
    if (!persons.some((each) => this.attempt('DismissReport', { reason }, each)))
      this.ruleAfterSettlement('VoidRound', { reason, credits: this.floor.credits });
  }
  #decide(): void {
    const decisions = ['continue', 'stand', 'burn', 'void'] as const;
    const fields = (decision: (typeof decisions)[number]) => ({
      decision,
      reason: 'So it is.',
      credits: this.floor.credits,
    });
    const persons = [shiftManager, otherManager] as const;
    if (!decisions.some((decision) => this.attempt('DecideReferral', fields(decision), persons)))
      throw new Error(`no decision for ${JSON.stringify(this.table!.referrals)}`);
  }
  #playOn(): void {
    const { phase } = this.table!;
    if (phase === 'betting') this.close();
    else if (phase === 'dealing') this.dealCard();
    else this.payFirstChunk();
  }
}

const isComplete = (cards: readonly Card[]): boolean => cards.length >= 4 && nextSlot(cards) === undefined;
