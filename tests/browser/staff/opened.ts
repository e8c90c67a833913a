import { type StaffServerMessage, type StaffClientMessage } from '../../../src/wire/staff/messages.ts';
import { type SupervisorView } from '../../../src/wire/staff/supervisorView.ts';
import { Fed, session } from './console.ts';

export const supervisor = session({ person: 'p2', number: 'S-031', post: 'supervisor', table: null });

type Asked = Extract<StaffClientMessage, { readonly type: 'ask' }>;

/** An office page with a view behind it; what is looked up is answered by the test. */
export async function opened(
  path: string,
  view: SupervisorView | undefined,
  who = supervisor,
  answer: (asked: Asked) => { readonly [field: string]: unknown } | string = () => 'not-now',
): Promise<Fed> {
  const fed = await Fed.for(who);
  fed.supervised = view;
  fed.answers = (asked): StaffServerMessage => {
    if (asked.type !== 'ask') return { type: 'done', id: asked.id, events: [], sequence: 1 };
    const data = answer(asked);
    return typeof data === 'string'
      ? { type: 'refused', id: asked.id, code: data, message: data, by: null }
      : { type: 'answer', id: asked.id, data };
  };
  await fed.page.goto(`http://staff.test${path}`);
  await fed.page.waitForSelector('main:not(.soon)');
  await fed.settled();
  await fed.ready();
  return fed;
}
