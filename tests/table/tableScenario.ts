import { type StaffActor, type Actor } from '../../src/access/actor.ts';
import { isRefused } from '../../src/base/refusal.ts';
import { type ClauseTopic, clausesOfTopics } from '../../src/games/rulebooks.ts';
import { findGame } from '../../src/games/registry.ts';
import { type Account, tableAccount, terminalAccount } from '../../src/ledger/accounts.ts';
import { type DecidedEntry, applyEventsWithPostings, tableDecider } from '../../src/deciders/deciders.ts';
import { type Card, cardsOfDeck } from '../../src/rules/card.ts';
import { type Game, versionedGameId, wagerIdsOf } from '../../src/rules/game.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { type TableCommand, type CommandName, type CommandOf } from '../../src/table/schema/commands.ts';
import { cardProof, shoeRoot, shoeTree } from '../../src/rules/shoeCommitment.ts';
import { decide } from '../../src/table/decide/decide.ts';
import { type TableDecision } from '../../src/table/decide/decision.ts';
import { type EventName, type EventOf, type TableEvent, eventSchemas } from '../../src/table/schema/events.ts';
import { type AmountsByTerminal, type Slip } from '../../src/table/schema/fieldTypes.ts';
import { type TableSettings, type TableSettingsInput } from '../../src/table/schema/settings.ts';
import { type TableRefusal, passedOnRefusals, tableRefusals } from '../../src/table/schema/refusals.ts';
import { type Table } from '../../src/table/state.ts';

export const dealer: StaffActor = { person: 'd1', role: 'dealer' };
export const supervisor: StaffActor = { person: 's1', role: 'supervisor' };
export const pitManager: StaffActor = { person: 'p1', role: 'pit-manager' };
export const shiftManager: StaffActor = { person: 'g1', role: 'gaming-shift-manager' };
export const floor: Actor = { system: 'floor' };
export const shuffler: Actor = { system: 'shuffler' };

/** Pairs of persons who rule after settlement, and who change settings. */
export const afterSettlement = [supervisor, shiftManager] as const;
export const managers = [pitManager, shiftManager] as const;

/** The Player wins with a natural nine. */
export const natural = '9S 2C 9H 4D';

/** 15 November 2023, 08:00 in Singapore. */
export const morning = 1_700_006_400_000;

export const gameOf = (name: string): Game => findGame(name, '2026-01-01T00:00:00') as Game;

/** Default settings: every wager offered, 1.00 to 1,000.00. */
export function defaultSettings(name: string, changes: { readonly [field: string]: unknown } = {}): TableSettingsInput {
  const game = gameOf(name);
  return {
    property: 'sg1',
    table: 'B1',
    currency: 'SGD',
    profile: {
      name: 'demo',
      version: '1',
      approved: [versionedGameId(game)],
      timeZone: 'Asia/Singapore',
      dayStartHour: 6,
    },
    game: game.id,
    limits: Object.fromEntries(wagerIdsOf(game).map((wager) => [wager, [100, 100_000] as const])),
    dealing: 'keyed',
    ...changes,
  };
}

/** Predictable salts. */
export const saltOf = (index: number): string => index.toString(16).padStart(64, '0');

/** Checks that code and clause of a refusal are declared, so that `--describe` lists all of them. */
export function checkDeclared({ refused, by }: { readonly refused: string; readonly by: string | null }): void {
  const all: { readonly [code: string]: { readonly description: string; readonly by?: readonly ClauseTopic[] } } = {
    ...tableRefusals,
    ...passedOnRefusals,
  };
  const declared = all[refused];
  if (!declared) throw new Error(`${refused} is not declared`);
  if (by !== null && !clausesOfTopics(declared.by ?? []).includes(by))
    throw new Error(`${refused} does not declare ${by}`);
}

/** One table from its opening on, with its own ledger. Deep copies show that `decide` changes no state. */
export class TableScenario {
  table: Table | undefined;
  at = morning;
  readonly entries: DecidedEntry<TableEvent>[] = [];
  readonly balances = new Map<Account, number>();
  readonly lowest = new Map<Account, number>();

  /** Decides a command and applies its events, or returns the refusal. */
  submit<N extends CommandName>(
    type: N,
    fields: Omit<CommandOf<N>, 'type' | 'at' | 'actor'>,
    actor: Actor = dealer,
  ): TableDecision {
    const command = { type, at: this.at, actor, ...fields } as unknown as TableCommand;
    const decision = decide(deepFreeze(command), frozenTable(this.table));
    if (isRefused(decision)) {
      if (!/^\S.+; .+[.]$/.test(decision.message)) throw new Error(`${decision.refused} says "${decision.message}"`);
      checkDeclared(decision);
      return decision;
    }
    if (decision.length === 0) throw new Error(`${type} is accepted without an event`);
    for (const event of decision) {
      // An event is read back as it was: it has no field without a value.
      if (Object.values(event).includes(undefined)) throw new Error(`${event.type} has a field without a value`);
      const issue = eventSchemas[event.type].check(event);
      if (issue !== undefined) throw new Error(`${event.type} does not fit its schema: ${JSON.stringify(issue)}`);
    }
    const { entries, state: table } = applyEventsWithPostings(
      tableDecider,
      decision,
      this.table && structuredClone(this.table),
    );
    this.table = table;
    for (const entry of entries) {
      this.entries.push(entry);
      for (const { from, to, amount } of entry.postings) {
        if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error(`${entry.event.type} posts ${amount}`);
        this.#add(from, -amount);
        this.#add(to, amount);
      }
    }
    return decision;
  }

  /** As `submit`, but a refusal is an error of the test. */
  do<N extends CommandName>(
    type: N,
    fields: Omit<CommandOf<N>, 'type' | 'at' | 'actor'>,
    who: Actor = dealer,
  ): readonly TableEvent[] {
    const decision = this.submit(type, fields, who);
    if (isRefused(decision)) throw new Error(`${type}: ${JSON.stringify(decision)}`);
    return decision;
  }

  /** Proposed by the first person, approved by the second. */
  doByTwo<N extends CommandName>(
    type: N,
    fields: Omit<CommandOf<N>, 'type' | 'at' | 'actor'>,
    [first, second]: readonly [StaffActor, StaffActor] = [dealer, supervisor],
    credits?: AmountsByTerminal,
  ): readonly TableEvent[] {
    this.do(type, fields, first);
    const { id, hash } = this.table!.proposal!;
    return this.do('Approve', { proposal: id, hash, ...(credits && { credits }) }, second);
  }

  refusal<N extends CommandName>(
    type: N,
    fields: Omit<CommandOf<N>, 'type' | 'at' | 'actor'>,
    who: Actor = dealer,
  ): TableRefusal {
    const decision = this.submit(type, fields, who);
    if (!isRefused(decision)) throw new Error(`${type} was not refused: ${JSON.stringify(decision)}`);
    return decision;
  }

  /** Code and clause of an expected refusal. */
  refusalClause<N extends CommandName>(
    ...command: Parameters<typeof this.refusal<N>>
  ): readonly [string, string | null] {
    const { refused, by } = this.refusal<N>(...command);
    return [refused, by];
  }

  wait(time: number): this {
    this.at += time;
    return this;
  }

  open(name: string, changes: { readonly [field: string]: unknown } = {}): this {
    this.do('OpenTable', { settings: defaultSettings(name, changes), second: shiftManager }, pitManager);
    return this;
  }

  /** A live shoe, prepared by the rulebook. */
  shoe(shoe = 'S1', behind = 14): this {
    const game = gameOf(this.table!.settings.game);
    this.do('BringShoe', { shoe, seal: 'seal 17' });
    this.do('CountCards', { cards: cardsOfDeck(game.deck).length * this.table!.settings.decks });
    this.do('ShuffleShoe', { method: 'machine' });
    this.do('CutShoe', { behind });
    this.doByTwo('VerifyShoe', {});
    return this;
  }

  /** A virtual shoe with these cards first, dealt from the cut position on. */
  virtualShoe(first: string, shoe = 'V1', cutPosition = 3): VirtualShoe {
    const { cards, salts, tree } = orderOf(this.table!.settings, first, shoe, cutPosition);
    const size = cards.length;
    this.do('CommitShoe', { shoe, root: shoeRoot(tree) }, shuffler);
    this.do('ChooseCutPosition', { cutPosition }, { terminal: 'T1' });
    return {
      cards,
      salts,
      at: (drawn) => {
        const index = (cutPosition + drawn) % size;
        return { card: cards[index]!, salt: salts[index]!, proof: cardProof(tree, index) };
      },
    };
  }

  get round(): string {
    return this.table!.round!.id;
  }

  bets(slips: { readonly [terminal: string]: Slip } = {}): this {
    this.do('OpenBets', {});
    for (const [terminal, slip] of Object.entries(slips)) this.slip(terminal, slip);
    return this;
  }

  slip(terminal: string, slip: Slip, credit = 1_000_000): readonly TableEvent[] {
    return this.do('SetSlip', { round: this.round, slip, credit }, { terminal });
  }

  close(): this {
    this.wait(20_000).do('CallClose', {});
    if (this.table!.settings.bets === 'terminals') this.wait(500).do('CloseBets', {});
    return this;
  }

  deal(cards: string): this {
    for (const card of cardsIn(cards)) {
      this.do('DealCard', { slot: nextSlot(this.table!.round!.cards)!, card });
    }
    return this;
  }

  /** Dealer and supervisor confirm that layout and event log agree. */
  confirmFelt(): this {
    this.doByTwo('ConfirmFelt', {});
    return this;
  }

  settle(): this {
    this.wait(2_000).do('Settle', {});
    return this;
  }

  /** A whole round. */
  playRound(cards: string, slips: { readonly [terminal: string]: Slip } = {}): this {
    return this.bets(slips).close().deal(cards).settle();
  }

  balance(terminal: string): number {
    return this.balances.get(terminalAccount(this.table!.settings, terminal)) ?? 0;
  }

  account(kind: 'stakes' | 'house' | 'commission'): number {
    return this.balances.get(tableAccount(this.table!.settings, kind)) ?? 0;
  }

  events<N extends EventName>(type: N): readonly EventOf<N>[] {
    return this.entries
      .map(({ event }) => event)
      .filter((event): event is EventOf<N> & TableEvent => event.type === type);
  }

  #add(account: Account, amount: number): void {
    const balance = (this.balances.get(account) ?? 0) + amount;
    this.balances.set(account, balance);
    this.lowest.set(account, Math.min(this.lowest.get(account) ?? 0, balance));
  }
}

type Order = {
  readonly cards: readonly Card[];
  readonly salts: readonly string[];
  readonly tree: ReturnType<typeof shoeTree>;
};
const orders = new Map<string, Order>();

/** Card order and commitment of a virtual shoe; cached, since it needs hundreds of hashes. */
function orderOf({ game: name, decks }: TableSettings, first: string, shoe: string, turn: number): Order {
  const key = [name, decks, first, shoe, turn].join();
  let order = orders.get(key);
  if (order === undefined) {
    const wanted = cardsIn(first);
    const rest = Array.from({ length: decks }, () => cardsOfDeck(gameOf(name).deck)).flat();
    for (const card of wanted) rest.splice(rest.indexOf(card), 1);
    const dealt = [...wanted, ...rest];
    const size = dealt.length;
    const cards = dealt.map((_, index) => dealt[(index - turn + size) % size]!);
    const salts = cards.map((_, index) => saltOf(index));
    orders.set(key, (order = { cards, salts, tree: shoeTree(shoe, cards, salts) }));
  }
  return order;
}

export type VirtualShoe = {
  readonly cards: readonly Card[];
  readonly salts: readonly string[];
  /** The card after `drawn` cards, with its proof. */
  readonly at: (drawn: number) => { card: Card; salt: string; proof: readonly string[] };
};

export const cardsIn = (text: string): readonly Card[] => (text === '' ? [] : text.split(' ')) as readonly Card[];

/** `decide` gets a frozen table. The settings object keeps its identity, as at a running table. */
function frozenTable(table: Table | undefined): Table | undefined {
  return table && deepFreeze({ ...structuredClone({ ...table, settings: null }), settings: table.settings });
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) deepFreeze(one);
  }
  return value;
}

export const openedTable = (name: string, changes: { readonly [field: string]: unknown } = {}): TableScenario =>
  new TableScenario().open(name, changes);

/** A table with a live shoe that is ready. */
export const readyTable = (name: string, changes: { readonly [field: string]: unknown } = {}): TableScenario =>
  openedTable(name, changes).shoe();
