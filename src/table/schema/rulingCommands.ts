import { type RulingKind } from '../../games/irregularities.ts';
import { type CommandName } from './commands.ts';

/** The command of each ruling; after an interruption void and resume are confirmed instead. */
export const rulingCommands = {
  void: 'VoidRound',
  reconstruct: 'ReconstructRound',
  restore: 'RestoreOrder',
  enter: 'EnterCard',
  correct: 'CorrectCard',
  burn: 'BurnCard',
} as const satisfies { readonly [R in RulingKind]?: CommandName };

/** The ruling that a command makes. */
export const rulingOf = (command: CommandName): keyof typeof rulingCommands | undefined =>
  (Object.keys(rulingCommands) as (keyof typeof rulingCommands)[]).find((ruling) => rulingCommands[ruling] === command);
