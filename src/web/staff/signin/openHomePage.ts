import { homePath } from '../office/pages.ts';
import { redirect } from '../app/router.ts';
import { staffClient } from '../app/connection.ts';
import { loadStaffBrowserState } from '../app/session.ts';

export async function openHomePage(): Promise<void> {
  const current = await loadStaffBrowserState();
  if (current === null || current.session === null) return;
  redirect(homePath(current.session));
  staffClient.open();
}
