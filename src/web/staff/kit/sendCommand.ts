import { computed, signal } from '@preact/signals';
import { type ClientReply } from '../../../client/pendingRequests.ts';
import { type StaffMessageTypes } from '../../../client/staffClient.ts';
import { type StaffTableCommand } from '../../../wire/staff/staffTableCommands.ts';
import { type NumberAndPin } from './input/signature.ts';
import { staffRefusalText } from './text/refusalText.ts';
import { type SignatureRefusal } from './text/signatureText.ts';
import { staffClient } from '../app/connection.ts';
import { isConnectionUnusable, staffState } from '../app/state.ts';

/** Command whose fields TypeScript does not check. The server checks them against the schema of the command type. */
export type UntypedCommand = { readonly type: string; readonly [field: string]: unknown };

type SendOptions = {
  /** Table of the command; by default the subscribed table. */
  readonly table?: string;
  /**
   * True for one command at a time: nothing is sent while another command is pending. After an accepted command, the
   * refusal on screen is hidden.
   */
  readonly isExclusive?: boolean;
  /** How long a refusal stays on screen, in milliseconds; 4000 by default. */
  readonly refusalMs?: number;
  /** Replaces `showRefusal`: gets the text of the refusal, and the clause that the refusal cites. */
  readonly onRefusal?: (text: string, by: string | null) => void;
};

const defaultRefusalMs = 4_000;
export const officeRefusalDisplayMs = 6_000;

/**
 * Options for a command of an office page. Such a page names the table of each command and sends one command at a time.
 */
export const officeSendOptions = (table: string): SendOptions => ({
  table,
  isExclusive: true,
  refusalMs: officeRefusalDisplayMs,
});

/** Refusal on screen and the clause `by` that the refusal cites. Null again after a few seconds. */
export const shownRefusal = signal<{ readonly text: string; readonly by: string | null } | null>(null);
let hideTimer: ReturnType<typeof setTimeout> | undefined;

export function showRefusal(text: string, by: string | null = null, refusalMs = defaultRefusalMs): void {
  shownRefusal.value = { text, by };
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => (shownRefusal.value = null), refusalMs);
}

/** Number of commands that wait for their result. */
const pendingCommands = signal(0);
export const isCommandPending = computed(() => pendingCommands.value > 0);

/**
 * Sends a command. Resolves to true if it was accepted, and otherwise to false. A refusal is shown. While the
 * connection is lost, nothing is sent.
 */
async function send(
  request: (table: string) => Promise<ClientReply<StaffMessageTypes>>,
  { table = staffState.value.table?.table ?? '', isExclusive = false, refusalMs, onRefusal }: SendOptions,
): Promise<boolean> {
  if (isConnectionUnusable.value || (isExclusive && isCommandPending.value)) return false;
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
  send((table) => staffClient.command(table, command as StaffTableCommand), options);

/**
 * Sends a signature. Resolves to undefined if it was accepted, to its refusal if it was refused, and to null if nothing
 * was sent or no reply came.
 */
async function sendSignature(
  request: () => Promise<ClientReply<StaffMessageTypes>>,
): Promise<SignatureRefusal | null | undefined> {
  if (isConnectionUnusable.value || isCommandPending.value) return null;
  pendingCommands.value += 1;
  const reply = await request();
  pendingCommands.value -= 1;
  if (reply.type === 'refused') return reply;
  if (reply.type !== 'done') return null;
  shownRefusal.value = null;
  return undefined;
}

/** Sends an approval. The approver signs with number and PIN at this console. */
export const sendApproval = (
  table: string,
  proposal: { readonly id: string; readonly hash: string },
  person: NumberAndPin,
): Promise<SignatureRefusal | null | undefined> => sendSignature(() => staffClient.consent(table, proposal, person));

/** Opens a table. The signed-in person signs first; the second signer signs with number and PIN at this console. */
export const sendOpenTable = (
  table: string,
  hash: string,
  person: NumberAndPin,
): Promise<SignatureRefusal | null | undefined> => sendSignature(() => staffClient.openTable(table, hash, person));

/** Approves a hand-pay. The approver signs with number and PIN at this console. */
export const sendHandPayApproval = (
  terminal: string,
  { id: proposal, hash }: { readonly id: string; readonly hash: string },
  person: NumberAndPin,
): Promise<SignatureRefusal | null | undefined> =>
  sendSignature(() => staffClient.terminal(terminal, { type: 'ApproveHandPay', proposal, hash }, person));
