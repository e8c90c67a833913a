import { expect, test } from 'vitest';
import { demoPin } from '../../../src/runtime/staff/initialStaff.ts';
import { violations } from '../looks.ts';
import { flaws } from '../whole.ts';
import { Fed, session } from './console.ts';
import { states } from './states.ts';

const nobody = async (me: Partial<Fed['me']> = {}): Promise<Fed> => {
  const fed = await Fed.at('/sign-in', states['idle']!(Date.now()), false, 1366, 768, { session: null, ...me });
  await fed.page.waitForSelector('.door form');
  return fed;
};

const demo: Partial<Fed['me']> = {
  people: [
    { number: 'D-1', posts: ['dealer'] },
    { number: 'S-1', posts: ['supervisor'] },
    { number: 'G-1', posts: ['gaming-shift-manager'] },
  ],
  tables: ['L11', 'L12'],
};

test('a console asks for number or badge and PIN, an office for number and password', async () => {
  const fed = await nobody({ demo: false, console: { console: 'c1', kind: 'dealer', table: 'L11' } });
  await fed.page.locator('[name=number]').fill('d-214');
  await fed.page.keyboard.press('Enter');
  await fed.page.locator('[name=secret]').fill('246810');
  expect(await violations(fed.page)).toEqual([]);
  fed.me = { ...fed.me, session: session() };
  await fed.page.keyboard.press('Enter');
  await fed.page.waitForURL('**/dealer/L11');
  expect(fed.asked.find(({ path }) => path === '/staff/sign-in')!.body).toEqual({ number: 'D-214', pin: '246810' });
  await fed.page.waitForSelector('.console');
  await fed.leave();
  const office = await nobody({ demo: false });
  await office.page.locator('[name=number]').fill('M-1');
  await office.page.locator('[name=secret]').fill('a long password');
  await office.page.keyboard.press('Enter');
  await expect
    .poll(() => office.asked.find(({ path }) => path === '/staff/sign-in')?.body)
    .toEqual({ number: 'M-1', password: 'a long password' });
  expect(await office.page.getByTestId('demo-people').count()).toBe(0);
  await office.leave();
});

test('a device becomes the console that was offered to it, by a code', async () => {
  const fed = await nobody({ demo: false });
  const { page } = fed;
  await page.getByTestId('enrol').click();
  await page.locator('[name=code]').fill('abcd-2345');
  expect(await violations(page)).toEqual([]);
  fed.me = { ...fed.me, console: { console: 'c4', kind: 'dealer', table: 'L11' } };
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Console of L11');
  expect(fed.asked.find(({ path }) => path === '/staff/enrol')!.body).toEqual({ code: 'ABCD-2345' });
  expect(await page.getByTestId('enrol').count()).toBe(0);
  await fed.leave();
});

test('a one-time password is changed before anything else', async () => {
  const fed = await nobody({ demo: false });
  const { page } = fed;
  fed.denies['/staff/sign-in'] = { code: 'secret-due', message: 'Change it.', by: null };
  await page.locator('[name=number]').fill('N-1');
  await page.locator('[name=secret]').fill('told-once-only');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Another secret');
  delete fed.denies['/staff/sign-in'];
  for (const field of await page.locator('input').all()) await field.fill('a password of my own');
  await page.keyboard.press('Enter');
  const own = 'a password of my own';
  await expect
    .poll(() => fed.asked.find(({ path }) => path === '/staff/password')?.body)
    .toEqual({ number: 'N-1', kind: 'password', old: 'told-once-only', new: own });
  await expect
    .poll(() => fed.asked.findLast(({ path }) => path === '/staff/sign-in')?.body)
    .toEqual({ number: 'N-1', password: own });
  await fed.leave();
});

test('an office that was locked is opened again by the password', async () => {
  const manager = session({ number: 'M-1', post: 'pit-manager', table: null, locked: true });
  const fed = await Fed.for(manager);
  const { page } = fed;
  fed.me = { ...fed.me, demo: false };
  await page.goto('http://staff.test/people');
  await page.waitForSelector('.veil');
  await page.locator('.veil [name=secret]').fill('a long password');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect
    .poll(() => fed.asked.find(({ path }) => path === '/staff/unlock')?.body)
    .toEqual({ password: 'a long password' });
  await fed.leave();
});

test('a console is mirrored and draws no keys where that is set at its device, and stays so', async () => {
  const console = { console: 'c1', kind: 'dealer', table: 'L11' } as const;
  const fed = await nobody({ demo: false, console });
  const { page } = fed;
  const order = (): Promise<readonly string[]> =>
    page.locator('.hands .hand, .hands .slot small').evaluateAll((all) => all.map((one) => one.textContent ?? ''));
  fed.me = { ...fed.me, session: session() };
  await page.goto('http://staff.test/dealer/L11');
  await page.waitForSelector('.hands');
  expect(await page.locator('.hands > *').evaluateAll((all) => all.map((one) => one.className))).toMatchObject([
    'hand p',
    expect.any(String) as string,
    'hand b',
  ]);
  const usual = await order();
  fed.me = { ...fed.me, session: null };
  await page.goto('http://staff.test/sign-in');
  for (const one of await page.getByTestId('looks').getByRole('switch').all()) await one.click();
  expect(await violations(page)).toEqual([]);
  expect(await flaws(page, '.box, .btn', 44)).toEqual([]);
  fed.me = { ...fed.me, session: session() };
  await page.goto('http://staff.test/dealer/L11');
  await page.waitForSelector('.hands');
  expect(await page.locator('.hands > *').evaluateAll((all) => all.map((one) => one.className))).toMatchObject([
    'hand b',
    expect.any(String) as string,
    'hand p',
  ]);
  expect(await order()).not.toEqual(usual);
  expect(await page.locator('kbd:visible').count()).toBe(0);
  await fed.leave();
});

test('in a demo one click signs in, a dealer at the chosen table', async () => {
  const fed = await nobody(demo);
  for (const [width, height] of [
    [1366, 768],
    [1024, 768],
  ] as const) {
    await fed.page.setViewportSize({ width, height });
    expect(await flaws(fed.page, '.box, .btn', 44)).toEqual([]);
  }
  expect(await violations(fed.page)).toEqual([]);
  expect(await fed.page.getByTestId('demo-people').innerText()).toContain(demoPin);
  await fed.page.getByRole('button', { name: 'L12' }).click();
  fed.me = { ...fed.me, session: session({ table: 'L12' }) };
  await fed.page.locator('[data-number="D-1"]').click();
  await fed.page.waitForURL('**/dealer/L12');
  expect(fed.asked.find(({ path }) => path === '/staff/demo')!.body).toEqual({
    number: 'D-1',
    post: 'dealer',
    table: 'L12',
  });
  await fed.leave();
});

test('in a demo somebody who acts in a post is there once for each', async () => {
  const fed = await nobody({ ...demo, people: [{ number: 'D-1', posts: ['dealer', 'supervisor'] }] });
  fed.me = { ...fed.me, session: session({ acting: 'supervisor', table: null }) };
  await fed.page.locator('[data-number="D-1"][data-post=supervisor]').click();
  await fed.page.waitForURL('**/floor');
  expect(fed.asked.find(({ path }) => path === '/staff/demo')!.body).toEqual({ number: 'D-1', post: 'supervisor' });
  await fed.leave();
});

test('a supervisor begins on the floor, with the tabs of the post', async () => {
  const fed = await nobody(demo);
  const supervisor = session({ number: 'S-1', post: 'supervisor', table: null });
  fed.signedIn = supervisor;
  fed.me = { ...fed.me, session: supervisor };
  await fed.page.locator('[data-number="S-1"]').click();
  await fed.page.waitForURL('**/floor');
  await fed.page.waitForSelector('.tabs a');
  expect(await fed.page.locator('.tabs a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    '/floor',
    '/rounds',
    '/terminals',
  ]);
  expect(await fed.page.getByTestId('demo').count()).toBe(1);
  await fed.page.keyboard.press('g');
  await fed.page.keyboard.press('r');
  await fed.page.waitForURL('**/rounds');
  await fed.leave();
});

test('whoever is not signed in is led to the sign-in page', async () => {
  const fed = await Fed.at('/dealer/L11', undefined, false, 1366, 768, { session: null });
  await fed.page.waitForURL('**/sign-in');
  expect(fed.heard).toEqual([]);
  await fed.leave();
});
