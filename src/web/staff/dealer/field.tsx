import { formFields, formFieldValue } from './state.ts';
import { activateField } from './formFields.ts';

/**
 * Read-only input. The key listener of the console fills it, since only the listener can tell a scan from typed keys.
 */
export function ConsoleField({
  name,
  label,
  big = false,
  isDefault = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly big?: boolean;
  /** True for the field that is active while `formFields.active` is empty. */
  readonly isDefault?: boolean;
}) {
  const isActive = formFields.value.active === name || (isDefault && formFields.value.active === '');
  return (
    <label class="field grow">
      <span>{label}</span>
      <input
        class={`in${big ? ' big' : ''}${isActive ? ' on' : ''}`}
        data-field={name}
        value={formFieldValue(name)}
        readOnly
        onFocus={() => activateField(name)}
      />
    </label>
  );
}
