import { type RefObject } from 'preact';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { clickHandlerWithBlur } from './usePageKeys.ts';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Frequent reasons, each with the key that adds or removes it. */
  readonly presets?: readonly (readonly [key: string, text: string])[];
  readonly keyName?: string;
};

/** Text field for a reason. Enter leaves the field, so that a second Enter runs the action of the page. */
export function ReasonField({ label, value, set, field, presets = [], keyName = 'Y' }: Props) {
  return (
    <section class="panel grow reason">
      <label class="q" for="reason">
        {label} <KeyCap>{keyName}</KeyCap>
      </label>
      {presets.map(([key, text]) => (
        <button
          key={text}
          type="button"
          class={`pick-chip${value.includes(text) ? ' on' : ''}`}
          aria-pressed={value.includes(text)}
          onClick={clickHandlerWithBlur(() => set(togglePhrase(value, text)))}
        >
          {key !== '' && <KeyCap>{key}</KeyCap>} {text}
        </button>
      ))}
      <input
        id="reason"
        ref={field}
        class="in"
        data-field="reason"
        autocomplete="off"
        maxLength={400}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          event.currentTarget.blur();
        }}
      />
    </section>
  );
}

/** Appends a phrase to a text or, if the text has the phrase, removes it. */
export function togglePhrase(value: string, text: string): string {
  const phrases = value.split('; ').filter((part) => part.trim() !== '');
  return (phrases.includes(text) ? phrases.filter((part) => part !== text) : [...phrases, text]).join('; ');
}
