import { render } from 'preact';
import { DisplayClient } from '../../client/displayClient.ts';
import { createClientEnvironment } from '../../client/environment.ts';
import { Display } from './display.tsx';
import { displayState, tableIdFromPath } from './state.ts';
import { displayStrings } from './strings.ts';

const reloadDelayMs = 5_000;

const table = tableIdFromPath(location.pathname);

function socketUrlOfPage(): string {
  const to = new URL('../socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.search = '';
  return to.href;
}

/** Reloads the page as soon as the server answers, because a display has no user who could reload it. */
function reloadWhenServerAnswers(): void {
  setTimeout(() => {
    fetch(location.href, { cache: 'no-store' }).then(
      ({ ok }) => (ok ? location.reload() : reloadWhenServerAnswers()),
      reloadWhenServerAnswers,
    );
  }, reloadDelayMs);
}

const client = new DisplayClient(
  createClientEnvironment((to) => new WebSocket(to)),
  socketUrlOfPage,
  table,
  (now) => {
    if (now.connection === 'outdated' && displayState.value.connection !== 'outdated') reloadWhenServerAnswers();
    displayState.value = now;
  },
);

// After a script error the content of the page could be wrong, so the page is reloaded.
addEventListener('error', reloadWhenServerAnswers);
addEventListener('online', () => client.open());
document.title = `${displayStrings().display} ${table}`;
render(<Display />, document.getElementById('page')!);
client.open();
