import { type Actor } from '../../src/access/actor.ts';
import { type Role } from '../../src/access/roles.ts';
import { isRefused } from '../../src/base/refusal.ts';
import { applyEventsWithPostings, tableDecider } from '../../src/deciders/deciders.ts';
import { cardsOfDeck } from '../../src/rules/card.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { decide } from '../../src/table/decide/decide.ts';
import { irregularityToRuleOn } from '../../src/table/irregularities.ts';
import { type CommandName, type TableCommand } from '../../src/table/schema/commands.ts';
import { type PreviewedEvent, type TableEvent } from '../../src/table/schema/events.ts';
import { type TableRefusal } from '../../src/table/schema/refusals.ts';
import { gameAndRulebookOf } from '../../src/table/schema/settings.ts';
import { type Table } from '../../src/table/state.ts';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';

// What the views offer to staff, compared with what the decider would answer now.

type View = ReturnType<typeof buildSupervisorView>;
type Answer = readonly TableEvent[] | TableRefusal;

const line: readonly Role[] = ['dealer', 'supervisor', 'pit-manager', 'gaming-shift-manager'];
const person = (role: string, id: string): Actor => ({ person: id, role: role as Role });

/** Enough to take any money back. */
const credits = Object.fromEntries(
  ['seat-1', 'seat-2', 'seat-1.1', 'seat-2.1', 'seat-3.1', 'T1', 'T2'].map((terminal) => [terminal, 1_000_000_000]),
);

/** Rulings that may be refused for their cards alone. */
const dependsOnDetails = (command: string): boolean => command === 'ReconstructRound' || command === 'CorrectCard';

export class ShownOptions {
  readonly #table: Table;
  readonly #view: View;
  readonly #wrong: string[] = [];

  constructor(table: Table) {
    this.#table = table;
    this.#view = buildSupervisorView(table);
  }

  /** Ruling options, the next commands, and the commands that a refusal names. */
  rulings(): readonly string[] {
    this.#checkNext();
    const { stopped, next } = this.#view;
    if (stopped === null) return this.#wrong;
    for (const option of stopped.options) {
      if (option.not === 'not-computed') continue;
      const answer = this.#answer(option.command);
      const refused = isRefused(answer) ? answer.refused : null;
      const isSame = refused === option.not || (option.not === null && dependsOnDetails(option.command));
      this.#expect(isSame, `${option.command} is shown with ${option.not} and answered with ${refused}`);
      if (refused !== null || option.not !== null) continue;
      this.#checkRoles(option.command, option.first, option.second);
      if (!dependsOnDetails(option.command)) this.#checkEffect(option, effectsIn(answer));
    }
    const dismissal = this.#answer('DismissReport');
    this.#expect(isRefused(dismissal) === (stopped.dismiss === null), 'a dismissal is shown and refused, or hidden');
    if (stopped.dismiss !== null) this.#checkRoles('DismissReport', stopped.dismiss.first, stopped.dismiss.second);
    if (irregularityToRuleOn(this.#table) === undefined) return this.#wrong;
    const refusal = this.#answer('OpenBets') as TableRefusal;
    const [, named = ''] = /send (.+)[.]$/.exec(refusal.message) ?? [];
    this.#expect(named === next.join(', '), `"${refusal.message}" names other commands than ${next.join(', ')}`);
    return this.#wrong;
  }

  /** Also the report menu, decisions on a referral, the card to take back, and the open proposal. */
  all(): readonly string[] {
    this.rulings();
    this.#checkReports();
    this.#checkDecisions();
    this.#checkProposal();
    const { round } = this.#view;
    const isTakenBack = !isRefused(this.#answer('TakeBackCard'));
    if (round !== null) this.#expect(round.mayTakeBack === isTakenBack, `take back is shown as ${round.mayTakeBack}`);
    return this.#wrong;
  }

  #checkNext(): void {
    for (const command of this.#view.next) {
      const answer = dependsOnDetails(command) || needsShoe.has(command) ? [] : this.#answer(command);
      if (!isRefused(answer) || onlyLater.has(answer.refused)) continue;
      this.#expect(false, `${command} is next and refused: ${answer.message}`);
    }
  }

  #checkReports(): void {
    for (const { kind, command, as, does, not } of this.#view.reports) {
      if (command === 'CorrectCard' || not === 'chips-only' || not === 'terminals-only') continue;
      const place = { 'drawn-together': 1, 'third-cards-together': 5 }[kind as string];
      const fields = { ...(as !== null && { kind: as }), ...(place !== undefined && { place }) };
      const answer = this.#answer(command, fields, person('dealer', 'd8'));
      if (isRefused(answer)) this.#expect(answer.refused === not, `report ${kind}: ${not}, answered ${answer.refused}`);
      else if (not === null)
        this.#expect(actionOf(answer) === does, `report ${kind} ${does}, in fact ${actionOf(answer)}`);
      // Two kinds share one report: the table decides which of them it is.
      else this.#expect(!answer.some((event) => 'kind' in event && event.kind === kind), `report ${kind} is hidden`);
    }
  }

  #checkDecisions(): void {
    const { rulings, proposal } = this.#view;
    const referral = this.#table.referrals.find(({ round }) => round === rulings?.round);
    if (rulings === null || referral === undefined || proposal !== null) return;
    if (irregularityToRuleOn(this.#table) !== undefined || referral.round !== this.#table.round!.id) return;
    for (const column of rulings.columns) {
      const fields = { referral: referral.id, decision: column.ruling };
      const answer = this.#answer('DecideReferral', fields);
      const refused = isRefused(answer) ? answer.refused : null;
      this.#expect(refused === column.not, `${column.ruling} is shown with ${column.not}, answered ${refused}`);
      if (refused !== null || isRefused(answer)) continue;
      this.#checkRoles('DecideReferral', column.first, column.second, fields);
      const voided = voidClauseIn(effectsIn(answer));
      this.#expect(
        isLocking(effectsIn(answer)) === (column.shoe === 'locked'),
        `${column.ruling}: shoe ${column.shoe}`,
      );
      if (voided !== undefined) this.#expect(voided === column.by, `void by ${column.by}, in fact by ${voided}`);
    }
  }

  /** An approval that is shown without a reason against it is taken; a hidden or refused one is not. */
  #checkProposal(): void {
    const { proposal, at } = this.#table;
    if (proposal === null || at > proposal.expires) return;
    const shown = this.#view.proposal;
    const approve = (role: string) =>
      this.#answer('Approve', { proposal: proposal.id, hash: proposal.hash, credits }, person(role, 'z8'));
    const taken = line.map(approve).find((answer) => !isRefused(answer));
    const { type } = proposal.command;
    const isShown = shown !== null && shown.effects.not === null;
    this.#expect(isShown === (taken !== undefined), `the approval of ${type} is shown: ${isShown}`);
    if (shown === null || taken === undefined) return;
    const below = line[line.indexOf(shown.second as Role) - 1];
    this.#expect(!isRefused(approve(shown.second)), `${type} is not approved by a ${shown.second}`);
    if (below !== undefined) this.#expect(isRefused(approve(below)), `${type} is approved by a ${below}`);
    const voided = voidClauseIn(effectsIn(taken));
    if (voided === undefined) return;
    this.#expect(shown.effects.by === voided, `${type} is shown by ${shown.effects.by} and voids by ${voided}`);
  }

  /** The first role proposes or acts, the role below it may not; the second role approves. */
  #checkRoles(command: CommandName, first: string, second: string | null, fields: object = {}): void {
    const answer = this.#answer(command, fields, person(first, 'z1'));
    if (isRefused(answer)) {
      this.#expect(false, `${command} by a ${first} is refused: ${answer.refused}`);
      return;
    }
    // What a Gaming Shift Manager has referred, a supervisor may decide with another one. [READING 53]
    const below = command === 'DecideReferral' ? undefined : line[line.indexOf(first as Role) - 1];
    if (below !== undefined) {
      this.#expect(
        isRefused(this.#answer(command, fields, person(below, 'z1'))),
        `${command} is taken from a ${below}`,
      );
    }
    const isProposed = answer.at(-1)!.type === 'Proposed';
    this.#expect(isProposed === (second !== null), `${command}: the second role is shown as ${second}`);
    if (!isProposed || second === null) return;
    const { state } = applyEventsWithPostings(tableDecider, answer, copyOf(this.#table));
    const { id: proposal, hash } = state!.proposal!;
    const approved = decideAt(state!, 'Approve', { proposal, hash, credits }, person(second, 'z2'));
    this.#expect(!isRefused(approved), `${command} is not approved by a ${second}`);
  }

  #checkEffect(option: NonNullable<View['stopped']>['options'][number], effects: readonly PreviewedEvent[]): void {
    // A card that is one too many may lock the shoe, which no option can know.
    if (effects.some(({ type }) => type === 'IrregularityFound')) return;
    const { ruling, by, round, money, shoe } = option;
    const voided = voidClauseIn(effects);
    const isVoid = voided !== undefined;
    this.#expect((round === 'void') === isVoid && (money === 'returned') === isVoid, `${ruling}: round ${round}`);
    this.#expect((shoe === 'locked') === isLocking(effects), `${ruling}: shoe ${shoe}`);
    if (isVoid) this.#expect(voided === by, `${ruling} is shown by ${by} and voids by ${voided}`);
  }

  #expect(isTrue: boolean, problem: string): void {
    if (!isTrue) this.#wrong.push(problem);
  }

  #answer(type: CommandName, fields: object = {}, actor: Actor = person('gaming-shift-manager', 'g8')): Answer {
    return decideAt(this.#table, type, { ...fieldsFor(type, this.#table), ...fields }, actor);
  }
}

const decideAt = (table: Table, type: CommandName, fields: object, actor: Actor): Answer =>
  decide({ type, at: table.at, actor, ...fields } as unknown as TableCommand, table);

const copyOf = (table: Table): Table => ({
  ...structuredClone({ ...table, settings: null }),
  settings: table.settings,
});

/** Commands with a proof, a new shoe, or a count of its own, which a test of the options does not have. */
const needsShoe: ReadonlySet<string> = new Set(['BurnCards', 'EndShoe', 'CommitShoe', 'BringShoe', 'PostSettlement']);
/** Refusals that pass with time, and that of a card without its proof. */
const onlyLater: ReadonlySet<string> = new Set(['close-too-early', 'pause-runs', 'wrong-proof']);

/** Plausible fields for a command in the present state. */
export function fieldsFor(type: string, { round, settings, shoe, at }: Table): object {
  const reason = 'x';
  const deck = cardsOfDeck(gameAndRulebookOf(settings).game.deck);
  const slot = (round && nextSlot(round.cards)) ?? 'P1';
  const fields: { readonly [type: string]: object } = {
    ReconstructRound: { cards: round?.cards ?? [], unseen: shoe?.carried ?? false, reason },
    EnterCard: { slot, card: deck[20], reason },
    CorrectCard: { round: round?.id ?? 'none', place: 1, card: deck[21], reason },
    BurnCard: { card: deck[22], reason },
    DealCard: { slot, card: deck[20] },
    CountCards: { cards: shoe?.size ?? 0 },
    ShuffleShoe: { method: 'x' },
    CutShoe: { behind: 20 },
    InspectCards: { match: true },
    ChooseCutPosition: { cutPosition: 3 },
    CorrectCut: { behind: 20, reason },
    ExtendBets: { time: 1000 },
    SealShoe: { seal: 'x' },
    Settle: { credits },
    DecideReferral: { decision: 'continue', reason },
    ReportIrregularity: { kind: 'foreign-card' },
    ReportWager: { place: 'x', wager: settings.offered[0], amount: 0 },
    ReportInterruption: { since: at, stateLost: true },
    ReportTerminals: { terminals: ['T9'], disconnected: true },
  };
  return fields[type] ?? (withoutFields.has(type) ? {} : { reason });
}
const withoutFields: ReadonlySet<string> = new Set([
  'ConfirmRuling',
  'ConfirmFelt',
  'OpenBets',
  'CallClose',
  'CloseBets',
  'VerifyShoe',
  'ReportCuttingCard',
  'TakeBackCard',
  'Approve',
]);

/** The events of an answer or, if it is a proposal, those that it proposes. */
function effectsIn(answer: Answer): readonly PreviewedEvent[] {
  const last = isRefused(answer) ? undefined : answer.at(-1);
  if (last?.type === 'Proposed') return last.effects;
  return isRefused(answer) ? [] : answer;
}

const isLocking = (effects: readonly PreviewedEvent[]): boolean => effects.some(({ type }) => type === 'ShoeLocked');

function voidClauseIn(effects: readonly PreviewedEvent[]): string | undefined {
  const voided = effects.find(
    ({ type, outcome }) =>
      type === 'RoundVoided' || type === 'SlipVoided' || (type === 'RoundResettled' && outcome === 'void'),
  );
  return voided && String(voided['by']);
}

function actionOf(events: readonly TableEvent[]): string {
  if (events.some(({ type }) => type === 'Referred')) return 'refers';
  if (isLocking(events)) return 'locks';
  return events.some((event) => event.type === 'Interrupted' || ('stops' in event && event.stops)) ? 'stops' : 'noted';
}
