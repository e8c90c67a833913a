import { games } from '../../../games/registry.ts';
import { type Game, versionedGameId } from '../../../rules/game.ts';
import { type Ratio } from '../../../base/ratio.ts';
import { type PayLine, type Wager, netPerUnitOf } from '../../../rules/wager.ts';

/** The game with this id and version, such as tiger@2021-10-28. */
export const gameByVersionedId = (version: string): Game | undefined =>
  games.find((game) => versionedGameId(game) === version);

/** A ratio as a decimal number; undefined if it would need more than four decimal places. */
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

/** Odds as text: "8 : 1", "1 : 2". Odds after commission are per unit staked, as in the rulebooks: "0.95 : 1". */
function oddsText(pays: Ratio, isNet: boolean): string {
  const net = isNet ? decimalOf(pays) : undefined;
  return net === undefined ? `${pays[0]} : ${pays[1]}` : `${net} : 1`;
}

export const payLineOddsText = (line: PayLine): string => oddsText(netPerUnitOf(line), line.commission !== undefined);

export type FullAndBriefOddsText = {
  /** All odds of the wager, highest first: "30 · 15 · 12 · 9 : 1", "1 : 1 · 1 : 2". */
  readonly all: string;
  /**
   * Odds for small spaces. If a wager has more than three odds, all of the form "n : 1", only the highest and the
   * lowest are shown: "30–9 : 1".
   */
  readonly brief: string;
};

/** All odds of a wager, without their conditions. */
export function wagerOddsText(wager: Wager): FullAndBriefOddsText {
  const pays = wager.lines.flatMap((line) =>
    line.pays === 'push' ? [] : [{ net: netPerUnitOf(line), isNet: line.commission !== undefined }],
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
