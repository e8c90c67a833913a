import { useEffect, useState } from 'preact/hooks';
import { hasAuthority } from '../../../../access/roles.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { type PreviewAnswer } from '../../../../wire/staff/previewTypes.ts';
import { staffClient } from '../../app/connection.ts';
import { serverTime, staffState, staffSession } from '../../app/state.ts';
import { type UntypedCommand } from '../../kit/sendCommand.ts';

/** Subscribes to the supervisor's view of a table while the page is mounted; null until the view arrives. */
export function useSupervisorView(table: string): SupervisorView | null {
  useEffect(() => {
    if (table === '') return;
    staffClient.watchTable(table, 'supervisor');
    return () => staffClient.leave();
  }, [table]);
  const view = staffState.value.supervisor;
  return view?.table === table ? view : null;
}

/** True when the signed-in person has the authority of a role. */
export function mayActAs(role: string): boolean {
  const signedIn = staffSession.value;
  if (signedIn === null) return false;
  const { person, acting, until } = signedIn;
  const actor = { person, role: signedIn.role, ...(acting && until && { acting, until }) } as Parameters<
    typeof hasAuthority
  >[0];
  return hasAuthority(actor, role as Parameters<typeof hasAuthority>[1], serverTime.peek());
}

export type CommandPreviewState =
  | { readonly state: 'none' }
  | { readonly state: 'loaded'; readonly data: PreviewAnswer }
  | { readonly state: 'refused'; readonly code: string; readonly message: string };

/** Preview of a command. It is requested again when the command, the table or `revision` changes. */
export function useCommandPreview(table: string, command: UntypedCommand | null, revision = ''): CommandPreviewState {
  const [result, setResult] = useState<CommandPreviewState>({ state: 'none' });
  const key = JSON.stringify([table, command, revision]);
  const isOpen = staffState.value.connection === 'open';
  useEffect(() => {
    let isCurrent = isOpen && command !== null;
    if (command === null) setResult({ state: 'none' });
    const load = async (): Promise<void> => {
      const reply = await staffClient.query('preview', { table, request: command });
      if (!isCurrent) return;
      if (reply.type === 'answer') setResult({ state: 'loaded', data: reply.data as PreviewAnswer });
      else if (reply.type === 'refused') setResult({ state: 'refused', code: reply.code, message: reply.message });
    };
    if (isCurrent) void load();
    return () => {
      isCurrent = false;
    };
  }, [key, isOpen]);
  return result;
}
