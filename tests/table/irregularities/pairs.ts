import { type Actor } from '../../../src/access/actor.ts';
import { applyEventsWithPostings, tableDecider } from '../../../src/deciders/deciders.ts';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { nextSlot } from '../../../src/rules/play.ts';
import { isRefused } from '../../../src/base/refusal.ts';
import { type TableCommand, type CommandName } from '../../../src/table/schema/commands.ts';
import { type EventOf, type TableEvent } from '../../../src/table/schema/events.ts';
import { type Slip, reportableIrregularityKinds } from '../../../src/table/schema/fieldTypes.ts';
import { commandByRuling } from '../../../src/table/schema/commandByRuling.ts';
import { gameAndRulebookOf } from '../../../src/table/schema/settings.ts';
import { decide } from '../../../src/table/decide/decide.ts';
import { irregularityToRuleOn } from '../../../src/table/irregularities.ts';
import { stakeResults, totalStake } from '../../../src/table/payouts.ts';
import { terminalView } from '../../../src/table/views/publicView.ts';
import { type Table } from '../../../src/table/state.ts';
import { ShownOptions, fieldsFor } from '../shownOptions.ts';
import { dealer, afterSettlement, readyTable, shiftManager } from '../tableScenario.ts';

// Every situation during every other, in every phase of a round; then all are resolved.

const another: Actor = { person: 'g2', role: 'gaming-shift-manager' };
const slips = { 'seat-1': { player: 1000 }, 'seat-2': { banker: 500, tie: 100 } };
const begin = 10_000;

/** Every report, an interruption, and referrals, also about one terminal or an earlier round. */
export const situations = [
  ...reportableIrregularityKinds,
  'interruption',
  'referral',
  'one terminal',
  'earlier round',
] as const;
export type Situation = (typeof situations)[number];

/**
 * Progress of the second round when a situation arises; the first is settled. A reopened second round was settled too
 * and is dealt on: either all of it was paid, or only the first slip.
 */
export const moments = [
  'idle',
  'betting',
  'closing',
  'no card',
  'two cards',
  'four cards',
  'result',
  'paying',
  'taken up',
  'taken up while paying',
  'dealt again',
] as const;
export type Moment = (typeof moments)[number];

const played = ['2S 3H AC 2D 4S 6H', '2C 3D 2H TC 5S 6C'] as const;
/** A natural eight; with a two as its first card the total is one, which draws. */
const naturalEight = '9C 2D 9H 4C';

/** A table of the game at that moment; another deck has the same points in other suits. */
export function tableAt(game: string, moment: Moment): Table {
  const elements = game === 'sands-elements';
  const cards = (text: string): string =>
    elements ? text.replaceAll(/[CDHS]\b/g, (suit) => String('CDHS'.indexOf(suit) + 1)) : text;
  const scenario = readyTable(game, { chunk: 1 }).bets(slips).close().deal(cards(played[0])).wait(2_000);
  scenario.do('Settle', {});
  while (scenario.table!.pendingSettlements.length > 0) scenario.do('PostSettlement', {});
  const at = moments.indexOf(moment);
  const isReopened = at >= moments.indexOf('taken up');
  if (at >= 1) scenario.bets(slips);
  if (at === 2) scenario.wait(20_000).do('CallClose', {});
  if (at >= 3) scenario.close();
  const second = cards(isReopened ? naturalEight : played[1]).split(' ');
  const dealt = { 'no card': 0, 'two cards': 2, 'four cards': 4 }[moment as string] ?? second.length;
  if (at >= 3) scenario.deal(second.slice(0, dealt).join(' '));
  if (moment === 'paying' || isReopened) scenario.wait(2_000).do('Settle', {});
  if (!isReopened) return scenario.table!;
  if (moment !== 'taken up while paying') scenario.do('PostSettlement', {});
  scenario.doByTwo(
    'CorrectCard',
    { round: scenario.round, place: 1, card: cards('2H'), reason: 'a two' },
    afterSettlement,
  );
  // One and five against six.
  if (moment === 'dealt again') scenario.deal(cards('5C'));
  return scenario.table!;
}

/** One run from such a table, with its own ledger. */
export class Run {
  table: Table;
  readonly events: TableEvent[] = [];
  readonly #credits: { [terminal: string]: number } = {};
  readonly #collected: { [terminal: string]: number } = {};
  #stakes = 0;
  /** Rounds that a report or referral names. */
  readonly #named = new Set<string>();
  readonly #wrong: string[] = [];
  #turn: number;

  constructor(table: Table, turn: number) {
    this.table = structuredClone(table);
    this.#turn = turn;
    for (const terminal of Object.keys(slips)) this.#credits[terminal] = begin;
    if (isTakenUp(table)) this.#named.add(table.round!.id);
    for (const { id, ending } of [...table.history, table.round!]) {
      const paying = table.pendingSettlements.find(({ round }) => round === id);
      for (const [terminal, slip] of Object.entries(slips)) {
        this.#credits[terminal]! -= totalStake(slip);
        const isPaid = ending !== null && !(paying && paying.order.indexOf(terminal) >= paying.done);
        if (isPaid) this.#credits[terminal]! += returnedOn(slip, ending);
        else this.#stakes += totalStake(slip);
      }
    }
  }

  /** True when the table accepts the command. */
  submit(type: CommandName, fields: object = {}, actor: Actor = shiftManager): boolean {
    const { at } = this.table;
    const decision = decide({ type, at, actor, ...fields } as unknown as TableCommand, this.table);
    if (isRefused(decision)) return false;
    this.#enter(decision);
    const { proposal } = this.table;
    if (decision.at(-1)?.type !== 'Proposed' || proposal === null) return true;
    return this.submit('Approve', { proposal: proposal.id, hash: proposal.hash, credits: this.#credits }, another);
  }

  #enter(events: readonly TableEvent[]): void {
    for (const event of events) {
      if (event.type === 'SettlementPosted') this.#checkSettlement(event);
      const { entries, state: table } = applyEventsWithPostings(tableDecider, [event], this.table);
      this.table = table!;
      this.events.push(event);
      const named = event.type === 'IrregularityFound' || event.type === 'Interrupted' || event.type === 'Referred';
      if (named && event.round !== undefined) this.#named.add(event.round);
      for (const { from, to, amount } of entries[0]!.postings) {
        this.#move(from, -amount);
        this.#move(to, amount);
      }
    }
  }

  /** A disputed slip is not paid meanwhile. [READING 52] */
  #checkSettlement({ settlement, round, from, count }: EventOf<'SettlementPosted'>): void {
    const job = this.table.pendingSettlements.find((one) => one.settlement === settlement)!;
    for (const terminal of job.order.slice(from, from + count)) {
      if (this.#isInQuestion(round, terminal)) this.#wrong.push(`${terminal} is paid from ${round}, in question`);
    }
  }

  #isInQuestion(round: string, terminal: string): boolean {
    const { openIrregularities, referrals } = this.table;
    if (openIrregularities.some((situation) => situation.round === round)) return true;
    if (isTakenUp(this.table) && this.table.round!.id === round) return true;
    return referrals.some((one) => one.round === round && (one.terminals === null || one.terminals.includes(terminal)));
  }

  /** Every ruling option is what the decider would answer now, and a refusal names commands that it would take. */
  checkOptions(): void {
    this.#wrong.push(...new ShownOptions(this.table).rulings());
  }

  /** Each terminal sees whether its payout of the round may still be reversed. */
  checkViews(): void {
    const { id, slips: inRound } = this.table.round!;
    for (const terminal of Object.keys(inRound)) {
      const isFrozen = terminalView(this.table, terminal).frozen;
      if (isFrozen !== this.#isInQuestion(id, terminal)) this.#wrong.push(`${terminal} is told ${isFrozen} of ${id}`);
    }
  }

  #move(account: string, amount: number): void {
    const [, , kind, owner] = account.split('/');
    if (kind === 'stakes') this.#stakes += amount;
    if (kind !== 'terminal') return;
    this.#credits[owner!]! += amount;
    if (this.#credits[owner!]! < 0) throw new Error(`${owner} has ${this.#credits[owner!]}`);
  }

  /** True when the table accepts the situation now. */
  open(situation: Situation): boolean {
    if (situation === 'interruption') return this.submit('ReportInterruption', { since: 0, stateLost: true });
    if (situation === 'referral') return this.submit('Refer', { reason: 'x' }, dealer);
    if (situation === 'one terminal') {
      return this.submit('Refer', { reason: 'x', round: this.table.round!.id, terminal: 'seat-1' }, dealer);
    }
    if (situation === 'earlier round') return this.submit('Refer', { reason: 'x', round: this.#first }, dealer);
    return this.submit('ReportIrregularity', { kind: situation });
  }

  get #first(): string {
    return (this.table.history[0] ?? this.table.round!).id;
  }

  /** Patrons collect their credit, so that a reversal finds none. */
  collect(): void {
    for (const terminal of Object.keys(slips)) {
      this.#collected[terminal] = this.#credits[terminal]!;
      this.#credits[terminal] = 0;
    }
  }

  /** Rules, decides, deals, settles and posts until nothing is open. */
  finish(): void {
    for (let step = 0; step < 60; step++) {
      const { referrals, pendingSettlements: jobs, phase, round } = this.table;
      const isDue = jobs.some((job) => !isTakenUp(this.table) || job.round !== round!.id);
      if (irregularityToRuleOn(this.table) !== undefined) this.#takeOption(this.#rulings());
      else if (referrals.length > 0) this.#takeOption(this.#decisions());
      else if (isDue) this.#takeOption([() => this.submit('PostSettlement', { credits: this.#credits })]);
      else if (phase === 'idle') return;
      else this.#takeOption([() => this.#continueRound()]);
    }
    throw new Error('too many steps');
  }

  /** Slips of a round except those that were voided alone. */
  #slipsOf(round: string): { readonly [terminal: string]: Slip } {
    const isOut = (terminal: string): boolean =>
      this.events.some((event) => event.type === 'SlipVoided' && event.round === round && event.terminal === terminal);
    return Object.fromEntries(Object.entries(slips).filter(([terminal]) => !isOut(terminal)));
  }

  /** Tries the ruling options in another order each time, until one is accepted. */
  #takeOption(options: readonly (() => boolean)[]): void {
    const from = this.#turn++ % options.length;
    const order = [...options.slice(from), ...options.slice(0, from)];
    if (!order.some((option) => option()))
      throw new Error(`no ruling option for ${JSON.stringify(this.table.openIrregularities)}`);
  }

  #decisions(): readonly (() => boolean)[] {
    const decided = (decision: string) => () =>
      this.submit('DecideReferral', {
        decision,
        reason: 'x',
        // A round that needs cards does not continue from a locked shoe.
        ...(decision !== 'continue' && this.#turn % 4 === 0 && { lock: true }),
        ...(decision === 'void' && this.#isBehind && { slips: this.#slipsOf(this.#first) }),
      });
    return ['void', 'stand', 'burn', 'continue'].map(decided);
  }

  get #isBehind(): boolean {
    return this.table.referrals[0]!.round !== this.table.round!.id;
  }

  #rulings(): readonly (() => boolean)[] {
    const { openIrregularities } = this.table;
    const reason = 'x';
    const named = openIrregularities[0]!.rulings.flatMap((ruling) => {
      const type = commandByRuling[ruling as keyof typeof commandByRuling];
      return type === undefined ? [] : [() => this.submit(type, fieldsFor(type, this.table))];
    });
    const confirmed = () => this.submit('ConfirmRuling', { credits: this.#credits });
    // One referral is enough; after its decision the irregularity gets a ruling.
    const referred = this.table.referred > 1 ? [] : [() => this.submit('Refer', { reason })];
    return [...named, confirmed, () => this.submit('DismissReport', { reason }), ...referred];
  }

  #continueRound(): boolean {
    const { phase, round } = this.table;
    const deck = cardsOfDeck(gameAndRulebookOf(this.table.settings).game.deck);
    this.table.at += 25_000;
    if (phase === 'betting') return this.submit('CallClose');
    if (phase === 'closing') return this.submit('CloseBets');
    if (phase === 'result') return this.submit('Settle', { credits: this.#credits });
    return this.submit('DealCard', { slot: nextSlot(round!.cards), card: deck[30 + round!.cards.length] });
  }

  /** Faults after everything is resolved. */
  problems(): readonly string[] {
    const problems = [...this.#wrong];
    const { table } = this;
    if (this.#stakes !== 0) problems.push(`${this.#stakes} at stake`);
    const rounds = [...table.history, table.round!];
    for (const [terminal, slip] of Object.entries(slips)) {
      const owes = Object.values(table.shortfalls[terminal] ?? {}).reduce((sum, amount) => sum + amount, 0);
      const due = rounds
        .filter(({ id }) => Object.hasOwn(this.#slipsOf(id), terminal))
        .reduce((sum, { ending }) => sum - totalStake(slip) + returnedOn(slip, ending), begin);
      const has = this.#credits[terminal]! + (this.#collected[terminal] ?? 0);
      if (has !== due + owes) problems.push(`${terminal} has ${has} and should have ${due}, owing ${owes}`);
    }
    for (const { type, round } of this.events.filter(isEnd)) {
      const ends = this.events.filter((event) => isEnd(event) && event.round === round).length;
      if (ends !== 1) problems.push(`${type} of ${round} ${ends} times`);
    }
    for (const event of this.events.filter(isTouch)) {
      if (!this.#named.has(event.round)) problems.push(`${event.type} changes ${event.round}, which no report names`);
    }
    return problems;
  }
}

/** Whether a settled round is played again. */
const isTakenUp = ({ phase, round }: Table): boolean => phase !== 'idle' && round !== null && round.ending !== null;

const returnedOn = (
  slip: { readonly [wager: string]: number },
  ending: NonNullable<Table['round']>['ending'],
): number => stakeResults(slip, ending!).reduce((sum, { returned }) => sum + returned, 0);

const isEnd = (event: TableEvent): event is Extract<TableEvent, { type: 'RoundSettled' | 'RoundVoided' }> =>
  event.type === 'RoundSettled' || event.type === 'RoundVoided';

type Touch = 'RoundVoided' | 'RoundResettled' | 'SlipVoided' | 'RoundReconstructed' | 'CardCorrected';
const touches: ReadonlySet<string> = new Set<Touch>([
  'RoundVoided',
  'RoundResettled',
  'SlipVoided',
  'RoundReconstructed',
  'CardCorrected',
]);
const isTouch = (event: TableEvent): event is Extract<TableEvent, { type: Touch }> => touches.has(event.type);
