import { signal } from '@preact/signals';
import { type ClientReply } from '../../../../client/pendingRequests.ts';
import { type StaffRole } from '../../../../client/staffClient.ts';
import { type StaffCommand } from '../../../../wire/staff/commands.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { staff } from '../../app/connection.ts';
import { isDisconnected } from '../../app/state.ts';

export type Act = { readonly type: string; readonly [field: string]: unknown };

/** Last refusal, shown for six seconds. */
export const officeRefusal = signal<{ readonly text: string; readonly by: string | null } | null>(null);
let forgetting: ReturnType<typeof setTimeout> | undefined;
export function refuseWith(text: string, by: string | null = null): void {
  officeRefusal.value = { text, by };
  clearTimeout(forgetting);
  forgetting = setTimeout(() => (officeRefusal.value = null), 6_000);
}

/** True while a command has no result yet: an office page sends one command at a time. */
export const isAsking = signal(false);

/** Resolves to true when the command was accepted. A refusal is shown. */
async function once(ask: () => Promise<ClientReply<StaffRole>>): Promise<boolean> {
  if (isDisconnected.value || isAsking.value) return false;
  isAsking.value = true;
  const answer = await ask();
  isAsking.value = false;
  if (answer.type === 'refused') refuseWith(staffRefusalText(answer.code, answer.message), answer.by);
  else officeRefusal.value = null;
  return answer.type === 'done';
}

export const send = (table: string, act: Act): Promise<boolean> =>
  once(() => staff.command(table, act as StaffCommand));

type Person = { readonly number: string; readonly pin: string };

/** Approval of a second person by number and PIN at this console. */
export const consent = (
  table: string,
  proposal: { readonly id: string; readonly hash: string },
  person: Person,
): Promise<boolean> => once(() => staff.consent(table, proposal, person));

/** Opens a table with a second person who signs at this console. */
export const sendOpenTable = (table: string, hash: string, person: Person): Promise<boolean> =>
  once(() => staff.openTable(table, hash, person));
