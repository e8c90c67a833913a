import { type ComponentChildren } from 'preact';
import { RefusalNotice } from '../kit/components/nextAction.tsx';
import { refusal } from './state.ts';

/** The place of the next act: the act, for a moment what was not taken, and what may be done beside it. */
export function NextPanel({
  children,
  name = '',
}: {
  readonly children: readonly [ComponentChildren, ComponentChildren];
  readonly name?: string;
}) {
  const told = refusal.value;
  return (
    <section class={`next ${name}${told ? ' refused' : ''}`} data-testid="next-panel">
      {children[0]}
      {told && <RefusalNotice text={told.text} by={told.by} />}
      {children[1]}
    </section>
  );
}
