import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { ConsoleField } from '../field.tsx';
import { type FieldSpec, deleteFieldCharacter } from '../formFields.ts';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { chosenShoeStepOption, formFieldValue } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { ShoeStepForm, type ShoeStepName, ShoeSteps, shoeStepIndex, shoeStepCount } from './shoeSteps.tsx';

export const shoeStepCaption = (view: DealerView, step: ShoeStepName): string =>
  dealerStrings().shoeDo.step(shoeStepIndex(step) + 1, shoeStepCount(view));

function Options({ options }: { readonly options: readonly (readonly [string, string])[] }) {
  return (
    <div class="picks">
      {options.map(([name, note], n) => (
        <button
          key={name}
          type="button"
          class={chosenShoeStepOption.value === n + 1 ? 'on' : ''}
          aria-pressed={chosenShoeStepOption.value === n + 1}
          data-pick={n + 1}
          onClick={() => (chosenShoeStepOption.value = n + 1)}
        >
          <KeyCap>{n + 1}</KeyCap>
          <span>
            <b>{name}</b>
            <small>{note}</small>
          </span>
        </button>
      ))}
    </div>
  );
}

/** Scene of a shoe step in which the dealer chooses an option. */
export function shoeStepChoiceScene(
  view: DealerView,
  step: ShoeStepName,
  {
    reason,
    title,
    options,
    note,
    actionTitle,
    run,
  }: {
    readonly reason: string;
    readonly title: string;
    readonly options: readonly (readonly [string, string])[];
    readonly note?: string;
    readonly actionTitle: string;
    readonly run: (chosen: number) => void;
  },
): ConsoleScene {
  const t = dealerStrings();
  const chosen = chosenShoeStepOption.value;
  const record = (): void => {
    if (chosen > 0) run(chosen);
  };
  return {
    prompt: { title: promptText(view.prompt), reason, by: view.prompt.by },
    stage: <ShoeSteps view={view} />,
    left: (
      <ShoeStepForm title={title}>
        <Options options={options} />
        {note !== undefined && <p class="q">{note}</p>}
      </ShoeStepForm>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={chosen > 0 ? 'act' : 'wait'}
          caption={shoeStepCaption(view, step)}
          title={actionTitle}
          detail={chosen > 0 ? options[chosen - 1]![0] : t.rulings.choose(options.length)}
          by={view.prompt.by}
          run={chosen > 0 ? record : undefined}
        />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: {
      expects: 'list',
      next: record,
      digit: (digit) => {
        if (options[digit - 1] !== undefined) chosenShoeStepOption.value = digit;
      },
      back: () => void (chosenShoeStepOption.value = 0),
    },
  };
}

const numberSpecs: readonly FieldSpec[] = [{ name: 'count', accepts: 'digits', maxLength: 4 }];

/** Scene of a shoe step that asks for one number. The field starts empty. */
export function shoeStepNumberScene(
  view: DealerView,
  step: ShoeStepName,
  {
    reason,
    title,
    label,
    note,
    actionTitle,
    actionDetail,
    run,
  }: {
    readonly reason: string;
    readonly title: string;
    readonly label: string;
    readonly note?: string;
    readonly actionTitle: string;
    readonly actionDetail: (typed: string) => string;
    readonly run: (typed: number) => void;
  },
): ConsoleScene {
  const t = dealerStrings();
  const typed = formFieldValue('count');
  const record = (): void => {
    if (typed !== '') run(Number(typed));
  };
  return {
    prompt: { title: promptText(view.prompt), reason, by: view.prompt.by },
    stage: <ShoeSteps view={view} />,
    left: (
      <ShoeStepForm title={title}>
        <ConsoleField name="count" label={label} big isDefault />
        {note !== undefined && (
          <p class="q">
            {note} <ClauseTag by={view.prompt.by} />
          </p>
        )}
      </ShoeStepForm>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={typed === '' ? 'wait' : 'act'}
          caption={shoeStepCaption(view, step)}
          title={actionTitle}
          detail={typed === '' ? t.shoeDo.digits : actionDetail(typed)}
          by={view.prompt.by}
          run={typed === '' ? undefined : record}
        />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'field', specs: numberSpecs, next: record, back: () => void deleteFieldCharacter(numberSpecs) },
  };
}
