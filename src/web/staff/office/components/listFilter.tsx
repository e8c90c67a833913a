import { type Signal } from '@preact/signals';
import { type ComponentChildren, type Ref } from 'preact';
import { KeyCap } from '../../kit/input/keyCap.tsx';

export function SearchField({
  label,
  text,
  input,
  onEnter,
}: {
  readonly label: string;
  readonly text: Signal<string>;
  readonly input: Ref<HTMLInputElement>;
  readonly onEnter?: () => void;
}) {
  return (
    <input
      ref={input}
      class="in"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text.value}
      onInput={({ currentTarget }) => (text.value = currentTarget.value.trim())}
      onKeyDown={({ key }) => key === 'Enter' && onEnter?.()}
    />
  );
}

export function FilterButtons<W extends string>({
  chosen,
  options,
}: {
  readonly chosen: Signal<W>;
  readonly options: readonly { readonly value: W; readonly text: ComponentChildren; readonly keyName?: string }[];
}) {
  return (
    <>
      {options.map(({ value, text, keyName }) => (
        <button
          key={value}
          type="button"
          class={`fchip${chosen.value === value ? ' on' : ''}`}
          aria-pressed={chosen.value === value}
          onClick={() => (chosen.value = value)}
        >
          {text} {keyName !== undefined && <KeyCap>{keyName}</KeyCap>}
        </button>
      ))}
    </>
  );
}
