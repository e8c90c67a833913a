import { mkdirSync } from 'node:fs';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type StaffServerMessage, type StaffSession } from '../../../../src/wire/staff/messages.ts';
import { type ListedTerminal, type ProposedHandPay } from '../../../../src/wire/staff/cageTypes.ts';
import { type FloorTableRow } from '../../../../src/wire/staff/floorView.ts';
import { violations } from '../../support/appearance.ts';
import { StaffPage } from '../support/staffPage.ts';
import { queryReply, proposedHandPay, setting, supervisorView, terminals, ticket } from './queryReplies.ts';
import { languagesAndSizes, setLanguage } from '../support/textChecks.ts';
import { hash } from '../console/dealerViews.ts';

/** Folder for screenshots, if wanted. */
const shots = process.env['SHOTS'];

const sealedShoe = (since: number) =>
  ({ shoe: 'S-2210', seal: '8812', to: 'Card room', since, deck: 'french', decks: 8, miscounts: 0 }) as const;

/** Office page of a role, with replies to all its queries. */
async function openOfficeAs(path: string, who: Partial<StaffSession>, width = 1366, height = 768): Promise<StaffPage> {
  const staffPage = await StaffPage.at(path, undefined, false, width, height, {}, { table: null, ...who });
  staffPage.reply = (messagesOf): StaffServerMessage => {
    const { id } = messagesOf;
    const data = messagesOf.type === 'query' ? queryReply(messagesOf.name, Date.now()) : undefined;
    if (data) return { type: 'answer', id, data: data as { [field: string]: unknown } };
    return messagesOf.type === 'staff' && messagesOf.request['type'] === 'SetSecret'
      ? { type: 'answer', id, data: { secret: '482913' } }
      : { type: 'done', id, events: [], sequence: 1 };
  };
  staffPage.supervisorView = { ...supervisorView(Date.now()), sealed: [sealedShoe(Date.now())] };
  await staffPage.page.reload();
  await staffPage.page.waitForSelector('main.page:not(.soon)');
  await staffPage.waitUntilDrawn();
  return staffPage;
}

/** Elements that stick out of their panel, and whether the page scrolls as a whole. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) found.push('the page scrolls');
    for (const one of document.querySelectorAll('main .panel, main .btn, main td, main dd, main .tag, header.top')) {
      if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
        found.push(`cut: <${one.className || one.tagName}> ${one.textContent.slice(0, 40)}`);
      const { right, bottom, top } = one.getBoundingClientRect();
      const isScrolled = one.closest('.scroll, .side-acts, .side-list, .body') !== null && !one.matches('.panel');
      if (right > innerWidth + 1 || (!isScrolled && bottom > innerHeight + 1) || top < -1 - (isScrolled ? 1e4 : 0))
        found.push(`beyond the edge: <${one.className || one.tagName}> ${one.textContent.slice(0, 40)}`);
    }
    return found;
  });

const managers = { person: 'p2', number: 'M-012', role: 'pit-manager' } as const;
const administrator = { person: 'p12', number: 'N-001', role: 'administrator' } as const;
const supervisors = { person: 'p3', number: 'S-031', role: 'supervisor' } as const;
const cashier = { person: 'p9', number: 'C-012', role: 'cage' } as const;
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

const messagesOf = (staffPage: StaffPage, type: string): readonly object[] =>
  staffPage.messages.flatMap((message) => (message.type === type ? [message] : []));

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

/** Replaces fields of the first terminal, which has a hand-pay. */
function changeFirstTerminal(staffPage: StaffPage, fields: Partial<ListedTerminal>): void {
  const { reply: answers } = staffPage;
  const at = Date.now();
  staffPage.reply = (message) => {
    if (message.type !== 'query' || message.name !== 'terminals') return answers(message);
    const all = terminals(at);
    const [first, ...others] = all.terminals;
    return { type: 'answer', id: message.id, data: { ...all, terminals: [{ ...first, ...fields }, ...others] } };
  };
}

/** A supervisor has proposed the hand-pay of the first terminal, by default of the whole amount due. */
const propose = (staffPage: StaffPage, fields: Partial<ProposedHandPay> = {}): void =>
  changeFirstTerminal(staffPage, { proposal: { ...proposedHandPay(Date.now()), ...fields } });
const approval = { terminal: 'T11', request: { type: 'ApproveHandPay', proposal: 'P1', hash } };

test('a supervisor proposes a hand-pay, and a second person approves by number and PIN at the same console', async () => {
  const staffPage = await openOfficeAs('/terminals', supervisors);
  const { page } = staffPage;
  await staffPage.type('Enter');
  await expect
    .poll(() => messagesOf(staffPage, 'terminal'))
    .toMatchObject([
      { terminal: 'T11', request: { type: 'ProposeHandPay', what: 'cancelled-credit', amount: 1_240_000 } },
    ]);
  propose(staffPage);
  await page.waitForSelector('[data-testid=sign-bar]');
  expect(await page.textContent('[data-testid=fragment]')).toBe('BA1D-8D81');
  expect(await page.textContent('[data-testid=sign-bar] .ring')).toMatch(/1:5\d|2:00/);
  expect(await page.locator('[data-testid=approve]').count()).toBe(0);
  await page.fill('[data-field=number]', 'M-012');
  await page.fill('[data-field=pin]', '246810');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => messagesOf(staffPage, 'terminal').at(-1))
    .toMatchObject({ ...approval, number: 'M-012', pin: '246810' });
  for (const [width, height] of [
    [1366, 768],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await staffPage.waitUntilDrawn();
    expect(await cutOff(page), `${width}`).toEqual([]);
  }
  expect(await violations(page)).toEqual([]);
  await page.locator('h2').first().click();
  await staffPage.type('Escape', 'Escape');
  await expect
    .poll(() => messagesOf(staffPage, 'terminal').at(-1))
    .toMatchObject({ request: { type: 'WithdrawHandPayProposal', proposal: 'P1' } });
  await staffPage.leave();
});

test('a pit manager approves a hand-pay with a PIN at the own desk', async () => {
  const staffPage = await openOfficeAs('/terminals', managers);
  propose(staffPage);
  await staffPage.page.waitForSelector('[data-testid=sign-bar]');
  await staffPage.type('Enter');
  expect(messagesOf(staffPage, 'terminal')).toEqual([]);
  await staffPage.type(...Array.from('246810'), 'Enter');
  await expect.poll(() => messagesOf(staffPage, 'terminal')).toMatchObject([{ ...approval, pin: '246810' }]);
  await staffPage.leave();
});

test('the approver of a hand-pay sees the proposed amount, which may be less than what is due', async () => {
  const staffPage = await openOfficeAs('/terminals', managers);
  const { page } = staffPage;
  propose(staffPage, { amount: 640_000 });
  const bar = page.getByTestId('sign-bar');
  await bar.waitFor();
  await expect.poll(() => page.locator('.paybox .bignum').first().innerText()).toContain('6,400.00');
  for (const [language, text] of [
    ['zh', 'T11 人工支付'],
    ['en', '6,400.00 at T11'],
  ] as const) {
    await setLanguage(page, language);
    for (const [width, height] of [
      [1024, 768],
      [1366, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await staffPage.waitUntilDrawn();
      const shown = await bar.innerText();
      for (const part of [text, '6,400.00', 'BA1D-8D81']) expect(shown).toContain(part);
      if (shots) await page.screenshot({ path: `${shots}/hand-pay-${language}-${width}.png` });
      expect(await cutOff(page), `${language} ${width}`).toEqual([]);
      expect(await violations(page), `${language} ${width}`).toEqual([]);
    }
  }
  await staffPage.leave();
});

test('a hand-pay shows since when it waits, when each person signed it, and that it is paid', async () => {
  const staffPage = await openOfficeAs('/terminals', managers);
  const { page } = staffPage;
  expect(await page.locator('tr:has-text("T11")').innerText()).toMatch(/waiting 3:\d\d/);
  await page.click('tr:has-text("T12")');
  const signatures = await page.locator('.paybox dd').allInnerTexts();
  const [first, second] = signatures.map((text) => /(\d\d:\d\d:\d\d)$/.exec(text)?.[1]);
  expect(signatures).toEqual([`S-031, ${first}`, `M-012, ${second}`]);
  expect(first).not.toBe(second);
  await page.click('tr:has-text("T11")');
  expect(await page.locator('.side-acts').innerText()).toContain('until the hand-pay is paid');
  changeFirstTerminal(staffPage, { owed: 0, owedSince: null });
  await expect.poll(() => page.locator('tr:has-text("T11")').innerText()).toContain('hand-pay paid');
  const detail = await page.locator('.side-acts').innerText();
  expect(detail).toContain('the hand-pay is paid; return the terminal to service');
  expect(detail).not.toContain('until the hand-pay is paid');
  expect(await page.locator('.paybox').count()).toBe(0);
  await staffPage.leave();
});

test('a signed hand-pay is withdrawn only with a reason', async () => {
  const staffPage = await openOfficeAs('/terminals', managers);
  const { page } = staffPage;
  await page.click('tr:has-text("T12")');
  const withdraw = page.locator('.paybox button:has-text("Withdraw the slip")');
  expect(await withdraw.isDisabled()).toBe(true);
  await page.fill('.paybox input', 'The wrong terminal.');
  await withdraw.click();
  const reason = 'The wrong terminal.';
  await expect
    .poll(() => messagesOf(staffPage, 'terminal'))
    .toMatchObject([{ terminal: 'T12', request: { type: 'WithdrawHandPay', signature: 1, reason } }]);
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
