import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../../times.ts';
import { violations } from '../looks.ts';
import { flaws, latinIn } from '../whole.ts';
import { Fed } from './console.ts';
import { atOneMoment, passTime } from './keyboard.ts';
import { states } from './states.ts';
import { hash } from './views.ts';

const sizes = [
  [1366, 768],
  [1920, 1080],
  [1024, 768],
] as const;

/** What is opened by keys over a state. */
const opened: { readonly [name: string]: readonly [state: string, ...keys: string[]] } = {
  sheet: ['wrong', 'w', '2'],
  'sheet-chips': ['chips-dealing', 'w', '4'],
  late: ['chips-dealing', 'w', '4', '1', '6', 'Enter', '2', '2', '0', '0'],
  fix: ['third', 'w', '1', '1', '3', '8'],
  rebuild: ['held', 'Enter', 'a', 'c', '4', 'd', '3', 'h', '2'],
  call: ['third', 'p'],
  relief: ['betting', 'r', 'd', '-', '2'],
  which: ['third', 'w', '2', '3'],
  since: ['third', 'w', '5', '1', '4'],
  refer: ['third', 'w', '6', '1'],
  note: ['held', 'm'],
  'shoe-end': ['idle', 'n', '8', '8', '7'],
  'shoe-sealed': ['idle', 'n', 'u', '8', '8', '1'],
};

/** The keys of a text, one by one. */
const keysOf = (text: string): readonly string[] => text.split('');

let fed: Fed;
beforeAll(async () => {
  fed = await Fed.at('/dealer/L11', states['idle']!(Date.now()));
  await fed.page.waitForSelector('.console');
});
afterAll(() => fed.leave());

/** A state by itself: nothing of the one before is left open. */
async function begin(name: string): Promise<void> {
  await language('en');
  const [state, ...keys] = opened[name] ?? [name];
  await fed.show(states['idle']!(Date.now()));
  await fed.type('Escape', 'Escape', 'Escape');
  await fed.show(states[state]!(Date.now()));
  if (keys.length === 0) return;
  await fed.ready();
  await fed.type(...keys);
  await fed.settled();
}

const boxes =
  '.panel:not(.msgs), .say, .go, .also button, .foot .btn, .top, .way, .group button, .pop, .sheet-head, .lock, .tag';

/** What cannot be read or hit; what is covered on purpose is left out. */
async function wrongIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    const over = document.querySelector('.sheet, .veil, .clauses') !== null;
    const pop = document.querySelector('.pop');
    for (const one of document.querySelectorAll<HTMLElement>('.console, .foot'))
      one.style.visibility = over || pop ? 'hidden' : '';
    for (const one of document.querySelectorAll<HTMLElement>('.pad.locked button')) one.style.visibility = 'hidden';
    const aside = document.querySelector<HTMLElement>('.aside');
    if (aside && document.querySelector('.touchpad')) aside.style.visibility = 'hidden';
  });
  const found = await flaws(page, boxes, 0);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button:not(.cite), a')].flatMap((one) => {
      const { width, height } = one.getBoundingClientRect();
      const isFine = width === 0 || (width >= 43.5 && height >= 43.5);
      return isFine ? [] : [`too small: ${one.textContent} ${Math.round(width)}x${Math.round(height)}`];
    }),
  );
  const high = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('.console, .foot, .aside, .pad button'))
      one.style.visibility = '';
  });
  return [...found, ...small, ...(high > 0 ? [`${high} pixels too high`] : [])];
}

const language = async (to: 'en' | 'zh'): Promise<void> => {
  const is = await fed.page.evaluate(() => document.documentElement.lang);
  if ((is === 'en') !== (to === 'en'))
    await fed.page.evaluate(() => document.querySelector<HTMLElement>('.language')!.click());
  await fed.settled();
};

const names = [...Object.keys(states), ...Object.keys(opened)];

/** About one in three, each in one size. */
test.each(sampled('states', names, 17))(
  'all of the console can be read and hit, in two languages: %s',
  async (name) => {
    await begin(name);
    for (const to of ['en', 'zh'] as const) {
      await language(to);
      for (const [width, height] of sampled(`${name} ${to}`, sizes, 1)) {
        await fed.page.setViewportSize({ width, height });
        await fed.settled();
        expect(await wrongIn(fed.page), `${name} ${to} ${width}`).toEqual([]);
      }
      if (to === 'zh') {
        const allowed =
          /(ETG|BAC|SUP|ELM|FAB|HOUSE) [\d.]+|[A-Z]-\d+|Punto|Enter|Bksp|Esc|Shift|EN: switch to English|\bEN\b|CDHS|\bred\b|BA1D-8D81/g;
        expect(await latinIn(fed.page, allowed), name).toEqual([]);
      }
    }
    await language('en');
    await fed.page.setViewportSize({ width: 1366, height: 768 });
    await fed.settled();
    expect(await violations(fed.page), name).toEqual([]);
    expect(fed.complaints).toEqual([]);
  },
);

test('a round takes one key a call and two a card', async () => {
  const before = fed.commands.length;
  let keys = 0;
  const type = async (...all: readonly string[]): Promise<void> => {
    keys += all.length;
    await fed.type(...all);
  };
  await begin('idle');
  await fed.ready();
  await type('Enter');
  await fed.show(states['betting']!(Date.now()));
  await fed.ready();
  await type('Enter');
  await fed.show({
    ...states['closing']!(Date.now()),
    round: { ...states['closing']!(Date.now()).round!, deadline: Date.now() - 5_000 },
  });
  await fed.ready();
  await type('Enter');
  await fed.show(states['first']!(Date.now()));
  await type('2', 'c');
  await fed.show(states['third']!(Date.now()));
  await type('0', 'h');
  await fed.show(states['bthird']!(Date.now()));
  await type('3', '1');
  await fed.show(states['result']!(Date.now()));
  await fed.ready();
  await type('Enter');
  await expect.poll(() => fed.commands.length - before).toBe(7);
  expect(fed.commands.slice(before)).toEqual([
    { type: 'OpenBets' },
    { type: 'CallClose' },
    { type: 'CloseBets' },
    { type: 'DealCard', slot: 'P1', card: '2C', keyed: true },
    { type: 'DealCard', slot: 'P3', card: 'TH', keyed: true },
    { type: 'DealCard', slot: 'B3', card: '3C', keyed: true },
    { type: 'Settle' },
  ]);
  // Four calls and three of the cards: with all of four to six it is 12 to 16.
  expect(keys).toBe(4 + 2 * 3);
});

test('Enter is dead for a moment after the phase has changed', async () => {
  await begin('betting');
  const before = fed.commands.length;
  await fed.show(states['result']!(Date.now()));
  await fed.type('Enter');
  expect(fed.commands.length).toBe(before);
  await fed.ready();
  await fed.type('Enter');
  await expect.poll(() => fed.commands.at(-1)).toEqual({ type: 'Settle' });
});

test('a scan goes to the slot that is due, its Enter does nothing else, and it is refused where none is due', async () => {
  await begin('third');
  await fed.ready();
  const before = fed.commands.length;
  await fed.scan('KD');
  await expect.poll(() => fed.commands.slice(before)).toEqual([{ type: 'DealCard', slot: 'P3', card: 'KD' }]);
  await begin('result');
  await fed.ready();
  await fed.scan('KD');
  expect(await fed.page.getByTestId('refusal').innerText()).toContain('No card is due');
  expect(fed.commands.length).toBe(before + 1);
});

test('a scanner that holds Shift for its capitals scans all the same, and what is no card stays with the reason', async () => {
  await begin('third');
  await fed.ready();
  const before = fed.commands.length;
  const { keyboard } = fed.page;
  // All keys are on their way at once.
  const shifted = (key: string) => [keyboard.down('Shift'), keyboard.press(key), keyboard.up('Shift')];
  await atOneMoment(fed.page, () => Promise.all([...shifted('K'), ...shifted('D'), keyboard.press('Enter')]));
  await expect.poll(() => fed.commands.slice(before)).toEqual([{ type: 'DealCard', slot: 'P3', card: 'KD' }]);
  await begin('third');
  await fed.scan('W21');
  expect(await fed.page.getByTestId('kept').innerText()).toContain('Not read as a card: W21');
  await fed.page.getByTestId('refusal').waitFor({ state: 'detached' });
  expect(await fed.page.getByTestId('kept').count()).toBe(1);
  expect(fed.commands.length).toBe(before + 1);
  await fed.show(states['result']!(Date.now()));
  await expect.poll(() => fed.page.getByTestId('kept').count()).toBe(0);
});

test('what is scanned while somebody writes is taken out of the text again', async () => {
  await begin('note');
  const { keyboard } = fed.page;
  await fed.type(...keysOf('no '));
  await atOneMoment(fed.page, () => Promise.all([...keysOf('8h'), 'Enter'].map((key) => keyboard.press(key))));
  await fed.type('t');
  expect(await fed.page.locator('textarea').inputValue()).toBe('no t');
  await fed.type('Escape');
});

test('two scans within a moment ask whether the cards came out together', async () => {
  await begin('first');
  const before = fed.commands.length;
  await passTime(fed.page, 400);
  await atOneMoment(fed.page, async () => {
    await fed.scan('KD');
    await fed.show(states['third']!(Date.now()));
    await fed.scan('8H');
  });
  expect(await fed.page.getByTestId('say').innerText()).toContain('come out together');
  await fed.ready();
  await fed.type('Enter');
  await expect
    .poll(() => fed.commands.slice(before))
    .toEqual([
      { type: 'DealCard', slot: 'P1', card: 'KD' },
      { type: 'DealCard', slot: 'P3', card: '8H' },
    ]);
});

test.each([
  ['13', { type: 'ReportIrregularity', kind: 'foreign-card' }],
  ['15', { type: 'ReportIrregularity', kind: 'face-up-card' }],
  ['21', { type: 'ReportIrregularity', kind: 'wrong-order' }],
  ['31', { type: 'ReportIrregularity', kind: 'order-altered' }],
  ['35', { type: 'ReportCuttingCard' }],
  ['52', { type: 'CallSupervisor', reason: 'Terminals are dark' }],
] as const)('W and two digits report what is wrong: %s', async (row, command) => {
  await begin('wrong');
  await fed.type('w', row[0]!, row[1]!);
  await expect.poll(() => fed.commands.at(-1)).toEqual(command);
});

test('what cannot be at this table is grey and says for which it is', async () => {
  await begin('sheet');
  const late = fed.page.locator('[data-kind=late-wager]');
  expect(await late.isDisabled()).toBe(true);
  expect(await late.innerText()).toContain('Chip tables only');
  await begin('sheet-chips');
  expect(await fed.page.locator('[data-kind=late-wager]').isEnabled()).toBe(true);
  expect(await fed.page.locator('[data-kind=terminals-lost]').innerText()).toContain('Terminal tables only');
});

test('late chips are noted with place, wager and amount', async () => {
  await begin('late');
  await fed.type('Enter');
  await expect
    .poll(() => fed.commands.at(-1))
    .toEqual({ type: 'ReportWager', kind: 'late-wager', place: '6', wager: 'banker', amount: 20_000 });
});

test('the order of the cards is keyed in two keys a card, or moved by arrows, and proposed', async () => {
  await begin('held');
  await fed.ready();
  await fed.type('Enter', ...keysOf('ac4d3h2s8d'), 'Enter');
  const cards = ['AC', '4D', '3H', '2S', '8D'];
  await expect
    .poll(() => fed.commands.at(-1))
    .toEqual({ type: 'ReconstructRound', cards, unseen: false, reason: 'Cards in the wrong place' });
  await begin('held');
  await fed.ready();
  await fed.type('Enter', 'ArrowRight', 'Shift+ArrowRight', 'Enter');
  await expect.poll(() => (fed.commands.at(-1) as { cards?: unknown }).cards).toEqual(cards);
});

test('a wrong card is put right: digit, rank, suit, Enter', async () => {
  await begin('third');
  await fed.ready();
  await fed.type('w', '1', '1', '3', '8', 'd', 'Enter');
  await expect
    .poll(() => fed.commands.at(-1))
    .toEqual({ type: 'CorrectCard', round: 'r41', place: 3, card: '8D', reason: 'Wrong card on record' });
});

test('a second person consents by number and PIN, to just this proposal', async () => {
  await begin('approve');
  await fed.ready();
  expect(await fed.page.getByTestId('second').innerText()).toContain('BA1D-8D81');
  await fed.scan('S-031');
  await fed.type(...keysOf('246810'), 'Enter');
  const consent = { table: 'L11', proposal: 'proposal-7', hash, number: 'S-031', pin: '246810' };
  await expect.poll(() => fed.heard.at(-1)).toMatchObject({ type: 'consent', ...consent });
  await begin('approve');
  await fed.type('Escape');
  await expect.poll(() => fed.commands.at(-1)).toEqual({ type: 'WithdrawProposal', proposal: 'proposal-7' });
});

test('a dealer refers while something waits for a second person, and is asked for it again afterwards', async () => {
  await begin('approve');
  await fed.ready();
  await fed.page.getByRole('button', { name: 'Something is wrong' }).click();
  await fed.type('6', '1');
  await fed.page.locator('textarea').waitFor();
  await fed.type(...keysOf('A patron disputes it'), 'Enter');
  await expect.poll(() => fed.commands.at(-1)).toEqual({ type: 'Refer', reason: 'A patron disputes it' });
  await fed.page.getByTestId('second').waitFor();
});

test('the old shoe is counted blind: nothing is filled in, and a difference shows after the whole count', async () => {
  await begin('idle');
  await fed.type('n');
  expect(await fed.page.locator('.shoe').innerText()).not.toMatch(/416|52|8 ×/);
  expect(await fed.page.locator('.counts button').allInnerTexts()).toEqual(Array.from({ length: 52 }, () => ''));
  await fed.type(...keysOf('8'.repeat(51)), '7');
  expect(await fed.page.locator('.counts .odd').count()).toBe(0);
  await fed.type('Enter');
  expect(await fed.page.getByTestId('say').innerText()).toContain('The count differs');
  expect(await fed.page.locator('.counts .odd').count()).toBe(1);
  await fed.type('v');
  await expect.poll(() => (fed.commands.at(-1) as { seen?: { KS?: number } }).seen?.KS).toBe(7);
});

test('a refusal is told for a moment below the next act, with its clause', async () => {
  await begin('idle');
  await fed.ready();
  fed.answers = ({ id }) => ({ type: 'refused', id, code: 'shoe-locked', message: 'Locked.', by: 'ETG 5.1' });
  await fed.type('Enter');
  const told = fed.page.getByTestId('refusal');
  await told.waitFor();
  expect((await told.innerText()).replaceAll(/\s+/g, ' ')).toBe('This shoe is out of use. Change it: N. ETG 5.1');
  fed.answers = ({ id }) => ({ type: 'done', id, events: [], sequence: 1 });
  await told.waitFor({ state: 'detached' });
});

test('relief asks for number and PIN, the sixth digit takes over, and the table goes on', async () => {
  await begin('betting');
  await fed.type('r', ...keysOf('d-209'), 'Tab', ...keysOf('24681'));
  expect(await fed.page.locator('.pop.relief').innerText()).toContain('D-209 takes over');
  expect(fed.asked.some(({ path }) => path === '/staff/relief')).toBe(false);
  // The sixth digit takes over, and nothing is to be pressed after it.
  await fed.type('0');
  await expect
    .poll(() => fed.asked.at(-1))
    .toEqual({ path: '/staff/relief', body: { number: 'D-209', pin: '246810' } });
});

test('a dealer is relieved while a proposal waits: the console asks for the relief, and the server sees to the rest', async () => {
  await begin('approve');
  const asked = fed.commands.length;
  await fed.page.getByTestId('relief').click();
  await fed.type(...keysOf('d-209'), 'Tab', ...keysOf('246810'));
  await expect.poll(() => fed.asked.at(-1)?.path).toBe('/staff/relief');
  expect(fed.commands).toHaveLength(asked);
});

test('a supervisor is called with a reason: P and a digit', async () => {
  await begin('third');
  await fed.type('p', '3');
  await expect.poll(() => fed.commands.at(-1)).toEqual({ type: 'CallSupervisor', reason: 'shoe' });
});

test('Z locks, the PIN opens, and nothing is done in between', async () => {
  await begin('idle');
  await fed.ready();
  const before = fed.commands.length;
  await fed.type('z');
  await fed.page.waitForSelector('.veil');
  expect(await violations(fed.page)).toEqual([]);
  await fed.type('n', 'w', ...keysOf('2468'), 'Enter');
  expect(fed.commands.length).toBe(before);
  // So few digits are no PIN yet.
  expect(fed.asked.some(({ path }) => path === '/staff/unlock')).toBe(false);
  // What a scanner types is no PIN either: it is told, and left where it is.
  await fed.scan('0113246810');
  expect(await fed.page.locator('.veil .told').innerText()).toContain('0113246810 was scanned while it is locked');
  expect(await fed.page.locator('.veil .pins').getAttribute('aria-label')).toBe('4 digits typed');
  expect(fed.asked.some(({ path }) => path === '/staff/unlock')).toBe(false);
  await fed.type('1', '0', 'Enter');
  await fed.page.waitForSelector('.veil', { state: 'detached' });
  expect(fed.asked.findLast(({ path }) => path === '/staff/unlock')).toEqual({
    path: '/staff/unlock',
    body: { pin: '246810' },
  });
});

test('a finger does all of it: pad, report, way out, second person', async () => {
  const touch = await Fed.at('/dealer/L11', states['third']!(Date.now()), true, 1024, 768);
  const { page } = touch;
  await page.locator('[data-card="8H"]').tap();
  await expect.poll(() => touch.commands.at(-1)).toEqual({ type: 'DealCard', slot: 'P3', card: '8H', keyed: true });
  await touch.show(states['wrong']!(Date.now()));
  await page.getByTestId('wrong').tap();
  await page.locator('[data-kind=wrong-order]').tap();
  await expect.poll(() => touch.commands.at(-1)).toEqual({ type: 'ReportIrregularity', kind: 'wrong-order' });
  await touch.show(states['held']!(Date.now()));
  await page.locator('[data-way=void]').tap();
  await page.getByTestId('next').tap();
  await expect.poll(() => touch.commands.at(-1)?.type).toBe('VoidRound');
  await touch.show(states['approve']!(Date.now()));
  await page.locator('[data-field=number]').tap();
  for (const char of keysOf('S-031')) await page.locator(`.touchpad [data-char="${char}"]`).tap();
  await page.locator('[data-field=pin]').tap({ force: true });
  for (const char of keysOf('246810')) await page.locator(`.touchpad [data-char="${char}"]`).tap();
  expect(await wrongIn(page)).toEqual([]);
  await page.getByTestId('approve').tap();
  await expect.poll(() => touch.heard.at(-1)).toMatchObject({ type: 'consent', number: 'S-031', pin: '246810' });
  await touch.leave();
});

test('a lost link is told, the clock goes on, and nothing that is pressed counts', async () => {
  const lost = await Fed.at('/dealer/L11', states['third']!(Date.now()));
  await lost.page.waitForSelector('.console');
  lost.cut();
  await lost.page.getByTestId('link').waitFor();
  expect(await lost.page.getByTestId('next').innerText()).toContain('Wait for the link');
  expect(await lost.page.locator('.pad.locked').count()).toBe(1);
  await lost.type('8', 'h', 'w');
  expect(lost.commands).toEqual([]);
  expect(await wrongIn(lost.page)).toEqual([]);
  expect(await violations(lost.page)).toEqual([]);
  await lost.leave();
});
