import { signal } from '@preact/signals';

export type OverlayName = 'menu' | 'collect' | 'help' | 'recall' | 'limits' | 'proof';

export const openOverlay = signal<null | OverlayName>(null);
