import { type ComponentChildren } from 'preact';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { proposalStrings } from '../../kit/text/proposalStrings.ts';
import { TickIcon } from '../../kit/components/icons.tsx';
import { dealerStrings } from '../strings.ts';

export type ShoeStepName = 'old' | 'bring' | 'inspect' | 'count' | 'shuffle' | 'cut' | 'verify' | 'burn';
const stepNames: readonly ShoeStepName[] = ['old', 'bring', 'inspect', 'count', 'shuffle', 'cut', 'verify', 'burn'];

/** Number of steps of a shoe change. A table that burns no cards has one step fewer. */
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

function currentStep({ prompt, shoe, proposal }: DealerView): ShoeStepName {
  if (proposal?.command === 'VerifyShoe') return 'verify';
  const step = stepByPrompt[prompt.code];
  return step ?? (shoe === null ? 'bring' : shoe.ready ? 'old' : 'verify');
}

export const shoeStepIndex = (step: ShoeStepName): number => stepNames.indexOf(step);

/** What each step has recorded, as text; empty for a step that has recorded nothing. */
function stepFacts({ shoe }: DealerView): readonly string[] {
  const f = dealerStrings().shoeDo.facts;
  if (shoe === null) return [];
  return [
    '',
    shoe.id,
    shoe.inspected === true ? f.recorded : '',
    shoe.counted ? f.countOf(shoe.size) : '',
    shoe.shuffle === null ? '' : (proposalStrings().shuffles[shoe.shuffle] ?? shoe.shuffle),
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

/** Form of a shoe step, shown in place of the card pad. */
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
