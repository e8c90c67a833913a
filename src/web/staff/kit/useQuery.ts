import { useEffect, useState } from 'preact/hooks';
import { staffClient } from '../app/connection.ts';
import { staffState } from '../app/state.ts';

export type QueryState<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly data: T }
  | { readonly state: 'refused'; readonly code: string };

const loading = { state: 'loading' } as const;

/**
 * Runs a query on the server. The query runs again when its parameters or `revision` change, and after a new
 * connection. With `pollMs` it also runs every `pollMs` milliseconds.
 */
export function useQuery<T>(
  query: string,
  parameters: { readonly [field: string]: unknown },
  pollMs?: number,
  revision = 0,
): QueryState<T> {
  const [result, setResult] = useState<QueryState<T>>(loading);
  const key = JSON.stringify([query, parameters, revision]);
  const isOpen = staffState.value.connection === 'open';
  useEffect(() => {
    let isCurrent = isOpen;
    const run = async (): Promise<void> => {
      const reply = await staffClient.query(query, parameters);
      if (!isCurrent || !('type' in reply)) return;
      if (reply.type === 'answer') setResult({ state: 'loaded', data: reply.data as T });
      else if (reply.type === 'refused') setResult({ state: 'refused', code: reply.code });
    };
    if (isOpen) void run();
    const timer = pollMs === undefined || !isOpen ? undefined : setInterval(() => void run(), pollMs);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [key, isOpen]);
  return result;
}
