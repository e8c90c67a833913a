/** Every action in one key; digits, arrows and Enter beside them are for chips and spots. */
export const keys = {
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
export type KeyName = keyof typeof keys;

/** Those that work in the lobby too. */
export const everywhere: readonly KeyName[] = ['collect', 'recall', 'limits', 'help', 'language'];
