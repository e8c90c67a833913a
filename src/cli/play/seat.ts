import { type Actor } from '../../access/actor.ts';
import { isRefused } from '../../base/refusal.ts';
import { applyEventsWithPostings, tableDecider } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { type Card } from '../../rules/card.ts';
import { type Game, versionedGameId, wagerIdsOf } from '../../rules/game.ts';
import { nextSlot } from '../../rules/play.ts';
import { type TableCommand, type CommandName, type CommandOf } from '../../table/schema/commands.ts';
import { committedIndex } from '../../rules/shoeCommitment.ts';
import { decide } from '../../table/decide/decide.ts';
import { type TableDecision } from '../../table/decide/decision.ts';
import { type EventName, type EventOf, type TableEvent } from '../../table/schema/events.ts';
import { type Slip } from '../../table/schema/fieldTypes.ts';
import { type StakeResult } from '../../table/payouts.ts';
import { nextCommands } from '../../table/views/nextCommands.ts';
import { type TableRefusal } from '../../table/schema/refusals.ts';
import { type TableSettings, type TableSettingsInput } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { terminalView } from '../../table/views/publicView.ts';
import { creditSessionId } from '../../terminal/state.ts';
import { CliError } from '../support/cliError.ts';
import { type RandomSource } from '../../runtime/ports/random.ts';
import { type PlayTotals, MemoryLedger } from './memoryLedger.ts';
import { type VirtualShoe, shuffleVirtualShoe } from '../../runtime/tables/virtualShoe.ts';

const terminalId = 'T1';
/** Id of the credit session. The terminal stays in its first credit session. */
const session = creditSessionId(terminalId, 1);
const patron: Actor = { terminal: session };
const floor: Actor = { system: 'floor' };
const shuffler: Actor = { system: 'shuffler' };

/** Demo credit that a single load adds, in minor units: 1,000.00 in currency units. */
export const demoCredit = 100_000;

/** Settings of the table. Bets close when the patron types `deal`, so the betting time is 0. */
const settingsFor = (game: Game): TableSettingsInput => ({
  property: 'demo',
  table: 'play',
  // XTS: the ISO 4217 code for testing.
  currency: 'XTS',
  profile: { name: 'demo', version: '1', approved: [versionedGameId(game)], timeZone: 'UTC', dayStartHour: 6 },
  game: versionedGameId(game),
  limits: Object.fromEntries(
    wagerIdsOf(game).map((wager) => [
      wager,
      [100, wager === 'player' || wager === 'banker' ? 50_000 : 10_000] as const,
    ]),
  ),
  bettingTime: 0,
  grace: 0,
  pause: 0,
  dealing: 'virtual',
  attended: false,
});

type CommandFields<N extends CommandName> = Omit<CommandOf<N>, 'type' | 'at' | 'actor'>;
export type SeatOptions = { readonly random: RandomSource; readonly clock: () => number; readonly credit?: number };

/**
 * A dealt card, with all cards of the round so far. `cuttingCard` is set if the cutting card came out immediately
 * before this card.
 */
type DealtCard = {
  readonly event: EventOf<'CardDealt'>;
  readonly cards: readonly Card[];
  readonly cuttingCard: EventOf<'CuttingCardOut'> | undefined;
};

/**
 * Seat of a patron at an unattended table. The ledger is in memory. As in the server, the table decider decides every
 * command.
 */
export class Seat {
  readonly game: Game;
  readonly #random: RandomSource;
  readonly #clock: () => number;
  readonly #ledger = new MemoryLedger();
  #table: Table | undefined;
  #shoe: VirtualShoe | undefined;
  #shoeCount = 0;

  constructor(game: Game, { random, clock, credit = demoCredit }: SeatOptions) {
    this.game = game;
    this.#random = random;
    this.#clock = clock;
    this.#submit('OpenTable', floor, { settings: settingsFor(game) });
    const { property, currency } = this.settings;
    this.#ledger.submit({ type: 'SeatTerminal', at: clock(), actor: floor, terminal: terminalId, property, currency });
    this.load(credit);
  }

  get table(): Table {
    assert(this.#table !== undefined, 'the table is open');
    return this.#table;
  }

  get settings(): TableSettings {
    return this.table.settings;
  }

  /** Credit of the patron in minor units, without the open stakes. */
  get credit(): number {
    return this.#ledger.credit(this.settings, session);
  }

  get totals(): PlayTotals {
    return this.#ledger.totals(this.settings, session);
  }

  get slip(): Slip {
    return terminalView(this.table, session).slip;
  }

  /** Results of the stakes; empty before the round is settled. */
  get paid(): readonly StakeResult[] {
    return terminalView(this.table, session).paid ?? [];
  }

  load(amount: number): void {
    this.#ledger.submit({ type: 'LoadCredit', at: this.#clock(), actor: floor, method: 'promotion', amount });
  }

  /**
   * Opens bets. If the table needs a new shoe, first ends the old shoe, commits the new one and chooses its cut
   * position.
   */
  open(): readonly TableEvent[] {
    const events: TableEvent[] = [];
    while (this.table.phase === 'idle') events.push(...this.#step(nextCommands(this.table)[0]!));
    return events;
  }

  /**
   * Replaces the slip. Returns true if the new slip differs from the old one, and false if both are the same. If the
   * new slip is refused, returns the refusal.
   */
  place(slip: Slip): boolean | TableRefusal {
    const decision = this.#decide('SetSlip', patron, { round: this.table.round!.id, slip, credit: this.credit });
    return isRefused(decision) ? decision : decision.length > 0;
  }

  /** Closes bets and deals one card at a time. The decider checks every card against the committed root. */
  *deal(): Generator<DealtCard> {
    this.#submit('CallClose', floor, {});
    this.#submit('CloseBets', floor, {});
    while (this.table.phase === 'dealing') {
      const { shoe, round } = this.table;
      const index = committedIndex(shoe!.size, shoe!.cutPosition!, shoe!.drawn);
      const events = this.#submit('DealCard', floor, { slot: nextSlot(round!.cards)!, ...this.#shoe!.at(index) });
      yield {
        event: findEvent(events, 'CardDealt')!,
        cards: [...round!.cards],
        cuttingCard: findEvent(events, 'CuttingCardOut'),
      };
    }
  }

  settle(): void {
    this.#submit('Settle', floor, {});
  }

  /**
   * Ends the shoe if its end is due; with `force`, after any round. Returns the event, which contains the cards and
   * salts of the shoe; undefined if the shoe does not end.
   */
  endShoe(force = false): EventOf<'ShoeEnded'> | undefined {
    const [next, ...others] = nextCommands(this.table);
    const isDue = next === 'EndShoe' || (force && others.includes('EndShoe'));
    return isDue ? findEvent(this.#step('EndShoe'), 'ShoeEnded') : undefined;
  }

  #step(command: CommandName): readonly TableEvent[] {
    if (command === 'CommitShoe') {
      const shoe = { deck: this.game.deck, decks: this.settings.decks };
      this.#shoe = shuffleVirtualShoe(`V${++this.#shoeCount}`, shoe, this.#random);
      return this.#submit('CommitShoe', shuffler, { shoe: this.#shoe.id, root: this.#shoe.root });
    }
    if (command === 'ChooseCutPosition') {
      return this.#submit('ChooseCutPosition', patron, { cutPosition: this.#random.below(this.table.shoe!.size) });
    }
    if (command === 'EndShoe') {
      const { cards, salts } = this.#shoe!;
      return this.#submit('EndShoe', floor, { cards, salts });
    }
    assert(command === 'OpenBets', 'a table with one patron needs no other command between rounds');
    return this.#submit('OpenBets', floor, {});
  }

  /** Submits a command that must be accepted. Throws a `CliError` if the decider refuses the command. */
  #submit<N extends CommandName>(type: N, actor: Actor, fields: CommandFields<N>): readonly TableEvent[] {
    const decision = this.#decide(type, actor, fields);
    if (isRefused(decision)) throw new CliError(1, decision.refused, decision.message);
    return decision;
  }

  #decide<N extends CommandName>(type: N, actor: Actor, fields: CommandFields<N>): TableDecision {
    const decision = decide({ type, at: this.#clock(), actor, ...fields } as unknown as TableCommand, this.#table);
    if (isRefused(decision)) return decision;
    for (const event of decision) {
      if (event.type === 'SettlementPosted') this.#ledger.addToMeters(event, this.table);
      const { entries, state: table } = applyEventsWithPostings(tableDecider, [event], this.#table);
      this.#table = table;
      for (const { postings } of entries) this.#ledger.applyPostings(postings);
    }
    return decision;
  }
}

export const findEvent = <N extends EventName>(events: readonly TableEvent[], type: N): EventOf<N> | undefined =>
  events.find((event): event is TableEvent & EventOf<N> => event.type === type);
