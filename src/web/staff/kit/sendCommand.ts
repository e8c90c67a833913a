import { computed, signal } from '@preact/signals';
import { type ClientReply } from '../../../client/pendingRequests.ts';
import { type StaffProtocol } from '../../../client/staffClient.ts';
import { type StaffCommand } from '../../../wire/staff/commands.ts';
import { staffRefusalText } from './text/refusalText.ts';
import { staffClient } from '../app/connection.ts';
import { isDisconnected, staffState } from '../app/state.ts';

/** A command with its fields. The server checks it against the schema of its type. */
export type UntypedCommand = { readonly type: string; readonly [field: string]: unknown };

type Person = { readonly number: string; readonly pin: string };

type SendOptions = {
  /** Table of the command; default: the table of the current view. */
  readonly table?: string;
  /** Sends nothing while another command is pending; success removes the last refusal from the screen. */
  readonly isExclusive?: boolean;
  /** How long a refusal stays on screen, in milliseconds. */
  readonly refusalMs?: number;
  /** Called with a refusal instead of `showRefusal`. */
  readonly onRefusal?: (text: string, by: string | null) => void;
};

const defaultRefusalMs = 4_000;
export const officeRefusalMs = 6_000;

/** Send options of office pages: they name the table and send one command at a time. */
export const officeSendOptions = (table: string): SendOptions => ({
  table,
  isExclusive: true,
  refusalMs: officeRefusalMs,
});

/** The refusal on screen with the clause that it cites; null again after a few seconds. */
export const shownRefusal = signal<{ readonly text: string; readonly by: string | null } | null>(null);
let hideTimer: ReturnType<typeof setTimeout> | undefined;

export function showRefusal(text: string, by: string | null = null, refusalMs = defaultRefusalMs): void {
  shownRefusal.value = { text, by };
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => (shownRefusal.value = null), refusalMs);
}

/** Number of commands sent whose result has not arrived yet. */
const pendingCommands = signal(0);
export const isCommandPending = computed(() => pendingCommands.value > 0);

/** Resolves to true when the command was accepted. A refusal is shown; while the connection is down nothing is sent. */
async function send(
  request: (table: string) => Promise<ClientReply<StaffProtocol>>,
  { table = staffState.value.table?.table ?? '', isExclusive = false, refusalMs, onRefusal }: SendOptions,
): Promise<boolean> {
  if (isDisconnected.value || (isExclusive && isCommandPending.value)) return false;
  pendingCommands.value += 1;
  const reply = await request(table);
  pendingCommands.value -= 1;
  if (reply.type === 'refused') {
    const text = staffRefusalText(reply.code, reply.message);
    if (onRefusal === undefined) showRefusal(text, reply.by, refusalMs);
    else onRefusal(text, reply.by);
  } else if (isExclusive) shownRefusal.value = null;
  return reply.type === 'done';
}

export const sendCommand = (command: UntypedCommand, options: SendOptions = {}): Promise<boolean> =>
  send((table) => staffClient.command(table, command as StaffCommand), options);

/** Sends the approval of a second person, who gives number and PIN at this console. */
export const sendApproval = (
  proposal: { readonly id: string; readonly hash: string },
  person: Person,
  options: SendOptions = {},
): Promise<boolean> => send((table) => staffClient.consent(table, proposal, person), options);

/** Opens a table. The second person approves it with number and PIN at this console. */
export const sendOpenTable = (table: string, hash: string, person: Person): Promise<boolean> =>
  send((id) => staffClient.openTable(id, hash, person), officeSendOptions(table));
