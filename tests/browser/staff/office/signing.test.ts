import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type StaffServerMessage } from '../../../../src/wire/staff/messages.ts';
import { violations } from '../../support/appearance.ts';
import { states } from '../console/dealerStates.ts';
import { proposed } from '../console/supervisorViews.ts';
import { StaffPage, session } from '../support/staffPage.ts';
import { cutOff, setLanguage } from '../support/textChecks.ts';

// Signing with staff number and PIN, at the dealer's console and in the office: one form with the same keys.

const shots = process.env['SHOTS'];
const pit = session({ person: 'p8', number: 'M-012', role: 'pit-manager', table: null });
/** A supervisor proposes; another person signs at that desk. */
const ownProposal = (at: number) => {
  const view = proposed(at);
  return { ...view, proposal: { ...view.proposal!, from: { ...view.proposal!.from, person: 'p8', number: 'M-012' } } };
};

const openOffice = async (): Promise<StaffPage> => {
  const staffPage = await StaffPage.for(pit);
  staffPage.supervisorView = ownProposal(Date.now());
  await staffPage.page.goto('http://staff.test/floor/L11/ruling');
  await staffPage.page.waitForSelector('[data-testid=sign-bar]');
  await staffPage.passEnterGuard();
  return staffPage;
};
const openConsole = async (): Promise<StaffPage> => {
  const staffPage = await StaffPage.at('/dealer/L11', states['approve']!(Date.now()));
  await staffPage.page.waitForSelector('[data-testid=second]');
  await staffPage.passEnterGuard();
  return staffPage;
};

const number = (staffPage: StaffPage): Promise<string> => staffPage.page.inputValue('[data-field=number]');
const pin = (staffPage: StaffPage): Promise<string> => staffPage.page.inputValue('[data-field=pin]');
const signatureText = (staffPage: StaffPage): Promise<string> =>
  staffPage.page.innerText('[data-testid=signature-text]');
/** The field that takes the next key. */
const active = async (staffPage: StaffPage): Promise<string> => {
  const isNumber = (await staffPage.page.locator('[data-field=number].on').count()) > 0;
  return isNumber ? 'number' : 'pin';
};
const keys = (text: string): readonly string[] => Array.from(text);
const refuse = (staffPage: StaffPage, code: string, until?: number): void => {
  staffPage.reply = ({ id }): StaffServerMessage => ({
    type: 'refused',
    id,
    code,
    message: 'Refused.',
    by: null,
    ...(until !== undefined && { until }),
  });
};
const consents = (staffPage: StaffPage): readonly object[] =>
  staffPage.messages.filter(({ type }) => type === 'consent');

describe.each([
  ['in the office', openOffice],
  ["at the dealer's console", openConsole],
] as const)('number and PIN %s', (place, open) => {
  test('Enter goes from the number to the PIN, and the form takes keys as soon as it opens', async () => {
    const staffPage = await open();
    await staffPage.type(...keys('s-031'));
    expect([await number(staffPage), await active(staffPage)]).toEqual(['S-031', 'number']);
    await staffPage.type('Enter');
    expect(await active(staffPage)).toBe('pin');
    await staffPage.type(...keys('246810'), 'Enter');
    await expect.poll(() => consents(staffPage)).toMatchObject([{ number: 'S-031', pin: '246810' }]);
    await staffPage.leave();
  });

  test('a PIN is never readable: not typed first, and not typed behind the number', async () => {
    const staffPage = await open();
    await staffPage.type(...keys('246810'));
    expect([await number(staffPage), await pin(staffPage)]).toEqual(['', '']);
    expect(await signatureText(staffPage)).toContain('First the staff number');
    await staffPage.type(...keys('m1246810'));
    expect(await number(staffPage)).not.toContain('246810');
    expect(await staffPage.page.locator('[data-field=pin]').getAttribute('type')).toBe('password');
    expect(await staffPage.page.innerText('body')).not.toContain('246810');
    expect(consents(staffPage)).toEqual([]);
    await staffPage.leave();
  });

  test('Backspace in an empty PIN goes back to the number, which can be corrected', async () => {
    const staffPage = await open();
    await staffPage.type(...keys('s32'), 'Enter', '2', 'Backspace', 'Backspace');
    expect([await number(staffPage), await active(staffPage)]).toEqual(['S32', 'number']);
    await staffPage.type('Backspace', '1', 'Enter', 'x');
    expect(await signatureText(staffPage)).toContain('digits only');
    await staffPage.type(...keys('246810'), 'Enter');
    await expect.poll(() => consents(staffPage)).toMatchObject([{ number: 'S31', pin: '246810' }]);
    await staffPage.leave();
  });

  test('after a refusal the field to correct is active, and the text says what is wrong', async () => {
    const staffPage = await open();
    const sign = async (): Promise<void> => {
      const typed = (await number(staffPage)) === '' ? [...keys('s31'), 'Enter'] : [];
      await staffPage.type(...typed, ...keys('246810'), 'Enter');
      await expect.poll(() => pin(staffPage)).toBe('');
      await expect.poll(() => signatureText(staffPage)).not.toBe('');
    };
    refuse(staffPage, 'wrong-secret');
    await sign();
    expect([await number(staffPage), await active(staffPage)]).toEqual(['S31', 'pin']);
    expect(await signatureText(staffPage)).toContain('Number or PIN is wrong');
    refuse(staffPage, 'same-person');
    await sign();
    expect([await number(staffPage), await active(staffPage)]).toEqual(['', 'number']);
    expect(await signatureText(staffPage)).toContain('S31 cannot be the second person');
    refuse(staffPage, 'not-your-role');
    await sign();
    expect(await active(staffPage)).toBe('number');
    expect(await signatureText(staffPage)).toContain('It takes the role Supervisor');
    refuse(staffPage, 'sign-in-locked', new Date(2026, 10, 18, 20, 51, 10).getTime());
    await sign();
    expect([await number(staffPage), await active(staffPage)]).toEqual(['', 'number']);
    expect(await signatureText(staffPage)).toContain('S31 is locked until 20:51:10');
    for (const language of ['zh', 'en'] as const) {
      await setLanguage(staffPage.page, language);
      for (const [width, height] of [
        [1024, 768],
        [1366, 768],
      ] as const) {
        await staffPage.page.setViewportSize({ width, height });
        await staffPage.waitUntilDrawn();
        const name = `${place === 'in the office' ? 'office' : 'console'}-${language}-${width}`;
        if (shots) {
          mkdirSync(shots, { recursive: true });
          await staffPage.page.screenshot({ path: `${shots}/sign-${name}.png` });
        }
        expect.soft(await cutOff(staffPage.page, place === 'in the office' ? '.do-bar' : '.four'), name).toEqual([]);
        expect.soft(await violations(staffPage.page), name).toEqual([]);
      }
    }
    await staffPage.leave();
  });
});

test('the own number is filled in at the desk of the person who may approve, and another can be typed', async () => {
  const staffPage = await StaffPage.for(session({ person: 'p2', number: 'S-031', role: 'supervisor', table: null }));
  staffPage.supervisorView = proposed(Date.now());
  await staffPage.page.goto('http://staff.test/floor/L11/ruling');
  await staffPage.page.waitForSelector('[data-testid=sign-bar]');
  expect([await number(staffPage), await active(staffPage)]).toEqual(['S-031', 'pin']);
  await staffPage.type('Backspace', 'Backspace', '2', 'Enter', ...keys('135790'), 'Enter');
  await expect.poll(() => consents(staffPage)).toMatchObject([{ number: 'S-032', pin: '135790' }]);
  await staffPage.leave();
});

test('the sign-in page of a console takes no PIN in its number field, and a mistyped number can be corrected', async () => {
  const staffPage = await StaffPage.for(session());
  staffPage.me = { ...staffPage.me, session: null, console: { console: 'c1', kind: 'floor', table: null } };
  await staffPage.page.goto('http://staff.test/sign-in');
  await staffPage.page.waitForSelector('[name=number]');
  await staffPage.type(...keys('246810'));
  expect(await staffPage.page.inputValue('[name=number]')).toBe('');
  await staffPage.type(...keys('s-031'), 'Enter');
  const focused = (): Promise<string> =>
    staffPage.page.evaluate(() => (document.activeElement as HTMLInputElement).name);
  expect(await focused()).toBe('secret');
  // Backspace in the empty PIN goes back to a mistyped number.
  await staffPage.type('2', 'Backspace', 'Backspace');
  expect(await focused()).toBe('number');
  await staffPage.type(...Array.from({ length: 5 }, () => 'Backspace'), 'Enter');
  expect(await staffPage.page.getByRole('alert').innerText()).toContain('Enter the staff number');
  await staffPage.type(...keys('s-032'), 'Enter');
  expect([await focused(), await staffPage.page.getByRole('alert').count()]).toEqual(['secret', 0]);
  await staffPage.leave();
});
