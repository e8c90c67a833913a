import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ShoePreparationRecord } from '../../kit/components/proposalEffects.tsx';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { promptText } from '../../kit/text/promptText.ts';
import { clausesByTopic } from '../panels/sidePanel.tsx';
import { ConsoleField } from '../field.tsx';
import { type FieldSpec, deleteFieldCharacter, activateFirstEmptyField } from '../formFields.ts';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { TypedCardBoxes, CardKeyHint } from '../scenes/roundScenes.tsx';
import { type ConsoleScene } from '../scene.ts';
import { sendCommand, showRefusal } from '../../kit/sendCommand.ts';
import {
  consoleDraft,
  closeDraft,
  formFields,
  chosenShoeStepOption,
  typedRank,
  formFieldValue,
  dealerView,
} from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { defaultRulingReason } from '../scenes/reportSheet.tsx';
import { startOldShoeCount } from './endShoe.tsx';
import { ShoeStepForm, ShoeSteps } from './shoeSteps.tsx';
import { shoeStepChoiceScene, shoeStepNumberScene, shoeStepCaption } from './stepScenes.tsx';

const bringSpecs: readonly FieldSpec[] = [
  { name: 'shoe', accepts: 'number', maxLength: 20 },
  { name: 'seal', accepts: 'text', maxLength: 40 },
  { name: 'decks', accepts: 'digits', maxLength: 2 },
  { name: 'backs', accepts: 'text', maxLength: 40 },
];

function bringScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const by = clausesByTopic(view).cards;
  const [shoe, seal, deckCount, backs] = ['shoe', 'seal', 'decks', 'backs'].map((name) => formFieldValue(name).trim());
  const isComplete = shoe !== '' && seal !== '' && deckCount !== '' && backs !== '';
  const record = (): void => {
    if (activateFirstEmptyField(bringSpecs)) return;
    void sendCommand({ type: 'BringShoe', shoe, seal, decks: Number(deckCount), backs }).then(
      (isAccepted) => isAccepted && closeDraft(),
    );
  };
  const setBacks = (text: string): void =>
    void (formFields.value = { active: 'backs', values: { ...formFields.value.values, backs: text } });
  return {
    prompt: { title: promptText(view.prompt), reason: s.bringWhy, by: view.prompt.by },
    stage: <ShoeSteps view={view} />,
    left: (
      <ShoeStepForm title={s.newTitle}>
        <div class="row wide">
          <ConsoleField name="shoe" label={s.shoe} big isDefault />
          <ConsoleField name="seal" label={s.seal} big />
          <ConsoleField name="decks" label={s.decks} big />
          <ConsoleField name="backs" label={s.backs} big />
        </div>
        <div class="row">
          {s.backsPicks.map((text) => (
            <button key={text} type="button" class="btn" data-backs={text} onClick={() => setBacks(text)}>
              {text}
            </button>
          ))}
        </div>
        <p class="q">{s.bringMore}</p>
      </ShoeStepForm>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={isComplete ? 'act' : 'wait'}
          caption={shoeStepCaption(view, 'bring')}
          title={s.recordSeal}
          detail={isComplete ? s.bringSub(shoe!, seal!) : s.missing}
          by={by}
          run={record}
        />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'field', specs: bringSpecs, next: record, back: () => void deleteFieldCharacter(bringSpecs) },
  };
}

/** Shuffle methods as the event stores them, in the order of the options on screen. */
const shuffleMethods = ['machine', 'by hand', 'sealed as shuffled'] as const;

function verifyScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const proposeVerification = (): void => void sendCommand({ type: 'VerifyShoe' });
  return {
    prompt: { title: promptText(view.prompt), reason: s.verifyWhy, by: view.prompt.by },
    stage: <ShoeSteps view={view} />,
    left: (
      <ShoeStepForm title={s.verifyTitle}>
        {view.shoe !== null && <ShoePreparationRecord shoe={view.shoe} />}
      </ShoeStepForm>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind="act"
          caption={shoeStepCaption(view, 'verify')}
          title={s.verify}
          detail={s.verifySub}
          by={view.prompt.by}
          run={proposeVerification}
        />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: proposeVerification },
  };
}

function burnScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  return {
    prompt: { title: promptText(view.prompt), reason: s.burnWhy, by: view.prompt.by },
    stage: <ShoeSteps view={view} />,
    right: (
      <ActionPanel>
        <div class="go burn" data-testid="next">
          <span class="cap">{t.keyOrScan}</span>
          <span class="key">
            <span>
              <span class="slotno first">{s.burnCard}</span>
              <b class="which">{s.burnSub}</b>
            </span>
            <TypedCardBoxes deck={view.deck} />
          </span>
          <span class="sub">
            <CardKeyHint deck={view.deck} />
          </span>
        </div>
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: {
      expects: 'card',
      back: () => void (typedRank.value = ''),
      escape: () => void (typedRank.value = ''),
    },
    onCard: (card) => {
      typedRank.value = '';
      void sendCommand({ type: 'BurnCards', card });
    },
  };
}

/** Scene of a shoe that has ended or is locked, and must be changed. */
function endedScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const change = (): void => startOldShoeCount(view);
  return {
    prompt: { title: promptText(view.prompt), reason: t.shoeDo.changeSub, by: view.prompt.by },
    lockedBy: { text: t.noShoe, by: view.prompt.by },
    right: (
      <ActionPanel>
        <NextAction
          kind="act"
          title={t.shoeDo.changeNow}
          detail={t.shoeDo.changeSub}
          by={view.prompt.by}
          run={change}
          keyName="Enter"
        />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: change, shortcuts: { shoe: change } },
  };
}

/**
 * Scene for a cutting card that is overdue: by the number of dealt cards it must have come out, but it is not reported.
 * [READING 58]
 */
function cutDueScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const run = (chosen: number): void => {
    chosenShoeStepOption.value = 0;
    if (chosen === 1) void sendCommand({ type: 'ReportCuttingCard' });
    if (chosen === 2) consoleDraft.value = { type: 'depth' };
    if (chosen === 3) void sendCommand({ type: 'ReportIrregularity', kind: 'cutting-card-missing' });
  };
  const scene = shoeStepChoiceScene(view, 'old', {
    reason: t.cutDue.title,
    title: t.cutDue.title,
    options: t.cutDue.options,
    actionTitle: t.cutDue.title,
    run,
  });
  const { stage: _stage, ...rest } = scene;
  return rest;
}

/**
 * Number of cards behind and in front of the cutting card, as text. If more cards are typed than the shoe has, the text
 * is the hint to type digits.
 */
function cutText({ shoe }: DealerView, typed: string): string {
  const front = (shoe?.size ?? 0) - Number(typed);
  return front < 0 ? dealerStrings().shoeDo.digits : dealerStrings().shoeDo.cutSub(typed, front);
}

export function correctCuttingCardScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const scene = shoeStepNumberScene(view, 'cut', {
    reason: t.shoeDo.cutWhy,
    title: t.shoeDo.cutTitle,
    label: t.shoeDo.behind,
    actionTitle: t.shoeDo.recordCut,
    actionDetail: (typed) => cutText(view, typed),
    run: (behind) =>
      void sendCommand({ type: 'CorrectCut', behind, reason: defaultRulingReason('cutting-card') }).then(
        (isAccepted) => isAccepted && closeDraft(),
      ),
  });
  const { stage: _stage, ...rest } = scene;
  return { ...rest, keys: { ...rest.keys, escape: closeDraft } };
}

/**
 * Closes the form after the server recorded the count of a new shoe. If the count is wrong, shows a refusal without the
 * expected number, since the recount is blind.
 */
function afterCount(): void {
  closeDraft();
  if (dealerView.peek()?.shoe?.counted === false) showRefusal(staffRefusalText('wrong-count', ''));
}

/** Scene of the step that the shoe needs before the next round; undefined when the shoe needs no step. */
export function shoeChangeScene(view: DealerView): ConsoleScene | undefined {
  const s = dealerStrings().shoeDo;
  switch (view.prompt.code) {
    case 'no-shoe':
      return bringScene(view);
    case 'inspect-shoe':
      return shoeStepChoiceScene(view, 'inspect', {
        reason: s.inspectWhy,
        title: promptText(view.prompt),
        options: s.inspectPicks,
        actionTitle: s.recordLook,
        run: (chosen) =>
          void sendCommand({ type: 'InspectCards', match: chosen === 1 }).then(
            (isAccepted) => isAccepted && closeDraft(),
          ),
      });
    case 'count-shoe':
      return shoeStepNumberScene(view, 'count', {
        reason: s.countWhy,
        title: s.newTitle,
        label: s.counted,
        note: s.countMore,
        actionTitle: s.recordCount,
        actionDetail: (typed) => typed,
        run: (cards) =>
          void sendCommand({ type: 'CountCards', cards }).then((isAccepted) => isAccepted && afterCount()),
      });
    case 'shuffle-shoe':
      return shoeStepChoiceScene(view, 'shuffle', {
        reason: s.shuffleWhy,
        title: s.shuffleTitle,
        options: s.shufflePicks,
        note: s.shuffleMore,
        actionTitle: s.recordShuffle,
        run: (chosen) =>
          void sendCommand({ type: 'ShuffleShoe', method: shuffleMethods[chosen - 1] }).then(
            (isAccepted) => isAccepted && closeDraft(),
          ),
      });
    case 'cut-shoe':
      return shoeStepNumberScene(view, 'cut', {
        reason: s.cutWhy,
        title: s.cutTitle,
        label: s.behind,
        actionTitle: s.recordCut,
        actionDetail: (typed) => cutText(view, typed),
        run: (behind) => void sendCommand({ type: 'CutShoe', behind }).then((isAccepted) => isAccepted && closeDraft()),
      });
    case 'verify-shoe':
      return verifyScene(view);
    case 'burn-first':
      return burnScene(view);
    case 'shoe-over':
    case 'shoe-locked':
      return endedScene(view);
    case 'cutting-card-due':
      return cutDueScene(view);
    default:
      return undefined;
  }
}
