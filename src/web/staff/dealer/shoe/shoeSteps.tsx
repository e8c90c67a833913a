import { type ComponentChildren } from 'preact';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { personText } from '../../kit/components/topBar.tsx';
import { Tick } from '../../kit/components/icons.tsx';
import { dealerStrings } from '../strings.ts';

/** The steps of a shoe change, and where this one stands. */
export type StepName = 'old' | 'bring' | 'inspect' | 'count' | 'shuffle' | 'cut' | 'verify' | 'burn';
const names: readonly StepName[] = ['old', 'bring', 'inspect', 'count', 'shuffle', 'cut', 'verify', 'burn'];

/** How many steps there are at a table. */
export const stepsAt = ({ burn }: DealerView): number => (burn === 'none' ? names.length - 1 : names.length);

const codes: { readonly [code: string]: StepName } = {
  'no-shoe': 'bring',
  'inspect-shoe': 'inspect',
  'count-shoe': 'count',
  'shuffle-shoe': 'shuffle',
  'cut-shoe': 'cut',
  'verify-shoe': 'verify',
  'burn-first': 'burn',
};

/** The step that the table is at; the old shoe where there is still one. */
function stepOf({ says, shoe, proposal }: DealerView): StepName {
  if (proposal?.act === 'VerifyShoe') return 'verify';
  const step = codes[says.code];
  return step ?? (shoe === null ? 'bring' : shoe.ready ? 'old' : 'verify');
}

export const stepIndex = (step: StepName): number => names.indexOf(step);

/** What is on record of each step that is done. */
function didOf({ shoe }: DealerView): readonly string[] {
  const f = dealerStrings().shoeDo.facts;
  if (shoe === null) return [];
  return [
    '',
    shoe.id,
    shoe.inspected === true ? f.recorded : '',
    shoe.counted ? f.countOf(shoe.size) : '',
    shoe.shuffled ? f.recorded : '',
    shoe.behind === null ? '' : String(shoe.behind),
  ];
}

export function Steps({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const at = stepIndex(stepOf(view));
  const did = didOf(view);
  return (
    <ol class="steps" style={{ '--steps': stepsAt(view) }}>
      {t.steps.slice(0, stepsAt(view)).map((name, n) => (
        <li
          key={name}
          class={n < at ? 'done' : n === at ? 'on' : ''}
          {...(n === at && { 'aria-current': 'step' as const })}
        >
          <span class="n">{n < at ? <Tick /> : n + 1}</span>
          <b>{name}</b>
          <small>{n < at ? (did[n] ?? '') : ''}</small>
        </li>
      ))}
    </ol>
  );
}

/** A form in the place of the pad. */
export function ShoeForm({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="panel shoeform">
      <header>
        <h2>{title}</h2>
      </header>
      <div class="body">{children}</div>
    </section>
  );
}

/** What is on record of a shoe before it is declared ready, for the second person. */
export function factsOf({ shoe, dealer }: DealerView): readonly (readonly [name: string, fact: string])[] {
  const t = dealerStrings().shoeDo;
  if (shoe === null) return [];
  return [
    [t.facts.shoe, shoe.seal === null ? shoe.id : t.bringSub(shoe.id, shoe.seal)],
    [t.facts.decks, [shoe.decks, shoe.backs].filter((one) => one !== null).join(', ')],
    [t.facts.inspected, shoe.inspected === true ? t.inspectPicks[0]![0] : t.facts.notRecorded],
    [t.facts.count, t.facts.countOf(shoe.size)],
    [t.facts.shuffle, shoe.shuffled ? t.facts.recorded : t.facts.notRecorded],
    [t.facts.cut, shoe.behind === null ? '' : t.facts.behind(shoe.behind)],
    [t.facts.by, personText(dealer)],
  ];
}

/** What the second person looks at before the shoe is declared ready. */
export function ShoeFacts({ view }: { readonly view: DealerView }) {
  const t = dealerStrings().shoeDo;
  if (view.shoe === null) return null;
  return (
    <ShoeForm title={t.verifyTitle}>
      <dl class="facts two-cols">
        {factsOf(view).map(([name, fact]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{fact}</dd>])}
      </dl>
    </ShoeForm>
  );
}
