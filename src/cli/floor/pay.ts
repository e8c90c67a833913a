import { randomUUID } from 'node:crypto';
import { type CommandResult } from '../../runtime/stream/pendingCommand.ts';
import { type CommandRefusal } from '../../runtime/stream/refusals.ts';
import { cageTerminalOfTicket } from '../../runtime/terminals/ticketService.ts';
import { type StaffService } from '../../runtime/staff/staffService.ts';
import { type PropertyAndCurrency } from '../../runtime/ports/runtimeDependencies.ts';
import { terminalAccount } from '../../ledger/accounts.ts';
import { isId } from '../../base/commonSchemas.ts';
import { formatMoney } from '../../base/formatMoney.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { type Role, hasAuthority } from '../../access/roles.ts';
import { isValidationNumber } from '../../base/validationNumber.ts';
import { type StoreReader, type StoredEntry } from '../../store/store.ts';
import { handPayLockReason } from '../../terminal/tickets.ts';
import { type ErrorCode } from '../support/errorCodes.ts';
import { exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand, type OptionValues, optionText } from '../support/commandLine.ts';
import { type FloorAction, withFloorWithoutTables } from '../support/withFloorWithoutTables.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const payCommand: CliCommand = {
  help: `Usage: punto pay [STORE] --supervisor ID --pit-manager ID [--reason TEXT] TERMINAL
       punto pay [STORE] --cage ID --ticket NUMBER [--on-hold]
STORE: [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE]

  --data DIR        the data folder; default "data". No floor may be running on it.
  --store ADDRESS   a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE        with --store, the encryption key; default DIR.key
  --anchor FILE     the anchor; default DIR.anchor
  --signer FILE     the signing key; default DIR.signer
  TERMINAL          the terminal that is locked for a hand-pay, such as T7; the whole hand-pay is paid, and the terminal is
                    unlocked
  --supervisor ID   the supervisor who pays: a staff number such as S-1; if the property has no staff yet, any id
  --pit-manager ID  the pit manager who approves; must be another person
  --reason TEXT     why the terminal is unlocked; default "Paid by hand."
  --ticket NUMBER   the validation number of a ticket, which is paid in cash, in full
  --cage ID         the cashier who pays the ticket: a staff number such as C-1
  --on-hold         pay a ticket that is on hold: the store was rolled back after the ticket was issued, so the ticket may
                    have been paid already. First check the ticket and the former anchor file, which was kept

A payment is stored before it is printed. After an interruption run the command again: it never pays twice.`,
  options: {
    ...exclusiveStoreOptions,
    anchor: { type: 'string' },
    signer: { type: 'string' },
    supervisor: { type: 'string' },
    'pit-manager': { type: 'string' },
    reason: { type: 'string' },
    ticket: { type: 'string' },
    cage: { type: 'string' },
    'on-hold': { type: 'boolean' },
  },
  maxArguments: 1,
  run: async (values, [terminal], { output, errors }) => {
    const act = terminal === undefined ? payTicket(values) : payByHand(values, terminal);
    print(output, await withFloorWithoutTables(values, errors, ownerByAccount, act));
    return 0;
  },
};

/** Reads property and currency of a store from the name of one of its accounts. */
async function ownerByAccount(store: Pick<StoreReader, 'balances'>): Promise<PropertyAndCurrency> {
  const [account] = (await store.balances()).keys();
  if (account === undefined)
    throw new CliError(
      1,
      'unknown-terminal',
      'No money was ever recorded in this store; give another store with --data or --store.',
    );
  const [property = '', currency = ''] = account.split('/');
  return { property, currency };
}

/** Hand-pay by a supervisor, approved by a pit manager: pays the whole amount and unlocks the terminal. [HOUSE 2] */
function payByHand(values: OptionValues, terminal: string): FloorAction {
  const supervisor = staffOption(values, 'supervisor');
  const approver = staffOption(values, 'pit-manager');
  const reason = optionText(values, 'reason') ?? 'Paid by hand.';
  const unexpected = (['ticket', 'cage', 'on-hold'] as const).find((option) => values[option] !== undefined);
  if (unexpected)
    throw new CliError(
      2,
      'unexpected-argument',
      `--${unexpected} is for a ticket; leave it out with the terminal ${quoteForMessage(terminal)}.`,
    );
  return async ({ terminals, owner, staff }, store) => {
    const first = staffMember(staff, supervisor, 'supervisor');
    const approverHolder = staffMember(staff, approver, 'pit-manager');
    if (isId(terminal)) await terminals.open(terminal);
    const isLockedForHandPay = terminals.lockedBy(terminal) === handPayLockReason;
    const { amount } = await store.balance(terminalAccount(owner, terminal, 'hand-pay'));
    if (amount === 0 && !isLockedForHandPay) {
      throw new CliError(
        1,
        'unknown-terminal',
        `There is no hand-pay to pay at ${quoteForMessage(terminal)}; give another terminal.`,
      );
    }
    const { actor, context } = first;
    if (amount > 0) {
      const request = { type: 'PayByHand', actor, what: 'cancelled-credit', amount, second: approverHolder.actor };
      const { authority: secondAuthority, grant: secondGrant } = approverHolder.context;
      const approvedContext = { ...context, secondAuthority, ...(secondGrant !== undefined && { secondGrant }) };
      unwrapEntries(await terminals.submit(terminal, randomUUID(), request, approvedContext));
    }
    if (isLockedForHandPay) {
      unwrapEntries(await terminals.submit(terminal, randomUUID(), { type: 'UnlockTerminal', actor, reason }, context));
    }
    return amount > 0
      ? `${formatMoney(amount)} ${owner.currency} is paid by hand for ${terminal} by ${first.displayName}, approved by ${approverHolder.displayName}.`
      : `The hand-pay was paid before; ${terminal} is unlocked by ${first.displayName}.`;
  };
}

/**
 * Pays a ticket in cash. For each ticket there is one cage terminal, at which only this ticket is redeemed. So two
 * payments of a ticket meet in one stream, and the second is refused.
 */
function payTicket(values: OptionValues): FloorAction {
  const number = optionText(values, 'ticket');
  if (number === undefined) {
    throw new CliError(
      2,
      'missing-argument',
      'Give a terminal, as in `punto pay T7`, or a validation number with --ticket.',
    );
  }
  const cage = staffOption(values, 'cage');
  return async ({ terminals, tickets, owner, staff }) => {
    const { displayName, actor, context } = staffMember(staff, cage, 'cage');
    const ticket = isValidationNumber(number) ? tickets.find(number) : undefined;
    if (ticket === undefined) {
      const code = isValidationNumber(number) ? 'unknown-ticket' : 'misread-ticket';
      throw new CliError(
        1,
        code,
        `There is no ticket with the number ${quoteForMessage(number)}; check it and try again.`,
      );
    }
    const [terminal, collectId] = [cageTerminalOfTicket(ticket), `pay/${ticket}`];
    const earlierPayment = await tickets.paidInCash(ticket);
    if (earlierPayment) throw toPaidError(earlierPayment, staff);
    const redeemId = `redeem/${ticket}`;
    if ((await terminals.findEntries(terminal, redeemId)).length === 0) {
      const request = { type: 'RedeemTicket', ticket };
      const refusal = terminals.refusalOf(terminal, request);
      if (refusal) throw toRefusalError(refusal);
      checkHold(tickets.isRetired(number), values['on-hold'] === true);
      await terminals.seatCageTerminal(terminal);
      unwrapEntries(await terminals.submit(terminal, redeemId, request));
    }
    const request = { type: 'CollectCredit', method: 'cash', actor };
    const [paid] = unwrapEntries(await terminals.submit(terminal, collectId, request, context));
    return `${formatMoney(Number(paid!.event['amount']))} ${owner.currency} is paid for the ticket, by ${displayName}.`;
  };
}

/**
 * A ticket on hold may have been paid before, so it is paid only with --on-hold. Throws if --on-hold is missing for
 * such a ticket, or given for another ticket.
 */
function checkHold(isHeld: boolean, isConfirmed: boolean): void {
  if (isHeld === isConfirmed) return;
  if (isConfirmed) throw new CliError(2, 'unexpected-argument', 'The ticket is not on hold; leave out --on-hold.');
  const message =
    'The store was rolled back after this ticket was issued, so the ticket may have been paid already; check the ' +
    'ticket and the former anchor file, which was kept. If the ticket was not paid, add --on-hold.';
  throw new CliError(1, 'ticket-key-retired', message);
}

function toPaidError({ event, at }: StoredEntry, staff: StaffService): CliError {
  const { person: id } = event['actor'] as { readonly person: string };
  const person = staff.state?.members[id]?.number ?? id;
  const when = new Date(at).toISOString();
  return new CliError(1, 'ticket-paid', `The ticket was paid by ${person} at ${when}; do not pay it again.`);
}

type StaffMember = {
  /** Staff number. If the property has no staff yet, this is the id that was given on the command line. */
  readonly displayName: string;
  readonly actor: { readonly person: string };
  readonly context: { readonly authority: object; readonly grant?: number };
};

/**
 * Finds the staff member with this number; throws if the staff member lacks the role. If the store has no staff yet,
 * any id is accepted.
 */
function staffMember(staff: StaffService, numberOrId: string, role: Role): StaffMember {
  if (staff.state === undefined)
    return { displayName: numberOrId, actor: { person: numberOrId }, context: { authority: { authority: role } } };
  const holder = staff.findAuthorized(numberOrId, (person, at) => hasAuthority(person, role, at));
  if (holder !== undefined) {
    const { person, number: displayName, authority, grant } = holder;
    return { displayName, actor: { person }, context: { authority, grant } };
  }
  throw new CliError(
    1,
    'role-not-granted',
    `No staff member with the number ${quoteForMessage(numberOrId)} holds the role ${role}; give the number of one who does.`,
  );
}

function staffOption(values: OptionValues, option: string): string {
  const id = optionText(values, option);
  if (id === undefined)
    throw new CliError(2, 'missing-argument', `The option --${option} is missing; give a staff number.`);
  if (isId(id)) return id;
  const message = `--${option} is ${quoteForMessage(id)}; give a staff number, not a name.`;
  throw new CliError(2, 'malformed-argument', message);
}

const toRefusalError = ({ refused, message }: CommandRefusal): CliError =>
  new CliError(1, refused as ErrorCode, message);

function unwrapEntries(result: CommandResult): readonly StoredEntry[] {
  if ('refused' in result) throw toRefusalError(result);
  return result.entries;
}
