import { render } from 'preact';
import { Watcher } from '../../client/displayClient.ts';
import { machine } from '../../client/environment.ts';
import { Display } from './display.tsx';
import { seen, tableIn } from './state.ts';
import { words } from './strings.ts';

/** How long the page waits before it loads itself again, in milliseconds. */
const patience = 5_000;

const table = tableIn(location.pathname);

function address(): string {
  const to = new URL('../socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.search = '';
  return to.href;
}

/** Nobody stands by to load the page again: it does so itself, once it would come. */
function loadAgain(): void {
  setTimeout(() => {
    fetch(location.href, { cache: 'no-store' }).then(({ ok }) => (ok ? location.reload() : loadAgain()), loadAgain);
  }, patience);
}

const watcher = new Watcher(
  machine((to) => new WebSocket(to)),
  address,
  table,
  (now) => {
    if (now.link === 'outdated' && seen.value.link !== 'outdated') loadAgain();
    seen.value = now;
  },
);

// What was drawn wrong is not left standing over a table.
addEventListener('error', loadAgain);
addEventListener('online', () => watcher.open());
document.title = `${words().display} ${table}`;
render(<Display />, document.getElementById('page')!);
watcher.open();
