import { type Pace, turnFrom } from '../../runtime/tables/pacing.ts';
import { type Look } from '../../games/tableTheme.ts';
import { type Extra } from './tablePublisher.ts';

type Parts = {
  readonly pace: Pace | ((table: string) => Pace);
  readonly looks?: (table: string) => Look;
};

/** What is known of a table besides its record. */
export function extraOf(table: string, { pace, looks }: Parts, started: number): Extra {
  const look = looks?.(table);
  const own = typeof pace === 'function' ? pace(table) : pace;
  return { opens: (since) => turnFrom(since + own.betweenRounds, own, started), ...(look && { look }) };
}
