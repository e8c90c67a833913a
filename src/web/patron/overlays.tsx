import { type JSX } from 'preact';
import { LimitsDialog } from './sessionLimits/limitsDialog.tsx';
import { CollectDialog } from './money/collect.tsx';
import { type OverlayName, currentOverlay } from './app/overlay.ts';
import { LazyHelp } from './help/lazyHelp.tsx';
import { RecallDrawer } from './recall/recall.tsx';
import { PhoneMenu } from './table/menu.tsx';
import { CommitmentDialog } from './table/stage/commitmentDialog.tsx';

const overlays: { readonly [name in OverlayName]?: () => JSX.Element | null } = {
  collect: CollectDialog,
  help: LazyHelp,
  limits: LimitsDialog,
  menu: PhoneMenu,
  proof: CommitmentDialog,
  recall: RecallDrawer,
};

export function Overlays() {
  const Open = currentOverlay.value === null ? undefined : overlays[currentOverlay.value];
  return Open === undefined ? null : <Open />;
}
