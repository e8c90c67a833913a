import { useEffect, useState } from 'preact/hooks';
import { staff } from '../app/connection.ts';
import { staffState } from '../app/state.ts';

export type QueryState<T> =
  | { readonly state: 'waiting' }
  | { readonly state: 'there'; readonly data: T }
  | { readonly state: 'refused'; readonly code: string };

const waiting = { state: 'waiting' } as const;

/**
 * Runs a query, and again when its arguments change or the connection is back. `pollMs` repeats it; a new `revision`
 * runs it at once.
 */
export function useQuery<T>(
  what: string,
  given: { readonly [field: string]: unknown },
  often?: number,
  turn = 0,
): QueryState<T> {
  const [found, find] = useState<QueryState<T>>(waiting);
  const key = JSON.stringify([what, given, turn]);
  const isOpen = staffState.value.link === 'open';
  useEffect(() => {
    let isWanted = isOpen;
    const look = async (): Promise<void> => {
      const told = await staff.ask(what, given);
      if (!isWanted || !('type' in told)) return;
      if (told.type === 'answer') find({ state: 'there', data: told.data as T });
      else if (told.type === 'refused') find({ state: 'refused', code: told.code });
    };
    if (isOpen) void look();
    const timer = often === undefined || !isOpen ? undefined : setInterval(() => void look(), often);
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, [key, isOpen]);
  return found;
}
