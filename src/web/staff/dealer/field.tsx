import { pinDigits } from '../../../access/pin.ts';
import { fields, valueOf } from './state.ts';
import { focusOn } from './formFields.ts';

/** Read-only input: the console's key listener writes it, since only that can tell a scan from typing. */
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
  /** Active while no other field is. */
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

/** PIN: the number of digits is shown, never the digits. */
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
