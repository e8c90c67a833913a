import { type FactName, type FactValue, type Facts, factValues } from '../../src/rules/facts.ts';
import { type Game } from '../../src/rules/game.ts';
import { wagerOutcomeOf } from '../../src/rules/settle.ts';
import { type PayLine, type Wager, factsUsed } from '../../src/rules/wager.ts';

/** A game with one small mistake in one wager. */
export type Mutant = { readonly name: string; readonly wager: string; readonly game: Game };

/**
 * Every game that differs in one odds number, one pattern value, one required fact, one line, the order of two lines
 * or one loss with its own clause.
 */
export function mutantsOf(game: Game): readonly Mutant[] {
  return Object.entries(game.wagers).flatMap(([id, wager]) =>
    changesOf(wager).map(({ what, ...changed }) => ({
      name: `${game.id} ${id}: ${what}`,
      wager: id,
      game: { ...game, wagers: { ...game.wagers, [id]: { ...wager, ...changed } } },
    })),
  );
}

type Change = { readonly what: string } & Partial<Pick<Wager, 'lines' | 'losses'>>;

function changesOf({ lines, losses = [] }: Wager): readonly Change[] {
  const changes: Change[] = losses.map((_, index) => ({
    what: `loss ${index + 1} dropped`,
    losses: losses.toSpliced(index, 1),
  }));
  lines.forEach((line, index) => {
    const replaced = (what: string, by: PayLine): number =>
      changes.push({ what: `line ${index + 1} ${what}`, lines: lines.with(index, by) });

    for (const by of paysChanged(line))
      replaced(`pays ${JSON.stringify(by.pays)}, commission ${JSON.stringify(by.commission ?? 'none')}`, by);
    for (const [name, value] of Object.entries(line.when) as [FactName, FactValue][]) {
      const { [name]: _, ...others } = line.when;
      replaced(`does not ask ${name}`, { ...line, when: others });
      for (const other of factValues[name]) {
        if (other !== value) replaced(`asks ${name} ${other}`, { ...line, when: { ...line.when, [name]: other } });
      }
    }
    changes.push({ what: `line ${index + 1} dropped`, lines: lines.toSpliced(index, 1) });
    for (let other = index + 1; other < lines.length; other++) {
      const swapped = lines.with(index, lines[other]!).with(other, line);
      changes.push({ what: `lines ${index + 1} and ${other + 1} swapped`, lines: swapped });
    }
  });
  return changes;
}

function paysChanged(line: PayLine): readonly PayLine[] {
  if (line.pays === 'push') return [{ ...line, pays: [1, 1] }];
  const [win, per] = line.pays;
  const { commission, ...rest } = line;
  const near = (n: number): readonly number[] => [n - 1, n + 1].filter((m) => m > 0);
  const push: PayLine = { ...rest, pays: 'push' };
  return [
    push,
    ...near(win).map((n): PayLine => ({ ...line, pays: [n, per] })),
    ...near(per).map((n): PayLine => ({ ...line, pays: [win, n] })),
    ...(commission
      ? [rest, ...near(commission[0]).map((n): PayLine => ({ ...rest, commission: [n, commission[1]] }))]
      : []),
    ...(commission ? near(commission[1]).map((n): PayLine => ({ ...rest, commission: [commission[0], n] })) : []),
  ];
}

/** True when some complete round has another result with the mutant. */
export function differs({ wager, game: mutant }: Mutant, game: Game, everyFacts: readonly Facts[]): boolean {
  const right = game.wagers[wager]!;
  const wrong = mutant.wagers[wager]!;
  const compared = new Set<string>();
  const usedFacts = [...factsUsed(right)];
  return everyFacts.some((facts) => {
    const view = usedFacts.map((name) => facts[name]).join(' ');
    if (compared.has(view)) return false;
    compared.add(view);
    return JSON.stringify(wagerOutcomeOf(right, facts)) !== JSON.stringify(wagerOutcomeOf(wrong, facts));
  });
}
