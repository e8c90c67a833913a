import { isPin, pinLength } from '../../../../access/pin.ts';

// Staff number and PIN that a person types in order to sign, at the dealer's console and on office pages alike.

export type SignatureField = 'number' | 'pin';

/** Hint of the form after a key: what the person must type first or next. The form has sent nothing yet. */
export type SignatureInputHint = 'number-first' | 'number-incomplete' | 'digits-only' | 'pin-incomplete';

export type SignatureDraft = {
  readonly number: string;
  readonly pin: string;
  readonly active: SignatureField;
  readonly hint: SignatureInputHint | null;
};

export type NumberAndPin = { readonly number: string; readonly pin: string };

/** An empty form or, if `number` is given, a form with that number in which the PIN is active. */
export const emptySignatureDraft = (number = ''): SignatureDraft => ({
  number,
  pin: '',
  active: number === '' ? 'number' : 'pin',
  hint: null,
});

/**
 * Text that may become a staff number: one to four letters, then digits. A PIN typed into this field by mistake does
 * not match, since it has no letters.
 */
const numberStart = /^(?:[A-Z]{0,4}|[A-Z]{1,4}-?[0-9]{0,6})$/;
const wholeNumber = /^[A-Z]{1,4}-?[0-9]{1,6}$/;
/** A staff number with too many digits: the person typed the PIN after the number without pressing Enter. */
const numberAndMore = /^[A-Z]{1,4}-?[0-9]{7,}$/;

export const isWholeStaffNumber = (text: string): boolean => wholeNumber.test(text);

/** The typed text in capitals; undefined if it is not the beginning of a staff number. */
export function parsePartialStaffNumber(typed: string): string | undefined {
  const text = typed.trim().toUpperCase();
  return numberStart.test(text) ? text : undefined;
}

export function editSignatureNumber(signature: SignatureDraft, typed: string): SignatureDraft {
  const number = parsePartialStaffNumber(typed);
  if (number !== undefined) return { ...signature, number, active: 'number', hint: null };
  // The extra digits are a PIN and must not stay readable, so the whole text is deleted.
  if (numberAndMore.test(typed.trim().toUpperCase())) return { ...emptySignatureDraft(), hint: 'number-first' };
  return { ...signature, active: 'number', hint: 'number-first' };
}

function editPin(signature: SignatureDraft, typed: string): SignatureDraft {
  const pin = typed.replaceAll(/[^0-9]/g, '').slice(0, pinLength);
  return { ...signature, pin, active: 'pin', hint: /[^0-9]/.test(typed) ? 'digits-only' : null };
}

export const editSignature = (signature: SignatureDraft, field: SignatureField, typed: string): SignatureDraft =>
  field === 'number' ? editSignatureNumber(signature, typed) : editPin(signature, typed);

export const typeSignatureCharacter = (signature: SignatureDraft, char: string): SignatureDraft =>
  editSignature(signature, signature.active, signature[signature.active] + char);

/** Deletes the last character of the active field. In an empty PIN field it activates the number field instead. */
export function deleteSignatureCharacter(signature: SignatureDraft): SignatureDraft {
  const { active } = signature;
  if (active === 'pin' && signature.pin === '') return { ...signature, active: 'number', hint: null };
  return { ...signature, [active]: signature[active].slice(0, -1), hint: null };
}

export const activateSignatureField = (signature: SignatureDraft, active: SignatureField): SignatureDraft => ({
  ...signature,
  active,
});

/**
 * The form after Enter: the PIN is active, or a hint says what is missing. Null if number and PIN are complete and can
 * be sent.
 */
export function signatureDraftAfterEnter(signature: SignatureDraft): SignatureDraft | null {
  const { number, pin, active } = signature;
  if (!isWholeStaffNumber(number)) return { ...signature, active: 'number', hint: 'number-incomplete' };
  if (isPin(pin)) return null;
  return { ...signature, active: 'pin', hint: active === 'pin' ? 'pin-incomplete' : null };
}

/**
 * Codes of refusals of the person, not of the PIN. After such a refusal the form asks for a staff number again. After
 * any other refusal the number stays, and only the PIN is typed again.
 */
const refusesPerson: ReadonlySet<string> = new Set([
  'bad-request',
  'not-your-role',
  'other-console',
  'role-not-granted',
  'same-person',
  'secret-due',
  'sign-in-locked',
]);

/** The form after a refusal: the PIN is empty, and the field to correct is active. */
export const signatureDraftAfterRefusal = ({ number }: SignatureDraft, code: string): SignatureDraft =>
  emptySignatureDraft(refusesPerson.has(code) ? '' : number);
