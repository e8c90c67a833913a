import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { isDisconnected } from '../../app/state.ts';
import { ActionPanel } from '../actionPanel.tsx';
import { type SceneKeys, type ConsoleScene } from '../scene.ts';
import { depthScene, shoeScene } from '../shoe/newShoe.tsx';
import { countScene, differsScene, sealScene } from '../shoe/endShoe.tsx';
import { draft, pendingProposal } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { approvalScene } from './approvalScene.tsx';
import { byEyeScene, correctionScene, reconstructionScene, togetherScene, firstCardScene } from './cardScenes.tsx';
import { chipsScene, noteScene, referScene, interruptionScene } from './formScenes.tsx';
import { callKeys, reliefKeys } from './popups.tsx';
import { reportSheetKeys } from './reportSheet.tsx';
import { roundScene } from './roundScenes.tsx';
import { faultScene, frozenScene, stoppedScene } from './stoppedScenes.tsx';

/** Scene of an open draft, where it replaces the scene of the table. */
function draftScene(view: DealerView): ConsoleScene | undefined {
  const current = draft.value;
  switch (current?.type) {
    case 'fix':
      return correctionScene(view, current);
    case 'reconstruct':
      return reconstructionScene(view, current);
    case 'by-eye':
      return byEyeScene(view, current.purpose);
    case 'chips':
      return chipsScene(view, current);
    case 'which':
      return firstCardScene(view);
    case 'since':
      return interruptionScene(view);
    case 'refer':
      return referScene(view);
    case 'note':
      return noteScene(view);
    case 'together':
      return togetherScene(view, current.card);
    case 'count':
      return countScene(view, current);
    case 'differs':
      return differsScene(view, current.counts);
    case 'seal':
      return sealScene(view);
    case 'depth':
      return depthScene(view);
    case 'report-sheet':
    case 'call':
    case 'relief':
    case 'rulings':
    case undefined:
      return undefined;
  }
}

/** Notes and reports stay possible while an approval is pending. */
const allowedDuringApproval: ReadonlySet<string> = new Set(['note', 'refer', 'which', 'chips', 'since']);

export function currentScene(view: DealerView): ConsoleScene {
  if (isDisconnected.value) return disconnectedScene(view);
  if (view.fault !== null) return faultScene(view);
  const proposal = pendingProposal.value;
  if (proposal !== null && !allowedDuringApproval.has(draft.value?.type ?? '')) return approvalScene(view, proposal);
  const override = draftScene(view);
  if (override !== undefined) return override;
  if (view.stopped !== null) {
    const isFeltOpen = view.stopped.options.some(({ command }) => command === 'ConfirmFelt');
    return isFeltOpen && draft.value?.type !== 'rulings' ? byEyeScene(view, 'enter') : stoppedScene(view, view.stopped);
  }
  if (view.referred.length > 0 && view.prompt.code === 'frozen') return frozenScene(view);
  return (view.phase === 'idle' ? shoeScene(view) : undefined) ?? roundScene(view);
}

/** While the connection is down, input has no effect. */
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

/** Popups take the keys before the scene. */
export function activeKeys(scene: ConsoleScene): SceneKeys {
  const current = draft.value;
  if (isDisconnected.value) return { expects: 'nothing' };
  if (current?.type === 'report-sheet') return reportSheetKeys(current.group);
  if (current?.type === 'call') return callKeys;
  if (current?.type === 'relief') return reliefKeys;
  return scene.keys;
}
