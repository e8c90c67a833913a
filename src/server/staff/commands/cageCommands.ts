import { type CommandResult, type Brought } from '../../../runtime/stream/pendingCommand.ts';
import { cageOf } from '../../../runtime/terminals/tickets.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type SignInSession } from '../../../staff/state.ts';
import * as s from '../../../base/schema.ts';
import { type Infer } from '../../../base/schema.ts';
import * as kinds from '../../../base/commonSchemas.ts';
import { isRefused, quoted, refuse } from '../../../base/refusal.ts';
import { isValidationNumber } from '../../../base/validationNumber.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { type StoredEntry } from '../../../store/store.ts';
import { terminalCommands } from '../../../terminal/commands.ts';
import { type StaffSaysOf } from '../../../wire/staff/messages.ts';
import { secondOf } from './tableCommands.ts';
import { type Refused } from '../../shared/staffRefusals.ts';
import { effectiveRoleAt } from './viewPermissions.ts';

type Answer = CommandResult | Refused;

/** As two signed before one proposed it and another approved. */
const former = 'SignHandPay';
/** What people may ask of a terminal: what a post is named for. */
const staffed: ReadonlySet<string> = new Set(
  Object.entries(terminalCommands).flatMap(([name, command]) => ('post' in command && name !== former ? [name] : [])),
);
/** What a consent is bound to. */
const boundTo = s.object('a proposal and its hash', { proposal: kinds.id, hash: kinds.hash });
/** What only a patron at the terminal, or its devices, can have brought. */
const cashOnly: ReadonlySet<string> = new Set(['LoadCredit', 'CollectCredit']);

/** What the cage and the floor do with the credit of terminals, and with tickets. */
export class Cage {
  readonly #floor: FloorRuntime;
  /** One at a time for a ticket, so that what is being paid is not taken for paid by another. */
  readonly #paying = new Map<string, Promise<unknown>>();

  constructor(floor: FloorRuntime) {
    this.#floor = floor;
  }

  /** A command of a terminal's credit. */
  async terminal(session: SignInSession, said: StaffSaysOf<'terminal'>, at: number): Promise<Answer> {
    const { terminal, asked } = said;
    const { terminals, people } = this.#floor;
    const { type, who: _who, second: _second, ...fields } = asked;
    if (typeof type !== 'string' || !staffed.has(type)) return notStaffed(type);
    if (!(await terminals.isAnywhere(terminal))) return unknownTerminal(terminal);
    if (cashOnly.has(type) && fields['way'] !== 'cash') return cashAlone;
    if (type === 'ApproveHandPay' && said.number !== undefined) return this.#approve(session, said, fields, at);
    const own = `${said.id}/${session.person}`;
    const command = { type, ...fields, who: { person: session.person } };
    const isByTwo = type === 'PayByHand';
    const person = isByTwo && said.number !== undefined ? people.personOf(said.number) : undefined;
    const whole = { ...command, ...(person !== undefined && { second: { person } }) };
    // What is in the record was asked while it could be, whoever may ask it now.
    const known = await terminals.known(terminal, own, whole);
    if (known) return known;
    const first = people.broughtFor(session, at);
    if (isRefused(first)) return first;
    if (!isByTwo) return terminals.submit(terminal, own, whole, first);
    const second = await this.#second(session, said, { proposal: 'pay', hash: hashOf({ terminal, command }) }, at);
    if (isRefused(second)) return second;
    return terminals.submit(terminal, own, whole, { ...first, ...secondOf(second) });
  }

  /** The second person signs at the console of the first, for this proposal and its hash alone. */
  async #approve(session: SignInSession, said: StaffSaysOf<'terminal'>, fields: object, at: number): Promise<Answer> {
    const { terminals, people } = this.#floor;
    const bound = s.parse(fields, boundTo);
    if (isRefused(bound)) return bound;
    const person = people.personOf(said.number!);
    const asked = { type: 'ApproveHandPay', ...bound, who: { person } };
    const own = `${said.id}/${person}`;
    const known = person === undefined ? undefined : await terminals.known(said.terminal, own, asked);
    if (known) return known;
    const first = people.broughtFor(session, at);
    if (isRefused(first)) return first;
    const second = await this.#second(session, said, bound, at);
    return isRefused(second) ? second : terminals.submit(said.terminal, own, asked, second);
  }

  /** The consent of the second person, for what it is bound to and nothing else. */
  async #second(
    { console }: SignInSession,
    { terminal, number, pin }: StaffSaysOf<'terminal'>,
    bound: Infer<typeof boundTo>,
    at: number,
  ): Promise<Brought | Refused> {
    const { people } = this.#floor;
    if (number === undefined || pin === undefined) return secondMissing;
    const consent = await people.consent({ number, pin, table: terminal, ...bound, console });
    if (isRefused(consent)) return consent;
    return people.broughtFor(consent, at);
  }

  /** A ticket is paid in cash, whole and once: it passes through a terminal of its own at the cage. */
  async pay(session: SignInSession, said: StaffSaysOf<'pay'>, at: number): Promise<Answer> {
    const { ticket: number } = said;
    if (!isValidationNumber(number)) return misread;
    const { cashier } = this.#floor;
    await cashier.look(number);
    const ticket = cashier.find(number);
    if (ticket === undefined) return unknownTicket;
    const pay = (): Promise<Answer> => this.#pay(session, said, ticket, at);
    const paying = (this.#paying.get(ticket) ?? Promise.resolve()).then(pay, pay);
    this.#paying.set(ticket, paying);
    return paying.finally(() => {
      if (this.#paying.get(ticket) === paying) this.#paying.delete(ticket);
    });
  }

  async #pay(
    session: SignInSession,
    { id, ticket: number }: StaffSaysOf<'pay'>,
    ticket: string,
    at: number,
  ): Promise<Answer> {
    const { terminals, cashier, people } = this.#floor;
    const terminal = cageOf(ticket);
    const own = `${id}/${session.person}`;
    const paid = await cashier.paidInCash(ticket);
    if (paid?.command.id === own) return { entries: [paid] };
    const brought = people.broughtFor(session, at);
    if (isRefused(brought)) return brought;
    if (effectiveRoleAt(session, at) !== 'cage') return notCage;
    if (paid) return this.#paidBefore(paid);
    const redeeming = redeemingOf(ticket);
    if ((await terminals.recorded(terminal, redeeming)).length === 0) {
      const refusal = cashier.unpayable(number);
      if (refusal) return refusal;
      const begun = await terminals.begin(terminal, 0);
      if (typeof begun !== 'string') return begun;
      const redeemed = await terminals.submit(terminal, redeeming, { type: 'RedeemTicket', ticket });
      if (isRefused(redeemed)) return redeemed;
    }
    const collecting = { type: 'CollectCredit', way: 'cash', who: { person: session.person } };
    const answered = await terminals.submit(terminal, own, collecting, brought);
    // Another desk may have been quicker.
    const other = isRefused(answered) ? await cashier.paidInCash(ticket) : undefined;
    return other ? this.#paidBefore(other) : answered;
  }

  #paidBefore({ event, at }: StoredEntry): Refused {
    const { person: id } = event['who'] as { readonly person: string };
    const person = this.#floor.people.state?.members[id]?.number ?? id;
    const when = new Date(at).toISOString();
    return refuse<'ticket-paid'>('ticket-paid', `The ticket was paid by ${person} at ${when}; pay it no second time.`);
  }
}

/** The id under which a ticket comes to the terminal at the cage that it passes through. */
export const redeemingOf = (ticket: string): string => `redeem/${ticket}`;

const notCage: Refused = {
  ...refuse<'not-your-post'>('not-your-post', 'A ticket is paid by the post cage; let them do it.'),
  by: 'HOUSE 2',
};
const notStaffed = (type: unknown): Refused =>
  refuse<'bad-request'>('bad-request', `${quoted(type)} is nothing that people do at a terminal.`);
const unknownTerminal = (terminal: string): Refused =>
  refuse<'unknown-terminal'>('unknown-terminal', `There is no terminal ${quoted(terminal)}; name another.`);
const cashAlone = refuse<'bad-request'>(
  'bad-request',
  'At the desk money comes and goes in cash; give the way "cash".',
);
const secondMissing = refuse<'bad-request'>('bad-request', 'A second person signs this; give number and PIN.');
export const misread = refuse<'misread-ticket'>(
  'misread-ticket',
  'The number was not read as it is printed; read it again.',
);
export const unknownTicket = refuse<'unknown-ticket'>(
  'unknown-ticket',
  'There is no ticket of that number; read it again.',
);
