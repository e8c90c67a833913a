import { expect, onTestFinished, test } from 'vitest';
import { type ServerStatus } from './metrics.ts';
import { startMonitoringServer } from './monitoringServer.ts';

const ready: ServerStatus = {
  notReady: undefined,
  isFailing: false,
  connections: { patron: 0, display: 0, device: 0, staff: 0 },
  tables: [],
};

async function opened(status: () => ServerStatus | undefined, text = async () => 'figures 1\n') {
  const warnings: string[] = [];
  const server = await startMonitoringServer({
    host: '127.0.0.1',
    port: 0,
    metrics: { text, contentType: 'text/plain' },
    status,
    warn: (what) => warnings.push(what),
  });
  onTestFinished(() => server.close());
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(new URL(path, server.address), { method });
    return { status: answer.status, body: await answer.text() };
  };
  return { ask, warnings };
}

test('the health server is alive at once and ready when the floor can take bets', async () => {
  let status: ServerStatus | undefined;
  const { ask } = await opened(() => status);
  expect(await ask('healthz')).toEqual({ status: 200, body: '{"alive":true}\n' });
  expect(await ask('readyz')).toEqual({
    status: 503,
    body: '{"ready":false,"code":"server-closing","message":"The server is starting; try again soon."}\n',
  });
  status = ready;
  expect(await ask('readyz')).toEqual({ status: 200, body: '{"ready":true}\n' });
  status = { ...ready, notReady: { code: 'cannot-record', message: 'No.' } };
  expect(await ask('readyz')).toEqual({
    status: 503,
    body: '{"ready":false,"code":"cannot-record","message":"No."}\n',
  });
  expect(await ask('healthz')).toMatchObject({ status: 200 });
});

test('the health server serves metrics by GET and HEAD only', async () => {
  const { ask } = await opened(() => ready);
  expect(await ask('metrics')).toEqual({ status: 200, body: 'figures 1\n' });
  expect(await ask('metrics?name=all')).toMatchObject({ status: 200 });
  expect(await ask('metrics', 'HEAD')).toEqual({ status: 200, body: '' });
  expect(await ask('metrics', 'POST')).toMatchObject({ status: 405 });
  for (const path of ['', 'socket', 'staff/me', 'constructor', '__proto__']) {
    expect(await ask(path), path).toMatchObject({ status: 404 });
  }
});

test('the health server reports an error in metrics and continues', async () => {
  const { ask, warnings } = await opened(
    () => ready,
    () => Promise.reject(new Error('no figures')),
  );
  expect(await ask('metrics')).toMatchObject({ status: 500 });
  expect(warnings).toEqual(['the metrics']);
  expect(await ask('healthz')).toMatchObject({ status: 200 });
});
