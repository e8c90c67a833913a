import { type Pace, nextOpeningTurn } from '../../runtime/tables/pacing.ts';
import { type TableTheme } from '../../games/tableTheme.ts';
import { type PublicViewOptions } from './publicViewBuilder.ts';

type DisplayInfoOptions = {
  readonly pace: Pace | ((table: string) => Pace);
  readonly themeOf?: (table: string) => TableTheme;
};

export function createPublicViewOptions(
  table: string,
  { pace, themeOf }: DisplayInfoOptions,
  started: number,
): PublicViewOptions {
  const theme = themeOf?.(table);
  const tablePace = typeof pace === 'function' ? pace(table) : pace;
  return {
    opensAt: (since) => nextOpeningTurn(since + tablePace.betweenRounds, tablePace, started),
    ...(theme && { theme }),
  };
}
