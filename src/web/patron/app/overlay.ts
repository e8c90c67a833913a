import { signal } from '@preact/signals';

/** The drawer or dialog that is open over the terminal. */
export type Overlay = 'menu' | 'collect' | 'help' | 'recall' | 'limits' | 'proof';

export const overlay = signal<null | Overlay>(null);
