import { expect, test } from 'vitest';
import { type ListedTerminal, type ProposedHandPay } from '../../../../src/wire/staff/cageTypes.ts';
import { violations } from '../../support/appearance.ts';
import { type StaffPage } from '../support/staffPage.ts';
import { proposedHandPay, terminals } from './queryReplies.ts';
import { setLanguage } from '../support/textChecks.ts';
import { hash } from '../console/dealerViews.ts';
import { cutOff, shots, openOfficeAs, managers, supervisors, messagesOf } from './officePage.ts';

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
