import { effect } from '@preact/signals';
import { render } from 'preact';
import { Dealer } from './dealer/dealerConsole.tsx';
import { Door } from './signin/signIn.tsx';
import { lookAtMe } from './app/session.ts';
import { kitStrings } from './kit/text/strings.ts';
import { staff } from './app/connection.ts';
import { fits, matchPage } from './office/pages.ts';
import { Office } from './office/office.tsx';
import { goInstead, path } from './app/router.ts';

function Page() {
  if (path.value === '/sign-in') return <Door />;
  const dealer = fits('/dealer/:table', path.value);
  return dealer ? <Dealer table={dealer['table']!} /> : <Office />;
}

// Browser tabs and screen readers announce the title.
effect(() => {
  const t = kitStrings();
  const dealer = fits('/dealer/:table', path.value);
  const page = matchPage(path.value)?.page.name;
  document.title = `${dealer ? `${dealer['table']} · ${t.posts['dealer']}` : (t.nav[page ?? ''] ?? '')} · Punto`;
});

render(<Page />, document.getElementById('page')!);
async function begin(): Promise<void> {
  if (path.value === '/sign-in') return;
  const here = await lookAtMe();
  if (here !== null && here.session === null) goInstead('/sign-in');
  else staff.open();
}
void begin();
