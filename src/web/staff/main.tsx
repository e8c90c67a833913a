import { effect } from '@preact/signals';
import { render } from 'preact';
import { Dealer } from './dealer/dealer.tsx';
import { Door } from './door/door.tsx';
import { words } from './kit/words.ts';
import { staff } from './link.ts';
import { fits, pageAt } from './office/pages.ts';
import { Office } from './office/office.tsx';
import { path } from './path.ts';

function Page() {
  if (path.value === '/sign-in') return <Door />;
  const dealer = fits('/dealer/:table', path.value);
  return dealer ? <Dealer table={dealer['table']!} /> : <Office />;
}

// Tabs and those who read pages out go by the title.
effect(() => {
  const t = words();
  const dealer = fits('/dealer/:table', path.value);
  const page = pageAt(path.value)?.page.name;
  document.title = `${dealer ? `${dealer['table']} · ${t.posts['dealer']}` : (t.nav[page ?? ''] ?? '')} · Punto`;
});

render(<Page />, document.getElementById('page')!);
if (path.value !== '/sign-in') staff.open();
