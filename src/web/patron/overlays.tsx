import { type JSX } from 'preact';
import { LimitsDialog } from './limits/limitsDialog.tsx';
import { Collect } from './collect/collect.tsx';
import { type Overlay, overlay } from './app/overlay.ts';
import { Help } from './help/lazyHelp.tsx';
import { RecallDrawer } from './recall/recall.tsx';
import { Menu } from './table/menu.tsx';
import { Proof } from './table/stage/commitmentDialog.tsx';

const overlays: { readonly [name in Overlay]?: () => JSX.Element | null } = {
  collect: Collect,
  help: Help,
  limits: LimitsDialog,
  menu: Menu,
  proof: Proof,
  recall: RecallDrawer,
};

export function Overlays() {
  const Open = overlay.value === null ? undefined : overlays[overlay.value];
  return Open === undefined ? null : <Open />;
}
