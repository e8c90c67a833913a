import { games } from '../../../games/registry.ts';
import { type Game, fullNameOf } from '../../../rules/game.ts';
import { type Ratio } from '../../../base/ratio.ts';
import { type Line, type Wager, netOf } from '../../../rules/wager.ts';

/** The game version that a table plays. */
export const gameOf = (version: string): Game | undefined => games.find((game) => fullNameOf(game) === version);

/** A ratio as a decimal, digit by digit; undefined where it has no end in four places. */
function decimalOf([over, under]: Ratio): string | undefined {
  const whole = Math.trunc(over / under);
  let rest = over - whole * under;
  let digits = '';
  while (rest > 0 && digits.length < 4) {
    rest *= 10;
    digits += String(Math.trunc(rest / under));
    rest %= under;
  }
  if (rest > 0) return undefined;
  return digits === '' ? String(whole) : `${whole}.${digits}`;
}

/** "8 : 1", "1 : 2"; what a commission leaves is per unit, as the books say it: "0.95 : 1". */
function oddsText(pays: Ratio, isNet: boolean): string {
  const net = isNet ? decimalOf(pays) : undefined;
  return net === undefined ? `${pays[0]} : ${pays[1]}` : `${net} : 1`;
}

/** The odds of a line that pays. */
export const lineOdds = (line: Line): string => oddsText(netOf(line), line.commission !== undefined);

export type OddsText = {
  /** Everything the wager can pay, dearest first: "30 · 15 · 12 · 9 : 1", "1 : 1 · 1 : 2". */
  readonly all: string;
  /** From the dearest to the cheapest, where there is no room for all: "30–9 : 1". */
  readonly brief: string;
};

/** What the lines of a wager pay. When each applies is for the pay table. */
export function wagerOddsText(wager: Wager): OddsText {
  const pays = wager.lines.flatMap((line) =>
    line.pays === 'push' ? [] : [{ net: netOf(line), isNet: line.commission !== undefined }],
  );
  const dearestFirst = pays.toSorted(({ net: one }, { net: other }) => other[0] * one[1] - one[0] * other[1]);
  const texts = [...new Set(dearestFirst.map(({ net, isNet }) => oddsText(net, isNet)))];
  if (!texts.every((text) => text.endsWith(' : 1'))) {
    const all = texts.join(' · ');
    return { all, brief: all };
  }
  const wins = texts.map((text) => text.slice(0, -' : 1'.length));
  const all = `${wins.join(' · ')} : 1`;
  return { all, brief: wins.length > 3 ? `${wins[0]}–${wins.at(-1)} : 1` : all };
}
