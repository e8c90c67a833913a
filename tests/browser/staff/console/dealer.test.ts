import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../../support/appearance.ts';
import { StaffPage } from '../support/staffPage.ts';
import { atOnce, passTime } from '../support/keyboard.ts';
import { states } from './dealerStates.ts';
import { hash } from './dealerViews.ts';
import { showState } from './showState.ts';

const keysOf = (text: string): readonly string[] => text.split('');

let staffPage: StaffPage;
beforeAll(async () => {
  staffPage = await StaffPage.at('/dealer/L11', states['idle']!(Date.now()));
  await staffPage.page.waitForSelector('.console');
});
afterAll(() => staffPage.leave());

test('a round needs one key for each call and two for each card', async () => {
  const before = staffPage.commands.length;
  let keys = 0;
  const type = async (...all: readonly string[]): Promise<void> => {
    keys += all.length;
    await staffPage.type(...all);
  };
  await showState(staffPage, 'idle');
  await staffPage.passEnterGuard();
  await type('Enter');
  await staffPage.showDealer(states['betting']!(Date.now()));
  await staffPage.passEnterGuard();
  await type('Enter');
  const closing = states['closing']!(Date.now());
  await staffPage.showDealer({ ...closing, round: { ...closing.round!, deadline: Date.now() - 5_000 } });
  await staffPage.passEnterGuard();
  await type('Enter');
  for (const [n, [state, keysOfCard]] of Object.entries({ first: '2c', third: '0h', bthird: '31' }).entries()) {
    await staffPage.showDealer(states[state]!(Date.now()));
    await type(...keysOf(keysOfCard));
    // A card is sent for the slot that the view shows then, so it is on its way before the next view comes.
    await expect.poll(() => staffPage.commands.length - before).toBe(4 + n);
  }
  await staffPage.showDealer(states['result']!(Date.now()));
  await staffPage.passEnterGuard();
  await type('Enter');
  await expect.poll(() => staffPage.commands.length - before).toBe(7);
  expect(staffPage.commands.slice(before)).toEqual([
    { type: 'OpenBets' },
    { type: 'CallClose' },
    { type: 'CloseBets' },
    { type: 'DealCard', slot: 'P1', card: '2C', keyed: true },
    { type: 'DealCard', slot: 'P3', card: 'TH', keyed: true },
    { type: 'DealCard', slot: 'B3', card: '3C', keyed: true },
    { type: 'Settle' },
  ]);
  // Four calls and three of the cards; with four to six cards it is 12 to 16.
  expect(keys).toBe(4 + 2 * 3);
});

test('Enter is ignored for a moment after the phase has changed', async () => {
  await showState(staffPage, 'betting');
  const before = staffPage.commands.length;
  await staffPage.showDealer(states['result']!(Date.now()));
  await staffPage.type('Enter');
  expect(staffPage.commands.length).toBe(before);
  await staffPage.passEnterGuard();
  await staffPage.type('Enter');
  await expect.poll(() => staffPage.commands.at(-1)).toEqual({ type: 'Settle' });
});

test('a scan fills the slot that is due without its Enter acting, and is refused when no card is due', async () => {
  await showState(staffPage, 'third');
  await staffPage.passEnterGuard();
  const before = staffPage.commands.length;
  await staffPage.scan('KD');
  await expect.poll(() => staffPage.commands.slice(before)).toEqual([{ type: 'DealCard', slot: 'P3', card: 'KD' }]);
  await showState(staffPage, 'result');
  await staffPage.passEnterGuard();
  await staffPage.scan('KD');
  expect(await staffPage.page.getByTestId('refusal').innerText()).toContain('No card is due');
  expect(staffPage.commands.length).toBe(before + 1);
});

test('a scanner may hold Shift for capitals, and an unreadable scan stays on screen with its reason', async () => {
  await showState(staffPage, 'third');
  await staffPage.passEnterGuard();
  const before = staffPage.commands.length;
  const { keyboard } = staffPage.page;
  // All keys are sent at once.
  const shifted = (key: string) => [keyboard.down('Shift'), keyboard.press(key), keyboard.up('Shift')];
  await atOnce(staffPage.page, () => Promise.all([...shifted('K'), ...shifted('D'), keyboard.press('Enter')]));
  await expect.poll(() => staffPage.commands.slice(before)).toEqual([{ type: 'DealCard', slot: 'P3', card: 'KD' }]);
  await showState(staffPage, 'third');
  await staffPage.scan('W21');
  expect(await staffPage.page.getByTestId('kept').innerText()).toContain('Not read as a card: W21');
  await staffPage.page.getByTestId('refusal').waitFor({ state: 'detached' });
  expect(await staffPage.page.getByTestId('kept').count()).toBe(1);
  expect(staffPage.commands.length).toBe(before + 1);
  await staffPage.showDealer(states['result']!(Date.now()));
  await expect.poll(() => staffPage.page.getByTestId('kept').count()).toBe(0);
});

test('a scan is removed from a text field when a note is being typed', async () => {
  await showState(staffPage, 'note');
  const { keyboard } = staffPage.page;
  await staffPage.type(...keysOf('no '));
  await atOnce(staffPage.page, () => Promise.all([...keysOf('8h'), 'Enter'].map((key) => keyboard.press(key))));
  await staffPage.type('t');
  expect(await staffPage.page.locator('textarea').inputValue()).toBe('no t');
  await staffPage.type('Escape');
});

test('the console asks whether cards came out together when two scans follow within a moment', async () => {
  await showState(staffPage, 'first');
  const before = staffPage.commands.length;
  await passTime(staffPage.page, 400);
  await atOnce(staffPage.page, async () => {
    await staffPage.scan('KD');
    await staffPage.showDealer(states['third']!(Date.now()));
    await staffPage.scan('8H');
  });
  expect(await staffPage.page.getByTestId('say').innerText()).toContain('drawn together');
  await staffPage.passEnterGuard();
  await staffPage.type('Enter');
  await expect
    .poll(() => staffPage.commands.slice(before))
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
  ['52', { type: 'CallSupervisor', reason: 'Terminals offline' }],
] as const)('W and two digits report an irregularity: %s', async (row, command) => {
  await showState(staffPage, 'wrong');
  await staffPage.type('w', row[0]!, row[1]!);
  await expect.poll(() => staffPage.commands.at(-1)).toEqual(command);
});

test('a report that is not possible at the table is disabled and names the tables that it is for', async () => {
  await showState(staffPage, 'sheet');
  const late = staffPage.page.locator('[data-kind=late-wager]');
  expect(await late.isDisabled()).toBe(true);
  expect(await late.innerText()).toContain('Chip tables only');
  await showState(staffPage, 'sheet-chips');
  expect(await staffPage.page.locator('[data-kind=late-wager]').isEnabled()).toBe(true);
  expect(await staffPage.page.locator('[data-kind=terminals-lost]').innerText()).toContain('Terminal tables only');
});

test('late chips are reported with place, wager and amount', async () => {
  await showState(staffPage, 'late');
  await staffPage.type('Enter');
  await expect
    .poll(() => staffPage.commands.at(-1))
    .toEqual({ type: 'ReportWager', kind: 'late-wager', place: '6', wager: 'banker', amount: 20_000 });
});

test('the order of the cards is keyed or moved by arrows, and proposed', async () => {
  await showState(staffPage, 'held');
  await staffPage.passEnterGuard();
  await staffPage.type('Enter', ...keysOf('ac4d3h2s8d'), 'Enter');
  const cards = ['AC', '4D', '3H', '2S', '8D'];
  await expect
    .poll(() => staffPage.commands.at(-1))
    .toEqual({ type: 'ReconstructRound', cards, unseen: false, reason: 'Cards dealt out of order' });
  await showState(staffPage, 'held');
  await staffPage.passEnterGuard();
  await staffPage.type('Enter', 'ArrowRight', 'Shift+ArrowRight', 'Enter');
  await expect.poll(() => (staffPage.commands.at(-1) as { cards?: unknown }).cards).toEqual(cards);
});

test('a wrong card is corrected by digit, rank, suit and Enter', async () => {
  await showState(staffPage, 'third');
  await staffPage.passEnterGuard();
  await staffPage.type('w', '1', '1', '3', '8', 'd', 'Enter');
  await expect
    .poll(() => staffPage.commands.at(-1))
    .toEqual({ type: 'CorrectCard', round: 'r41', place: 3, card: '8D', reason: 'Wrong card on record' });
});

test('a second person approves one proposal by number and PIN', async () => {
  await showState(staffPage, 'approve');
  await staffPage.passEnterGuard();
  expect(await staffPage.page.getByTestId('second').innerText()).toContain('BA1D-8D81');
  await staffPage.scan('S-031');
  await staffPage.type(...keysOf('246810'), 'Enter');
  const consent = { table: 'L11', proposal: 'proposal-7', hash, number: 'S-031', pin: '246810' };
  await expect.poll(() => staffPage.messages.at(-1)).toMatchObject({ type: 'consent', ...consent });
  await showState(staffPage, 'approve');
  await staffPage.type('Escape');
  await expect.poll(() => staffPage.commands.at(-1)).toEqual({ type: 'WithdrawProposal', proposal: 'proposal-7' });
});

test('the countdown of a proposal shows no more than its whole time when the proposal is newer than the time read', async () => {
  const view = states['approve']!(Date.now());
  const since = Date.now() + 60_000;
  await staffPage.showDealer({ ...view, proposal: { ...view.proposal!, since, expires: since + 120_000 } });
  expect(await staffPage.page.textContent('[data-testid=second] .ring')).toBe('2:00');
});

test('a dealer can refer while an approval is pending, and the approval is shown again afterwards', async () => {
  await showState(staffPage, 'approve');
  await staffPage.passEnterGuard();
  await staffPage.page.getByRole('button', { name: 'Something is wrong' }).click();
  await staffPage.type('6', '1');
  await staffPage.page.locator('textarea').waitFor();
  await staffPage.type(...keysOf('A patron disputes it'), 'Enter');
  await expect.poll(() => staffPage.commands.at(-1)).toEqual({ type: 'Refer', reason: 'A patron disputes it' });
  await staffPage.page.getByTestId('second').waitFor();
});

test('the old shoe is counted blind: no number is filled in, and a difference shows after a recount only', async () => {
  await showState(staffPage, 'idle');
  await staffPage.type('n');
  expect(await staffPage.page.locator('.shoe').innerText()).not.toMatch(/416|52|8 ×/);
  expect(await staffPage.page.locator('.counts button').allInnerTexts()).toEqual(Array.from({ length: 52 }, () => ''));
  await staffPage.type(...keysOf('8'.repeat(51)), '7');
  expect(await staffPage.page.locator('.counts .odd').count()).toBe(0);
  await staffPage.type('Enter');
  await expect.poll(() => staffPage.commands.at(-1)).toMatchObject({ type: 'RecordCount', shoe: expect.any(String) });
  // The first count is on record; the recount starts empty, and nothing says what differs.
  const idle = states['idle']!(Date.now());
  await staffPage.showDealer({ ...idle, shoe: { ...idle.shoe!, miscounts: 1 } });
  expect(await staffPage.page.getByTestId('say').innerText()).toContain('The count does not agree');
  expect(await staffPage.page.locator('.counts .odd').count()).toBe(0);
  expect(await staffPage.page.locator('.counts button').allInnerTexts()).toEqual(Array.from({ length: 52 }, () => ''));
  expect(await staffPage.page.locator('main').innerText()).not.toMatch(/fewer|415|416/);
  await staffPage.passEnterGuard();
  const before = staffPage.commands.length;
  await staffPage.type(...keysOf('8'.repeat(51)), '7', 'Enter');
  const recount = { type: 'RecordCount', seen: { KS: 7 } };
  await expect.poll(() => staffPage.commands.slice(before)).toMatchObject([recount]);
  await expect.poll(() => staffPage.page.getByTestId('say').innerText()).toContain('The count differs');
  expect(await staffPage.page.locator('.counts .odd').count()).toBe(1);
  await staffPage.type('v');
  await expect.poll(() => staffPage.commands.at(-1)).toMatchObject({ type: 'EndShoe', seen: { KS: 7 } });
});

test('a refusal is shown for a moment below the next action, with its clause', async () => {
  await showState(staffPage, 'idle');
  await staffPage.passEnterGuard();
  staffPage.reply = ({ id }) => ({ type: 'refused', id, code: 'shoe-locked', message: 'Locked.', by: 'ETG 5.1' });
  await staffPage.type('Enter');
  const notice = staffPage.page.getByTestId('refusal');
  await notice.waitFor();
  expect((await notice.innerText()).replaceAll(/\s+/g, ' ')).toBe('This shoe is locked. Press N to change it. ETG 5.1');
  staffPage.reply = ({ id }) => ({ type: 'done', id, events: [], sequence: 1 });
  await notice.waitFor({ state: 'detached' });
});

test('relief takes number and PIN, and the sixth digit submits', async () => {
  await showState(staffPage, 'betting');
  await staffPage.type('r', ...keysOf('d-209'), 'Tab', ...keysOf('24681'));
  expect(await staffPage.page.locator('.pop.relief').innerText()).toContain('D-209 takes over');
  expect(staffPage.httpRequests.some(({ path }) => path === '/staff/relief')).toBe(false);
  // The sixth digit submits; no further key is needed.
  await staffPage.type('0');
  await expect
    .poll(() => staffPage.httpRequests.at(-1))
    .toEqual({ path: '/staff/relief', body: { number: 'D-209', pin: '246810' } });
});

test('a dealer can be relieved while a proposal is pending, and the console sends no other command', async () => {
  await showState(staffPage, 'approve');
  const commandCount = staffPage.commands.length;
  await staffPage.page.getByTestId('relief').click();
  await staffPage.type(...keysOf('d-209'), 'Tab', ...keysOf('246810'));
  await expect.poll(() => staffPage.httpRequests.at(-1)?.path).toBe('/staff/relief');
  expect(staffPage.commands).toHaveLength(commandCount);
});

test('P and a digit call a supervisor with a reason', async () => {
  await showState(staffPage, 'third');
  await staffPage.type('p', '3');
  await expect.poll(() => staffPage.commands.at(-1)).toEqual({ type: 'CallSupervisor', reason: 'shoe' });
});

test('Z locks the console, the PIN unlocks it, and no key acts in between', async () => {
  await showState(staffPage, 'idle');
  await staffPage.passEnterGuard();
  const before = staffPage.commands.length;
  await staffPage.type('z');
  await staffPage.page.waitForSelector('.veil');
  expect(await violations(staffPage.page)).toEqual([]);
  await staffPage.type('n', 'w', ...keysOf('2468'), 'Enter');
  expect(staffPage.commands.length).toBe(before);
  // Too few digits for a PIN.
  expect(staffPage.httpRequests.some(({ path }) => path === '/staff/unlock')).toBe(false);
  // A scan is no PIN either: it is reported and not typed.
  await staffPage.scan('0113246810');
  expect(await staffPage.page.locator('.veil .status-text').innerText()).toContain(
    '0113246810 was scanned while locked',
  );
  expect(await staffPage.page.locator('.veil .pins').getAttribute('aria-label')).toBe('4 digits typed');
  expect(staffPage.httpRequests.some(({ path }) => path === '/staff/unlock')).toBe(false);
  await staffPage.type('1', '0', 'Enter');
  await staffPage.page.waitForSelector('.veil', { state: 'detached' });
  expect(staffPage.httpRequests.findLast(({ path }) => path === '/staff/unlock')).toEqual({
    path: '/staff/unlock',
    body: { pin: '246810' },
  });
});

test('rulings are named by what they do now, and those of another role cannot be chosen', async () => {
  const wayOf = (name: string): Promise<string> => staffPage.page.locator(`[data-way=${name}]`).innerText();
  await showState(staffPage, 'held');
  expect(await wayOf('void')).toMatch(/^2\s+Void\s+The round does not count; stakes are returned/);
  expect(await staffPage.page.locator('[data-way=dismiss]').isEnabled()).toBe(true);
  await showState(staffPage, 'loose');
  const lock = await wayOf('void');
  expect(lock).toMatch(/^2\s+Lock the shoe\s+It must be changed; no round is void/);
  expect(lock).not.toContain('returned');
  expect(await staffPage.page.locator('[data-way=dismiss]').isDisabled()).toBe(true);
});
