import { type RulingKind } from '../../games/irregularities.ts';
import { type CommandName } from './commands.ts';

/**
 * The command that carries out each ruling. After an interruption, the clause itself decides between void and resume,
 * and `ConfirmRuling` carries out either ruling.
 */
export const commandByRuling = {
  void: 'VoidRound',
  reconstruct: 'ReconstructRound',
  restore: 'RestoreOrder',
  enter: 'EnterCard',
  correct: 'CorrectCard',
  burn: 'BurnCard',
} as const satisfies { readonly [R in RulingKind]?: CommandName };

export const rulingOfCommand = (command: CommandName): keyof typeof commandByRuling | undefined =>
  (Object.keys(commandByRuling) as (keyof typeof commandByRuling)[]).find(
    (ruling) => commandByRuling[ruling] === command,
  );
