import { afterAll, beforeAll, expect, test } from 'vitest';
import { irregularityKinds } from '../../../src/games/irregularities.ts';
import { isSoak } from '../../times.ts';
import { Crew, signature } from './crew.ts';
import { type Case, byItself, cases, chipsOnly } from './irregularities.ts';

// Four people at once, from the report of an irregularity to the last patron's credit, by keys that are counted.

let crew: Crew;
beforeAll(async () => {
  crew = await Crew.gathered();
  await crew.shoe();
});
afterAll(async () => expect(await crew.leave()).toBeUndefined());

test('every irregularity of the book is among those that people report, or comes about by itself', () => {
  const all = [...cases.map(({ kind }) => kind), ...chipsOnly.map(([kind]) => kind), ...byItself];
  expect([...new Set(all)].toSorted()).toEqual(irregularityKinds.toSorted());
});

/** Two digits after the key that opens the list: two steps to any report. */
async function reports({ report: { row, more = [], says } }: Case): Promise<void> {
  const { dealer } = crew;
  expect(await dealer.counted(() => dealer.type('w', ...row)), 'keys of a report').toBe(3);
  if (more.length > 0) {
    await dealer.page.waitForSelector('.sheet', { state: 'detached' });
    await dealer.type(...more);
  }
  await dealer.says(says);
}

/** The Gaming Shift Manager decides at a screen of their own, never without a reason. */
async function decides({ keys }: NonNullable<Case['decided']>): Promise<void> {
  const { manager } = crew;
  await manager.sees('[data-act=E]');
  await manager.type('e');
  await manager.sees('[data-testid=decide]:not(:disabled)');
  await manager.type(...keys.slice(0, -1), 'y');
  await manager.page.locator('[data-field=reason]:focus').waitFor();
  await manager.page.keyboard.type('The camera was looked at');
  await manager.type('Enter', 'Enter');
  await manager.sees('main.soon');
  await manager.type('Escape');
  await manager.sees('main.table1');
}

/** One person rules by keys, and a second one consents to just that. */
async function rules({ by, keys, signed }: NonNullable<Case['ruling']>): Promise<void> {
  const { dealer, supervisor, manager } = crew;
  const ruler = crew[by];
  if (by === 'supervisor') await supervisor.sees('[data-testid=propose]');
  for (const key of keys) {
    // What is keyed leads to another sight, where Enter is dead for a moment.
    if (key === 'Enter') await ruler.page.waitForTimeout(650);
    await ruler.type(key);
  }
  if (signed === 'pin') {
    await dealer.sees('[data-testid=second]');
    await dealer.type(...signature('S-1'));
    return;
  }
  const second = crew[signed];
  await second.sees('[data-testid=approve]');
  if (by === 'supervisor') {
    const fragment = '[data-testid=fragment]';
    expect(await second.page.innerText(fragment)).toBe(await supervisor.page.innerText(fragment));
  }
  expect(await second.counted(() => second.type('Enter')), 'keys of a consent').toBe(1);
}

/** From the report to the last credit. */
async function run(one: Case): Promise<void> {
  const { dealer, patrons } = crew;
  if (one.dealt === null) await crew.opens(one.bets);
  else {
    await crew.bets(one.bets);
    await crew.deals(one.dealt);
  }
  const staked = one.bets.map((bets) => Object.values(bets).reduce((sum, stake) => sum + stake, 0));
  for (const [n, patron] of patrons.entries()) await patron.has(patron.credit - staked[n]!, 'with stakes on the table');
  await reports(one);
  if (one.stopped !== null)
    for (const { page } of patrons) await page.locator('[data-testid=stopped] code', { hasText: one.stopped }).waitFor();
  if (one.decided) await decides(one.decided);
  if (one.ruling) await rules(one.ruling);
  if (one.then !== null) {
    if (one.dealt === null) {
      await dealer.says('Bets are open');
      await dealer.type('Enter');
      await dealer.says('Player’s first card');
    }
    if (one.then.cards !== '') await crew.deals(one.then.cards);
    await crew.settles(one.then.result);
  }
  await dealer.says(one.after);
  for (const [n, patron] of patrons.entries()) {
    await patron.gains(one.gains[n]!);
    if (one.told) {
      const text = await patron.reads('told');
      expect(text).toContain('is void');
      expect(text).toContain(one.told.by);
      expect(text).toContain(one.told.why);
    }
    for (const [wager, clause] of Object.entries(one.settled?.[n] ?? {}))
      expect(await patron.clauseOf(wager), wager).toBe(clause);
  }
  if (one.ends === 'shoe ended') await crew.shoe();
}

/** One of each way of ending, and everything where there is time for it. */
const chosen = cases.filter(({ ends }, n) => isSoak || cases.findIndex((one) => one.ends === ends) === n);

test.each(chosen)('$name', run);

test('chips that are late, raised or taken back are not offered where patrons bet at terminals', async () => {
  const { dealer, patrons } = crew;
  await crew.bets([{ banker: 2_500 }, { player: 500 }]);
  for (const [kind, row] of chipsOnly) {
    await dealer.type('w');
    expect(await dealer.page.locator(`[data-kind=${kind}]`).isDisabled(), kind).toBe(true);
    await dealer.type(...row);
    await dealer.sees('[data-testid=refusal]');
    await dealer.type('Escape');
  }
  // After the close a terminal puts no chip on the felt and takes none off.
  const [first] = patrons;
  await first.page.locator('[data-wager="tie"]').click({ force: true });
  await first.has(first.credit - 2_500, 'after the close');
  await crew.deals('2C 9S 4D TD');
  await crew.settles('Banker wins, 9 to 6');
  await first.gains(2_375);
  await patrons[1].gains(-500);
});
