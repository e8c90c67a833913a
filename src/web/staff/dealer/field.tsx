import { pinDigits } from '../../../access/pin.ts';
import { formFields, formFieldValue } from './state.ts';
import { activateField } from './formFields.ts';

/** Read-only input. The key listener of the console fills it, since only the listener can recognise a scan. */
export function ConsoleField({
  name,
  label,
  big = false,
  two = false,
  isDefault = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly big?: boolean;
  readonly two?: boolean;
  /** True for the field that is active while no other field is. */
  readonly isDefault?: boolean;
}) {
  const isActive = formFields.value.active === name || (isDefault && formFields.value.active === '');
  return (
    <label class="field grow">
      <span>{label}</span>
      <input
        class={`in${big ? ' big' : ''}${two ? ' two' : ''}${isActive ? ' on' : ''}`}
        data-field={name}
        value={formFieldValue(name)}
        readOnly
        onFocus={() => activateField(name)}
      />
    </label>
  );
}

/** Field for a PIN. It shows how many digits were typed, never which. */
export function PinField({ name, label }: { readonly name: string; readonly label: string }) {
  const isActive = formFields.value.active === name;
  const count = formFieldValue(name).length;
  return (
    <label class="field pin-field">
      <span>{label}</span>
      <span class="pins" aria-hidden="true">
        {Array.from({ length: pinDigits }, (_, n) => (
          <i key={n} class={isActive && n === Math.min(count, pinDigits - 1) ? 'on' : ''}>
            {n < count ? '•' : ''}
          </i>
        ))}
      </span>
      <input
        class="over"
        type="password"
        autocomplete="off"
        data-field={name}
        value={formFieldValue(name)}
        readOnly
        onFocus={() => activateField(name)}
      />
    </label>
  );
}
