import { batch } from '@preact/signals';
import { StaffClient } from '../../../client/staffClient.ts';
import { createClientEnvironment } from '../../../client/environment.ts';
import { lastServerMessageAt, staffServerTimeMs, staffState } from './state.ts';

function socketUrl(): string {
  const url = new URL('/staff-socket', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return url.href;
}

export const staffClient = new StaffClient(
  createClientEnvironment((url) => new WebSocket(url)),
  socketUrl,
);

staffClient.watch((state, message) => {
  batch(() => {
    staffState.value = state;
    if (message === undefined) return;
    lastServerMessageAt.value = Date.now() + state.clockOffsetMs;
    if (message.type === 'welcome') staffServerTimeMs.value = message.at;
  });
});

addEventListener('online', () => staffClient.open());
