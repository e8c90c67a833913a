import { type Pace, nextOpeningTurn } from '../../runtime/tables/pacing.ts';
import { type TableTheme } from '../../games/tableTheme.ts';
import { type TableDisplayInfo } from './publicViewBuilder.ts';

type DisplayInfoOptions = {
  readonly pace: Pace | ((table: string) => Pace);
  readonly themeOf?: (table: string) => TableTheme;
};

export function tableDisplayInfo(
  table: string,
  { pace, themeOf }: DisplayInfoOptions,
  started: number,
): TableDisplayInfo {
  const theme = themeOf?.(table);
  const tablePace = typeof pace === 'function' ? pace(table) : pace;
  return {
    opensAt: (since) => nextOpeningTurn(since + tablePace.betweenRounds, tablePace, started),
    ...(theme && { theme }),
  };
}
