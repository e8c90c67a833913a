import { type Page } from 'playwright-core';
import { type StaffServerMessage, type StaffSession } from '../../../../src/wire/staff/messages.ts';
import { StaffPage } from '../support/staffPage.ts';
import { queryReply, supervisorView } from './queryReplies.ts';

/** Folder for screenshots, if wanted. */
export const shots = process.env['SHOTS'];

/** Elements that stick out of their panel, and whether the page scrolls as a whole. */
export const cutOff = (page: Page): Promise<readonly string[]> =>
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

export const managers = { person: 'p2', number: 'M-012', role: 'pit-manager' } as const;
export const administrator = { person: 'p12', number: 'N-001', role: 'administrator' } as const;
export const supervisors = { person: 'p3', number: 'S-031', role: 'supervisor' } as const;
export const cashier = { person: 'p9', number: 'C-012', role: 'cage' } as const;

export const sealedShoe = (since: number) =>
  ({ shoe: 'S-2210', seal: '8812', to: 'Card room', since, deck: 'french', decks: 8, miscounts: 0 }) as const;

/** Office page of a role, with replies to all its queries. */
export async function openOfficeAs(
  path: string,
  who: Partial<StaffSession>,
  width = 1366,
  height = 768,
): Promise<StaffPage> {
  const staffPage = await StaffPage.at(path, undefined, false, width, height, {}, { table: null, ...who });
  staffPage.reply = (message): StaffServerMessage => {
    const { id } = message;
    const data = message.type === 'query' ? queryReply(message.name, Date.now()) : undefined;
    if (data) return { type: 'answer', id, data: data as { [field: string]: unknown } };
    return message.type === 'staff' && message.request['type'] === 'SetSecret'
      ? { type: 'answer', id, data: { secret: '482913' } }
      : { type: 'done', id, events: [], sequence: 1 };
  };
  staffPage.supervisorView = { ...supervisorView(Date.now()), sealed: [sealedShoe(Date.now())] };
  await staffPage.page.reload();
  await staffPage.page.waitForSelector('main.page:not(.soon)');
  await staffPage.waitUntilDrawn();
  return staffPage;
}

export const messagesOf = (staffPage: StaffPage, type: string): readonly object[] =>
  staffPage.messages.flatMap((message) => (message.type === type ? [message] : []));
