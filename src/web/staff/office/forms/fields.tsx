import { type ComponentChildren, type Ref } from 'preact';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly kind?: 'text' | 'password' | 'digits' | 'money';
  readonly big?: boolean;
  readonly maxLength?: number;
  readonly grow?: boolean;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly input?: Ref<HTMLInputElement>;
};

export function TextField({
  label,
  value,
  set,
  kind = 'text',
  big,
  maxLength = 60,
  grow = true,
  disabled,
  placeholder,
  input,
}: Props) {
  const attributes = {
    class: `in${big ? ' big' : ''}`,
    autocomplete: 'off',
    spellcheck: false,
    maxLength,
    value,
    disabled,
    ...(placeholder !== undefined && { placeholder }),
    ...(input && { ref: input }),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => set(currentTarget.value),
  } as const;
  return (
    <label class={`field${grow ? ' grow' : ''}`}>
      <span>{label}</span>
      {kind === 'password' ? (
        <input type="password" inputMode="numeric" {...attributes} />
      ) : (
        <input
          type="text"
          inputMode={kind === 'money' ? 'decimal' : kind === 'digits' ? 'numeric' : 'text'}
          {...attributes}
        />
      )}
    </label>
  );
}

export function SelectField({
  label,
  value,
  set,
  options,
  disabled,
}: {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly options: readonly (readonly [string, string])[];
  readonly disabled?: boolean;
}) {
  return (
    <label class="field grow">
      <span>{label}</span>
      <select class="in" value={value} disabled={disabled} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function FactList({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="kv">
      {facts.flatMap(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}
    </dl>
  );
}
