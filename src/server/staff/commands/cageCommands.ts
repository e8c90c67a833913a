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
import { secondPersonContext } from './tableCommands.ts';
import { effectiveRoleAt } from './viewPermissions.ts';
import { type ServerRefusal, misreadTicketRefusal, unknownTicketRefusal } from '../../shared/refusals.ts';

type CageResult = CommandResult | ServerRefusal;

/** Command that is kept only because stored entries have it. A proposal and an approval have replaced it. */
const retiredCommand = 'SignHandPay';
/** Terminal commands that staff may send: those that require a role. */
const staffCommands: ReadonlySet<string> = new Set(
  Object.entries(terminalCommands).flatMap(([name, command]) =>
    'role' in command && name !== retiredCommand ? [name] : [],
  ),
);
const proposalSchema = s.object('a proposal and its hash', { proposal: kinds.id, hash: kinds.hash });
/** Commands by which staff may move cash only; tickets and bills come from the patron or a device. */
const cashOnly: ReadonlySet<string> = new Set(['LoadCredit', 'CollectCredit']);

/** Carries out staff commands on terminals and tickets: credit, hand-pays, locks and payments. */
export class CageCommandHandler {
  readonly #floor: FloorRuntime;
  /** Keyed mutex by ticket, so that two payments of a ticket never run at the same time. */
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
    // A stored command keeps its result, even if the sender has no role for it any more.
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
    return terminals.submit(terminal, commandId, withSecond, { ...context, ...secondPersonContext(second) });
  }

  /**
   * Approves a hand-pay in the name of a second person at the console of the first, for this proposal and hash only.
   */
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

  /** Checks the PIN of the second person and gives the context; the consent is valid for this proposal only. */
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

  /** Pays the whole value of a ticket in cash. It is redeemed at a terminal of its own, so that it is paid once. */
  async pay(session: SignInSession, message: StaffClientMessageOf<'pay'>, at: number): Promise<CageResult> {
    const { ticket: number } = message;
    if (!isValidationNumber(number)) return misreadTicketRefusal;
    const { tickets } = this.#floor;
    await tickets.refreshNumber(number);
    const ticket = tickets.find(number);
    if (ticket === undefined) return unknownTicketRefusal;
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
    // Another cashier may have paid the ticket meanwhile.
    const otherPayment = isRefused(result) ? await tickets.paidInCash(ticket) : undefined;
    return otherPayment ? this.#alreadyPaid(otherPayment) : result;
  }

  #alreadyPaid({ event, at }: StoredEntry): ServerRefusal {
    const { person: id } = event['actor'] as { readonly person: string };
    const person = this.#floor.staff.state?.members[id]?.number ?? id;
    const when = new Date(at).toISOString();
    return refuse<'ticket-paid'>('ticket-paid', `This ticket was paid by ${person} at ${when}. Do not pay it again.`);
  }
}

/** Id of the command that redeems a ticket at its cage terminal. */
export const redeemCommandId = (ticket: string): string => `redeem/${ticket}`;

const notCage: ServerRefusal = {
  ...refuse<'not-your-role'>('not-your-role', 'Only the cage pays tickets.'),
  by: 'HOUSE 2',
};
const unknownStaffCommand = (type: unknown): ServerRefusal =>
  refuse<'bad-request'>('bad-request', `${quoted(type)} is not a terminal command for staff.`);
const unknownTerminal = (terminal: string): ServerRefusal =>
  refuse<'unknown-terminal'>('unknown-terminal', `There is no terminal ${quoted(terminal)}. Choose another.`);
const cashRequired = refuse<'bad-request'>('bad-request', 'The cage pays and takes cash only. Use the method "cash".');
const secondRequired = refuse<'bad-request'>(
  'bad-request',
  'A second person must approve this. Enter staff number and PIN.',
);
