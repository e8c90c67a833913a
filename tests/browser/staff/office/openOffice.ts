import { type StaffServerMessage, type StaffClientMessage } from '../../../../src/wire/staff/messages.ts';
import { type SupervisorView } from '../../../../src/wire/staff/supervisorView.ts';
import { StaffPage, session } from '../support/staffPage.ts';

export const supervisor = session({ person: 'p2', number: 'S-031', role: 'supervisor', table: null });

type Query = Extract<StaffClientMessage, { readonly type: 'query' }>;

/** Office page with a view; the test answers its queries. */
export async function openOffice(
  path: string,
  view: SupervisorView | undefined,
  person = supervisor,
  answer: (request: Query) => { readonly [field: string]: unknown } | string = () => 'not-now',
): Promise<StaffPage> {
  const staffPage = await StaffPage.for(person);
  staffPage.supervisorView = view;
  staffPage.reply = (request): StaffServerMessage => {
    if (request.type !== 'query') return { type: 'done', id: request.id, events: [], sequence: 1 };
    const data = answer(request);
    return typeof data === 'string'
      ? { type: 'refused', id: request.id, code: data, message: data, by: null }
      : { type: 'answer', id: request.id, data };
  };
  await staffPage.page.goto(`http://staff.test${path}`);
  await staffPage.page.waitForSelector('main:not(.soon)');
  await staffPage.waitUntilDrawn();
  await staffPage.passEnterGuard();
  return staffPage;
}
