import { effect, signal } from '@preact/signals';
import { type Width } from './felt/bettingLayouts.ts';

// The three shapes of a screen. A cabinet is portrait; a page at 200 % zoom counts as a phone.

type Shape = 'landscape' | 'cabinet' | 'phone';

const phone = matchMedia('(max-width: 640px), (max-width: 900px) and (max-height: 560px)');
const upright = matchMedia('(max-aspect-ratio: 1/1)');

const shapeNow = (): Shape => (phone.matches ? 'phone' : upright.matches ? 'cabinet' : 'landscape');

export const shape = signal<Shape>(shapeNow());
for (const query of [phone, upright]) query.addEventListener('change', () => (shape.value = shapeNow()));

export const widthOf = (of: Shape): Width => (of === 'phone' ? 'narrow' : 'wide');

export const isMotionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

// All sizes depend on this attribute of the root element.
effect(() => {
  document.documentElement.dataset['shape'] = shape.value;
});
