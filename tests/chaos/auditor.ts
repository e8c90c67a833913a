import { games } from '../../src/games/registry.ts';
import { dealOf } from '../../src/rules/deal.ts';
import { fullNameOf } from '../../src/rules/game.ts';
import { settle } from '../../src/rules/settle.ts';
import { type Store, type StoredEntry } from '../../src/store/store.ts';
import { Care, type EffectiveLimit } from './patronLimits.ts';
import { Cash } from './patronMoney.ts';
import { type StaffAudit, type StaffBooks } from './pit/books.ts';
import { Drawer } from './pit/drawer.ts';
import { LiveRounds } from './pit/live.ts';
import { type Round, type Slip, add, isOver, newRound, ownerOf, textOf, totalOf } from './round.ts';

/** A slip as the patron who sent it remembers it; its id is the one in the record. */
export type SentSlip = {
  readonly id: string;
  readonly terminal: string;
  readonly table: string;
  readonly round: string;
  readonly slip: Slip;
};

/** What became of a slip, as far as anybody was told. */
type SlipReply = {
  readonly sent: SentSlip;
  /** What its patron had set before it was sent, and was told that it holds. */
  readonly heldTo: EffectiveLimit;
  /** So many times it was asked in this life of the floor without an answer yet. */
  open: number;
  accepted: boolean;
  /** It was asked, nobody answered, and nothing was heard of it since. */
  doubtful: boolean;
};

/**
 * Keeps books of its own: what patrons sent and were told, and what credits must be by the rules alone. It knows nothing of
 * how tables decide, of postings or of floors, and shares no code with them.
 */
export class Auditor {
  readonly cash = new Cash();
  readonly care = new Care();
  readonly #creditOf: (secretHash: string) => number | undefined;
  readonly #told = new Map<string, SlipReply>();
  /** What the staff asked, where there is any. */
  readonly #staff: StaffBooks | undefined;

  constructor(creditOf: (secretHash: string) => number | undefined, staff?: StaffBooks) {
    this.#creditOf = creditOf;
    this.#staff = staff;
  }

  /** A patron's slip reaches the floor, for the first time or again. */
  request(sent: SentSlip): void {
    const told = this.#told.get(sent.id);
    if (told) told.open += 1;
    else {
      const heldTo = this.care.heldTo(sent.terminal);
      this.#told.set(sent.id, { sent, heldTo, open: 1, accepted: false, doubtful: false });
    }
  }

  /** The floor answers; a refusal says that nothing is booked up to now. */
  answered(id: string, accepted: boolean): void {
    const told = this.#told.get(id)!;
    told.open -= 1;
    told.doubtful = false;
    told.accepted ||= accepted;
  }

  /** The floor is gone: what it has not answered by now it never will. */
  gone(): void {
    for (const told of this.#told.values()) {
      if (told.open > 0) told.doubtful = true;
      told.open = 0;
    }
    this.cash.gone();
    this.care.gone();
    this.#staff?.gone();
  }

  /** Slips that were accepted, refused for good, and of which nobody knows. */
  count(): { readonly accepted: number; readonly refused: number; readonly unknown: number } {
    const all = [...this.#told.values()];
    const accepted = all.filter((one) => one.accepted).length;
    const unknown = all.filter((one) => !one.accepted && (one.doubtful || one.open > 0)).length;
    return { accepted, unknown, refused: all.length - accepted - unknown };
  }

  /** The same with cash, and with what patrons have set. */
  counts() {
    return { ...this.count(), ...this.cash.count(), ...this.care.count() };
  }

  /** What is wrong between the record, the balances and what anybody was told. */
  async audit(store: Store): Promise<readonly string[]> {
    const links = [...(await store.listValues('patron'))].map(
      ([secret, link]) => [link.split(' ')[0]!, secret] as const,
    );
    const staff = this.#staff?.audit();
    const audit = new Audit(this.#told, this.#creditOf, new Map(links), this.cash, this.care, staff);
    if (new Set(links.map(([terminal]) => terminal)).size < links.length)
      audit.wrong.push('Two secrets share a terminal');
    const isPeople = (stream: string): number => (stream.split('/')[1] === 'staff' ? 0 : 1);
    for (const stream of (await store.streams()).toSorted((one, other) => isPeople(one) - isPeople(other))) {
      const [, kind, name] = stream.split('/');
      for await (const entries of store.read(stream)) {
        for (const entry of entries) {
          audit.move(entry);
          staff?.take(entry);
          if (kind === 'terminal') audit.terminal(entry, name!);
          else audit.table(entry, name!);
        }
      }
      audit.close(name!);
    }
    for (const told of this.#told.values()) audit.answer(told);
    audit.cash();
    audit.balances(await store.balances());
    return [...audit.wrong, ...(staff?.close() ?? [])];
  }
}

/** One audit, from the first entry of a record to its balances. */
class Audit {
  readonly wrong: string[] = [];
  readonly #told: ReadonlyMap<string, SlipReply>;
  readonly #creditOf: (secretHash: string) => number | undefined;
  /** The secret that each terminal is linked to. */
  readonly #secrets: ReadonlyMap<string, string>;
  readonly #cash: Cash;
  readonly #care: Care;
  readonly #live: LiveRounds;
  readonly #drawer: Drawer | undefined;
  /** The tables that people deal at. */
  readonly #attended = new Set<string>();
  /** What terminals and stakes must hold. */
  readonly #due = new Map<string, number>();
  readonly #moves = new Map<string, { readonly version: number; readonly by: number; readonly after: number }[]>();
  readonly #rounds = new Map<string, Round>();
  readonly #booked = new Map<string, number>();
  #round: Round | undefined;

  constructor(
    told: ReadonlyMap<string, SlipReply>,
    creditOf: (secretHash: string) => number | undefined,
    secrets: ReadonlyMap<string, string>,
    cash: Cash,
    care: Care,
    staff: StaffAudit | undefined,
  ) {
    this.#told = told;
    this.#creditOf = creditOf;
    this.#secrets = secrets;
    this.#cash = cash;
    this.#care = care;
    cash.begin();
    care.begin();
    const due = this.#due;
    this.#live = new LiveRounds({
      returned: (round, terminal) => this.#returned(round, terminal),
      due,
      claim: this.#claim,
    });
    this.#drawer = staff && new Drawer(staff, cash, due, this.#claim);
  }

  readonly #claim = (holds: boolean, what: () => string): void => {
    if (!holds) this.wrong.push(what());
  };

  /** Every posting by both its accounts. */
  move({ postings }: StoredEntry): void {
    for (const { from, fromVersion, fromAfter, to, toVersion, toAfter, amount } of postings) {
      for (const [account, version, by, after] of [
        [from, fromVersion, -amount, fromAfter],
        [to, toVersion, amount, toAfter],
      ] as const) {
        const moves = this.#moves.get(account);
        if (moves) moves.push({ version, by, after });
        else this.#moves.set(account, [{ version, by, after }]);
      }
    }
  }

  /** Seated once and loaded once with what its patron was promised; then as its patron asks. */
  terminal(entry: StoredEntry, terminal: string): void {
    if (this.#drawer?.take(entry, terminal)) return;
    const { event, command, postings, sequence } = entry;
    const secret = this.#secrets.get(terminal) ?? '';
    const due = this.#creditOf(secret);
    this.#claim(due !== undefined, () => `${terminal} was asked for by nobody`);
    // Somebody may have brought cash to it before it got what it begins with.
    const isFirst = sequence === 2 || command.id === `first/${terminal}`;
    if (sequence === 1 || isFirst) {
      const well = event.type === (isFirst ? 'CreditLoaded' : 'TerminalSeated');
      this.#claim(well, () => `Entry ${sequence} of ${terminal} is ${event.type}`);
    } else if (command?.id.startsWith('refill/')) {
      // A demo gives again what it gave first.
      const well = event['method'] === 'promotion' && event['amount'] === due;
      this.#claim(well, () => `${command.id} gives ${String(event['amount'])} by ${String(event['method'])}`);
    } else {
      const isSet = event.type === 'SessionLimited' || event.type === 'SessionPaused';
      const problem = (isSet ? this.#care : this.#cash).problem(entry, terminal);
      this.#claim(problem === undefined, () => problem!);
      add(this.#booked, command?.id ?? '', 1);
    }
    const amount = isFirst ? (due ?? 0) : Number(event['amount'] ?? 0);
    const session = `${terminal}.${String(event['session'])}`;
    // A ticket is an account of its own; notes are at the cage.
    const ticket = event['ticket'] as string | undefined;
    const behind = ticket !== undefined ? 'ticket' : (ways[String(event['method'])] ?? 'external');
    const paidIn = `${behind} terminal ${session} ${amount}`;
    const paidOut = `terminal ${behind} ${ticket ?? terminal} ${amount}`;
    const isIn = event.type === 'CreditLoaded';
    const moved = postings.map(({ from, to, amount: by }) => [ownerOf(from)[0], ...ownerOf(to), by].join(' ')).join();
    const wanted = amount === 0 ? '' : isIn ? paidIn : paidOut;
    this.#claim(moved === wanted, () => `${event.type} of ${terminal} moves ${moved}`);
    if (sequence === 1) return;
    add(this.#due, `terminal/${session}`, isIn ? amount : -amount);
    if (behind === 'cage' || behind === 'hand-pay') add(this.#due, `${behind}/${terminal}`, isIn ? -amount : amount);
  }

  /** Whoever was told of cash has got it once, and what was set stands once. */
  cash(): void {
    this.wrong.push(...this.#cash.unlike(this.#booked), ...this.#cash.badTickets(), ...this.#care.unlike(this.#booked));
    for (const [ticket, worth] of this.#cash.worths()) add(this.#due, `ticket/${ticket}`, worth);
  }

  table(entry: StoredEntry, table: string): void {
    const { event, postings } = entry;
    const round = this.#rounds.get(String(event['round']));
    if (round && this.#attended.has(table) && this.#live.take(entry, round, table)) return;
    switch (event.type) {
      case 'TableOpened':
        if ((event['settings'] as { readonly attended: boolean }).attended) this.#attended.add(table);
        break;
      case 'BetsOpened':
        this.#open(entry);
        return;
      case 'SlipSet':
        this.#set(entry, table, round);
        return;
      case 'SettlementPosted':
        this.#post(entry, table, round);
        return;
      case 'BetsClosed':
        if (round) round.open = false;
        break;
      case 'CardDealt':
        round?.cards.push(String(event['card']));
        break;
      case 'ShortfallCollected':
        add(this.#due, `terminal/${String(event['terminal'])}`, -Number(event['amount']));
        return;
      case 'ShortfallWrittenOff':
        return;
      case 'RoundSettled':
      case 'RoundVoided':
        this.#end(entry, round);
    }
    this.#claim(postings.length === 0, () => `${event.type} at ${table} moves money`);
  }

  #open({ event }: StoredEntry): void {
    const id = String(event['round']);
    const last = this.#round;
    this.#claim(last === undefined || isOver(last), () => `${id} opened before ${last!.id} was over`);
    this.#claim(!this.#rounds.has(id), () => `${id} opened twice`);
    this.#round = newRound(id, String(event['game']));
    this.#rounds.set(id, this.#round);
  }

  /** What the patron remembers goes into the books, not what the record says. */
  #set({ event, command, postings, at }: StoredEntry, table: string, round: Round | undefined): void {
    const { sent, heldTo } = this.#told.get(command?.id ?? '') ?? {};
    if (sent === undefined || heldTo === undefined || round === undefined) {
      this.wrong.push(`A slip ${command?.id} is in the record of ${table} that nobody sent, or for no round`);
      return;
    }
    const { id, terminal, slip } = sent;
    add(this.#booked, id, 1);
    const says = [event['terminal'], table, event['round'], textOf(event['slip'] as Slip)].join('; ');
    const asks = [terminal, sent.table, sent.round, textOf(slip)].join('; ');
    this.#claim(says === asks, () => `The slip ${id} was sent as ${asks} and recorded as ${says}`);
    this.#claim(round.open && round.ended === undefined, () => `The slip ${id} was taken after ${round.id} had closed`);
    const before = round.slips.get(terminal) ?? {};
    const held = totalOf(slip) - totalOf(before);
    const isTooMuch = held > 0 && totalOf(slip) > heldTo.stake;
    this.#claim(!isTooMuch, () => `The slip ${id} was taken although its patron had limited stakes to ${heldTo.stake}`);
    const isMore = Object.entries(slip).some(([wager, stake]) => stake > (before[wager] ?? 0));
    this.#claim(!isMore || at >= heldTo.until, () => `The slip ${id} was taken in a break until ${heldTo.until}`);
    const moved = postings.map(({ from, to, amount }) => [...ownerOf(from), ...ownerOf(to), amount].join(' ')).join();
    const [credit, stakes] = [`terminal ${terminal}`, `stakes ${table}`];
    const due = held > 0 ? `${credit} ${stakes} ${held}` : held < 0 ? `${stakes} ${credit} ${-held}` : '';
    this.#claim(moved === due, () => `The slip ${id} moves "${moved}" and should move "${due}"`);
    round.slips.set(terminal, slip);
    const had = round.had.get(terminal) ?? new Set(['']);
    round.had.set(terminal, had.add(textOf(slip)));
    add(this.#due, `terminal/${terminal}`, -held);
    add(this.#due, `stakes/${table}`, held);
  }

  #end({ event }: StoredEntry, round: Round | undefined): void {
    if (round === undefined || round.ended !== undefined) {
      this.wrong.push(`${String(event['round'])} ended without being open, or a second time`);
      return;
    }
    round.ended = event.type === 'RoundSettled' ? 'settled' : 'void';
    round.settlement = String(event['settlement']);
    if (round.ended === 'void') return;
    const cards = (event['cards'] as readonly string[]).join(' ');
    this.#claim(cards === round.cards.join(' '), () => `${round.id} was settled with ${cards}, not as it was dealt`);
  }

  /** What comes back to a terminal, chunk by chunk. */
  #post({ event, postings }: StoredEntry, table: string, round: Round | undefined): void {
    if (round?.ended === undefined || round.posted) {
      this.wrong.push(`${String(event['round'])} was paid while it was open, or after it had been paid`);
      return;
    }
    const paid = new Map<string, number>();
    for (const { from, to, amount } of postings) {
      for (const [account, by] of [
        [from, -amount],
        [to, amount],
      ] as const) {
        const [kind, of] = ownerOf(account);
        if (kind === 'terminal') add(paid, of, by);
      }
    }
    for (const [terminal, amount] of paid) {
      this.#claim(!round.received.has(terminal), () => `${terminal} was paid twice for ${round.id}`);
      add(round.received, terminal, amount);
      add(this.#due, `terminal/${terminal}`, this.#returned(round, terminal));
    }
    if (event['last'] !== true) return;
    round.posted = true;
    for (const [terminal, slip] of round.slips) {
      const [received, due] = [round.received.get(terminal) ?? 0, this.#returned(round, terminal)];
      this.#claim(received === due, () => `${terminal} got ${received} for ${round.id} and should have got ${due}`);
      add(this.#due, `stakes/${table}`, -totalOf(slip));
    }
    for (const terminal of round.received.keys()) {
      this.#claim(round.slips.has(terminal), () => `${terminal} was paid for ${round.id} and had no slip there`);
    }
  }

  /** By the rules alone, from the cards as they were dealt. */
  #returned(round: Round, terminal: string): number {
    const slip = round.slips.get(terminal) ?? {};
    if (round.ended === 'void') return totalOf(slip);
    const game = games.find((one) => fullNameOf(one) === round.game)!;
    const deal = dealOf(round.cards, { deck: game.deck, decks: 8 });
    if ('refused' in deal) {
      this.wrong.push(`${round.id} was settled with ${deal.message}`);
      return 0;
    }
    let returned = 0;
    for (const [wager, stake] of Object.entries(slip)) {
      const paid = settle(game, wager, deal.facts, stake);
      if ('refused' in paid) this.wrong.push(`${round.id}: ${paid.message}`);
      else returned += paid.returned;
    }
    return returned;
  }

  /** The end of a stream: the last round alone may still be played or paid. */
  close(table: string): void {
    const round = this.#round;
    this.#round = undefined;
    if (round?.ended === undefined || round.posted) return;
    // What is half paid: the stakes of those whose turn has not come still lie at the table. Losers cannot be told apart.
    if (!isOver(round)) this.#due.delete(`stakes/${table}`);
  }

  answer({ sent, open, accepted, doubtful }: SlipReply): void {
    const { id, round, terminal, slip } = sent;
    const booked = this.#booked.get(id) ?? 0;
    this.#claim(booked <= 1, () => `The slip ${id} stands ${booked} times in the record`);
    if (accepted) {
      // A slip that changed nothing is accepted without an entry.
      const had = this.#rounds.get(round)?.had.get(terminal) ?? new Set(['']);
      this.#claim(booked === 1 || had.has(textOf(slip)), () => `The slip ${id} was accepted and is not in the record`);
    } else if (!doubtful && open === 0) {
      this.#claim(booked === 0, () => `The slip ${id} was refused and is in the record`);
    }
  }

  balances(balances: ReadonlyMap<string, { readonly amount: number; readonly version: number }>): void {
    let sum = 0;
    for (const [account, { amount, version }] of balances) {
      sum += amount;
      const [kind, of] = ownerOf(account);
      const due = this.#due.get(`${kind}/${of}`);
      if (kind === 'terminal' || kind === 'ticket')
        this.#claim(due !== undefined, () => `${of} holds money and nobody put it there`);
      if (due !== undefined) this.#claim(due === amount, () => `${kind} ${of} has ${amount} and should have ${due}`);
      this.#history(account, amount, version);
    }
    this.#claim(sum === 0, () => `All money together is ${sum}, not nothing`);
  }

  /** Move by move: none is missing, and nobody's money was below zero at any moment. */
  #history(account: string, amount: number, version: number): void {
    const moves = (this.#moves.get(account) ?? []).toSorted((a, b) => a.version - b.version);
    const guarded = ['terminal', 'stakes', 'ticket'].includes(ownerOf(account)[0]);
    let sum = 0;
    for (const [place, move] of moves.entries()) {
      sum += move.by;
      const well = move.version === place + 1 && move.after === sum && (sum >= 0 || !guarded);
      this.#claim(well, () => `Move ${place + 1} of ${account} leaves ${sum} and says ${move.after}`);
    }
    this.#claim(sum === amount && moves.length === version, () => `${account} has ${amount} and its moves give ${sum}`);
  }
}

/** What is behind the ways in which money comes and goes; anything else is outside. */
const ways: { readonly [way: string]: string } = { bill: 'cage', cash: 'cage', hand: 'hand-pay' };
