import { type Signal } from '@preact/signals';
import { type ComponentChildren, type Ref } from 'preact';
import { Kbd } from '../../kit/input/keyCap.tsx';

/** Text search of the list below. */
export function Search({
  label,
  text,
  input,
  enter,
}: {
  readonly label: string;
  readonly text: Signal<string>;
  readonly input: Ref<HTMLInputElement>;
  readonly enter?: () => void;
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
      onKeyDown={({ key }) => key === 'Enter' && enter?.()}
    />
  );
}

/** Filter of the list below. */
export function Only<W extends string>({
  chosen,
  of,
}: {
  readonly chosen: Signal<W>;
  readonly of: readonly { readonly which: W; readonly text: ComponentChildren; readonly keyName?: string }[];
}) {
  return (
    <>
      {of.map(({ which, text, keyName }) => (
        <button
          key={which}
          type="button"
          class={`fchip${chosen.value === which ? ' on' : ''}`}
          aria-pressed={chosen.value === which}
          onClick={() => (chosen.value = which)}
        >
          {text} {keyName !== undefined && <Kbd>{keyName}</Kbd>}
        </button>
      ))}
    </>
  );
}
