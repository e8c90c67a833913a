import { type StaffCommand } from '../../../wire/staff/commands.ts';
import { staffRefusalText } from './text/refusalText.ts';
import { staff } from '../app/connection.ts';
import { isLost, staffState } from '../app/state.ts';
import { asked, refuseWith } from '../dealer/state.ts';

/** A command of the table, by its name and fields. */
export type Act = { readonly type: string; readonly [field: string]: unknown };

/** The table that is watched. */
const table = (): string => staffState.value.table?.table ?? '';

/** Asks something of the table; what it does not take is told. Gives whether it was taken. */
export async function send(act: Act, tell = refuseWith): Promise<boolean> {
  if (isLost.value) return false;
  asked.value += 1;
  const answer = await staff.command(table(), act as StaffCommand);
  asked.value -= 1;
  if (answer.type !== 'refused') return answer.type === 'done';
  tell(staffRefusalText(answer.code, answer.message), answer.by);
  return false;
}

/** The consent of a second person at this console. */
export async function consent(
  proposal: { readonly id: string; readonly hash: string },
  person: { readonly number: string; readonly pin: string },
): Promise<boolean> {
  if (isLost.value) return false;
  asked.value += 1;
  const answer = await staff.consent(table(), proposal, person);
  asked.value -= 1;
  if (answer.type !== 'refused') return answer.type === 'done';
  refuseWith(staffRefusalText(answer.code, answer.message), answer.by);
  return false;
}
