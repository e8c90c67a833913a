import { expect, test } from 'vitest';
import { type ServerStatus } from './metrics.ts';
import { prometheus } from './prometheus.ts';

const standing: ServerStatus = {
  unready: undefined,
  isFailing: false,
  connections: { patron: 3, display: 1, device: 2, staff: 4 },
  tables: [{ table: 'B01', waiting: 7, isUp: true }],
};

/** The figures by their line, without those of the process. */
async function figuresIn(text: Promise<string>): Promise<{ readonly [line: string]: number }> {
  const lines = (await text).split('\n').filter((line) => line.startsWith('punto_'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)![0])]));
}

test('what is said in passing is counted, by closed lists of words and the tables of the property', async () => {
  const { gauges, text } = prometheus(() => standing);
  gauges.appended({ commands: 3, entries: 8 }, 4, 'written');
  gauges.appended({ commands: 1, entries: 1 }, 90, 'failed');
  gauges.answered('slip', false, 12);
  gauges.answered('slip', true, 3);
  gauges.refused('patron', 'bets-closed');
  gauges.refused('patron', 'bets-closed');
  gauges.refused('staff', 'wrong-secret');
  gauges.ended('B01', 'settled');
  gauges.ended('B01', 'void');
  gauges.viewed('table', 'change', 300);
  gauges.viewed('own', 'whole', 700);
  gauges.viewed('purse', 'whole', 90);
  gauges.outage();
  gauges.leased('floor', 'taken');
  gauges.leased('floor', 'lost');
  gauges.leased('B01', 'taken');
  gauges.leased('B01', 'given');
  gauges.leased('B01', 'taken');
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
    'punto_view_bytes_sum{of="purse",form="whole"}': 90,
    punto_outages_total: 1,
    'punto_lease_changes_total{of="floor",change="taken"}': 1,
    'punto_lease_changes_total{of="floor",change="lost"}': 1,
    'punto_lease_changes_total{of="B01",change="taken"}': 2,
    'punto_lease_changes_total{of="B01",change="given"}': 1,
  });
});

test('how the server stands is asked for each time, and before there is one it is not ready', async () => {
  let now: ServerStatus | undefined;
  const { text } = prometheus(() => now);
  const before = await figuresIn(text());
  expect(before).toMatchObject({ punto_ready: 0 });
  expect(Object.keys(before).filter((line) => /connections|queue|table/.test(line))).toEqual([]);
  now = standing;
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
  const unready = { code: 'cannot-record', message: '' };
  now = { ...standing, unready, isFailing: true, tables: [{ table: 'X02', waiting: 0, isUp: false }] };
  const after = await figuresIn(text());
  expect(after).toMatchObject({ punto_ready: 0, punto_failing: 1, 'punto_table_up{table="X02"}': 0 });
  expect(after).not.toHaveProperty(['punto_queue_commands{table="B01"}']);
});

test('the process itself is told of: memory, processor, and how late its turns come', async () => {
  const { text, contentType } = prometheus(() => undefined);
  expect(await text()).toMatch(/process_resident_memory_bytes \d+[\s\S]+nodejs_eventloop_lag_p99_seconds/);
  expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});
