import { type Pace, turnFrom } from '../../runtime/tables/pacing.ts';
import { type TableTheme } from '../../games/tableTheme.ts';
import { type TableDisplayInfo } from './tablePublisher.ts';

type Parts = {
  readonly pace: Pace | ((table: string) => Pace);
  readonly looks?: (table: string) => TableTheme;
};

/** What is known of a table besides its record. */
export function extraOf(table: string, { pace, looks }: Parts, started: number): TableDisplayInfo {
  const look = looks?.(table);
  const own = typeof pace === 'function' ? pace(table) : pace;
  return { opens: (since) => turnFrom(since + own.betweenRounds, own, started), ...(look && { look }) };
}
