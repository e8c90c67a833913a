import { type ComponentChildren } from 'preact';
import { RefusalNotice } from '../kit/components/nextAction.tsx';
import { refusal } from './state.ts';

/** Next action, briefly the last refusal, and the secondary actions. */
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
