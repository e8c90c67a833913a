/** SVG paths of the icons, in a box of 24 by 24. */
const paths = {
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clear: 'M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7',
  close: 'M6 6l12 12M18 6L6 18',
  first: 'M7 6v12M18 6l-8 6 8 6Z',
  hand: 'M8.5 12V6.2a1.4 1.4 0 0 1 2.8 0V11M11.3 10.5V4.8a1.4 1.4 0 0 1 2.8 0V11M14.1 11V6.6a1.4 1.4 0 0 1 2.8 0v8c0 3.4-2.2 5.4-5.2 5.4-2.6 0-3.9-1.2-5-3.4L4.6 13c-.5-1 .9-2.2 2-1.2l1.9 2',
  help: 'M9.2 9a3 3 0 1 1 4.3 2.7c-1 .5-1.5 1.2-1.5 2.3M12 17.6v.1',
  link: 'M9.5 14.5l5-5M8 12l-2.2 2.2a3.3 3.3 0 0 0 4.7 4.7L12.5 17M16 12l2.2-2.2a3.3 3.3 0 0 0-4.7-4.7L11.5 7',
  menu: 'M5 8h14M5 12h14M5 16h14',
  next: 'M6 6l8 6-8 6ZM17 6v12',
  pause: 'M8.5 6v12M15.5 6v12',
  patrons:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM3.5 19c.3-3.2 2.5-5 5.5-5s5.2 1.8 5.5 5M15.5 5.4a3 3 0 0 1 0 5.2M17 14.3c2 .6 3.2 2.3 3.5 4.7',
  play: 'M8 5.5v13l10.5-6.5Z',
  rebet: 'M5 11a7 7 0 0 1 12-4l2 2M19 4.5V9h-4.5M19 13a7 7 0 0 1-12 4l-2-2M5 19.5V15h4.5',
  recall: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 4v4h4M12 8v4.3l3 1.7',
  silent: 'M4 10v4h3.5L12 18V6L7.5 10ZM16 9.5l5 5M21 9.5l-5 5',
  sound: 'M4 10v4h3.5L12 18V6L7.5 10ZM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  swap: 'M4 8h13l-3.5-3.5M20 16H7l3.5 3.5',
  ticket: 'M4 7h16v3.2a1.8 1.8 0 0 0 0 3.6V17H4v-3.2a1.8 1.8 0 0 0 0-3.6ZM14.5 7.5v1.6M14.5 11.2v1.6M14.5 15v1.6',
  undo: 'M8.5 5L4.5 9l4 4M5 9h8.5a5.5 5.5 0 0 1 0 11H9',
  warn: 'M12 4l9 16H3ZM12 10v4.5M12 17.4v.1',
} as const;

export type IconName = keyof typeof paths;

/** An icon. It is hidden from screen readers, because the text beside the icon says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
