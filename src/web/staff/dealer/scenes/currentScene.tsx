import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { isConnectionUnusable } from '../../app/state.ts';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { type SceneKeys, type ConsoleScene } from '../scene.ts';
import { correctCuttingCardScene, shoeChangeScene } from '../shoe/newShoe.tsx';
import { countOldShoeScene, countDiffersScene, sealOldShoeScene } from '../shoe/endShoe.tsx';
import { consoleDraft, interruptingProposal } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { approvalScene } from './approvalScene.tsx';
import {
  enterCardByEyeScene,
  correctCardScene,
  reconstructRoundScene,
  scannedTogetherScene,
  reportDrawnTogetherScene,
} from './cardScenes.tsx';
import { reportLateChipChangeScene, noteScene, referralScene, reportInterruptionScene } from './formScenes.tsx';
import { callSupervisorPopupKeys, reliefPopupKeys } from './popups.tsx';
import { reportSheetKeys } from './reportSheet.tsx';
import { roundScene } from './roundScenes.tsx';
import { tableFaultScene, referredTableScene, stoppedScene } from './stoppedScenes.tsx';

/**
 * Scene of the open draft. Undefined when there is no draft, or when the draft is a popup or list over the scene of the
 * table.
 */
function draftScene(view: DealerView): ConsoleScene | undefined {
  const current = consoleDraft.value;
  switch (current?.type) {
    case 'fix':
      return correctCardScene(view, current);
    case 'reconstruct':
      return reconstructRoundScene(view, current);
    case 'by-eye':
      return enterCardByEyeScene(view, current.purpose);
    case 'chips':
      return reportLateChipChangeScene(view, current);
    case 'which':
      return reportDrawnTogetherScene(view);
    case 'since':
      return reportInterruptionScene(view);
    case 'refer':
      return referralScene(view);
    case 'note':
      return noteScene(view);
    case 'together':
      return scannedTogetherScene(view, current.card);
    case 'count':
      return countOldShoeScene(view, current);
    case 'differs':
      return countDiffersScene(view, current.counts);
    case 'seal':
      return sealOldShoeScene(view);
    case 'depth':
      return correctCuttingCardScene(view);
    case 'report-sheet':
    case 'call':
    case 'relief':
    case 'rulings':
    case undefined:
      return undefined;
  }
}

/** Types of drafts that stay on screen while a proposal waits for approval. */
const allowedDuringApproval: ReadonlySet<string> = new Set(['note', 'refer', 'which', 'chips', 'since']);

export function currentScene(view: DealerView): ConsoleScene {
  if (isConnectionUnusable.value) return disconnectedScene(view);
  if (view.fault !== null) return tableFaultScene(view);
  const proposal = interruptingProposal.value;
  if (proposal !== null && !allowedDuringApproval.has(consoleDraft.value?.type ?? ''))
    return approvalScene(view, proposal);
  const override = draftScene(view);
  if (override !== undefined) return override;
  if (view.stopped !== null) {
    const isFeltOpen = view.stopped.options.some(({ command }) => command === 'ConfirmFelt');
    return isFeltOpen && consoleDraft.value?.type !== 'rulings'
      ? enterCardByEyeScene(view, 'enter')
      : stoppedScene(view, view.stopped);
  }
  if (view.referred.length > 0 && view.prompt.code === 'frozen') return referredTableScene(view);
  return (view.phase === 'idle' ? shoeChangeScene(view) : undefined) ?? roundScene(view);
}

function disconnectedScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const underlying = roundScene(view);
  return {
    prompt: underlying.prompt,
    lockedBy: { text: t.lostPad },
    right: (
      <ActionPanel>
        <NextAction kind="wait" title={t.lostNext} detail={view.due === null ? t.lostClock : t.lostSub(view.due)} />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing' },
  };
}

/**
 * Keys that the console accepts now: the keys of the open popup or, without a popup, the keys of the scene. While the
 * connection is lost, no key enters anything.
 */
export function activeKeys(scene: ConsoleScene): SceneKeys {
  const current = consoleDraft.value;
  if (isConnectionUnusable.value) return { expects: 'nothing' };
  if (current?.type === 'report-sheet') return reportSheetKeys(current.group);
  if (current?.type === 'call') return callSupervisorPopupKeys;
  if (current?.type === 'relief') return reliefPopupKeys;
  return scene.keys;
}
