import { effect } from '@preact/signals';
import { render } from 'preact';
import { DealerConsole } from './dealer/dealerConsole.tsx';
import { SignInPage } from './signin/signIn.tsx';
import { loadMe } from './app/session.ts';
import { kitStrings } from './kit/text/strings.ts';
import { staff } from './app/connection.ts';
import { matchPath, matchPage } from './office/pages.ts';
import { Office } from './office/office.tsx';
import { redirect, path } from './app/router.ts';

function Page() {
  if (path.value === '/sign-in') return <SignInPage />;
  const dealer = matchPath('/dealer/:table', path.value);
  return dealer ? <DealerConsole table={dealer['table']!} /> : <Office />;
}

// Browser tabs and screen readers announce the title.
effect(() => {
  const t = kitStrings();
  const dealer = matchPath('/dealer/:table', path.value);
  const page = matchPage(path.value)?.page.name;
  document.title = `${dealer ? `${dealer['table']} · ${t.roles['dealer']}` : (t.nav[page ?? ''] ?? '')} · Punto`;
});

render(<Page />, document.getElementById('page')!);
async function start(): Promise<void> {
  if (path.value === '/sign-in') return;
  const status = await loadMe();
  if (status !== null && status.session === null) redirect('/sign-in');
  else staff.open();
}
void start();
