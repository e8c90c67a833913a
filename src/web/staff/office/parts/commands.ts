import { signal } from '@preact/signals';
import { type ClientReply } from '../../../../client/pendingRequests.ts';
import { type StaffProtocol } from '../../../../client/staffClient.ts';
import { type StaffCommand } from '../../../../wire/staff/commands.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { staff } from '../../app/connection.ts';
import { isLost } from '../../app/state.ts';

/** A command of a table, by its name and fields. */
export type Act = { readonly type: string; readonly [field: string]: unknown };

/** What was asked and not taken, for a moment. */
export const officeRefusal = signal<{ readonly text: string; readonly by: string | null } | null>(null);
let forgetting: ReturnType<typeof setTimeout> | undefined;
export function refuseWith(text: string, by: string | null = null): void {
  officeRefusal.value = { text, by };
  clearTimeout(forgetting);
  forgetting = setTimeout(() => (officeRefusal.value = null), 6_000);
}

/** Whether something was asked and is not answered yet: nothing else is until then. */
export const isAsking = signal(false);

/** Asks once; what is not taken is told. Gives whether it was taken. */
async function once(ask: () => Promise<ClientReply<StaffProtocol>>): Promise<boolean> {
  if (isLost.value || isAsking.value) return false;
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

/** The consent of a person by number and PIN at this console. */
export const consent = (
  table: string,
  proposal: { readonly id: string; readonly hash: string },
  person: Person,
): Promise<boolean> => once(() => staff.consent(table, proposal, person));

/** Opens a table with another person who signs here. */
export const sendOpenTable = (table: string, hash: string, person: Person): Promise<boolean> =>
  once(() => staff.openTable(table, hash, person));
