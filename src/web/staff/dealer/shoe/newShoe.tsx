import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { AlsoKeys, Go } from '../../kit/components/nextAction.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { promptText } from '../../kit/text/promptText.ts';
import { viewClauses } from '../sidePanel.tsx';
import { Field } from '../field.tsx';
import { type Spec, deleteLetter, toEmpty } from '../formFields.ts';
import { NextPanel } from '../actionPanel.tsx';
import { Boxes, CardHint } from '../scenes/roundScenes.tsx';
import { type ConsoleScene } from '../scene.ts';
import { send } from '../../kit/sendCommand.ts';
import { draft, dropDraft, fields, pick, refuseWith, typed, valueOf, dealerView as seenView } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { reasonOf } from '../scenes/reportSheet.tsx';
import { beginEnd } from './endShoe.tsx';
import { ShoeFacts, ShoeForm, type StepName, Steps, stepIndex, stepsAt } from './shoeSteps.tsx';

// A new shoe, step by step; each step is a command of its own.

const stepCap = (view: DealerView, step: StepName): string =>
  dealerStrings().shoeDo.step(stepIndex(step) + 1, stepsAt(view));

/** Choices of which one is taken by its digit. */
function Picks({ all }: { readonly all: readonly (readonly [string, string])[] }) {
  return (
    <div class="picks">
      {all.map(([name, more], n) => (
        <button
          key={name}
          type="button"
          class={pick.value === n + 1 ? 'on' : ''}
          aria-pressed={pick.value === n + 1}
          data-pick={n + 1}
          onClick={() => (pick.value = n + 1)}
        >
          <Kbd>{n + 1}</Kbd>
          <span>
            <b>{name}</b>
            <small>{more}</small>
          </span>
        </button>
      ))}
    </div>
  );
}

const bringSpecs: readonly Spec[] = [
  { name: 'shoe', takes: 'number', most: 20 },
  { name: 'seal', takes: 'text', most: 40 },
  { name: 'decks', takes: 'digits', most: 2 },
  { name: 'backs', takes: 'text', most: 40 },
];

function bringScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const by = viewClauses(view).cards;
  const [shoe, seal, many, backs] = ['shoe', 'seal', 'decks', 'backs'].map((name) => valueOf(name).trim());
  const isWhole = shoe !== '' && seal !== '' && many !== '' && backs !== '';
  const record = (): void => {
    if (toEmpty(bringSpecs)) return;
    void send({ type: 'BringShoe', shoe, seal, decks: Number(many), backs }).then((taken) => taken && dropDraft());
  };
  const setBacks = (text: string): void =>
    void (fields.value = { on: 'backs', values: { ...fields.value.values, backs: text } });
  return {
    say: { title: promptText(view.says), why: s.bringWhy, by: view.says.by },
    stage: <Steps view={view} />,
    left: (
      <ShoeForm title={s.newTitle}>
        <div class="row wide">
          <Field name="shoe" label={s.shoe} big lead />
          <Field name="seal" label={s.seal} big />
          <Field name="decks" label={s.decks} big />
          <Field name="backs" label={s.backs} big />
        </div>
        <div class="row">
          {s.backsPicks.map((text) => (
            <button key={text} type="button" class="btn" data-backs={text} onClick={() => setBacks(text)}>
              {text}
            </button>
          ))}
        </div>
        <p class="q">{s.bringMore}</p>
      </ShoeForm>
    ),
    right: (
      <NextPanel>
        <Go
          kind={isWhole ? 'act' : 'wait'}
          cap={stepCap(view, 'bring')}
          big={s.recordSeal}
          sub={isWhole ? s.bringSub(shoe!, seal!) : s.missing}
          by={by}
          act={record}
        />
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: { takes: 'field', specs: bringSpecs, next: record, back: () => void deleteLetter(bringSpecs) },
  };
}

/** A step that is one choice. */
function choiceScene(
  view: DealerView,
  step: StepName,
  {
    why,
    title,
    picks,
    more,
    big,
    act,
  }: {
    readonly why: string;
    readonly title: string;
    readonly picks: readonly (readonly [string, string])[];
    readonly more?: string;
    readonly big: string;
    readonly act: (chosen: number) => void;
  },
): ConsoleScene {
  const t = dealerStrings();
  const chosen = pick.value;
  const record = (): void => {
    if (chosen > 0) act(chosen);
  };
  return {
    say: { title: promptText(view.says), why, by: view.says.by },
    stage: <Steps view={view} />,
    left: (
      <ShoeForm title={title}>
        <Picks all={picks} />
        {more !== undefined && <p class="q">{more}</p>}
      </ShoeForm>
    ),
    right: (
      <NextPanel>
        <Go
          kind={chosen > 0 ? 'act' : 'wait'}
          cap={stepCap(view, step)}
          big={big}
          sub={chosen > 0 ? picks[chosen - 1]![0] : t.ways.choose(picks.length)}
          by={view.says.by}
          act={chosen > 0 ? record : undefined}
        />
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: {
      takes: 'list',
      next: record,
      digit: (digit) => {
        if (picks[digit - 1] !== undefined) pick.value = digit;
      },
      back: () => void (pick.value = 0),
    },
  };
}

/** What is written down of a shuffle, whatever language it was chosen in. */
const methods = ['machine', 'by hand', 'sealed as shuffled'] as const;

const numberSpecs: readonly Spec[] = [{ name: 'count', takes: 'digits', most: 4 }];

/** A step that is one number, never prefilled. */
function numberScene(
  view: DealerView,
  step: StepName,
  {
    why,
    title,
    label,
    more,
    big,
    sub,
    act,
  }: {
    readonly why: string;
    readonly title: string;
    readonly label: string;
    readonly more?: string;
    readonly big: string;
    readonly sub: (given: string) => string;
    readonly act: (given: number) => void;
  },
): ConsoleScene {
  const t = dealerStrings();
  const given = valueOf('count');
  const record = (): void => {
    if (given !== '') act(Number(given));
  };
  return {
    say: { title: promptText(view.says), why, by: view.says.by },
    stage: <Steps view={view} />,
    left: (
      <ShoeForm title={title}>
        <Field name="count" label={label} big lead />
        {more !== undefined && (
          <p class="q">
            {more} <ClauseTag by={view.says.by} />
          </p>
        )}
      </ShoeForm>
    ),
    right: (
      <NextPanel>
        <Go
          kind={given === '' ? 'wait' : 'act'}
          cap={stepCap(view, step)}
          big={big}
          sub={given === '' ? t.shoeDo.digits : sub(given)}
          by={view.says.by}
          act={given === '' ? undefined : record}
        />
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: { takes: 'field', specs: numberSpecs, next: record, back: () => void deleteLetter(numberSpecs) },
  };
}

function verifyScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const ask = (): void => void send({ type: 'VerifyShoe' });
  return {
    say: { title: promptText(view.says), why: s.verifyWhy, by: view.says.by },
    stage: <Steps view={view} />,
    left: <ShoeFacts view={view} />,
    right: (
      <NextPanel>
        <Go kind="act" cap={stepCap(view, 'verify')} big={s.verify} sub={s.verifySub} by={view.says.by} act={ask} />
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: ask },
  };
}

function burnScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  return {
    say: { title: promptText(view.says), why: s.burnWhy, by: view.says.by },
    stage: <Steps view={view} />,
    right: (
      <NextPanel>
        <div class="go burn" data-testid="next">
          <span class="cap">{t.keyOrScan}</span>
          <span class="key">
            <span>
              <span class="slotno first">{s.burnCard}</span>
              <b class="which">{s.burnSub}</b>
            </span>
            <Boxes deck={view.deck} />
          </span>
          <span class="sub">
            <CardHint deck={view.deck} />
          </span>
        </div>
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: {
      takes: 'card',
      back: () => void (typed.value = ''),
      escape: () => void (typed.value = ''),
    },
    card: (card) => {
      typed.value = '';
      void send({ type: 'BurnCards', card });
    },
  };
}

/** The shoe may not go on. */
function overScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const change = (): void => beginEnd(view);
  return {
    say: { title: promptText(view.says), why: t.shoeDo.changeSub, by: view.says.by },
    lockedBy: { text: t.noShoe, by: view.says.by },
    right: (
      <NextPanel>
        <Go
          kind="act"
          big={t.shoeDo.changeNow}
          sub={t.shoeDo.changeSub}
          by={view.says.by}
          act={change}
          keyName="Enter"
        />
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: change, orders: { shoe: change } },
  };
}

/** By count the cutting card must be out, and nobody reported it. [READING 58] */
function cutDueScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const act = (chosen: number): void => {
    pick.value = 0;
    if (chosen === 1) void send({ type: 'ReportCuttingCard' });
    if (chosen === 2) draft.value = { what: 'depth' };
    if (chosen === 3) void send({ type: 'ReportIrregularity', kind: 'cutting-card-missing' });
  };
  const scene = choiceScene(view, 'old', {
    why: t.cutDue.title,
    title: t.cutDue.title,
    picks: t.cutDue.ways,
    big: t.cutDue.title,
    act,
  });
  const { stage: _stage, ...rest } = scene;
  return rest;
}

/** What a cut comes to; one that is deeper than the shoe comes to nothing. */
function cutText({ shoe }: DealerView, given: string): string {
  const front = (shoe?.size ?? 0) - Number(given);
  return front < 0 ? dealerStrings().shoeDo.digits : dealerStrings().shoeDo.cutSub(given, front);
}

/** How many lie behind the cutting card after all. */
export function depthScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const scene = numberScene(view, 'cut', {
    why: t.shoeDo.cutWhy,
    title: t.shoeDo.cutTitle,
    label: t.shoeDo.behind,
    big: t.shoeDo.recordCut,
    sub: (given) => cutText(view, given),
    act: (behind) =>
      void send({ type: 'CorrectCut', behind, reason: reasonOf('cutting-card') }).then((taken) => taken && dropDraft()),
  });
  const { stage: _stage, ...rest } = scene;
  return { ...rest, keys: { ...rest.keys, escape: dropDraft } };
}

/** A count is written down whatever it is; one that does not fit is told, without the figure that would. */
function counted(): void {
  dropDraft();
  if (seenView.peek()?.shoe?.counted === false) refuseWith(staffRefusalText('wrong-count', ''));
}

/** The scene of a shoe that is not ready, or over; undefined where the shoe wants nothing. */
export function shoeScene(view: DealerView): ConsoleScene | undefined {
  const s = dealerStrings().shoeDo;
  switch (view.says.code) {
    case 'no-shoe':
      return bringScene(view);
    case 'inspect-shoe':
      return choiceScene(view, 'inspect', {
        why: s.inspectWhy,
        title: promptText(view.says),
        picks: s.inspectPicks,
        big: s.recordLook,
        act: (chosen) => void send({ type: 'InspectCards', match: chosen === 1 }).then((taken) => taken && dropDraft()),
      });
    case 'count-shoe':
      return numberScene(view, 'count', {
        why: s.countWhy,
        title: s.newTitle,
        label: s.counted,
        more: s.countMore,
        big: s.recordCount,
        sub: (given) => given,
        act: (cards) => void send({ type: 'CountCards', cards }).then((taken) => taken && counted()),
      });
    case 'shuffle-shoe':
      return choiceScene(view, 'shuffle', {
        why: s.shuffleWhy,
        title: s.shuffleTitle,
        picks: s.shufflePicks,
        more: s.shuffleMore,
        big: s.recordShuffle,
        act: (chosen) =>
          void send({ type: 'ShuffleShoe', method: methods[chosen - 1] }).then((taken) => taken && dropDraft()),
      });
    case 'cut-shoe':
      return numberScene(view, 'cut', {
        why: s.cutWhy,
        title: s.cutTitle,
        label: s.behind,
        big: s.recordCut,
        sub: (given) => cutText(view, given),
        act: (behind) => void send({ type: 'CutShoe', behind }).then((taken) => taken && dropDraft()),
      });
    case 'verify-shoe':
      return verifyScene(view);
    case 'burn-first':
      return burnScene(view);
    case 'shoe-over':
    case 'shoe-locked':
      return overScene(view);
    case 'cutting-card-due':
      return cutDueScene(view);
    default:
      return undefined;
  }
}
