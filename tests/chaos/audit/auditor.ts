import { games } from '../../../src/games/registry.ts';
import { parseDeal } from '../../../src/rules/deal.ts';
import { versionedGameId } from '../../../src/rules/game.ts';
import { settle } from '../../../src/rules/settle.ts';
import { type Store, type StoredEntry } from '../../../src/store/store.ts';
import { PatronLimits, type EffectiveLimit } from '../patrons/patronLimits.ts';
import { PatronMoney } from '../patrons/patronMoney.ts';
import { type StaffAudit, type StaffAuditor } from '../pit/staffAuditor.ts';
import { CageAudit } from '../pit/cageAudit.ts';
import { LiveRounds } from '../pit/liveRounds.ts';
import { type Round, type Slip, add, isOver, newRound, ownerOf, slipText, totalOf } from './round.ts';

/** A slip as its sender knows it; the id is that of the stored command. */
export type SentSlip = {
  readonly id: string;
  readonly terminal: string;
  readonly table: string;
  readonly round: string;
  readonly slip: Slip;
};

/** Result of a slip as far as its sender knows. */
type SlipState = {
  readonly sent: SentSlip;
  /** Limit that the patron knew to be in force before the send. */
  readonly limit: EffectiveLimit;
  /** Unanswered sends to the present floor. */
  open: number;
  accepted: boolean;
  /** A send was never answered, so the slip may or may not be stored. */
  isInDoubt: boolean;
};

/**
 * Independent auditor: records the requests and replies of patrons, and computes credits from the rules. It shares no
 * code with deciders, postings or floors.
 */
export class Auditor {
  readonly money = new PatronMoney();
  readonly limits = new PatronLimits();
  readonly #creditOf: (secretHash: string) => number | undefined;
  readonly #slips = new Map<string, SlipState>();
  /** Auditor of the staff, if there is one. */
  readonly #staff: StaffAuditor | undefined;

  constructor(creditOf: (secretHash: string) => number | undefined, staff?: StaffAuditor) {
    this.#creditOf = creditOf;
    this.#staff = staff;
  }

  /** A slip reaches the floor, for the first time or as a resend. */
  recordRequest(sent: SentSlip): void {
    const slipState = this.#slips.get(sent.id);
    if (slipState) slipState.open += 1;
    else {
      const limit = this.limits.effectiveLimit(sent.terminal);
      this.#slips.set(sent.id, { sent, limit, open: 1, accepted: false, isInDoubt: false });
    }
  }

  /** The floor replies; a refusal means that nothing is stored so far. */
  recordReply(id: string, accepted: boolean): void {
    const slipState = this.#slips.get(id)!;
    slipState.open -= 1;
    slipState.isInDoubt = false;
    slipState.accepted ||= accepted;
  }

  /** The floor has stopped: replies that are missing now never arrive. */
  recordFloorStop(): void {
    for (const slipState of this.#slips.values()) {
      if (slipState.open > 0) slipState.isInDoubt = true;
      slipState.open = 0;
    }
    this.money.recordFloorStop();
    this.limits.recordFloorStop();
    this.#staff?.recordFloorStop();
  }

  /** Slips that were accepted, refused, or whose result is unknown. */
  count(): { readonly accepted: number; readonly refused: number; readonly unknown: number } {
    const all = [...this.#slips.values()];
    const accepted = all.filter((one) => one.accepted).length;
    const unknown = all.filter((one) => !one.accepted && (one.isInDoubt || one.open > 0)).length;
    return { accepted, unknown, refused: all.length - accepted - unknown };
  }

  /** The same with money and session limits. */
  counts() {
    return { ...this.count(), ...this.money.count(), ...this.limits.count() };
  }

  /** Problems between event log, balances and replies. */
  async audit(store: Store): Promise<readonly string[]> {
    const bindings = [...(await store.listValues('binding'))].map(
      ([secret, binding]) => [binding.split(' ')[0]!, secret] as const,
    );
    const staff = this.#staff?.audit();
    const audit = new Audit(this.#slips, this.#creditOf, new Map(bindings), this.money, this.limits, staff);
    if (new Set(bindings.map(([terminal]) => terminal)).size < bindings.length)
      audit.problems.push('Two secrets share a terminal');
    const streamOrder = (stream: string): number => (stream.split('/')[1] === 'staff' ? 0 : 1);
    for (const stream of (await store.streams()).toSorted((one, other) => streamOrder(one) - streamOrder(other))) {
      const [, kind, name] = stream.split('/');
      for await (const entries of store.read(stream)) {
        for (const entry of entries) {
          audit.addPostings(entry);
          staff?.add(entry);
          if (kind === 'terminal') audit.checkTerminalEntry(entry, name!);
          else audit.checkTableEntry(entry, name!);
        }
      }
      audit.endStream(name!);
    }
    for (const slipState of this.#slips.values()) audit.checkReply(slipState);
    audit.checkMoney();
    audit.checkBalances(await store.balances());
    return [...audit.problems, ...(staff?.close() ?? [])];
  }
}

/** One audit, from the first entry of an event store to its balances. */
class Audit {
  readonly problems: string[] = [];
  readonly #slips: ReadonlyMap<string, SlipState>;
  readonly #creditOf: (secretHash: string) => number | undefined;
  /** Secret of each terminal. */
  readonly #secrets: ReadonlyMap<string, string>;
  readonly #money: PatronMoney;
  readonly #limits: PatronLimits;
  readonly #live: LiveRounds;
  readonly #cageAudit: CageAudit | undefined;
  /** Attended tables. */
  readonly #attended = new Set<string>();
  /** Expected balances of terminals, stakes and other accounts. */
  readonly #due = new Map<string, number>();
  readonly #moves = new Map<string, { readonly version: number; readonly by: number; readonly after: number }[]>();
  readonly #rounds = new Map<string, Round>();
  readonly #storedCounts = new Map<string, number>();
  #round: Round | undefined;

  constructor(
    slipState: ReadonlyMap<string, SlipState>,
    creditOf: (secretHash: string) => number | undefined,
    secrets: ReadonlyMap<string, string>,
    money: PatronMoney,
    limits: PatronLimits,
    staff: StaffAudit | undefined,
  ) {
    this.#slips = slipState;
    this.#creditOf = creditOf;
    this.#secrets = secrets;
    this.#money = money;
    this.#limits = limits;
    money.beginAudit();
    limits.beginAudit();
    const due = this.#due;
    this.#live = new LiveRounds({
      returned: (round, terminal) => this.#returned(round, terminal),
      due,
      check: this.#check,
    });
    this.#cageAudit = staff && new CageAudit(staff, money, due, this.#check);
  }

  readonly #check = (holds: boolean, describe: () => string): void => {
    if (!holds) this.problems.push(describe());
  };

  /** Records every posting under both its accounts. */
  addPostings({ postings }: StoredEntry): void {
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

  /** A terminal is seated once and gets its initial credit once; later entries follow its patron's requests. */
  checkTerminalEntry(entry: StoredEntry, terminal: string): void {
    if (this.#cageAudit?.add(entry, terminal)) return;
    const { event, command, postings, sequence } = entry;
    const secret = this.#secrets.get(terminal) ?? '';
    const due = this.#creditOf(secret);
    this.#check(due !== undefined, () => `${terminal} was never requested`);
    // Money may have been loaded before the initial credit.
    const isFirst = sequence === 2 || command.id === `first/${terminal}`;
    if (sequence === 1 || isFirst) {
      const isValid = event.type === (isFirst ? 'CreditLoaded' : 'TerminalSeated');
      this.#check(isValid, () => `Entry ${sequence} of ${terminal} is ${event.type}`);
    } else if (command?.id.startsWith('refill/')) {
      // A demo refills with the initial credit.
      const isValid = event['method'] === 'promotion' && event['amount'] === due;
      this.#check(isValid, () => `${command.id} gives ${String(event['amount'])} by ${String(event['method'])}`);
    } else {
      const isSet = event.type === 'SessionLimited' || event.type === 'SessionPaused';
      const problem = (isSet ? this.#limits : this.#money).problem(entry, terminal);
      this.#check(problem === undefined, () => problem!);
      add(this.#storedCounts, command?.id ?? '', 1);
    }
    const amount = isFirst ? (due ?? 0) : Number(event['amount'] ?? 0);
    const session = `${terminal}.${String(event['session'])}`;
    // Each ticket has its own account; bills belong to the cage.
    const ticket = event['ticket'] as string | undefined;
    const account = ticket !== undefined ? 'ticket' : (accountOfMethod[String(event['method'])] ?? 'external');
    const paidIn = `${account} terminal ${session} ${amount}`;
    const paidOut = `terminal ${account} ${ticket ?? terminal} ${amount}`;
    const isIn = event.type === 'CreditLoaded';
    const moved = postings.map(({ from, to, amount: by }) => [ownerOf(from)[0], ...ownerOf(to), by].join(' ')).join();
    const expected = amount === 0 ? '' : isIn ? paidIn : paidOut;
    this.#check(moved === expected, () => `${event.type} of ${terminal} moves ${moved}`);
    if (sequence === 1) return;
    add(this.#due, `terminal/${session}`, isIn ? amount : -amount);
    if (account === 'cage' || account === 'hand-pay') add(this.#due, `${account}/${terminal}`, isIn ? -amount : amount);
  }

  /** Every money reply has one entry, and so has every limit. */
  checkMoney(): void {
    this.problems.push(
      ...this.#money.mismatches(this.#storedCounts),
      ...this.#money.ticketProblems(),
      ...this.#limits.mismatches(this.#storedCounts),
    );
    for (const [ticket, worth] of this.#money.ticketValues()) add(this.#due, `ticket/${ticket}`, worth);
  }

  checkTableEntry(entry: StoredEntry, table: string): void {
    const { event, postings } = entry;
    const round = this.#rounds.get(String(event['round']));
    if (round && this.#attended.has(table) && this.#live.add(entry, round, table)) return;
    switch (event.type) {
      case 'TableOpened':
        if ((event['settings'] as { readonly attended: boolean }).attended) this.#attended.add(table);
        break;
      case 'BetsOpened':
        this.#openRound(entry);
        return;
      case 'SlipSet':
        this.#setSlip(entry, table, round);
        return;
      case 'SettlementPosted':
        this.#postSettlement(entry, table, round);
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
        this.#endRound(entry, round);
    }
    this.#check(postings.length === 0, () => `${event.type} at ${table} moves money`);
  }

  #openRound({ event }: StoredEntry): void {
    const id = String(event['round']);
    const last = this.#round;
    this.#check(last === undefined || isOver(last), () => `${id} opened before ${last!.id} was over`);
    this.#check(!this.#rounds.has(id), () => `${id} opened twice`);
    this.#round = newRound(id, String(event['game']));
    this.#rounds.set(id, this.#round);
  }

  /** The audit counts the slip as its sender knows it, not as stored. */
  #setSlip({ event, command, postings, at }: StoredEntry, table: string, round: Round | undefined): void {
    const { sent, limit } = this.#slips.get(command?.id ?? '') ?? {};
    if (sent === undefined || limit === undefined || round === undefined) {
      this.problems.push(`A slip ${command?.id} is stored at ${table} without a sender or a round`);
      return;
    }
    const { id, terminal, slip } = sent;
    add(this.#storedCounts, id, 1);
    const recorded = [event['terminal'], table, event['round'], slipText(event['slip'] as Slip)].join('; ');
    const requested = [terminal, sent.table, sent.round, slipText(slip)].join('; ');
    this.#check(recorded === requested, () => `The slip ${id} was sent as ${requested} and recorded as ${recorded}`);
    this.#check(round.open && round.ended === undefined, () => `The slip ${id} was taken after ${round.id} had closed`);
    const before = round.slips.get(terminal) ?? {};
    const delta = totalOf(slip) - totalOf(before);
    const isTooMuch = delta > 0 && totalOf(slip) > limit.stake;
    this.#check(!isTooMuch, () => `The slip ${id} was taken although its patron had limited stakes to ${limit.stake}`);
    const isMore = Object.entries(slip).some(([wager, stake]) => stake > (before[wager] ?? 0));
    this.#check(!isMore || at >= limit.until, () => `The slip ${id} was taken in a break until ${limit.until}`);
    const moved = postings.map(({ from, to, amount }) => [...ownerOf(from), ...ownerOf(to), amount].join(' ')).join();
    const [credit, stakes] = [`terminal ${terminal}`, `stakes ${table}`];
    const due = delta > 0 ? `${credit} ${stakes} ${delta}` : delta < 0 ? `${stakes} ${credit} ${-delta}` : '';
    this.#check(moved === due, () => `The slip ${id} moves "${moved}" and should move "${due}"`);
    round.slips.set(terminal, slip);
    const allSlips = round.allSlips.get(terminal) ?? new Set(['']);
    round.allSlips.set(terminal, allSlips.add(slipText(slip)));
    add(this.#due, `terminal/${terminal}`, -delta);
    add(this.#due, `stakes/${table}`, delta);
  }

  #endRound({ event }: StoredEntry, round: Round | undefined): void {
    if (round === undefined || round.ended !== undefined) {
      this.problems.push(`${String(event['round'])} ended without being open, or a second time`);
      return;
    }
    round.ended = event.type === 'RoundSettled' ? 'settled' : 'void';
    round.settlement = String(event['settlement']);
    if (round.ended === 'void') return;
    const cards = (event['cards'] as readonly string[]).join(' ');
    this.#check(cards === round.cards.join(' '), () => `${round.id} was settled with ${cards}, not as it was dealt`);
  }

  /** Credit that returns to terminals, chunk by chunk. */
  #postSettlement({ event, postings }: StoredEntry, table: string, round: Round | undefined): void {
    if (round?.ended === undefined || round.posted) {
      this.problems.push(`${String(event['round'])} was paid while it was open, or after it had been paid`);
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
      this.#check(!round.received.has(terminal), () => `${terminal} was paid twice for ${round.id}`);
      add(round.received, terminal, amount);
      add(this.#due, `terminal/${terminal}`, this.#returned(round, terminal));
    }
    if (event['last'] !== true) return;
    round.posted = true;
    for (const [terminal, slip] of round.slips) {
      const [received, due] = [round.received.get(terminal) ?? 0, this.#returned(round, terminal)];
      this.#check(received === due, () => `${terminal} got ${received} for ${round.id} and should have got ${due}`);
      add(this.#due, `stakes/${table}`, -totalOf(slip));
    }
    for (const terminal of round.received.keys()) {
      this.#check(round.slips.has(terminal), () => `${terminal} was paid for ${round.id} and had no slip there`);
    }
  }

  /** Computed by the rules from the dealt cards. */
  #returned(round: Round, terminal: string): number {
    const slip = round.slips.get(terminal) ?? {};
    if (round.ended === 'void') return totalOf(slip);
    const game = games.find((one) => versionedGameId(one) === round.game)!;
    const deal = parseDeal(round.cards, { deck: game.deck, decks: 8 });
    if ('refused' in deal) {
      this.problems.push(`${round.id} was settled with ${deal.message}`);
      return 0;
    }
    let returned = 0;
    for (const [wager, stake] of Object.entries(slip)) {
      const paid = settle(game, wager, deal.facts, stake);
      if ('refused' in paid) this.problems.push(`${round.id}: ${paid.message}`);
      else returned += paid.returned;
    }
    return returned;
  }

  /** End of a stream: only its last round may be unfinished. */
  endStream(table: string): void {
    const round = this.#round;
    this.#round = undefined;
    if (round?.ended === undefined || round.posted) return;
    // In a partly posted settlement the remaining stakes are still at the table; lost ones cannot be distinguished.
    if (!isOver(round)) this.#due.delete(`stakes/${table}`);
  }

  checkReply({ sent, open, accepted, isInDoubt }: SlipState): void {
    const { id, round, terminal, slip } = sent;
    const storedCount = this.#storedCounts.get(id) ?? 0;
    this.#check(storedCount <= 1, () => `The slip ${id} has ${storedCount} entries`);
    if (accepted) {
      // A slip that changed nothing is accepted without an entry.
      const allSlips = this.#rounds.get(round)?.allSlips.get(terminal) ?? new Set(['']);
      this.#check(
        storedCount === 1 || allSlips.has(slipText(slip)),
        () => `The slip ${id} was accepted and is not stored`,
      );
    } else if (!isInDoubt && open === 0) {
      this.#check(storedCount === 0, () => `The slip ${id} was refused and is stored`);
    }
  }

  checkBalances(balances: ReadonlyMap<string, { readonly amount: number; readonly version: number }>): void {
    let sum = 0;
    for (const [account, { amount, version }] of balances) {
      sum += amount;
      const [kind, of] = ownerOf(account);
      const due = this.#due.get(`${kind}/${of}`);
      if (kind === 'terminal' || kind === 'ticket')
        this.#check(due !== undefined, () => `${of} has money from no known source`);
      if (due !== undefined) this.#check(due === amount, () => `${kind} ${of} has ${amount} and should have ${due}`);
      this.#checkMoves(account, amount, version);
    }
    this.#check(sum === 0, () => `The sum of all balances is ${sum}, not zero`);
  }

  /** No move of an account is missing, and guarded accounts were never below zero. */
  #checkMoves(account: string, amount: number, version: number): void {
    const moves = (this.#moves.get(account) ?? []).toSorted((a, b) => a.version - b.version);
    const guarded = ['terminal', 'stakes', 'ticket'].includes(ownerOf(account)[0]);
    let sum = 0;
    for (const [index, move] of moves.entries()) {
      sum += move.by;
      const isValid = move.version === index + 1 && move.after === sum && (sum >= 0 || !guarded);
      this.#check(isValid, () => `Move ${index + 1} of ${account} leaves ${sum} and has ${move.after}`);
    }
    this.#check(sum === amount && moves.length === version, () => `${account} has ${amount} and its moves give ${sum}`);
  }
}

/** Account of each payment method; any other is external. */
const accountOfMethod: { readonly [method: string]: string } = { bill: 'cage', cash: 'cage', hand: 'hand-pay' };
