import { type RefObject } from 'preact';
import { pinLength } from '../../../../access/pin.ts';
import { type SignatureDraft, type SignatureField, activateSignatureField, editSignature } from '../input/signature.ts';
import { type RefusedSignature, refusedSignatureText, signatureInputHintText } from '../text/signatureText.ts';
import { kitStrings } from '../text/strings.ts';

type Props = {
  readonly signature: SignatureDraft;
  /** Applies `transition` to the signature on screen, and returns the new signature. */
  readonly change: (transition: (signature: SignatureDraft) => SignatureDraft) => SignatureDraft;
  /** True at the dealer's console, whose key listener fills the fields. */
  readonly isReadOnly?: boolean;
  readonly isDisabled?: boolean;
  /** The last sent signature, if the server refused it; otherwise null. */
  readonly refused: RefusedSignature | null;
  readonly inputs?: { readonly [F in SignatureField]: RefObject<HTMLInputElement | null> };
};

/**
 * Fields for the staff number and PIN of a person who signs. The line below them is a hint or, after a refusal, the
 * reason of the refusal.
 */
export function SignatureFields({ signature, change, isReadOnly = false, isDisabled = false, refused, inputs }: Props) {
  const t = kitStrings().second;
  const { pin, active, hint } = signature;
  const message = hint !== null ? signatureInputHintText(hint) : refused === null ? '' : refusedSignatureText(refused);
  const attributes = (field: SignatureField) => ({
    'data-field': field,
    autocomplete: 'off',
    spellcheck: false,
    readOnly: isReadOnly,
    disabled: isDisabled,
    value: signature[field],
    ...(inputs && { ref: inputs[field] }),
    onFocus: () => void change((now) => (now.active === field ? now : activateSignatureField(now, field))),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      // A rejected text does not change the signature, so the component is not drawn again. The rejected text could be
      // a PIN, so it is removed from the input here.
      currentTarget.value = change((now) => editSignature(now, field, currentTarget.value))[field];
    },
  });
  return (
    <div class="signature">
      <div class="sign">
        <label class="field">
          <span>{t.number}</span>
          <input
            class={`in two${active === 'number' ? ' on' : ''}`}
            autocapitalize="characters"
            {...attributes('number')}
          />
        </label>
        <label class="field pin-field">
          <span>{t.pin}</span>
          <span class="pins" aria-hidden="true">
            {Array.from({ length: pinLength }, (_, n) => (
              <i key={n} class={active === 'pin' && n === Math.min(pin.length, pinLength - 1) ? 'on' : ''}>
                {n < pin.length ? '•' : ''}
              </i>
            ))}
          </span>
          <input class="over" type="password" inputMode="numeric" {...attributes('pin')} />
        </label>
      </div>
      <p class="signature-text" role="alert" data-testid="signature-text">
        {message}
      </p>
    </div>
  );
}
