import { type SignatureInputHint } from '../input/signature.ts';
import { staffRefusalText } from './refusalText.ts';
import { kitStrings } from './strings.ts';
import { formatTimeOfDay } from './timeText.ts';

/** Refusal of a signature. `until` is the time at which a lock of the staff number ends. */
export type SignatureRefusal = { readonly code: string; readonly message: string; readonly until?: number | undefined };

/** A refused signature: the number that was sent, and the role that must sign. */
export type RefusedSignature = { readonly refusal: SignatureRefusal; readonly number: string; readonly role: string };

export const signatureInputHintText = (hint: SignatureInputHint): string => kitStrings().second.hints[hint];

/** What is wrong with a signature, and what to do. */
export function refusedSignatureText({ refusal, number, role }: RefusedSignature): string {
  const { code, message, until } = refusal;
  const { second, roles } = kitStrings();
  if (code === 'wrong-secret') return second.wrong;
  if (code === 'same-person') return second.samePerson(number);
  if (code === 'not-your-role') return second.otherRole(number, roles[role] ?? role);
  if (code === 'sign-in-locked' && until !== undefined) return second.locked(number, formatTimeOfDay(until));
  return staffRefusalText(code, message);
}
