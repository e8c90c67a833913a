import { type Ruling } from '../../games/irregularities.ts';
import { type CommandName } from './commands.ts';

/** The command that takes each way out; void or resume after an interruption is confirmed instead. */
export const rulingCommands = {
  void: 'VoidRound',
  reconstruct: 'ReconstructRound',
  restore: 'RestoreOrder',
  enter: 'EnterCard',
  correct: 'CorrectCard',
  burn: 'BurnCard',
} as const satisfies { readonly [R in Ruling]?: CommandName };

/** The way out that a command takes. */
export const rulingOf = (command: CommandName): keyof typeof rulingCommands | undefined =>
  (Object.keys(rulingCommands) as (keyof typeof rulingCommands)[]).find((ruling) => rulingCommands[ruling] === command);
