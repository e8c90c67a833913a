import { type ComponentChildren } from 'preact';
import { RefusalNotice } from '../../kit/components/nextAction.tsx';
import { shownRefusal } from '../../kit/sendCommand.ts';

/** Panel with the next action and the secondary actions. A refusal is shown between them for a few seconds. */
export function ActionPanel({
  children,
  name = '',
}: {
  readonly children: readonly [ComponentChildren, ComponentChildren];
  readonly name?: string;
}) {
  const shown = shownRefusal.value;
  return (
    <section class={`next ${name}${shown ? ' refused' : ''}`} data-testid="next-panel">
      {children[0]}
      {shown && <RefusalNotice text={shown.text} by={shown.by} />}
      {children[1]}
    </section>
  );
}
