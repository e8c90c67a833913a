import { batch } from '@preact/signals';
import { StaffClient } from '../../../client/staffClient.ts';
import { systemEnvironment } from '../../../client/environment.ts';
import { lastMessageAt, serverTime, staffState } from './state.ts';

function socketUrl(): string {
  const url = new URL('/staff-socket', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return url.href;
}

export const staffClient = new StaffClient(
  systemEnvironment((url) => new WebSocket(url)),
  socketUrl,
);

staffClient.watch((state, message) => {
  batch(() => {
    staffState.value = state;
    if (message === undefined) return;
    lastMessageAt.value = Date.now() + state.clockOffsetMs;
    if (message.type === 'welcome') serverTime.value = message.at;
  });
});

addEventListener('online', () => staffClient.open());
