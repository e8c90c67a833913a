import { useEffect, useState } from 'preact/hooks';
import { type CommandPreviewAnswer } from '../../../wire/staff/previewTypes.ts';
import { staffClient } from '../app/connection.ts';
import { staffState } from '../app/state.ts';
import { type UntypedCommand } from './sendCommand.ts';

export type CommandPreviewState =
  | { readonly state: 'none' }
  | { readonly state: 'loaded'; readonly data: CommandPreviewAnswer }
  | { readonly state: 'refused'; readonly code: string; readonly message: string };

/**
 * Preview of a command, requested from the server. The preview is requested again when the command, the table or
 * `revision` changes, and after a new connection.
 */
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
      if (reply.type === 'answer') setResult({ state: 'loaded', data: reply.data as CommandPreviewAnswer });
      else if (reply.type === 'refused') setResult({ state: 'refused', code: reply.code, message: reply.message });
    };
    if (isCurrent) void load();
    return () => {
      isCurrent = false;
    };
  }, [key, isOpen]);
  return result;
}
