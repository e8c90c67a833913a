import { asFinalRefusal } from '../../../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type SecondPersonConsent, type StaffCommandContext } from '../../../runtime/staff/secondPersonConsent.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type SignInSession } from '../../../staff/state.ts';
import { type StaffClientMessage } from '../../../wire/staff/messages.ts';
import { type ServerRefusal } from '../../refusals/serverRefusals.ts';

// Signatures of a second person. A sign-in session alone is no signature, because its console may be unattended.

/**
 * What a second person signs: a proposal and its hash. `table` is the id of the table, or of the terminal for a
 * hand-pay.
 */
type SignedProposal = { readonly table: string; readonly proposal: string; readonly hash: string };
type SecondPerson = { readonly consent: SecondPersonConsent; readonly context: StaffCommandContext };
type NumberAndPin = { readonly number?: string | undefined; readonly pin?: string | undefined };

export const pinRequiredRefusal = asFinalRefusal({
  ...refuse<'pin-required'>(
    'pin-required',
    'An approval needs the staff number and PIN of the person who approves. Enter them.',
  ),
  by: 'HOUSE 2',
});

/** Terminal commands that a second person signs. */
const signedTerminalCommands: ReadonlySet<unknown> = new Set(['ApproveHandPay', 'PayByHand']);

/** True for a request that is the signature of a second person but lacks the PIN of that person. [HOUSE 2] */
export function lacksSecondPin(message: StaffClientMessage): boolean {
  if (message.type === 'command') return message.request.type === 'Approve';
  if (message.type !== 'terminal' || !signedTerminalCommands.has(message.request['type'])) return false;
  return message.number === undefined || message.pin === undefined;
}

/**
 * Checks the staff number and PIN of a second person. If they are right, records that this person agrees to this
 * proposal, and to no other.
 */
export async function recordSecondPersonConsent(
  { staff }: Pick<FloorRuntime, 'staff'>,
  { console }: SignInSession,
  { number, pin }: NumberAndPin,
  signed: SignedProposal,
  at: number,
): Promise<SecondPerson | ServerRefusal> {
  if (number === undefined || pin === undefined) return pinRequiredRefusal;
  const consent = await staff.signIns.consent({ number, pin, ...signed, console });
  if (isRefused(consent)) return consent;
  const context = staff.contextFor(consent, at);
  return isRefused(context) ? context : { consent, context };
}
