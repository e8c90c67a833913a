import { signal } from '@preact/signals';

export type OverlayName = 'menu' | 'collect' | 'help' | 'recall' | 'limits' | 'proof';

export const currentOverlay = signal<null | OverlayName>(null);
