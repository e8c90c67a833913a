import { type JSX } from 'preact';
import { LimitsDialog } from './limits/limitsDialog.tsx';
import { CollectDialog } from './collect/collect.tsx';
import { type Overlay, overlay } from './app/overlay.ts';
import { LazyHelp } from './help/lazyHelp.tsx';
import { RecallDrawer } from './recall/recall.tsx';
import { Menu } from './table/menu.tsx';
import { CommitmentDialog } from './table/stage/commitmentDialog.tsx';

const overlays: { readonly [name in Overlay]?: () => JSX.Element | null } = {
  collect: CollectDialog,
  help: LazyHelp,
  limits: LimitsDialog,
  menu: Menu,
  proof: CommitmentDialog,
  recall: RecallDrawer,
};

export function Overlays() {
  const Open = overlay.value === null ? undefined : overlays[overlay.value];
  return Open === undefined ? null : <Open />;
}
