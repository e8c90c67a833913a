import { type ComponentChildren } from 'preact';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { RefusalNotice } from '../../kit/components/nextAction.tsx';
import { shownRefusal } from '../../kit/sendCommand.ts';

type Props = {
  readonly tone?: '' | 'two' | 'calm';
  readonly title: string;
  readonly by?: string | null;
  readonly children?: ComponentChildren;
  /** Facts at the right end of the band, each with name, value and CSS class. */
  readonly facts?: readonly (readonly [name: string, value: string, tone?: string])[];
};

/** Band at the top of a page: headline and facts. A refusal is shown between them for a few seconds. */
export function PageHeaderBand({ tone = '', title, by, children, facts = [] }: Props) {
  const shown = shownRefusal.value;
  return (
    <section class={`band ${tone}`}>
      <h1>{title}</h1>
      <ClauseTag by={by} />
      {children}
      <span class="grow" />
      {shown && <RefusalNotice text={shown.text} by={shown.by} />}
      {facts.map(([name, value, factTone]) => (
        <div key={name} class="fact">
          <small>{name}</small>
          <b class={factTone ?? ''}>{value}</b>
        </div>
      ))}
    </section>
  );
}
