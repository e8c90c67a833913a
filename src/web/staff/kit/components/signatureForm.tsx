import { type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { KeyCap } from '../input/keyCap.tsx';
import {
  type NumberAndPin,
  type SignatureDraft,
  signatureDraftAfterRefusal,
  deleteSignatureCharacter,
  signatureDraftAfterEnter,
  emptySignatureDraft,
} from '../input/signature.ts';
import { type RefusedSignature, type SignatureRefusal } from '../text/signatureText.ts';
import { kitStrings } from '../text/strings.ts';
import { SignatureFields } from './signatureFields.tsx';

type Props = {
  /**
   * Sends the signature. Resolves to undefined if it was accepted, to its refusal if it was refused, and to null if
   * nothing was sent or no reply came.
   */
  readonly sign: (person: NumberAndPin) => Promise<SignatureRefusal | null | undefined>;
  /** Role that must sign; the text of a refusal names it. */
  readonly role: string;
  readonly label?: string;
  readonly isDisabled?: boolean;
  /** Staff number with which the field starts; it can be overwritten. Given only if the signed-in person may sign. */
  readonly number?: string;
  /**
   * True when the form takes the focus as soon as it appears. False when the signed-in person cannot give this
   * signature.
   */
  readonly takesFocus?: boolean;
  /** Called when Escape is pressed in an empty form. */
  readonly escape?: (() => void) | undefined;
  readonly children?: ComponentChildren;
};

/** True while the focus is in a text field or drop-down list. The form then leaves the focus there. */
const isTypingElsewhere = (): boolean => document.activeElement?.matches('input, textarea, select') === true;

/** Form in which a person signs with staff number and PIN. */
export function SignatureForm({
  sign,
  role,
  label,
  isDisabled = false,
  number = '',
  takesFocus = true,
  escape,
  children,
}: Props) {
  const [signature, setShown] = useState<SignatureDraft>(() => emptySignatureDraft(number));
  // Signature after the last key. The state `signature` is older while several keys arrive between two renders.
  const latest = useRef(signature);
  const [refused, setRefused] = useState<RefusedSignature | null>(null);
  const inputs = { number: useRef<HTMLInputElement>(null), pin: useRef<HTMLInputElement>(null) };
  const isSending = useRef(false);
  const show = (next: SignatureDraft): void => {
    latest.current = next;
    setShown(next);
  };
  const focus = (field: SignatureDraft['active']): void => inputs[field].current?.focus();
  // The form takes the focus before the first paint, so that no typed character is lost.
  useLayoutEffect(() => {
    if (takesFocus && !isTypingElsewhere()) focus(signature.active);
  }, []);
  const change = (transition: (now: SignatureDraft) => SignatureDraft): SignatureDraft => {
    const before = latest.current;
    const next = transition(before);
    if (next === before) return next;
    setRefused(null);
    show(next);
    if (next.active !== before.active) focus(next.active);
    return next;
  };
  const submit = async (): Promise<void> => {
    if (isDisabled || isSending.current) return;
    const sent = latest.current;
    const missing = signatureDraftAfterEnter(sent);
    if (missing !== null) {
      change(() => missing);
      return;
    }
    isSending.current = true;
    const refusal = await sign({ number: sent.number, pin: sent.pin });
    isSending.current = false;
    if (refusal === undefined) {
      show(emptySignatureDraft(number));
      return;
    }
    const next = refusal === null ? { ...sent, pin: '' } : signatureDraftAfterRefusal(sent, refusal.code);
    show(next);
    setRefused(refusal && { refusal, number: sent.number, role });
    focus(next.active);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { active, pin, number: typed } = latest.current;
    if (event.key === 'Backspace' && active === 'pin' && pin === '') {
      event.preventDefault();
      change(deleteSignatureCharacter);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      const isEmpty = pin === '' && (typed === '' || typed === number);
      if (isEmpty) escape?.();
      else change(() => emptySignatureDraft(number));
    }
  };
  return (
    <form
      class="signature-form"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <SignatureFields
        signature={signature}
        change={change}
        isDisabled={isDisabled}
        refused={refused}
        inputs={inputs}
      />
      {children}
      <button type="submit" class="btn two" data-testid="sign" disabled={isDisabled}>
        {label ?? kitStrings().second.approve} <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}
