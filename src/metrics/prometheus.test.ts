import { expect, test } from 'vitest';
import { type ServerStatus } from './metrics.ts';
import { createPrometheusMetrics } from './prometheus.ts';

const status: ServerStatus = {
  notReady: undefined,
  isFailing: false,
  connections: { patron: 3, display: 1, device: 2, staff: 4 },
  tables: [{ table: 'B01', waiting: 7, isUp: true }],
};

/** Metric values by line, without the metrics of the process. */
async function figuresIn(text: Promise<string>): Promise<{ readonly [line: string]: number }> {
  const lines = (await text).split('\n').filter((line) => line.startsWith('punto_'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)![0])]));
}

test('metrics are counted with labels from closed lists and table names', async () => {
  const { metrics, text } = createPrometheusMetrics(() => status);
  metrics.appended({ commands: 3, entries: 8 }, 4, 'written');
  metrics.appended({ commands: 1, entries: 1 }, 90, 'failed');
  metrics.requestAnswered('slip', false, 12);
  metrics.requestAnswered('slip', true, 3);
  metrics.requestRefused('patron', 'bets-closed');
  metrics.requestRefused('patron', 'bets-closed');
  metrics.requestRefused('staff', 'wrong-secret');
  metrics.roundEnded('B01', 'settled');
  metrics.roundEnded('B01', 'void');
  metrics.viewBuilt('table', 'change', 300);
  metrics.viewBuilt('own', 'whole', 700);
  metrics.viewBuilt('balance', 'whole', 90);
  metrics.outageBegan();
  metrics.leaseChanged('floor', 'taken');
  metrics.leaseChanged('floor', 'lost');
  metrics.leaseChanged('B01', 'taken');
  metrics.leaseChanged('B01', 'given');
  metrics.leaseChanged('B01', 'taken');
  expect(await figuresIn(text())).toMatchObject({
    'punto_append_seconds_count{end="written"}': 1,
    'punto_append_seconds_sum{end="written"}': 0.004,
    'punto_append_seconds_bucket{le="0.05",end="failed"}': 0,
    'punto_append_seconds_bucket{le="0.1",end="failed"}': 1,
    punto_append_commands_sum: 3,
    punto_append_entries_sum: 8,
    punto_append_entries_count: 1,
    'punto_answer_seconds_sum{to="slip",end="done"}': 0.012,
    'punto_answer_seconds_count{to="slip",end="refused"}': 1,
    'punto_refusals_total{to="patron",code="bets-closed"}': 2,
    'punto_refusals_total{to="staff",code="wrong-secret"}': 1,
    'punto_rounds_total{table="B01",end="settled"}': 1,
    'punto_rounds_total{table="B01",end="void"}': 1,
    'punto_view_bytes_bucket{le="256",of="table",form="change"}': 0,
    'punto_view_bytes_bucket{le="512",of="table",form="change"}': 1,
    'punto_view_bytes_sum{of="own",form="whole"}': 700,
    'punto_view_bytes_sum{of="balance",form="whole"}': 90,
    punto_outages_total: 1,
    'punto_lease_changes_total{of="floor",change="taken"}': 1,
    'punto_lease_changes_total{of="floor",change="lost"}': 1,
    'punto_lease_changes_total{of="B01",change="taken"}': 2,
    'punto_lease_changes_total{of="B01",change="given"}': 1,
  });
});

test('gauges read the status at collection and are not ready before the server starts', async () => {
  let now: ServerStatus | undefined;
  const { text } = createPrometheusMetrics(() => now);
  const before = await figuresIn(text());
  expect(before).toMatchObject({ punto_ready: 0 });
  expect(Object.keys(before).filter((line) => /connections|queue|table/.test(line))).toEqual([]);
  now = status;
  expect(await figuresIn(text())).toMatchObject({
    punto_ready: 1,
    punto_failing: 0,
    'punto_connections{of="patron"}': 3,
    'punto_connections{of="display"}': 1,
    'punto_connections{of="device"}': 2,
    'punto_connections{of="staff"}': 4,
    'punto_queue_commands{table="B01"}': 7,
    'punto_table_up{table="B01"}': 1,
  });
  const notReady = { code: 'cannot-record', message: '' };
  now = { ...status, notReady, isFailing: true, tables: [{ table: 'X02', waiting: 0, isUp: false }] };
  const after = await figuresIn(text());
  expect(after).toMatchObject({ punto_ready: 0, punto_failing: 1, 'punto_table_up{table="X02"}': 0 });
  expect(after).not.toHaveProperty(['punto_queue_commands{table="B01"}']);
});

test('process metrics contain memory, CPU and event loop lag', async () => {
  const { text, contentType } = createPrometheusMetrics(() => undefined);
  expect(await text()).toMatch(/process_resident_memory_bytes \d+[\s\S]+nodejs_eventloop_lag_p99_seconds/);
  expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});
