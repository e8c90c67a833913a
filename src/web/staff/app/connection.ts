import { batch } from '@preact/signals';
import { StaffClient } from '../../../client/staffClient.ts';
import { systemEnvironment } from '../../../client/environment.ts';
import { heardAt, now, staffState } from './state.ts';

// What the client sees becomes what the screens draw.

function address(): string {
  const to = new URL('/staff-socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.hash = '';
  return to.href;
}

export const staff = new StaffClient(
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
