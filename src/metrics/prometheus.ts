import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { type Metrics, type ServerStatus } from './metrics.ts';

export type PrometheusMetrics = {
  readonly metrics: Metrics;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** Histogram buckets of times, in seconds. */
const secondsBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** Histogram buckets of batch sizes. The commands that arrive during one append form the batch of the next append. */
const batchBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];
const byteBuckets = [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072];

/** Creates metrics in the format of Prometheus. Gauges read `status` when they are collected. */
export function createPrometheusMetrics(status: () => ServerStatus | undefined): PrometheusMetrics {
  const register = new Registry();
  const registers = [register];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `punto_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[],
  ) => new Histogram({ name: `punto_${name}`, help, buckets, labelNames, registers });
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (current: ServerStatus, set: (labels: Partial<Record<Label, string>>, value: number) => void) => void,
  ) =>
    new Gauge<Label>({
      name: `punto_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        const current = status();
        // Removes the values of all tables first, since some of the tables may no longer exist.
        this.reset();
        if (current) read(current, (labels, value) => this.set(labels, value));
      },
    });

  const appendTime = histogram(
    'append_seconds',
    'Time of one append to the event store, by its result.',
    secondsBuckets,
    ['end'],
  );
  const commands = histogram('append_commands', 'Commands that one append made durable.', batchBuckets, []);
  const entries = histogram('append_entries', 'Entries that one append made durable.', batchBuckets, []);
  const answers = histogram('answer_seconds', 'Time from the arrival of a message to its reply.', secondsBuckets, [
    'to',
    'end',
  ]);
  const refusals = counter(
    'refusals_total',
    'Refusals by error code and by who was refused: patron (or device), staff, or upgrade (before a socket opens).',
    ['to', 'code'],
  );
  const rounds = counter('rounds_total', 'Rounds by table and by how they ended.', ['table', 'end']);
  const views = histogram('view_bytes', 'Size of views, full or delta.', byteBuckets, ['of', 'form']);
  const leases = counter('lease_changes_total', 'Lease changes of this node: taken, given (handed over) or lost.', [
    'of',
    'change',
  ]);
  const outages = counter('outages_total', 'Outages of the event store.', []);
  gauge('ready', 'Whether the floor can take bets.', [], ({ notReady }, set) => set({}, notReady ? 0 : 1));
  gauge(
    'failing',
    'Whether an operation on the event store or the anchor fails and is retried.',
    [],
    ({ isFailing }, set) => set({}, isFailing ? 1 : 0),
  );
  gauge('connections', 'Open sockets by kind of client.', ['of'], ({ connections }, set) => {
    for (const [kind, count] of Object.entries(connections)) set({ of: kind }, count);
  });
  gauge('queue_commands', 'Commands in the queue, by table.', ['table'], ({ tables }, set) => {
    for (const { table, waiting } of tables) set({ table }, waiting);
  });
  gauge('table_up', 'Whether a table can append and has not crashed.', ['table'], ({ tables }, set) => {
    for (const { table, isUp } of tables) set({ table }, isUp ? 1 : 0);
  });
  collectDefaultMetrics({ register });

  return {
    metrics: {
      appended: (batch, time, end) => {
        appendTime.observe({ end }, time / 1_000);
        if (end !== 'written') return;
        commands.observe(batch.commands);
        entries.observe(batch.entries);
      },
      requestAnswered: (to, isRefused, time) =>
        answers.observe({ to, end: isRefused ? 'refused' : 'done' }, time / 1_000),
      requestRefused: (to, code) => refusals.inc({ to, code }),
      roundEnded: (table, end) => rounds.inc({ table, end }),
      viewBuilt: (whose, form, size) => views.observe({ of: whose, form }, size),
      outageBegan: () => outages.inc(),
      leaseChanged: (what, change) => leases.inc({ of: what, change }),
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}
