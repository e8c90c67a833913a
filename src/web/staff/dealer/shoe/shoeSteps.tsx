import { type ComponentChildren } from 'preact';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { TickIcon } from '../../kit/components/icons.tsx';
import { dealerStrings } from '../strings.ts';

/** Steps of a shoe change, in order. */
export type ShoeStepName = 'old' | 'bring' | 'inspect' | 'count' | 'shuffle' | 'cut' | 'verify' | 'burn';
const stepNames: readonly ShoeStepName[] = ['old', 'bring', 'inspect', 'count', 'shuffle', 'cut', 'verify', 'burn'];

/** Number of steps: a table that burns no cards has one less. */
export const shoeStepCount = ({ burn }: DealerView): number =>
  burn === 'none' ? stepNames.length - 1 : stepNames.length;

const stepByPrompt: { readonly [code: string]: ShoeStepName } = {
  'no-shoe': 'bring',
  'inspect-shoe': 'inspect',
  'count-shoe': 'count',
  'shuffle-shoe': 'shuffle',
  'cut-shoe': 'cut',
  'verify-shoe': 'verify',
  'burn-first': 'burn',
};

/** Current step. */
function currentStep({ prompt, shoe, proposal }: DealerView): ShoeStepName {
  if (proposal?.command === 'VerifyShoe') return 'verify';
  const step = stepByPrompt[prompt.code];
  return step ?? (shoe === null ? 'bring' : shoe.ready ? 'old' : 'verify');
}

export const shoeStepIndex = (step: ShoeStepName): number => stepNames.indexOf(step);

/** Text of what each finished step has recorded. */
function stepFacts({ shoe }: DealerView): readonly string[] {
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

export function ShoeSteps({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const current = shoeStepIndex(currentStep(view));
  const facts = stepFacts(view);
  return (
    <ol class="steps" style={{ '--steps': shoeStepCount(view) }}>
      {t.steps.slice(0, shoeStepCount(view)).map((name, n) => (
        <li
          key={name}
          class={n < current ? 'done' : n === current ? 'on' : ''}
          {...(n === current && { 'aria-current': 'step' as const })}
        >
          <span class="n">{n < current ? <TickIcon /> : n + 1}</span>
          <b>{name}</b>
          <small>{n < current ? (facts[n] ?? '') : ''}</small>
        </li>
      ))}
    </ol>
  );
}

/** Form of a shoe step, in place of the card pad. */
export function ShoeStepForm({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="panel shoeform">
      <header>
        <h2>{title}</h2>
      </header>
      <div class="body">{children}</div>
    </section>
  );
}

/** Recorded facts of a shoe, shown when its verification is approved. */
export function shoeFactRows({ shoe, dealer }: DealerView): readonly (readonly [name: string, fact: string])[] {
  const t = dealerStrings().shoeDo;
  if (shoe === null) return [];
  return [
    [t.facts.shoe, shoe.seal === null ? shoe.id : t.bringSub(shoe.id, shoe.seal)],
    [t.facts.decks, [shoe.decks, shoe.backs].filter((one) => one !== null).join(', ')],
    [t.facts.inspected, shoe.inspected === true ? t.inspectPicks[0]![0] : t.facts.notRecorded],
    [t.facts.count, t.facts.countOf(shoe.size)],
    [t.facts.shuffle, shoe.shuffled ? t.facts.recorded : t.facts.notRecorded],
    [t.facts.cut, shoe.behind === null ? '' : t.facts.behind(shoe.behind)],
    [t.facts.by, roleAndNumberText(dealer)],
  ];
}

/** Facts that the second approver checks before the shoe is declared ready. */
export function ShoeFacts({ view }: { readonly view: DealerView }) {
  const t = dealerStrings().shoeDo;
  if (view.shoe === null) return null;
  return (
    <ShoeStepForm title={t.verifyTitle}>
      <dl class="facts two-cols">
        {shoeFactRows(view).map(([name, fact]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{fact}</dd>])}
      </dl>
    </ShoeStepForm>
  );
}
