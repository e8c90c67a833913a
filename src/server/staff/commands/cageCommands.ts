import { type CommandResult, type CommandContext } from '../../../runtime/stream/pendingCommand.ts';
import { cageTerminalOf } from '../../../runtime/terminals/tickets.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type SignInSession } from '../../../staff/state.ts';
import * as s from '../../../base/schemas.ts';
import { type Infer, parse } from '../../../base/schema.ts';
import * as kinds from '../../../base/commonSchemas.ts';
import { isRefused, quoted, refuse } from '../../../base/refusal.ts';
import { isValidationNumber } from '../../../base/validationNumber.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { type StoredEntry } from '../../../store/store.ts';
import { terminalCommands } from '../../../terminal/commands.ts';
import { type StaffClientMessageOf } from '../../../wire/staff/messages.ts';
import { secondContext } from './tableCommands.ts';
import { effectiveRoleAt } from './viewPermissions.ts';
import { type ServerRefusal, misreadTicket, unknownTicket } from '../../shared/refusals.ts';

type CageResult = CommandResult | ServerRefusal;

/** Kept for stored entries only; replaced by proposal and approval. */
const retiredCommand = 'SignHandPay';
/** Terminal commands that have a role. */
const staffCommands: ReadonlySet<string> = new Set(
  Object.entries(terminalCommands).flatMap(([name, command]) =>
    'role' in command && name !== retiredCommand ? [name] : [],
  ),
);
const proposalSchema = s.object('a proposal and its hash', { proposal: kinds.id, hash: kinds.hash });
/** With these commands staff may only move cash; tickets and bills come from the patron or a device. */
const cashOnly: ReadonlySet<string> = new Set(['LoadCredit', 'CollectCredit']);

/** Commands of the cage and the floor on terminal credit and tickets. */
export class CageCommands {
  readonly #floor: FloorRuntime;
  /** Keyed mutex by ticket: two payments of a ticket never overlap. */
  readonly #paying = new Map<string, Promise<unknown>>();

  constructor(floor: FloorRuntime) {
    this.#floor = floor;
  }

  async terminalCommand(
    session: SignInSession,
    message: StaffClientMessageOf<'terminal'>,
    at: number,
  ): Promise<CageResult> {
    const { terminal, request } = message;
    const { terminals, staff } = this.#floor;
    const { type, actor: _who, second: _second, ...fields } = request;
    if (typeof type !== 'string' || !staffCommands.has(type)) return unknownStaffCommand(type);
    if (!(await terminals.isRegisteredAnywhere(terminal))) return unknownTerminal(terminal);
    if (cashOnly.has(type) && fields['method'] !== 'cash') return cashRequired;
    if (type === 'ApproveHandPay' && message.number !== undefined) return this.#approve(session, message, fields, at);
    const commandId = `${message.id}/${session.person}`;
    const command = { type, ...fields, actor: { person: session.person } };
    const needsSecond = type === 'PayByHand';
    const person = needsSecond && message.number !== undefined ? staff.personOf(message.number) : undefined;
    const withSecond = { ...command, ...(person !== undefined && { second: { person } }) };
    // A stored command keeps its result, whatever the sender may do now.
    const recorded = await terminals.findResult(terminal, commandId, withSecond);
    if (recorded) return recorded;
    const context = staff.contextFor(session, at);
    if (isRefused(context)) return context;
    if (!needsSecond) return terminals.submit(terminal, commandId, withSecond, context);
    const second = await this.#secondContext(
      session,
      message,
      { proposal: 'pay', hash: hashOf({ terminal, command }) },
      at,
    );
    if (isRefused(second)) return second;
    return terminals.submit(terminal, commandId, withSecond, { ...context, ...secondContext(second) });
  }

  /** The second person approves at the first person's console, for this proposal and hash only. */
  async #approve(
    session: SignInSession,
    message: StaffClientMessageOf<'terminal'>,
    fields: object,
    at: number,
  ): Promise<CageResult> {
    const { terminals, staff } = this.#floor;
    const proposal = parse(fields, proposalSchema);
    if (isRefused(proposal)) return proposal;
    const person = staff.personOf(message.number!);
    const command = { type: 'ApproveHandPay', ...proposal, actor: { person } };
    const commandId = `${message.id}/${person}`;
    const recorded =
      person === undefined ? undefined : await terminals.findResult(message.terminal, commandId, command);
    if (recorded) return recorded;
    const first = staff.contextFor(session, at);
    if (isRefused(first)) return first;
    const second = await this.#secondContext(session, message, proposal, at);
    return isRefused(second) ? second : terminals.submit(message.terminal, commandId, command, second);
  }

  /** Context of the second person, whose consent is for this proposal only. */
  async #secondContext(
    { console }: SignInSession,
    { terminal, number, pin }: StaffClientMessageOf<'terminal'>,
    proposal: Infer<typeof proposalSchema>,
    at: number,
  ): Promise<CommandContext | ServerRefusal> {
    const { staff } = this.#floor;
    if (number === undefined || pin === undefined) return secondRequired;
    const consent = await staff.signIns.consent({ number, pin, table: terminal, ...proposal, console });
    if (isRefused(consent)) return consent;
    return staff.contextFor(consent, at);
  }

  /** Pays a ticket in cash, whole and once: it passes through a terminal of its own at the cage. */
  async pay(session: SignInSession, message: StaffClientMessageOf<'pay'>, at: number): Promise<CageResult> {
    const { ticket: number } = message;
    if (!isValidationNumber(number)) return misreadTicket;
    const { tickets } = this.#floor;
    await tickets.refreshNumber(number);
    const ticket = tickets.find(number);
    if (ticket === undefined) return unknownTicket;
    const pay = (): Promise<CageResult> => this.#pay(session, message, ticket, at);
    const paying = (this.#paying.get(ticket) ?? Promise.resolve()).then(pay, pay);
    this.#paying.set(ticket, paying);
    return paying.finally(() => {
      if (this.#paying.get(ticket) === paying) this.#paying.delete(ticket);
    });
  }

  async #pay(
    session: SignInSession,
    { id, ticket: number }: StaffClientMessageOf<'pay'>,
    ticket: string,
    at: number,
  ): Promise<CageResult> {
    const { terminals, tickets, staff } = this.#floor;
    const terminal = cageTerminalOf(ticket);
    const commandId = `${id}/${session.person}`;
    const paid = await tickets.paidInCash(ticket);
    if (paid?.command.id === commandId) return { entries: [paid] };
    const context = staff.contextFor(session, at);
    if (isRefused(context)) return context;
    if (effectiveRoleAt(session, at) !== 'cage') return notCage;
    if (paid) return this.#alreadyPaid(paid);
    const redeemId = redeemCommandId(ticket);
    if ((await terminals.findEntries(terminal, redeemId)).length === 0) {
      const refusal = tickets.paymentRefusal(number);
      if (refusal) return refusal;
      const begun = await terminals.begin(terminal, 0);
      if (typeof begun !== 'string') return begun;
      const redeemed = await terminals.submit(terminal, redeemId, { type: 'RedeemTicket', ticket });
      if (isRefused(redeemed)) return redeemed;
    }
    const collect = { type: 'CollectCredit', method: 'cash', actor: { person: session.person } };
    const result = await terminals.submit(terminal, commandId, collect, context);
    // Another cashier may have paid it meanwhile.
    const otherPayment = isRefused(result) ? await tickets.paidInCash(ticket) : undefined;
    return otherPayment ? this.#alreadyPaid(otherPayment) : result;
  }

  #alreadyPaid({ event, at }: StoredEntry): ServerRefusal {
    const { person: id } = event['actor'] as { readonly person: string };
    const person = this.#floor.staff.state?.members[id]?.number ?? id;
    const when = new Date(at).toISOString();
    return refuse<'ticket-paid'>('ticket-paid', `The ticket was paid by ${person} at ${when}; pay it no second time.`);
  }
}

/** Command id of the redemption at the cage's terminal. */
export const redeemCommandId = (ticket: string): string => `redeem/${ticket}`;

const notCage: ServerRefusal = {
  ...refuse<'not-your-role'>('not-your-role', 'Only the role cage pays tickets; let the cage pay it.'),
  by: 'HOUSE 2',
};
const unknownStaffCommand = (type: unknown): ServerRefusal =>
  refuse<'bad-request'>('bad-request', `${quoted(type)} is no command of staff at a terminal; send another.`);
const unknownTerminal = (terminal: string): ServerRefusal =>
  refuse<'unknown-terminal'>('unknown-terminal', `There is no terminal ${quoted(terminal)}; name another.`);
const cashRequired = refuse<'bad-request'>('bad-request', 'The cage moves cash only; give the way "cash".');
const secondRequired = refuse<'bad-request'>('bad-request', 'A second person signs this; give number and PIN.');
