import { pinDigits } from '../../../access/pin.ts';
import { fields, valueOf } from './state.ts';
import { focusOn } from './formFields.ts';

/** A field of the console. It is written by the keys of the console, which tell a scanner from a hand. */
export function Field({
  name,
  label,
  big = false,
  two = false,
  lead = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly big?: boolean;
  readonly two?: boolean;
  /** It gets the keys unless another field does. */
  readonly lead?: boolean;
}) {
  const isOn = fields.value.on === name || (lead && fields.value.on === '');
  return (
    <label class="field grow">
      <span>{label}</span>
      <input
        class={`in${big ? ' big' : ''}${two ? ' two' : ''}${isOn ? ' on' : ''}`}
        data-field={name}
        value={valueOf(name)}
        readOnly
        onFocus={() => focusOn(name)}
      />
    </label>
  );
}

/** A PIN: how many digits are in, and none of them. */
export function PinField({ name, label }: { readonly name: string; readonly label: string }) {
  const isOn = fields.value.on === name;
  const count = valueOf(name).length;
  return (
    <label class="field pin-field">
      <span>{label}</span>
      <span class="pins" aria-hidden="true">
        {Array.from({ length: pinDigits }, (_, n) => (
          <i key={n} class={isOn && n === Math.min(count, pinDigits - 1) ? 'on' : ''}>
            {n < count ? '•' : ''}
          </i>
        ))}
      </span>
      <input
        class="over"
        type="password"
        autocomplete="off"
        data-field={name}
        value={valueOf(name)}
        readOnly
        onFocus={() => focusOn(name)}
      />
    </label>
  );
}
