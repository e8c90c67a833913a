import { type JSX } from 'preact';
import { Limits } from './care/limits.tsx';
import { type Overlay, overlay } from './overlay.ts';
import { Recall } from './recall/recall.tsx';

/** What each name opens. */
const overlays: { readonly [name in Overlay]?: () => JSX.Element | null } = {
  limits: Limits,
  recall: Recall,
};

/** The drawer or dialog that is open, if there is one. */
export function Overlays() {
  const Open = overlay.value === null ? undefined : overlays[overlay.value];
  return Open === undefined ? null : <Open />;
}
