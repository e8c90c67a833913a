import { type ComponentChildren } from 'preact';
import { ClauseTag } from './clauseTag.tsx';
import { RefusedIcon } from './icons.tsx';
import { KeyCap } from '../input/keyCap.tsx';
import { kitStrings } from '../text/strings.ts';

type ActionKind = 'act' | 'p' | 'b' | 'wait' | 'stop' | 'burn';

type Props = {
  readonly kind: ActionKind;
  /** Caption above the action; "Next" by default. */
  readonly caption?: string;
  readonly title: ComponentChildren;
  readonly detail?: ComponentChildren;
  readonly by?: string | null;
  /** Called when the action is pressed. Without this function the action cannot be pressed. */
  readonly run?: (() => void) | undefined;
  readonly keyName?: string;
};

/** The next action of a screen. `keyName` is the key cap beside it. */
export function NextAction({ kind, caption, title, detail, by, run, keyName = 'Enter' }: Props) {
  const content = (
    <>
      <span class="cap">{caption ?? kitStrings().next}</span>
      <span class="big">{title}</span>
      <span class="sub">
        {run && <KeyCap>{keyName}</KeyCap>}
        <span class="grow">{detail}</span>
        <ClauseTag by={by} plain />
      </span>
    </>
  );
  return run ? (
    <button type="button" class={`go ${kind}`} onClick={run} data-testid="next">
      {content}
    </button>
  ) : (
    <div class={`go ${kind}`} data-testid="next">
      {content}
    </div>
  );
}

export function RefusalNotice({ text, by }: { readonly text: string; readonly by: string | null }) {
  return (
    <p class="refusal" role="alert" data-testid="refusal">
      <RefusedIcon />
      <span class="grow">{text}</span>
      <ClauseTag by={by} />
    </p>
  );
}

export type SecondaryAction = {
  readonly text: ComponentChildren;
  readonly keyName?: string;
  readonly run?: (() => void) | undefined;
  readonly isPrimary?: boolean;
  readonly testId?: string;
};

export function SecondaryActions({ actions }: { readonly actions: readonly SecondaryAction[] }) {
  return (
    <div class="also">
      {actions.map(({ text, keyName, run, isPrimary, testId }, n) => (
        <button
          key={n}
          type="button"
          class={isPrimary ? 'yes' : ''}
          disabled={run === undefined}
          onClick={run}
          {...(testId && { 'data-testid': testId })}
        >
          <span>{text}</span>
          {keyName && <KeyCap>{keyName}</KeyCap>}
        </button>
      ))}
    </div>
  );
}
