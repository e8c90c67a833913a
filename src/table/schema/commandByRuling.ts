import { type Ruling } from '../../games/irregularities.ts';
import { type CommandName } from './commands.ts';

/** The command of each ruling; after an interruption void and resume are confirmed instead. */
export const commandByRuling = {
  void: 'VoidRound',
  reconstruct: 'ReconstructRound',
  restore: 'RestoreOrder',
  enter: 'EnterCard',
  correct: 'CorrectCard',
  burn: 'BurnCard',
} as const satisfies { readonly [R in Ruling]?: CommandName };

/** The ruling that a command makes. */
export const rulingOfCommand = (command: CommandName): keyof typeof commandByRuling | undefined =>
  (Object.keys(commandByRuling) as (keyof typeof commandByRuling)[]).find(
    (ruling) => commandByRuling[ruling] === command,
  );
