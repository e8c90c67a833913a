import { signal } from '@preact/signals';

export type Overlay = 'menu' | 'collect' | 'help' | 'recall' | 'limits' | 'proof';

export const overlay = signal<null | Overlay>(null);
