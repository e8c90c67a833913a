import { randomUUID } from 'node:crypto';
import { type CommandResult } from '../../runtime/stream/pendingCommand.ts';
import { type CommandRefusal } from '../../runtime/stream/refusals.ts';
import { cageTerminalOf } from '../../runtime/terminals/tickets.ts';
import { type StaffService } from '../../runtime/staff/staffService.ts';
import { type Owner } from '../../runtime/ports/runtimeDependencies.ts';
import { terminalAccount } from '../../ledger/accounts.ts';
import { isId } from '../../base/commonSchemas.ts';
import { formatMoney } from '../../base/formatMoney.ts';
import { quoted } from '../../base/refusal.ts';
import { type Role, hasAuthority } from '../../access/roles.ts';
import { isValidationNumber } from '../../base/validationNumber.ts';
import { type StoreReader, type StoredEntry } from '../../store/store.ts';
import { handPayLock } from '../../terminal/tickets.ts';
import { type ErrorCode } from '../support/codes.ts';
import { exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand, type OptionValues, optionText } from '../support/command.ts';
import { type FloorAction, withFloor } from '../support/withFloor.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const payCommand: CliCommand = {
  help: `Usage: punto pay [STORE] --supervisor ID --pit-manager ID [--reason TEXT] TERMINAL
       punto pay [STORE] --cage ID --ticket NUMBER [--held]
STORE: [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE]

  --data DIR        the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS   a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
  --key FILE        with --store, the encryption key; DIR.key unless given
  --anchor FILE     its anchor; DIR.anchor unless given
  --signer FILE     its signing key; DIR.signer unless given
  TERMINAL          the terminal that is locked for hand-pay, such as T7: all that waits there is paid, and it is unlocked
  --supervisor ID   who pays: the number of a staff member who holds that role, such as S-1; where the property has no
                    staff yet, the id under which the event log is to have that person
  --pit-manager ID  who consents; another person
  --reason TEXT     why it is unlocked; "Paid by hand." unless given
  --ticket NUMBER   the validation number of a ticket that is paid in cash, whole and once
  --cage ID         who pays it
  --held            for a ticket that is held since the store was rolled back and that may have been paid in entries
                    that are missing: the person who pays has checked the ticket and the anchor that was kept

A payment is stored before the command prints it. Run again after an interruption, it pays nothing twice.`,
  options: {
    ...exclusiveStoreOptions,
    anchor: { type: 'string' },
    signer: { type: 'string' },
    supervisor: { type: 'string' },
    'pit-manager': { type: 'string' },
    reason: { type: 'string' },
    ticket: { type: 'string' },
    cage: { type: 'string' },
    held: { type: 'boolean' },
  },
  maxArguments: 1,
  run: async (values, [terminal], { output, errors }) => {
    const act = terminal === undefined ? payTicket(values) : payByHand(values, terminal);
    print(output, await withFloor(values, errors, ownerByAccount, act));
    return 0;
  },
};

/** Owner by the name of any account in the store. */
async function ownerByAccount(store: Pick<StoreReader, 'balances'>): Promise<Owner> {
  const [account] = (await store.balances()).keys();
  if (account === undefined)
    throw new CliError(1, 'unknown-terminal', 'No money was ever in this store; name another.');
  const [property = '', currency = ''] = account.split('/');
  return { property, currency };
}

/** Hand-pay by two staff members: pays the whole amount and unlocks the terminal. [HOUSE 2] */
function payByHand(values: OptionValues, terminal: string): FloorAction {
  const supervisor = staffOption(values, 'supervisor');
  const approver = staffOption(values, 'pit-manager');
  const reason = optionText(values, 'reason') ?? 'Paid by hand.';
  const unexpected = (['ticket', 'cage', 'held'] as const).find((option) => values[option] !== undefined);
  if (unexpected)
    throw new CliError(2, 'unexpected-argument', `--${unexpected} is for a ticket, and ${quoted(terminal)} is named.`);
  return async ({ terminals, owner, staff }, store) => {
    const first = staffMember(staff, supervisor, 'supervisor');
    const approverHolder = staffMember(staff, approver, 'pit-manager');
    if (isId(terminal)) await terminals.open(terminal);
    const isLockedForHandPay = terminals.lockedBy(terminal) === handPayLock;
    const { amount } = await store.balance(terminalAccount(owner, terminal, 'hand-pay'));
    if (amount === 0 && !isLockedForHandPay) {
      throw new CliError(
        1,
        'unknown-terminal',
        `Nothing waits to be paid by hand at ${quoted(terminal)}; name another.`,
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
      ? `${formatMoney(amount)} ${owner.currency} is paid by hand for ${terminal}, by ${first.displayName} with ${approverHolder.displayName}.`
      : `It was paid before, and ${terminal} is unlocked, by ${first.displayName}.`;
  };
}

/** Pays a ticket in cash. It is redeemed at a terminal of its own at the cage, so that it cannot be paid twice. */
function payTicket(values: OptionValues): FloorAction {
  const number = optionText(values, 'ticket');
  if (number === undefined) {
    throw new CliError(2, 'missing-argument', 'Name the terminal, as in `punto pay T7`, or the number of a --ticket.');
  }
  const cage = staffOption(values, 'cage');
  return async ({ terminals, tickets, owner, staff }) => {
    const { displayName, actor, context } = staffMember(staff, cage, 'cage');
    const ticket = isValidationNumber(number) ? tickets.find(number) : undefined;
    if (ticket === undefined) {
      const code = isValidationNumber(number) ? 'unknown-ticket' : 'misread-ticket';
      throw new CliError(1, code, `There is no ticket of the number ${quoted(number)}; read it again.`);
    }
    const [terminal, collectId] = [cageTerminalOf(ticket), `pay/${ticket}`];
    const earlierPayment = await tickets.paidInCash(ticket);
    if (earlierPayment) throw toPaidError(earlierPayment, staff);
    const redeemId = `redeem/${ticket}`;
    if ((await terminals.findEntries(terminal, redeemId)).length === 0) {
      const request = { type: 'RedeemTicket', ticket };
      const refusal = terminals.refusalOf(terminal, request);
      if (refusal) throw toRefusalError(refusal);
      checkHold(tickets.isRetired(number), values['held'] === true);
      await terminals.begin(terminal, 0);
      unwrapEntries(await terminals.submit(terminal, redeemId, request));
    }
    const request = { type: 'CollectCredit', method: 'cash', actor };
    const [paid] = unwrapEntries(await terminals.submit(terminal, collectId, request, context));
    return `${formatMoney(Number(paid!.event['amount']))} ${owner.currency} is paid for the ticket, by ${displayName}.`;
  };
}

/** A ticket on hold may have been paid before and needs --held; any other refuses --held. */
function checkHold(isHeld: boolean, isConfirmed: boolean): void {
  if (isHeld === isConfirmed) return;
  if (isConfirmed) throw new CliError(2, 'unexpected-argument', 'The ticket is not held; leave --held out.');
  const message =
    'The store was rolled back after this ticket was issued, and may lack its payment; check the ticket and the anchor ' +
    'that was kept, and if it was not paid, add --held.';
  throw new CliError(1, 'ticket-key-retired', message);
}

function toPaidError({ event, at }: StoredEntry, staff: StaffService): CliError {
  const { person: id } = event['actor'] as { readonly person: string };
  const person = staff.state?.members[id]?.number ?? id;
  const when = new Date(at).toISOString();
  return new CliError(1, 'ticket-paid', `The ticket was paid by ${person} at ${when}; pay it no second time.`);
}

type StaffMember = {
  /** Staff number, or the given id if the property has no staff yet. */
  readonly displayName: string;
  readonly actor: { readonly person: string };
  readonly context: { readonly authority: object; readonly grant?: number };
};

/** The staff member of a number, who must hold the role. Without staff in the store the given id is taken. */
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
    'role-not-held',
    `No staff member with the number ${quoted(numberOrId)} holds the role ${role}; name one who does.`,
  );
}

/** Staff number, or an id if the property has no staff yet. */
function staffOption(values: OptionValues, option: string): string {
  const id = optionText(values, option);
  if (id === undefined) throw new CliError(2, 'missing-argument', `Say who pays: --${option} is missing.`);
  if (isId(id)) return id;
  const message = `--${option} is ${quoted(id)}; give an id of letters, digits, points and lines, and no name.`;
  throw new CliError(2, 'malformed-argument', message);
}

const toRefusalError = ({ refused, message }: CommandRefusal): CliError =>
  new CliError(1, refused as ErrorCode, message);

/** Entries of an accepted command; throws a refusal. */
function unwrapEntries(result: CommandResult): readonly StoredEntry[] {
  if ('refused' in result) throw toRefusalError(result);
  return result.entries;
}
