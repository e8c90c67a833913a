import { type JSX } from 'preact';
import { Limits } from './limits/limitsDialog.tsx';
import { Collect } from './collect/collect.tsx';
import { type Overlay, overlay } from './app/overlay.ts';
import { Help } from './help/lazyHelp.tsx';
import { Recall } from './recall/recall.tsx';
import { Menu } from './table/menu.tsx';
import { Proof } from './table/stage/commitmentDialog.tsx';

/** What each name opens. */
const overlays: { readonly [name in Overlay]?: () => JSX.Element | null } = {
  collect: Collect,
  help: Help,
  limits: Limits,
  menu: Menu,
  proof: Proof,
  recall: Recall,
};

/** The drawer or dialog that is open, if there is one. */
export function Overlays() {
  const Open = overlay.value === null ? undefined : overlays[overlay.value];
  return Open === undefined ? null : <Open />;
}
