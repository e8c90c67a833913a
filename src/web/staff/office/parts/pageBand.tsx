import { type ComponentChildren } from 'preact';
import { Clause } from '../../kit/components/clauseTag.tsx';
import { Refusal } from '../../kit/components/nextAction.tsx';
import { refused } from './commands.ts';

type Form = {
  readonly tone?: '' | 'two' | 'calm';
  readonly title: string;
  readonly by?: string | null;
  readonly children?: ComponentChildren;
  /** Figures at the right, by their names. */
  readonly facts?: readonly (readonly [name: string, value: string, tone?: string])[];
};

/** What a page is about, with its figures; below it for a moment what was not taken. */
export function Band({ tone = '', title, by, children, facts = [] }: Form) {
  const told = refused.value;
  return (
    <section class={`band ${tone}`}>
      <h1>{title}</h1>
      <Clause by={by} />
      {children}
      <span class="grow" />
      {told && <Refusal text={told.text} by={told.by} />}
      {facts.map(([name, value, how]) => (
        <div key={name} class="fact">
          <small>{name}</small>
          <b class={how ?? ''}>{value}</b>
        </div>
      ))}
    </section>
  );
}
