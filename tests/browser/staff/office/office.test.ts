import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type FloorTableRow } from '../../../../src/wire/staff/floorView.ts';
import { violations } from '../../support/appearance.ts';
import { setting, supervisorView, ticket } from './queryReplies.ts';
import { languagesAndSizes, setLanguage } from '../support/textChecks.ts';
import { hash } from '../console/dealerViews.ts';
import {
  cutOff,
  shots,
  openOfficeAs,
  sealedShoe,
  managers,
  administrator,
  supervisors,
  cashier,
  messagesOf,
} from './officePage.ts';

const pages = [
  ['staff', '/staff-accounts', managers],
  ['accounts', '/staff-accounts', administrator],
  ['settings', '/settings/L11', managers],
  ['terminals', '/terminals', supervisors],
  ['sealed', '/floor/L11/sealed', supervisors],
  ['cage', '/terminals/cage', cashier],
] as const;

test.each(pages)(
  'the %s page cuts nothing off in both sizes and languages, and axe finds no violation',
  async (name, path, who) => {
    const staffPage = await openOfficeAs(path, who);
    if (name === 'settings')
      staffPage.send({ type: 'supervisor', table: 'L11', version: 1, view: supervisorView(Date.now()) });
    for (const { language, width, height, isAccessible } of languagesAndSizes(name)) {
      await setLanguage(staffPage.page, language);
      await staffPage.page.setViewportSize({ width, height });
      await staffPage.waitUntilDrawn();
      if (shots !== undefined) {
        mkdirSync(shots, { recursive: true });
        await staffPage.page.screenshot({ path: `${shots}/${name}-${width}-${language}.png` });
      }
      expect(await cutOff(staffPage.page), `${name} ${width} ${language}`).toEqual([]);
      if (isAccessible) expect(await violations(staffPage.page), `${name} ${language}`).toEqual([]);
    }
    expect(staffPage.complaints).toEqual([]);
    await staffPage.leave();
  },
);

test('a pit manager grants an acting role, and sees no account commands', async () => {
  const staffPage = await openOfficeAs('/staff-accounts', managers);
  const { page } = staffPage;
  await page.click('tr:has-text("D-214")');
  await staffPage.type('a');
  await page.keyboard.type('23:59');
  await page.click('text=Give role');
  await expect
    .poll(() => messagesOf(staffPage, 'staff'))
    .toMatchObject([{ request: { type: 'GrantActingRole', person: 'p5', as: 'supervisor' } }]);
  expect(await page.locator('text=New PIN').count()).toBe(0);
  expect(staffPage.messages.some((message) => message.type === 'query' && message.name === 'names')).toBe(false);
  await page.click('text=End the session');
  await expect
    .poll(() => messagesOf(staffPage, 'staff'))
    .toMatchObject([{}, { request: { type: 'SignOut', session: 's5', reason: 'ended' } }]);
  await staffPage.leave();
});

test('an administrator sets a PIN that is shown once, and can grant no acting role', async () => {
  const staffPage = await openOfficeAs('/staff-accounts', administrator);
  const { page } = staffPage;
  await page.click('tr:has-text("D-214")');
  await page.click('text=New PIN');
  expect(await page.textContent('[data-testid=secret] b')).toBe('482913');
  await page.click('[data-testid=secret] >> text=Done');
  expect(await page.locator('[data-testid=secret]').count()).toBe(0);
  expect(await page.locator('text=Give role').count()).toBe(0);
  await staffPage.leave();
});

test('an administrator offers a console to another device by a code that is shown once', async () => {
  const staffPage = await openOfficeAs('/staff-accounts', administrator);
  const { page } = staffPage;
  staffPage.httpReplies['/staff/offer'] = { code: 'ABCD-2345', until: Date.now() + 600_000 };
  await page.click('text=Another device');
  expect(await page.textContent('[data-testid=secret] b')).toBe('ABCD-2345');
  expect(staffPage.httpRequests.find(({ path }) => path === '/staff/offer')!.body).toEqual({
    kind: 'floor',
    table: null,
  });
  expect(await cutOff(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await page.click('[data-testid=secret] >> text=Done');
  expect(await page.locator('[data-testid=secret]').count()).toBe(0);
  await staffPage.leave();
});

test('the cage pays a ticket and a signed hand-pay at the second press, which names the amount', async () => {
  const staffPage = await openOfficeAs('/terminals/cage', cashier);
  const { page } = staffPage;
  await staffPage.type('r');
  await page.keyboard.type('041877203391506427');
  await page.waitForSelector('text=open, not paid');
  await page.keyboard.press('Enter');
  expect(messagesOf(staffPage, 'pay')).toEqual([]);
  await page.waitForSelector('text=Press again: 806.50');
  const answers = staffPage.reply;
  staffPage.reply = (message) =>
    message.type === 'query' && message.name === 'ticket'
      ? {
          type: 'answer',
          id: message.id,
          data: ticket(Date.now(), { not: 'ticket-paid', paid: { at: Date.now(), number: 'C-012', terminal: null } }),
        }
      : answers(message);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-testid=paid] >> text=paid by C-012');
  await expect.poll(() => messagesOf(staffPage, 'pay')).toMatchObject([{ ticket: '041877203391506427' }]);
  await page.locator('.cage h2').first().click();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await staffPage.type('h', 'Enter');
  await expect
    .poll(() => messagesOf(staffPage, 'terminal'))
    .toMatchObject([{ terminal: 'T12', request: { type: 'PaySigned', signature: 1 } }]);
  await staffPage.leave();
});

test('the cage pays unclaimed credit at the second press, unless it is in question', async () => {
  const staffPage = await openOfficeAs('/terminals/cage', cashier);
  const { page } = staffPage;
  await page.waitForSelector('text=T5, session 2');
  await staffPage.type('s');
  await page.waitForSelector('text=Press again: 240.00');
  expect(messagesOf(staffPage, 'terminal')).toEqual([]);
  await staffPage.type('Enter');
  await expect
    .poll(() => messagesOf(staffPage, 'terminal'))
    .toMatchObject([{ terminal: 'T5', request: { type: 'PaySession', session: 2 } }]);
  await page.click('text=T6, session 1');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await staffPage.type('s', 'Enter');
  expect(messagesOf(staffPage, 'terminal')).toHaveLength(1);
  await staffPage.leave();
});

test('a change of settings is proposed and approved by two persons, and disabled when the connection is lost', async () => {
  const staffPage = await openOfficeAs('/settings/L11', managers);
  const { page } = staffPage;
  staffPage.send({ type: 'supervisor', table: 'L11', version: 1, view: supervisorView(Date.now()) });
  await page.fill('input[aria-label="Betting time"]', '18');
  await page.waitForSelector('text=Propose 1 change');
  await page.click('.act-big');
  await expect
    .poll(() => staffPage.commands)
    .toMatchObject([{ type: 'ChangeSettings', settings: { bettingTime: 18_000, decks: 8 } }]);
  const view = supervisorView(Date.now(), { ...setting, bettingTime: 18_000 });
  staffPage.send({ type: 'supervisor', table: 'L11', version: 2, view });
  await page.waitForSelector('[data-setting=bettingTime] >> text=18 s');
  expect(await page.textContent('[data-testid=fragment]')).toBe('BA1D-8D81');
  await page.fill('[data-field=number]', 'G-007');
  await page.fill('[data-field=pin]', '246810');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => messagesOf(staffPage, 'consent'))
    .toMatchObject([{ table: 'L11', proposal: 'P1', number: 'G-007', pin: '246810' }]);
  staffPage.cut();
  await page.waitForSelector('.lostbar');
  expect(await page.locator('[data-testid=sign]').isDisabled()).toBe(true);
  await staffPage.leave();
});

test('a sealed shoe is counted blind, and the count can be proposed once it is complete', async () => {
  const staffPage = await openOfficeAs('/floor/L11/sealed', supervisors);
  const { page } = staffPage;
  expect(await page.locator('.counts button').allInnerTexts()).toEqual(Array.from({ length: 52 }, () => ''));
  await staffPage.passEnterGuard();
  await staffPage.type(...Array.from('8'.repeat(50)), '7', 'Backspace', '8', 'Enter');
  expect(staffPage.commands).toEqual([]);
  await staffPage.type('7', 'Enter');
  // The first count differs: it is recorded and repeated, and nothing says what differs.
  await expect.poll(() => staffPage.commands).toMatchObject([{ type: 'RecordCount', shoe: 'S-2210' }]);
  expect(staffPage.commands.at(-1)!['seen']).toMatchObject({ AC: 8, QS: 8, KS: 7 });
  const at = Date.now();
  const view = supervisorView(at);
  await expect.poll(() => page.locator('.counts button').allInnerTexts()).toEqual(Array.from({ length: 52 }, () => ''));
  const sealed = [{ ...sealedShoe(at), miscounts: 1 }];
  staffPage.send({ type: 'supervisor', table: 'L11', version: 5, view: { ...view, sealed } });
  expect(await page.textContent('[data-testid=recount]')).toContain('The count does not agree');
  expect(await page.innerText('main')).not.toMatch(/415|416|K♠/);
  await staffPage.passEnterGuard();
  await staffPage.type(...Array.from('8'.repeat(51)), '7', 'Enter');
  await expect.poll(() => staffPage.commands.at(-1)).toMatchObject({ type: 'CountSealedShoe', seen: { KS: 7 } });
  await staffPage.leave();
});

test('the floor page shows hand-pays with terminal and amount, and the last checkpoint', async () => {
  const at = Date.now();
  const staffPage = await openOfficeAs('/floor', managers);
  const pay = (terminal: string) => ({
    table: null,
    what: 'hand-pay' as const,
    prompt: { code: 'hand-pay', with: { terminal, amount: '1240000' }, by: 'HOUSE 2' },
    by: 'HOUSE 2',
    since: at - 60_000,
  });
  const waiting = [
    { ...pay('T11'), role: 'supervisor' },
    { ...pay('T12'), role: 'pit-manager', expires: at + 100_000, hash: `sha256:${hash}` },
  ];
  const view = { tables: [], waiting, since: at, voids: 0, corrected: 0, signed: { at, hash: `sha256:${hash}` } };
  staffPage.send({ type: 'floor', version: 1, view });
  await staffPage.page.waitForSelector('[data-testid=signed]');
  expect(await staffPage.page.innerText('[data-testid=signed]')).toContain('BA1D-8D81');
  const queue = await staffPage.page.innerText('.queue');
  for (const message of ['Hand-pay at T11', 'Hand-pay at T12', '12,400.00', 'code BA1D-8D81']) {
    expect(queue).toContain(message);
  }
  expect(await violations(staffPage.page)).toEqual([]);
  await staffPage.leave();
});

test('a floor of thirteen tables cuts nothing off in both sizes and languages, and shows the totals of its tables', async () => {
  const at = Date.now();
  const staffPage = await openOfficeAs('/floor', managers);
  const row = (n: number): FloorTableRow => ({
    table: `L${n + 1}`,
    game: { name: 'Tiger Baccarat', version: 'tiger@2021-10-28' },
    bets: n === 3 ? 'chips' : 'terminals',
    attended: true,
    phase: 'dealing',
    stopped: null,
    number: 41,
    player: { cards: ['8H', '7D', '3S'], total: 8 },
    banker: { cards: ['9C', '2S', 'TD'], total: 1 },
    slips: 7,
    terminals: 5,
    offline: n === 0 ? 2 : 0,
    shoe: { out: 240, size: 416, locked: false },
    deadline: null,
    roundsPerHour: 62,
    turnover: 123_456_700,
    win: { sign: -1, amount: 1_234_500 },
    dealer: 'D-214',
  });
  const tables = Array.from({ length: 13 }, (_, n) => row(n));
  const sealed = {
    table: 'L2',
    what: 'sealed-shoe' as const,
    prompt: { code: 'sealed-shoe', with: { shoe: 'S-2210', seal: '8812' }, by: 'HOUSE 7' },
    by: 'HOUSE 7',
    role: 'supervisor',
    since: at - 60_000,
  };
  const differs = {
    ...sealed,
    what: 'count-differs' as const,
    prompt: { code: 'count-differs', with: { shoe: 'S-2209', seen: '415', expected: '416' }, by: 'HOUSE 7' },
    role: 'pit-manager',
  };
  const view = { tables, waiting: [sealed, differs], since: at, voids: 0, corrected: 0, signed: null };
  staffPage.send({ type: 'floor', version: 1, view });
  await staffPage.page.waitForSelector('.tables tbody tr');
  expect(await staffPage.page.innerText('.figs')).toMatch(/65 of 67\s+2 offline/);
  expect(await staffPage.page.innerText('.queue')).toContain('Shoe S-2210 under seal 8812 is still to be counted.');
  expect(await staffPage.page.innerText('.queue')).toMatch(
    /Shoe S-2209: 415 cards counted, 416 expected\..*Pit manager/s,
  );
  for (const language of ['en', 'zh']) {
    for (const [width, height] of [
      [1366, 768],
      [1920, 1080],
    ] as const) {
      await staffPage.page.setViewportSize({ width, height });
      await staffPage.waitUntilDrawn();
      expect(await cutOff(staffPage.page), `${width} ${language}`).toEqual([]);
      const last = await staffPage.page.locator('.tables tbody tr').last().boundingBox();
      const list = await staffPage.page.locator('.tables').boundingBox();
      expect(last!.y + last!.height, `${width} ${language}`).toBeLessThanOrEqual(list!.y + list!.height);
    }
    expect(await violations(staffPage.page), language).toEqual([]);
    await staffPage.page.click('.language');
    await staffPage.waitUntilDrawn();
  }
  await staffPage.type('1');
  await staffPage.page.waitForURL('**/floor/L2/sealed');
  await staffPage.leave();
});
