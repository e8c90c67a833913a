import { batch } from '@preact/signals';
import { Staff } from '../../../client/staffClient.ts';
import { systemEnvironment } from '../../../client/environment.ts';
import { heardAt, now, staffState } from './state.ts';

// Copies the state of the client into the signals that the screens read.

function address(): string {
  const to = new URL('/staff-socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.hash = '';
  return to.href;
}

export const staff = new Staff(
  systemEnvironment((to) => new WebSocket(to)),
  address,
);

staff.watch((all, tell) => {
  batch(() => {
    staffState.value = all;
    if (tell === undefined) return;
    heardAt.value = Date.now() + all.ahead;
    if (tell.type === 'welcome') now.value = tell.at;
  });
});

addEventListener('online', () => staff.open());
