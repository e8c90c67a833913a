import { effect, signal } from '@preact/signals';
import { type LayoutWidth } from './felt/bettingLayouts.ts';

// The three shapes of a screen. A cabinet is a screen in portrait. A page at 200 % zoom may count as a phone.

type Shape = 'landscape' | 'cabinet' | 'phone';

const phone = matchMedia('(max-width: 640px), (max-width: 900px) and (max-height: 560px)');
const upright = matchMedia('(max-aspect-ratio: 1/1)');

const shapeNow = (): Shape => (phone.matches ? 'phone' : upright.matches ? 'cabinet' : 'landscape');

export const screenShape = signal<Shape>(shapeNow());
for (const query of [phone, upright]) query.addEventListener('change', () => (screenShape.value = shapeNow()));

export const layoutWidthOf = (of: Shape): LayoutWidth => (of === 'phone' ? 'narrow' : 'wide');

export const isMotionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

// The style sheets choose all sizes by the attribute `data-shape` of the root element.
effect(() => {
  document.documentElement.dataset['shape'] = screenShape.value;
});
