import { expect, test } from 'vitest';
import { demoPin } from '../../../../src/runtime/staff/initialStaff.ts';
import { violations } from '../../support/appearance.ts';
import { flaws } from '../../support/textChecks.ts';
import { StaffPage, session } from '../support/staffPage.ts';
import { states } from '../console/dealerStates.ts';

const openSignIn = async (me: Partial<StaffPage['me']> = {}): Promise<StaffPage> => {
  const staffPage = await StaffPage.at('/sign-in', states['idle']!(Date.now()), false, 1366, 768, {
    session: null,
    ...me,
  });
  await staffPage.page.waitForSelector('.signin form');
  return staffPage;
};

const demo: Partial<StaffPage['me']> = {
  staff: [
    { number: 'D-1', roles: ['dealer'] },
    { number: 'S-1', roles: ['supervisor'] },
    { number: 'G-1', roles: ['gaming-shift-manager'] },
  ],
  tables: ['L11', 'L12'],
};

test('sign-in takes number and PIN at a console, and number and password at an office', async () => {
  const staffPage = await openSignIn({ demo: false, console: { console: 'c1', kind: 'dealer', table: 'L11' } });
  await staffPage.page.locator('[name=number]').fill('d-214');
  await staffPage.page.keyboard.press('Enter');
  await staffPage.page.locator('[name=secret]').fill('246810');
  expect(await violations(staffPage.page)).toEqual([]);
  staffPage.me = { ...staffPage.me, session: session() };
  await staffPage.page.keyboard.press('Enter');
  await staffPage.page.waitForURL('**/dealer/L11');
  expect(staffPage.httpRequests.find(({ path }) => path === '/staff/sign-in')!.body).toEqual({
    number: 'D-214',
    pin: '246810',
  });
  await staffPage.page.waitForSelector('.console');
  await staffPage.leave();
  const office = await openSignIn({ demo: false });
  await office.page.locator('[name=number]').fill('M-1');
  await office.page.locator('[name=secret]').fill('a long password');
  await office.page.keyboard.press('Enter');
  await expect
    .poll(() => office.httpRequests.find(({ path }) => path === '/staff/sign-in')?.body)
    .toEqual({ number: 'M-1', password: 'a long password' });
  expect(await office.page.getByTestId('demo-staff').count()).toBe(0);
  await office.leave();
});

test('a device becomes an offered console by its code', async () => {
  const staffPage = await openSignIn({ demo: false });
  const { page } = staffPage;
  await page.getByTestId('enrol').click();
  await page.locator('[name=code]').fill('abcd-2345');
  expect(await violations(page)).toEqual([]);
  staffPage.me = { ...staffPage.me, console: { console: 'c4', kind: 'dealer', table: 'L11' } };
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Console of L11');
  expect(staffPage.httpRequests.find(({ path }) => path === '/staff/enrol')!.body).toEqual({ code: 'ABCD-2345' });
  expect(await page.getByTestId('enrol').count()).toBe(0);
  await staffPage.leave();
});

test('sign-in demands a new password when the password is a one-time one', async () => {
  const staffPage = await openSignIn({ demo: false });
  const { page } = staffPage;
  staffPage.httpRefusals['/staff/sign-in'] = { code: 'secret-due', message: 'Change it.', by: null };
  await page.locator('[name=number]').fill('N-1');
  await page.locator('[name=secret]').fill('shown-once-only');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=New PIN or password');
  delete staffPage.httpRefusals['/staff/sign-in'];
  for (const field of await page.locator('input').all()) await field.fill('a password of my own');
  await page.keyboard.press('Enter');
  const own = 'a password of my own';
  await expect
    .poll(() => staffPage.httpRequests.find(({ path }) => path === '/staff/password')?.body)
    .toEqual({ number: 'N-1', kind: 'password', old: 'shown-once-only', new: own });
  await expect
    .poll(() => staffPage.httpRequests.findLast(({ path }) => path === '/staff/sign-in')?.body)
    .toEqual({ number: 'N-1', password: own });
  await staffPage.leave();
});

test('a locked office is unlocked by the password', async () => {
  const manager = session({ number: 'M-1', role: 'pit-manager', table: null, locked: true });
  const staffPage = await StaffPage.for(manager);
  const { page } = staffPage;
  staffPage.me = { ...staffPage.me, demo: false };
  await page.goto('http://staff.test/staff-accounts');
  await page.waitForSelector('.veil');
  await page.locator('.veil [name=secret]').fill('a long password');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect
    .poll(() => staffPage.httpRequests.find(({ path }) => path === '/staff/unlock')?.body)
    .toEqual({ password: 'a long password' });
  await staffPage.leave();
});

test('display preferences mirror a console and hide its key caps, and persist', async () => {
  const console = { console: 'c1', kind: 'dealer', table: 'L11' } as const;
  const staffPage = await openSignIn({ demo: false, console });
  const { page } = staffPage;
  const order = (): Promise<readonly string[]> =>
    page.locator('.hands .hand, .hands .slot small').evaluateAll((all) => all.map((one) => one.textContent ?? ''));
  staffPage.me = { ...staffPage.me, session: session() };
  await page.goto('http://staff.test/dealer/L11');
  await page.waitForSelector('.hands');
  expect(await page.locator('.hands > *').evaluateAll((all) => all.map((one) => one.className))).toMatchObject([
    'hand p',
    expect.any(String) as string,
    'hand b',
  ]);
  const defaultOrder = await order();
  staffPage.me = { ...staffPage.me, session: null };
  await page.goto('http://staff.test/sign-in');
  const switches = page.getByTestId('display-preferences').getByRole('switch');
  await switches.last().waitFor();
  for (const one of await switches.all()) {
    const isOn = (await one.getAttribute('aria-checked')) === 'true';
    await one.click();
    await expect.poll(() => one.getAttribute('aria-checked')).toBe(String(!isOn));
  }
  expect(await violations(page)).toEqual([]);
  expect(await flaws(page, '.box, .btn', 44)).toEqual([]);
  staffPage.me = { ...staffPage.me, session: session() };
  await page.goto('http://staff.test/dealer/L11');
  await page.waitForSelector('.hands');
  expect(await page.locator('.hands > *').evaluateAll((all) => all.map((one) => one.className))).toMatchObject([
    'hand b',
    expect.any(String) as string,
    'hand p',
  ]);
  expect(await order()).not.toEqual(defaultOrder);
  expect(await page.locator('kbd:visible').count()).toBe(0);
  await staffPage.leave();
});

test('one click signs in at a demo, a dealer at the chosen table', async () => {
  const staffPage = await openSignIn(demo);
  for (const [width, height] of [
    [1366, 768],
    [1024, 768],
  ] as const) {
    await staffPage.page.setViewportSize({ width, height });
    expect(await flaws(staffPage.page, '.box, .btn', 44)).toEqual([]);
  }
  expect(await violations(staffPage.page)).toEqual([]);
  expect(await staffPage.page.getByTestId('demo-staff').innerText()).toContain(demoPin);
  await staffPage.page.getByRole('button', { name: 'L12' }).click();
  staffPage.me = { ...staffPage.me, session: session({ table: 'L12' }) };
  await staffPage.page.locator('[data-number="D-1"]').click();
  await staffPage.page.waitForURL('**/dealer/L12');
  expect(staffPage.httpRequests.find(({ path }) => path === '/staff/demo')!.body).toEqual({
    number: 'D-1',
    role: 'dealer',
    table: 'L12',
  });
  await staffPage.leave();
});

test.each([
  ['en', 'Code that the server has printed', 'This demo needs the code'],
  ['zh', '服务器启动时显示的代码', '此演示需要服务器显示的代码'],
] as const)(
  'a demo that other machines can reach asks for the code of its server, in %s',
  async (lang, label, text) => {
    const staffPage = await openSignIn({ ...demo, demoCode: true });
    const { page } = staffPage;
    await page.evaluate((language) => localStorage.setItem('punto.language', language), lang);
    await page.reload();
    await page.waitForSelector('[name=demo-code]');
    expect(await flaws(page, '.box, .btn', 44)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    staffPage.httpRefusals['/staff/demo'] = { code: 'wrong-demo-code', message: 'Enter it.', by: null };
    await page.locator('[data-number="S-1"]').click();
    await expect.poll(() => page.getByTestId('demo-staff').getByRole('alert').innerText()).toContain(text);
    delete staffPage.httpRefusals['/staff/demo'];
    await page.getByLabel(label).fill('k7qf-3btd');
    const supervisor = session({ number: 'S-1', role: 'supervisor', table: null });
    staffPage.signedIn = supervisor;
    staffPage.me = { ...staffPage.me, session: supervisor };
    await page.locator('[data-number="S-1"]').click();
    await page.waitForURL('**/floor');
    expect(staffPage.httpRequests.filter(({ path }) => path === '/staff/demo').map(({ body }) => body)).toEqual([
      { number: 'S-1', role: 'supervisor', code: '' },
      { number: 'S-1', role: 'supervisor', code: 'K7QF-3BTD' },
    ]);
    await staffPage.leave();
  },
);

test('a demo lists a person once for each role', async () => {
  const staffPage = await openSignIn({ ...demo, staff: [{ number: 'D-1', roles: ['dealer', 'supervisor'] }] });
  staffPage.me = { ...staffPage.me, session: session({ acting: 'supervisor', table: null }) };
  await staffPage.page.locator('[data-number="D-1"][data-role=supervisor]').click();
  await staffPage.page.waitForURL('**/floor');
  expect(staffPage.httpRequests.find(({ path }) => path === '/staff/demo')!.body).toEqual({
    number: 'D-1',
    role: 'supervisor',
  });
  await staffPage.leave();
});

test('a supervisor starts on the floor page, with the tabs of the role', async () => {
  const staffPage = await openSignIn(demo);
  const supervisor = session({ number: 'S-1', role: 'supervisor', table: null });
  staffPage.signedIn = supervisor;
  staffPage.me = { ...staffPage.me, session: supervisor };
  await staffPage.page.locator('[data-number="S-1"]').click();
  await staffPage.page.waitForURL('**/floor');
  await staffPage.page.waitForSelector('.tabs a');
  expect(
    await staffPage.page.locator('.tabs a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
  ).toEqual(['/floor', '/rounds', '/terminals']);
  expect(await staffPage.page.getByTestId('demo').count()).toBe(1);
  await staffPage.page.keyboard.press('g');
  await staffPage.page.keyboard.press('r');
  await staffPage.page.waitForURL('**/rounds');
  await staffPage.leave();
});

test('a staff page redirects to sign-in when no session exists', async () => {
  const staffPage = await StaffPage.at('/dealer/L11', undefined, false, 1366, 768, { session: null });
  await staffPage.page.waitForURL('**/sign-in');
  expect(staffPage.messages).toEqual([]);
  await staffPage.leave();
});
