import { homePath } from '../office/pages.ts';
import { redirect } from '../app/router.ts';
import { staff } from '../app/connection.ts';
import { loadMe } from '../app/session.ts';

export async function openHomePage(): Promise<void> {
  const current = await loadMe();
  if (current === null || current.session === null) return;
  redirect(homePath(current.session));
  staff.open();
}
