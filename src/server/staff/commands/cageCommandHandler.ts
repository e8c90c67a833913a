import { type CommandResult, type CommandContext } from '../../../runtime/stream/pendingCommand.ts';
import { storedResultOrRefusal } from '../../../runtime/stream/commandLookup.ts';
import { type FinalRefusal, asFinalRefusal } from '../../../runtime/stream/refusals.ts';
import { cageTerminalOfTicket } from '../../../runtime/terminals/ticketService.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type SignInSession } from '../../../staff/state.ts';
import * as s from '../../../base/schemas.ts';
import { parse } from '../../../base/schema.ts';
import * as kinds from '../../../base/commonSchemas.ts';
import { isRefused, quoteForMessage, refuse } from '../../../base/refusal.ts';
import { isValidationNumber } from '../../../base/validationNumber.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { type StoredEntry } from '../../../store/store.ts';
import { terminalCommands } from '../../../terminal/commands.ts';
import { type StaffClientMessageOf } from '../../../wire/staff/messages.ts';
import { recordSecondPersonConsent } from './secondPerson.ts';
import { secondPersonContextOf } from './tableCommandHandler.ts';
import { effectiveRoleAt } from './viewPermissions.ts';
import { type ServerRefusal, misreadTicketRefusal, unknownTicketRefusal } from '../../refusals/serverRefusals.ts';

/**
 * A command that is no longer accepted; it exists only so that stored entries can be read. `ProposeHandPay` and
 * `ApproveHandPay` have replaced it.
 */
const retiredCommand = 'SignHandPay';
/** Terminal commands that staff may send: all commands that require a role, except the retired command. */
const staffCommands: ReadonlySet<string> = new Set(
  Object.entries(terminalCommands).flatMap(([name, command]) =>
    'role' in command && name !== retiredCommand ? [name] : [],
  ),
);
const proposalSchema = s.object('a proposal and its hash', { proposal: kinds.id, hash: kinds.hash });
/**
 * Commands that staff may send only with the method `cash`. Terminals and bill acceptors send them with other methods.
 */
const cashOnly: ReadonlySet<string> = new Set(['LoadCredit', 'CollectCredit']);

export class CageCommandHandler {
  readonly #floor: FloorRuntime;
  /** Keyed mutex by ticket: this node pays a ticket for one request at a time. */
  readonly #paying = new Map<string, Promise<unknown>>();

  /** Gives the refusal of every command while the session is locked or the server closes; undefined at other times. */
  readonly #sessionRefusal: (session: SignInSession) => ServerRefusal | undefined;

  constructor(floor: FloorRuntime, sessionRefusal: (session: SignInSession) => ServerRefusal | undefined) {
    this.#floor = floor;
    this.#sessionRefusal = sessionRefusal;
  }

  async terminalCommand(
    session: SignInSession,
    message: StaffClientMessageOf<'terminal'>,
    at: number,
  ): Promise<CommandResult> {
    const { terminal, request } = message;
    const { terminals, staff } = this.#floor;
    const { type, actor: _who, second: _second, ...fields } = request;
    if (typeof type !== 'string' || !staffCommands.has(type)) return unknownStaffCommand(type);
    if (!(await terminals.isRegisteredAnywhere(terminal))) return unknownTerminal(terminal);
    if (cashOnly.has(type) && fields['method'] !== 'cash') return cashRequired;
    if (type === 'ApproveHandPay') return this.#approve(session, message, fields, at);
    const commandId = `${message.id}/${session.person}`;
    const command = { type, ...fields, actor: { person: session.person } };
    const needsSecond = type === 'PayByHand';
    const person = needsSecond && message.number !== undefined ? await staff.findPerson(message.number) : undefined;
    const withSecond = { ...command, ...(person !== undefined && { second: { person } }) };
    // If the command was stored earlier, the sender gets its result, even if the sender no longer has the role for it.
    const recorded = await terminals.findResult(terminal, commandId, withSecond);
    if (recorded) return recorded;
    const refuseCommand = (refusal: ServerRefusal): Promise<CommandResult> =>
      terminals.refuse(terminal, commandId, withSecond, refusal);
    const context = this.#contextFor(session, at);
    if (isRefused(context)) return refuseCommand(context);
    if (!needsSecond) return terminals.submit(terminal, commandId, withSecond, context);
    const signed = { table: terminal, proposal: 'pay', hash: hashOf({ terminal, command }) };
    const second = await recordSecondPersonConsent(this.#floor, session, message, signed, at);
    if (isRefused(second)) return refuseCommand(second);
    return terminals.submit(terminal, commandId, withSecond, { ...context, ...secondPersonContextOf(second.context) });
  }

  /**
   * Approves a hand-pay in the name of a second person, who enters staff number and PIN at the console of the first
   * person. The approval is valid for this proposal and hash only.
   */
  async #approve(
    session: SignInSession,
    message: StaffClientMessageOf<'terminal'>,
    fields: object,
    at: number,
  ): Promise<CommandResult> {
    const { terminals, staff } = this.#floor;
    const proposal = parse(fields, proposalSchema);
    if (isRefused(proposal)) return asFinalRefusal(proposal);
    const person = await staff.findPerson(message.number!);
    const command = { type: 'ApproveHandPay', ...proposal, actor: { person } };
    const commandId = `${message.id}/${person}`;
    const recorded =
      person === undefined ? undefined : await terminals.findResult(message.terminal, commandId, command);
    if (recorded) return recorded;
    const refuseCommand = async (refusal: ServerRefusal): Promise<CommandResult> =>
      person === undefined ? asFinalRefusal(refusal) : terminals.refuse(message.terminal, commandId, command, refusal);
    const first = this.#contextFor(session, at);
    if (isRefused(first)) return refuseCommand(first);
    const signed = { table: message.terminal, ...proposal };
    const second = await recordSecondPersonConsent(this.#floor, session, message, signed, at);
    return isRefused(second)
      ? refuseCommand(second)
      : terminals.submit(message.terminal, commandId, command, second.context);
  }

  #contextFor(session: SignInSession, at: number): CommandContext | ServerRefusal {
    return this.#sessionRefusal(session) ?? this.#floor.staff.contextFor(session, at);
  }

  /**
   * Pays the whole value of a ticket in cash. For each ticket there is one cage terminal, at which only this ticket is
   * redeemed. So two payments of a ticket meet in one stream, and the second is refused.
   */
  async pay(session: SignInSession, message: StaffClientMessageOf<'pay'>, at: number): Promise<CommandResult> {
    const { ticket: number } = message;
    if (!isValidationNumber(number)) return misreadTicketRefusal;
    const { tickets } = this.#floor;
    await tickets.refreshNumber(number);
    const ticket = tickets.find(number);
    // There is no ticket with this number, so no earlier payment of it can be stored. The refusal is therefore final.
    if (ticket === undefined) return asFinalRefusal(unknownTicketRefusal);
    const pay = (): Promise<CommandResult> => this.#pay(session, message, ticket, at);
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
  ): Promise<CommandResult> {
    const { terminals, tickets } = this.#floor;
    const terminal = cageTerminalOfTicket(ticket);
    const commandId = `${id}/${session.person}`;
    const ownPayment = async (): Promise<CommandResult | undefined> => {
      const paid = await tickets.paidInCash(ticket);
      return paid?.command.id === commandId ? { entries: [paid] } : undefined;
    };
    const refuseCommand = (refusal: ServerRefusal): Promise<CommandResult> =>
      storedResultOrRefusal(refusal, ownPayment);
    const stored = await ownPayment();
    if (stored) return stored;
    const context = this.#contextFor(session, at);
    if (isRefused(context)) return refuseCommand(context);
    if (effectiveRoleAt(session, at) !== 'cage') return refuseCommand(notCage);
    const paid = await tickets.paidInCash(ticket);
    if (paid) return refuseCommand(this.#alreadyPaid(paid));
    const redeemId = redeemCommandIdOf(ticket);
    // Computed before the search for the redemption. In the other order, another node could redeem the ticket for this
    // same payment in between, and the payment would be refused because of its own redemption.
    const refusal = tickets.paymentRefusal(number);
    if ((await terminals.findEntries(terminal, redeemId)).length === 0) {
      if (refusal) return refuseCommand(refusal);
      const begun = await terminals.seatCageTerminal(terminal);
      if (typeof begun !== 'string') return refuseCommand(begun);
      const redeemed = await terminals.submit(terminal, redeemId, { type: 'RedeemTicket', ticket });
      if (isRefused(redeemed)) return refuseCommand(redeemed);
    }
    const collect = { type: 'CollectCredit', method: 'cash', actor: { person: session.person } };
    const result = await terminals.submit(terminal, commandId, collect, context);
    // If the collect was refused, another cashier may have paid the ticket in the meantime.
    const otherPayment = isRefused(result) ? await tickets.paidInCash(ticket) : undefined;
    return otherPayment ? refuseCommand(this.#alreadyPaid(otherPayment)) : result;
  }

  #alreadyPaid({ event, at }: StoredEntry): ServerRefusal {
    const { person: id } = event['actor'] as { readonly person: string };
    const person = this.#floor.staff.state?.members[id]?.number ?? id;
    const when = new Date(at).toISOString();
    return refuse<'ticket-paid'>('ticket-paid', `This ticket was paid by ${person} at ${when}. Do not pay it again.`);
  }
}

export const redeemCommandIdOf = (ticket: string): string => `redeem/${ticket}`;

const notCage: ServerRefusal = {
  ...refuse<'not-your-role'>('not-your-role', 'Only the cage pays tickets. Send the patron there.'),
  by: 'HOUSE 2',
};
const unknownStaffCommand = (type: unknown): FinalRefusal =>
  asFinalRefusal(
    refuse<'bad-request'>(
      'bad-request',
      `${quoteForMessage(type)} is not a terminal command for staff. Use ${[...staffCommands].join(', ')}.`,
    ),
  );
const unknownTerminal = (terminal: string): FinalRefusal =>
  asFinalRefusal(
    refuse<'unknown-terminal'>(
      'unknown-terminal',
      `There is no terminal ${quoteForMessage(terminal)}. Choose another.`,
    ),
  );
const cashRequired = asFinalRefusal(
  refuse<'bad-request'>('bad-request', 'The cage pays and takes cash only. Use the method "cash".'),
);
