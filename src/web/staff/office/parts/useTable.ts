import { useEffect, useState } from 'preact/hooks';
import { hasAuthority } from '../../../../access/roles.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { type PreviewAnswer } from '../../../../wire/staff/previewTypes.ts';
import { staff } from '../../app/connection.ts';
import { now, staffState, session } from '../../app/state.ts';
import { type Act } from './commands.ts';

/** A table as a supervisor sees it, while a page shows it; null until it is told. */
export function useTable(table: string): SupervisorView | null {
  useEffect(() => {
    if (table === '') return;
    staff.lookAt(table, 'supervisor');
    return () => staff.leave();
  }, [table]);
  const view = staffState.value.supervisor;
  return view?.table === table ? view : null;
}

/** Whether whoever is signed in here may do what takes that post. */
export function may(post: string): boolean {
  const one = session.value;
  if (one === null) return false;
  const { person, acting, until } = one;
  const who = { person, post: one.post, ...(acting && until && { acting, until }) } as Parameters<
    typeof hasAuthority
  >[0];
  return hasAuthority(who, post as Parameters<typeof hasAuthority>[1], now.peek());
}

export type PreviewState =
  | { readonly state: 'none' }
  | { readonly state: 'there'; readonly data: PreviewAnswer }
  | { readonly state: 'refused'; readonly code: string; readonly message: string };

/** What an act would do, looked up anew whenever it or the table changes. */
export function usePreview(table: string, act: Act | null, moved = ''): PreviewState {
  const [found, find] = useState<PreviewState>({ state: 'none' });
  const key = JSON.stringify([table, act, moved]);
  const isOpen = staffState.value.link === 'open';
  useEffect(() => {
    let isWanted = isOpen && act !== null;
    if (act === null) find({ state: 'none' });
    const look = async (): Promise<void> => {
      const told = await staff.ask('preview', { table, asked: act });
      if (!isWanted) return;
      if (told.type === 'answer') find({ state: 'there', data: told.data as PreviewAnswer });
      else if (told.type === 'refused') find({ state: 'refused', code: told.code, message: told.message });
    };
    if (isWanted) void look();
    return () => {
      isWanted = false;
    };
  }, [key, isOpen]);
  return found;
}
