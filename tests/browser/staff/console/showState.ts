import { type StaffPage } from '../support/staffPage.ts';
import { states } from './dealerStates.ts';

/** What keys open over a state. */
export const openedByKeys: { readonly [name: string]: readonly [state: string, ...keys: string[]] } = {
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

export async function setLanguage(staffPage: StaffPage, to: 'en' | 'zh'): Promise<void> {
  const is = await staffPage.page.evaluate(() => document.documentElement.lang);
  if ((is === 'en') !== (to === 'en'))
    await staffPage.page.evaluate(() => document.querySelector<HTMLElement>('.language')!.click());
  await staffPage.waitUntilDrawn();
}

/** Shows one state; nothing of the previous one stays open. */
export async function showState(staffPage: StaffPage, name: string): Promise<void> {
  await setLanguage(staffPage, 'en');
  const [state, ...keys] = openedByKeys[name] ?? [name];
  await staffPage.showDealer(states['idle']!(Date.now()));
  await staffPage.type('Escape', 'Escape', 'Escape');
  await staffPage.showDealer(states[state]!(Date.now()));
  if (keys.length === 0) return;
  await staffPage.passEnterGuard();
  await staffPage.type(...keys);
  await staffPage.waitUntilDrawn();
}
