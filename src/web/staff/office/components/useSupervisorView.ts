import { useEffect } from 'preact/hooks';
import { hasAuthority } from '../../../../access/roles.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { staffClient } from '../../app/connection.ts';
import { staffServerTimeMs, staffState, staffSession } from '../../app/state.ts';

/** Subscribes to the supervisor's view of a table while the page is mounted. Returns null until the view arrives. */
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
  return hasAuthority(actor, role as Parameters<typeof hasAuthority>[1], staffServerTimeMs.peek());
}
