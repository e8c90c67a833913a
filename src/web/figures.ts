import { games } from '../games/registry.ts';
import { type Game, fullNameOf } from '../rules/game.ts';
import { type Wager, netOf } from '../rules/wager.ts';

const plain = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Cents as people read them: 1,000.00. */
export const money = (cents: number): string => plain.format(cents / 100);

/** The same without empty decimals, where there is little room. */
export const short = (cents: number): string => (cents % 100 === 0 ? (cents / 100).toLocaleString('en') : money(cents));

/** The game version that a table plays. */
export const gameOf = (version: string): Game | undefined => games.find((game) => fullNameOf(game) === version);

/** What the lines of a wager pay, dearest first as they are listed: "30 · 15 · 12 · 9 : 1", "1 : 1 · 1 : 2", "0.95 : 1". */
export function oddsOf(wager: Wager): string {
  const pays = wager.lines.flatMap((line) => {
    if (line.pays === 'push') return [];
    if (line.commission === undefined) return [line.pays];
    const [win, per] = netOf(line);
    return [[win / per, 1] as const];
  });
  const texts = [...new Set(pays.map(([win, per]) => `${win} : ${per}`))];
  const toOne = texts.every((text) => text.endsWith(' : 1'));
  return toOne ? `${texts.map((text) => text.slice(0, -4)).join(' · ')} : 1` : texts.join(' · ');
}
