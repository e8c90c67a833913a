import { effect } from '@preact/signals';
import { render } from 'preact';
import { DealerConsole } from './dealer/dealerConsole.tsx';
import { SignInPage } from './signin/signIn.tsx';
import { loadStaffBrowserState } from './app/session.ts';
import { kitStrings } from './kit/text/strings.ts';
import { staffClient } from './app/connection.ts';
import { matchPath, matchOfficePage } from './office/pages.ts';
import { OfficeRouter } from './office/office.tsx';
import { redirect, currentPath } from './app/router.ts';

function Page() {
  if (currentPath.value === '/sign-in') return <SignInPage />;
  const dealer = matchPath('/dealer/:table', currentPath.value);
  return dealer ? <DealerConsole table={dealer['table']!} /> : <OfficeRouter />;
}

// The title of the document names the page, for browser tabs and screen readers.
effect(() => {
  const t = kitStrings();
  const dealer = matchPath('/dealer/:table', currentPath.value);
  const page = matchOfficePage(currentPath.value)?.page.name;
  document.title = `${dealer ? `${dealer['table']} · ${t.roles['dealer']}` : (t.nav[page ?? ''] ?? '')} · Punto`;
});

render(<Page />, document.getElementById('page')!);
async function start(): Promise<void> {
  if (currentPath.value === '/sign-in') return;
  const status = await loadStaffBrowserState();
  if (status !== null && status.session === null) redirect('/sign-in');
  else staffClient.open();
}
void start();
