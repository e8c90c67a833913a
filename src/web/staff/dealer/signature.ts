import { signal } from '@preact/signals';
import {
  type NumberAndPin,
  type SignatureDraft,
  activateSignatureField,
  signatureDraftAfterRefusal,
  deleteSignatureCharacter,
  editSignatureNumber,
  signatureDraftAfterEnter,
  emptySignatureDraft,
  typeSignatureCharacter,
} from '../kit/input/signature.ts';
import { type RefusedSignature, type SignatureRefusal } from '../kit/text/signatureText.ts';
import { type SceneKeys } from './scene.ts';

// Staff number and PIN at the dealer's console. The key listener fills both fields, since only the listener can tell a
// scan from typed keys.

export const typedSignature = signal<SignatureDraft>(emptySignatureDraft());
/** The last sent signature, if the server refused it. Null again after the next change of number or PIN. */
export const refusedSignature = signal<RefusedSignature | null>(null);

function setSignature(signature: SignatureDraft): void {
  typedSignature.value = signature;
  refusedSignature.value = null;
}

export function changeSignature(transition: (signature: SignatureDraft) => SignatureDraft): SignatureDraft {
  const before = typedSignature.peek();
  const next = transition(before);
  if (next !== before) setSignature(next);
  return next;
}

export const resetSignature = (): void => setSignature(emptySignatureDraft());

let isSending = false;

/**
 * Sends number and PIN if both are complete. Otherwise shows which of them is missing. After a refusal, the field to
 * correct is active. `role` is the role that must sign.
 */
export async function submitSignature(
  role: string,
  send: (person: NumberAndPin) => Promise<SignatureRefusal | null | undefined>,
): Promise<void> {
  if (isSending) return;
  const signature = typedSignature.peek();
  const missing = signatureDraftAfterEnter(signature);
  if (missing !== null) {
    setSignature(missing);
    return;
  }
  await sendSignature(role, signature, send);
}

export async function sendSignature(
  role: string,
  signature: SignatureDraft,
  send: (person: NumberAndPin) => Promise<SignatureRefusal | null | undefined>,
): Promise<void> {
  if (isSending) return;
  isSending = true;
  const refusal = await send(signature).finally(() => (isSending = false));
  if (refusal === undefined) resetSignature();
  else if (refusal === null) setSignature({ ...signature, pin: '' });
  else {
    setSignature(signatureDraftAfterRefusal(signature, refusal.code));
    refusedSignature.value = { refusal, number: signature.number, role };
  }
}

/** Key handlers of a scene with fields for staff number and PIN. A scanned badge fills the number. */
export const signatureKeys = (submit: () => void, onTyped?: () => void): SceneKeys => ({
  expects: 'field',
  next: submit,
  back: () => setSignature(deleteSignatureCharacter(typedSignature.peek())),
  onChar: (char) => {
    setSignature(typeSignatureCharacter(typedSignature.peek(), char));
    onTyped?.();
  },
  onTab: () => {
    const signature = typedSignature.peek();
    setSignature(activateSignatureField(signature, signature.active === 'number' ? 'pin' : 'number'));
  },
  onScan: (text) => {
    const signature = editSignatureNumber(emptySignatureDraft(), text);
    setSignature(signature.number === '' ? signature : emptySignatureDraft(signature.number));
  },
});
