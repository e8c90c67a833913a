/**
 * The keyboard key of each action. Digits, arrows and Enter must not be used here, since they select chips and spots.
 */
export const shortcutKeys = {
  undo: 'Backspace',
  clear: 'c',
  double: 'x',
  again: 'r',
  swap: 'v',
  sound: 'm',
  proof: 'p',
  tables: 't',
  collect: 'o',
  recall: 'u',
  limits: 'k',
  help: 'h',
  language: 'l',
} as const;
export type ShortcutName = keyof typeof shortcutKeys;

/** Shortcuts that work in the lobby too. */
export const lobbyShortcuts: readonly ShortcutName[] = ['collect', 'recall', 'limits', 'help', 'language'];
