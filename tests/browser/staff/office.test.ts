import { mkdirSync } from 'node:fs';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type StaffServerMessage, type StaffSession } from '../../../src/wire/staff/messages.ts';
import { type FloorRow } from '../../../src/wire/staff/floorView.ts';
import { violations } from '../looks.ts';
import { Fed } from './console.ts';
import { lookedUp, proposedPay, setting, supervisorView, terminals, ticket } from './desk.ts';
import { looks, speak } from './whole.ts';
import { hash } from './views.ts';

/** Pictures are kept where somebody wants to look at them. */
const shots = process.env['SHOTS'];

/** An office page with somebody in a post, and all that it looks up. */
async function officeAt(path: string, who: Partial<StaffSession>, width = 1366, height = 768): Promise<Fed> {
  const fed = await Fed.at(path, undefined, false, width, height, {}, { table: null, ...who });
  fed.answers = (asked): StaffServerMessage => {
    const { id } = asked;
    const data = asked.type === 'ask' ? lookedUp(asked.what, Date.now()) : undefined;
    if (data) return { type: 'answer', id, data: data as { [field: string]: unknown } };
    return asked.type === 'people' && asked.asked['type'] === 'SetSecret'
      ? { type: 'answer', id, data: { secret: '482913' } }
      : { type: 'done', id, events: [], sequence: 1 };
  };
  const sealed = [{ shoe: 'S-2210', seal: '8812', to: 'Card room', since: Date.now(), deck: 'french' }] as const;
  fed.supervised = { ...supervisorView(Date.now()), sealed };
  await fed.page.reload();
  await fed.page.waitForSelector('main.page:not(.soon)');
  await fed.settled();
  return fed;
}

/** What sticks out of its panel, and whether the page scrolls as a whole. */
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

const managers = { person: 'p2', number: 'M-012', post: 'pit-manager' } as const;
const administrator = { person: 'p12', number: 'N-001', post: 'administrator' } as const;
const supervisors = { person: 'p3', number: 'S-031', post: 'supervisor' } as const;
const cashier = { person: 'p9', number: 'C-012', post: 'cage' } as const;
const pages = [
  ['people', '/people', managers],
  ['accounts', '/people', administrator],
  ['settings', '/settings/L11', managers],
  ['terminals', '/terminals', supervisors],
  ['sealed', '/floor/L11/sealed', supervisors],
  ['desk', '/terminals/desk', cashier],
] as const;

test.each(pages)('%s is whole in both sizes and languages, and axe finds nothing', async (name, path, who) => {
  const fed = await officeAt(path, who);
  if (name === 'settings') fed.tell({ type: 'supervisor', table: 'L11', version: 1, view: supervisorView(Date.now()) });
  for (const { language, width, height, isAccessible } of looks(name)) {
    await speak(fed.page, language);
    await fed.page.setViewportSize({ width, height });
    await fed.settled();
    if (shots !== undefined) {
      mkdirSync(shots, { recursive: true });
      await fed.page.screenshot({ path: `${shots}/${name}-${width}-${language}.png` });
    }
    expect(await cutOff(fed.page), `${name} ${width} ${language}`).toEqual([]);
    if (isAccessible) expect(await violations(fed.page), `${name} ${language}`).toEqual([]);
  }
  expect(fed.complaints).toEqual([]);
  await fed.leave();
});

const asked = (fed: Fed, type: string): readonly object[] =>
  fed.heard.flatMap((said) => (said.type === type ? [said] : []));

test('a pit manager lets a dealer act as supervisor, and sees no account acts', async () => {
  const fed = await officeAt('/people', managers);
  const { page } = fed;
  await page.click('tr:has-text("D-214")');
  await fed.type('a');
  await page.keyboard.type('23:59');
  await page.click('text=Let act');
  await expect
    .poll(() => asked(fed, 'people'))
    .toMatchObject([{ asked: { type: 'GiveActing', person: 'p5', as: 'supervisor' } }]);
  expect(await page.locator('text=New PIN').count()).toBe(0);
  expect(fed.heard.some((said) => said.type === 'ask' && said.what === 'names')).toBe(false);
  await page.click('text=End the session');
  await expect
    .poll(() => asked(fed, 'people'))
    .toMatchObject([{}, { asked: { type: 'SignOut', session: 's5', why: 'ended' } }]);
  await fed.leave();
});

test('an administrator gives a PIN that is shown once, and has no acting posts to give', async () => {
  const fed = await officeAt('/people', administrator);
  const { page } = fed;
  await page.click('tr:has-text("D-214")');
  await page.click('text=New PIN');
  expect(await page.textContent('[data-testid=secret] b')).toBe('482913');
  await page.click('[data-testid=secret] >> text=Done');
  expect(await page.locator('[data-testid=secret]').count()).toBe(0);
  expect(await page.locator('text=Let act').count()).toBe(0);
  await fed.leave();
});

test('an administrator offers a console to another device, by a code that is shown once', async () => {
  const fed = await officeAt('/people', administrator);
  const { page } = fed;
  fed.gives['/staff/offer'] = { code: 'ABCD-2345', until: Date.now() + 600_000 };
  await page.click('text=Another device');
  expect(await page.textContent('[data-testid=secret] b')).toBe('ABCD-2345');
  expect(fed.asked.find(({ path }) => path === '/staff/offer')!.body).toEqual({ kind: 'floor', table: null });
  expect(await cutOff(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await page.click('[data-testid=secret] >> text=Done');
  expect(await page.locator('[data-testid=secret]').count()).toBe(0);
  await fed.leave();
});

/** The first terminal with what a supervisor has proposed there. */
function propose(fed: Fed): void {
  const { answers } = fed;
  const at = Date.now();
  fed.answers = (said) => {
    if (said.type !== 'ask' || said.what !== 'terminals') return answers(said);
    const all = terminals(at);
    const [first, ...others] = all.terminals;
    const data = { ...all, terminals: [{ ...first, proposal: proposedPay(at) }, ...others] };
    return { type: 'answer', id: said.id, data };
  };
}
const approval = { terminal: 'T11', asked: { type: 'ApproveHandPay', proposal: 'P1', hash } };

test('a supervisor signs for a hand-pay, and the second person by number and PIN at the same console', async () => {
  const fed = await officeAt('/terminals', supervisors);
  const { page } = fed;
  await fed.type('Enter');
  await expect
    .poll(() => asked(fed, 'terminal'))
    .toMatchObject([
      { terminal: 'T11', asked: { type: 'ProposeHandPay', what: 'cancelled-credit', amount: 1_240_000 } },
    ]);
  propose(fed);
  await page.waitForSelector('[data-testid=sign-bar]');
  expect(await page.textContent('[data-testid=fragment]')).toBe('BA1D-8D81');
  expect(await page.textContent('[data-testid=sign-bar] .ring')).toMatch(/1:5\d|2:00/);
  expect(await page.locator('[data-testid=approve]').count()).toBe(0);
  await page.fill('[data-field=number]', 'M-012');
  await page.fill('[data-field=pin]', '246810');
  await page.keyboard.press('Enter');
  await expect.poll(() => asked(fed, 'terminal').at(-1)).toMatchObject({ ...approval, number: 'M-012', pin: '246810' });
  for (const [width, height] of [
    [1366, 768],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await fed.settled();
    expect(await cutOff(page), `${width}`).toEqual([]);
  }
  expect(await violations(page)).toEqual([]);
  await page.locator('h2').first().click();
  await fed.type('Escape', 'Escape');
  await expect
    .poll(() => asked(fed, 'terminal').at(-1))
    .toMatchObject({ asked: { type: 'DropHandPay', proposal: 'P1' } });
  await fed.leave();
});

test('a pit manager signs a hand-pay in a session of their own', async () => {
  const fed = await officeAt('/terminals', managers);
  propose(fed);
  await fed.page.waitForSelector('[data-testid=approve]');
  await fed.type('Enter');
  await expect.poll(() => asked(fed, 'terminal')).toMatchObject([approval]);
  expect(asked(fed, 'terminal')[0]).not.toHaveProperty('pin');
  await fed.leave();
});

test('what is signed and not paid is withdrawn with a reason, and not without one', async () => {
  const fed = await officeAt('/terminals', managers);
  const { page } = fed;
  await page.click('tr:has-text("T12")');
  const withdraw = page.locator('.paybox button:has-text("Withdraw the slip")');
  expect(await withdraw.isDisabled()).toBe(true);
  await page.fill('.paybox input', 'The wrong terminal.');
  await withdraw.click();
  const reason = 'The wrong terminal.';
  await expect
    .poll(() => asked(fed, 'terminal'))
    .toMatchObject([{ terminal: 'T12', asked: { type: 'WithdrawHandPay', signature: 1, reason } }]);
  await fed.leave();
});

test('the cage pays a ticket and a signed hand-pay at the second press, each named with its amount', async () => {
  const fed = await officeAt('/terminals/desk', cashier);
  const { page } = fed;
  await fed.type('r');
  await page.keyboard.type('041877203391506427');
  await page.waitForSelector('text=open, never paid');
  await page.keyboard.press('Enter');
  expect(asked(fed, 'pay')).toEqual([]);
  await page.waitForSelector('text=Press again: 806.50');
  const answers = fed.answers;
  fed.answers = (said) =>
    said.type === 'ask' && said.what === 'ticket'
      ? {
          type: 'answer',
          id: said.id,
          data: ticket(Date.now(), { not: 'ticket-paid', paid: { at: Date.now(), number: 'C-012', terminal: null } }),
        }
      : answers(said);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-testid=paid] >> text=paid by C-012');
  await expect.poll(() => asked(fed, 'pay')).toMatchObject([{ ticket: '041877203391506427' }]);
  await page.locator('.desk h2').first().click();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await fed.type('h', 'Enter');
  await expect
    .poll(() => asked(fed, 'terminal'))
    .toMatchObject([{ terminal: 'T12', asked: { type: 'PaySigned', signature: 1 } }]);
  await fed.leave();
});

test('the cage pays what came to a session after its end at the second press, and nothing that is in question', async () => {
  const fed = await officeAt('/terminals/desk', cashier);
  const { page } = fed;
  await page.waitForSelector('text=T5, session 2');
  await fed.type('s');
  await page.waitForSelector('text=Press again: 240.00');
  expect(asked(fed, 'terminal')).toEqual([]);
  await fed.type('Enter');
  await expect
    .poll(() => asked(fed, 'terminal'))
    .toMatchObject([{ terminal: 'T5', asked: { type: 'PaySession', session: 2 } }]);
  await page.click('text=T6, session 1');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await fed.type('s', 'Enter');
  expect(asked(fed, 'terminal')).toHaveLength(1);
  await fed.leave();
});

test('a changed setting is proposed by one and approved by another, and a lost link disables all of it', async () => {
  const fed = await officeAt('/settings/L11', managers);
  const { page } = fed;
  fed.tell({ type: 'supervisor', table: 'L11', version: 1, view: supervisorView(Date.now()) });
  await page.fill('input[aria-label="Betting time"]', '18');
  await page.waitForSelector('text=Propose 1 change');
  await page.click('.act-big');
  await expect
    .poll(() => fed.commands)
    .toMatchObject([{ type: 'ChangeSetting', setting: { bettingTime: 18_000, decks: 8 } }]);
  const view = supervisorView(Date.now(), { ...setting, bettingTime: 18_000 });
  fed.tell({ type: 'supervisor', table: 'L11', version: 2, view });
  await page.waitForSelector('tr.chg >> text=18 s');
  expect(await page.textContent('[data-testid=fragment]')).toBe('BA1D-8D81');
  await page.fill('[data-field=number]', 'G-007');
  await page.fill('[data-field=pin]', '246810');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => asked(fed, 'consent'))
    .toMatchObject([{ table: 'L11', proposal: 'P1', number: 'G-007', pin: '246810' }]);
  fed.cut();
  await page.waitForSelector('.lostbar');
  expect(await page.locator('[data-testid=sign]').isDisabled()).toBe(true);
  await fed.leave();
});

test('a shoe that left sealed is counted blind, kind by kind, and proposed once all are in', async () => {
  const fed = await officeAt('/floor/L11/sealed', supervisors);
  const { page } = fed;
  expect(await page.locator('.counts button').allInnerTexts()).toEqual(Array.from({ length: 52 }, () => ''));
  await fed.ready();
  await fed.type(...Array.from('8'.repeat(50)), '7', 'Backspace', '8', 'Enter');
  expect(fed.commands).toEqual([]);
  await fed.type('7', 'Enter');
  await expect.poll(() => fed.commands.at(-1)).toMatchObject({ type: 'CountSealedShoe', shoe: 'S-2210' });
  expect(fed.commands.at(-1)!['seen']).toMatchObject({ AC: 8, QS: 8, KS: 7 });
  await fed.leave();
});

test('the floor tells of hand-pays with their terminal and amount, and when the record was last signed', async () => {
  const at = Date.now();
  const fed = await officeAt('/floor', managers);
  const pay = (terminal: string) => ({
    table: null,
    what: 'hand-pay' as const,
    says: { code: 'hand-pay', with: { terminal, amount: '1240000' }, by: 'HOUSE 2' },
    by: 'HOUSE 2',
    since: at - 60_000,
  });
  const waiting = [
    { ...pay('T11'), who: 'supervisor' },
    { ...pay('T12'), who: 'pit-manager', expires: at + 100_000, hash: `sha256:${hash}` },
  ];
  const view = { tables: [], waiting, since: at, voids: 0, corrected: 0, signed: { at, hash: `sha256:${hash}` } };
  fed.tell({ type: 'floor', version: 1, view });
  await fed.page.waitForSelector('[data-testid=signed]');
  expect(await fed.page.innerText('[data-testid=signed]')).toContain('BA1D-8D81');
  const queue = await fed.page.innerText('.queue');
  for (const said of ['Hand-pay at T11', 'Hand-pay at T12', '12,400.00', 'bound to BA1D-8D81']) {
    expect(queue).toContain(said);
  }
  expect(await violations(fed.page)).toEqual([]);
  await fed.leave();
});

test('a floor of thirteen tables is whole in both sizes and languages, and its figures are those of the tables', async () => {
  const at = Date.now();
  const fed = await officeAt('/floor', managers);
  const row = (n: number): FloorRow => ({
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
    roundsAnHour: 62,
    drop: 123_456_700,
    win: { sign: -1, amount: 1_234_500 },
    dealer: 'D-214',
  });
  const tables = Array.from({ length: 13 }, (_, n) => row(n));
  const sealed = {
    table: 'L2',
    what: 'sealed-shoe' as const,
    says: { code: 'sealed-shoe', with: { shoe: 'S-2210', seal: '8812' }, by: 'HOUSE 7' },
    by: 'HOUSE 7',
    who: 'supervisor',
    since: at - 60_000,
  };
  const differs = {
    ...sealed,
    what: 'count-differs' as const,
    says: { code: 'count-differs', with: { shoe: 'S-2209', seen: '415', expected: '416' }, by: 'HOUSE 7' },
    who: 'pit-manager',
  };
  const view = { tables, waiting: [sealed, differs], since: at, voids: 0, corrected: 0, signed: null };
  fed.tell({ type: 'floor', version: 1, view });
  await fed.page.waitForSelector('.tables tbody tr');
  expect(await fed.page.innerText('.figs')).toMatch(/65 of 67\s+2 offline/);
  expect(await fed.page.innerText('.queue')).toContain('Shoe S-2210 under seal 8812 is still to be counted.');
  expect(await fed.page.innerText('.queue')).toMatch(
    /Shoe S-2209: 415 cards counted, 416 belong to it\..*Pit manager/s,
  );
  for (const language of ['en', 'zh']) {
    for (const [width, height] of [
      [1366, 768],
      [1920, 1080],
    ] as const) {
      await fed.page.setViewportSize({ width, height });
      await fed.settled();
      expect(await cutOff(fed.page), `${width} ${language}`).toEqual([]);
      const last = await fed.page.locator('.tables tbody tr').last().boundingBox();
      const list = await fed.page.locator('.tables').boundingBox();
      expect(last!.y + last!.height, `${width} ${language}`).toBeLessThanOrEqual(list!.y + list!.height);
    }
    expect(await violations(fed.page), language).toEqual([]);
    await fed.page.click('.language');
    await fed.settled();
  }
  await fed.type('1');
  await fed.page.waitForURL('**/floor/L2/sealed');
  await fed.leave();
});
