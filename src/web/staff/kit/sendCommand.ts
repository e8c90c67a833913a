import { type StaffCommand } from '../../../wire/staff/commands.ts';
import { staffRefusalText } from './text/refusalText.ts';
import { staff } from '../app/connection.ts';
import { isDisconnected, staffState } from '../app/state.ts';
import { asked, refuseWith } from '../dealer/state.ts';

/** A command with its fields. The server checks it against the schema of its type. */
export type Act = { readonly type: string; readonly [field: string]: unknown };

const table = (): string => staffState.value.table?.table ?? '';

/** Resolves to true when the command was accepted. A refusal is shown; while the connection is down nothing is sent. */
export async function send(act: Act, tell = refuseWith): Promise<boolean> {
  if (isDisconnected.value) return false;
  asked.value += 1;
  const answer = await staff.command(table(), act as StaffCommand);
  asked.value -= 1;
  if (answer.type !== 'refused') return answer.type === 'done';
  tell(staffRefusalText(answer.code, answer.message), answer.by);
  return false;
}

/** Approval by a second person at this console. Resolves to true when it was accepted. */
export async function consent(
  proposal: { readonly id: string; readonly hash: string },
  person: { readonly number: string; readonly pin: string },
): Promise<boolean> {
  if (isDisconnected.value) return false;
  asked.value += 1;
  const answer = await staff.consent(table(), proposal, person);
  asked.value -= 1;
  if (answer.type !== 'refused') return answer.type === 'done';
  refuseWith(staffRefusalText(answer.code, answer.message), answer.by);
  return false;
}
