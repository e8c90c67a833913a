import { type Actor } from '../../access/actor.ts';
import { isRefused } from '../../base/refusal.ts';
import { applyEvents, tableDecider } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { type Card } from '../../rules/card.ts';
import { type Game, fullNameOf, wagerIdsOf } from '../../rules/game.ts';
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
import { sessionId } from '../../terminal/state.ts';
import { CliError } from '../support/cliError.ts';
import { type RandomSource } from '../../runtime/ports/random.ts';
import { type PlayTotals, MemoryLedger } from './memoryLedger.ts';
import { type VirtualShoe, shuffledShoe } from '../../runtime/tables/virtualShoe.ts';

/** A terminal of one's own has one session. */
const machine = 'T1';
const terminal = sessionId(machine, 1);
const patron: Actor = { terminal };
const floor: Actor = { system: 'floor' };
const shuffler: Actor = { system: 'shuffler' };

/** Demo credit that is loaded at once: 1,000.00. */
export const demoCredit = 100_000;

/** No time runs at a table with one patron: it closes when that patron is ready. */
const settingFor = (game: Game): TableSettingsInput => ({
  property: 'demo',
  table: 'play',
  // The code that currencies keep free for trials.
  currency: 'XTS',
  profile: { name: 'demo', version: '1', approved: [fullNameOf(game)], timeZone: 'UTC', dayStartHour: 6 },
  game: fullNameOf(game),
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

type Fields<N extends CommandName> = Omit<CommandOf<N>, 'type' | 'at' | 'actor'>;
export type SeatOptions = { readonly chance: RandomSource; readonly clock: () => number; readonly credit?: number };

/** A card, all cards of the round up to it, and the cutting card if it came out before it. */
type Dealt = {
  readonly dealt: EventOf<'CardDealt'>;
  readonly cards: readonly Card[];
  readonly cuttingCard: EventOf<'CuttingCardOut'> | undefined;
};

/** One patron at an unattended table of one's own, with the books beside it. All rules are the table's. */
export class Seat {
  readonly game: Game;
  readonly #chance: RandomSource;
  readonly #clock: () => number;
  readonly #ledger = new MemoryLedger();
  #table: Table | undefined;
  #shoe: VirtualShoe | undefined;
  #shoes = 0;

  constructor(game: Game, { chance, clock, credit = demoCredit }: SeatOptions) {
    this.game = game;
    this.#chance = chance;
    this.#clock = clock;
    this.#do('OpenTable', floor, { settings: settingFor(game) });
    const { property, currency } = this.settings;
    this.#ledger.ask({ type: 'SeatTerminal', at: clock(), actor: floor, terminal: machine, property, currency });
    this.load(credit);
  }

  get table(): Table {
    assert(this.#table !== undefined, 'the table is open');
    return this.#table;
  }

  get settings(): TableSettings {
    return this.table.settings;
  }

  /** What can still be staked, the stakes on the table left out. */
  get credit(): number {
    return this.#ledger.credit(this.settings, terminal);
  }

  get figures(): PlayTotals {
    return this.#ledger.figures(this.settings, terminal);
  }

  get slip(): Slip {
    return terminalView(this.table, terminal).slip;
  }

  /** What became of each stake, once the round is settled. */
  get paid(): readonly StakeResult[] {
    return terminalView(this.table, terminal).paid ?? [];
  }

  load(amount: number): void {
    this.#ledger.ask({ type: 'LoadCredit', at: this.#clock(), actor: floor, method: 'promotion', amount });
  }

  /** Opens bets, and before that whatever the table asks for: the end of a shoe, a new one, its turn. */
  open(): readonly TableEvent[] {
    const events: TableEvent[] = [];
    while (this.table.phase === 'idle') events.push(...this.#step(nextCommands(this.table)[0]!));
    return events;
  }

  /** Sets all stakes at once; whether something changed, or why nothing did. */
  place(slip: Slip): boolean | TableRefusal {
    const decision = this.#ask('SetSlip', patron, { round: this.table.round!.id, slip, credit: this.credit });
    return isRefused(decision) ? decision : decision.length > 0;
  }

  /** Closes bets and deals, card by card. The table checks every card against the root. */
  *deal(): Generator<Dealt> {
    this.#do('CallClose', floor, {});
    this.#do('CloseBets', floor, {});
    while (this.table.phase === 'dealing') {
      const { shoe, round } = this.table;
      const index = committedIndex(shoe!.size, shoe!.cutPosition!, shoe!.drawn);
      const events = this.#do('DealCard', floor, { slot: nextSlot(round!.cards)!, ...this.#shoe!.at(index) });
      yield {
        dealt: findEvent(events, 'CardDealt')!,
        cards: [...round!.cards],
        cuttingCard: findEvent(events, 'CuttingCardOut'),
      };
    }
  }

  settle(): void {
    this.#do('Settle', floor, {});
  }

  /** Opens all cards and salts of a shoe that has had its last round, or of any shoe that is asked for. */
  endShoe(anyway = false): EventOf<'ShoeEnded'> | undefined {
    const [next, ...others] = nextCommands(this.table);
    const due = next === 'EndShoe' || (anyway && others.includes('EndShoe'));
    return due ? findEvent(this.#step('EndShoe'), 'ShoeEnded') : undefined;
  }

  #step(command: CommandName): readonly TableEvent[] {
    if (command === 'CommitShoe') {
      const shoe = { deck: this.game.deck, decks: this.settings.decks };
      this.#shoe = shuffledShoe(`V${++this.#shoes}`, shoe, this.#chance);
      return this.#do('CommitShoe', shuffler, { shoe: this.#shoe.id, root: this.#shoe.root });
    }
    if (command === 'ChooseCutPosition') {
      return this.#do('ChooseCutPosition', patron, { cutPosition: this.#chance.below(this.table.shoe!.size) });
    }
    if (command === 'EndShoe') {
      const { cards, salts } = this.#shoe!;
      return this.#do('EndShoe', floor, { cards, salts });
    }
    assert(command === 'OpenBets', 'a table with one patron asks for nothing else between rounds');
    return this.#do('OpenBets', floor, {});
  }

  /** What the house does is never refused; if it were, play could not go on. */
  #do<N extends CommandName>(type: N, who: Actor, fields: Fields<N>): readonly TableEvent[] {
    const decision = this.#ask(type, who, fields);
    if (isRefused(decision)) throw new CliError(1, decision.refused, decision.message);
    return decision;
  }

  #ask<N extends CommandName>(type: N, actor: Actor, fields: Fields<N>): TableDecision {
    const decision = decide({ type, at: this.#clock(), actor, ...fields } as unknown as TableCommand, this.#table);
    if (isRefused(decision)) return decision;
    for (const event of decision) {
      if (event.type === 'SettlementPosted') this.#ledger.count(event, this.table);
      const { entries, state: table } = applyEvents(tableDecider, [event], this.#table);
      this.#table = table;
      for (const { postings } of entries) this.#ledger.role(postings);
    }
    return decision;
  }
}

/** The event of that kind among those of a command. */
export const findEvent = <N extends EventName>(events: readonly TableEvent[], type: N): EventOf<N> | undefined =>
  events.find((event): event is TableEvent & EventOf<N> => event.type === type);
