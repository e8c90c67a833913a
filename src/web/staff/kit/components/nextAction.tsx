import { type ComponentChildren } from 'preact';
import { ClauseTag } from './clauseTag.tsx';
import { RefusedIcon } from './icons.tsx';
import { Kbd } from '../input/keyCap.tsx';
import { kitStrings } from '../text/strings.ts';

type GoKind = 'act' | 'p' | 'b' | 'wait' | 'stop' | 'burn';

type Act = {
  readonly kind: GoKind;
  /** Caption above the action; default "Next". */
  readonly cap?: string;
  readonly big: ComponentChildren;
  readonly sub?: ComponentChildren;
  readonly by?: string | null;
  /** Without it the action cannot be pressed. */
  readonly act?: (() => void) | undefined;
  readonly keyName?: string;
};

/** The one next action: always in the same place, always on Enter. */
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

/** Reason of a refusal, shown for a moment below the next action. */
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

/** Secondary actions below the next action. */
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
