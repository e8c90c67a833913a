import { type ComponentChildren } from 'preact';
import { ClauseTag } from './clauseTag.tsx';
import { RefusedIcon } from './icons.tsx';
import { Kbd } from '../input/keyCap.tsx';
import { kitStrings } from '../text/strings.ts';

type GoKind = 'act' | 'p' | 'b' | 'wait' | 'stop' | 'burn';

type Act = {
  readonly kind: GoKind;
  /** Small words above it; "Next" where nothing else is said. */
  readonly cap?: string;
  readonly big: ComponentChildren;
  readonly sub?: ComponentChildren;
  readonly by?: string | null;
  /** What it does; without it there is nothing to press. */
  readonly act?: (() => void) | undefined;
  readonly keyName?: string;
};

/** The one next act, always in the same place, always by Enter. */
export function Go({ kind, cap, big, sub, by, act, keyName = 'Enter' }: Act) {
  const inside = (
    <>
      <span class="cap">{cap ?? kitStrings().next}</span>
      <span class="big">{big}</span>
      <span class="sub">
        {act && <Kbd>{keyName}</Kbd>}
        <span class="grow">{sub}</span>
        <ClauseTag by={by} plain />
      </span>
    </>
  );
  return act ? (
    <button type="button" class={`go ${kind}`} onClick={act} data-testid="next">
      {inside}
    </button>
  ) : (
    <div class={`go ${kind}`} data-testid="next">
      {inside}
    </div>
  );
}

/** What was asked and not taken, for a moment below the next act. */
export function RefusalNotice({ text, by }: { readonly text: string; readonly by: string | null }) {
  return (
    <p class="refusal" role="alert" data-testid="refusal">
      <RefusedIcon />
      <span class="grow">{text}</span>
      <ClauseTag by={by} />
    </p>
  );
}

export type Also = {
  readonly text: ComponentChildren;
  readonly keyName?: string;
  readonly act?: (() => void) | undefined;
  readonly yes?: boolean;
  readonly name?: string;
};

/** The acts beside it. */
export function AlsoKeys({ all }: { readonly all: readonly Also[] }) {
  return (
    <div class="also">
      {all.map(({ text, keyName, act, yes, name }, n) => (
        <button
          key={n}
          type="button"
          class={yes ? 'yes' : ''}
          disabled={act === undefined}
          onClick={act}
          {...(name && { 'data-testid': name })}
        >
          <span>{text}</span>
          {keyName && <Kbd>{keyName}</Kbd>}
        </button>
      ))}
    </div>
  );
}
