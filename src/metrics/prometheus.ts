import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { type Metrics, type ServerStatus } from './metrics.ts';

export type PrometheusMetrics = {
  readonly metrics: Metrics;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** In seconds: a local disk takes 1 to 2 ms, a remote one tens; above a second something is wrong. */
const secondsBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** A batch contains what arrived during the last append. */
const batchBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];
const byteBuckets = [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072];

/** Prometheus metrics; gauges are read from `status` at collection. */
export function prometheusMetrics(status: () => ServerStatus | undefined): PrometheusMetrics {
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
        // Drops series of tables that no longer exist.
        this.reset();
        if (current) read(current, (labels, value) => this.set(labels, value));
      },
    });

  const appendTime = histogram('append_seconds', 'Time of one append to the record, by its end.', secondsBuckets, [
    'end',
  ]);
  const commands = histogram('append_commands', 'Commands that one append made durable.', batchBuckets, []);
  const entries = histogram('append_entries', 'Entries that one append made durable.', batchBuckets, []);
  const answers = histogram('answer_seconds', 'From the arrival of a message to its answer.', secondsBuckets, [
    'to',
    'end',
  ]);
  const refusals = counter('refusals_total', 'Refusals by code, and to whom.', ['to', 'code']);
  const rounds = counter('rounds_total', 'Rounds by table, and how they ended.', ['table', 'end']);
  const views = histogram('view_bytes', 'Sizes of views, whole or as what has changed.', byteBuckets, ['of', 'form']);
  const leases = counter('lease_changes_total', 'Leases of this program: taken, given, lost.', ['of', 'change']);
  const outages = counter('outages_total', 'How often writing has begun to fail.', []);
  gauge('ready', 'Whether the floor can be played at.', [], ({ notReady }, set) => set({}, notReady ? 0 : 1));
  gauge('failing', 'Whether writing to the record or its anchor fails.', [], ({ isFailing }, set) =>
    set({}, isFailing ? 1 : 0),
  );
  gauge('connections', 'Open sockets, by who is at their end.', ['of'], ({ connections }, set) => {
    for (const [kind, count] of Object.entries(connections)) set({ of: kind }, count);
  });
  gauge('queue_commands', 'Commands that wait to be recorded, by table.', ['table'], ({ tables }, set) => {
    for (const { table, waiting } of tables) set({ table }, waiting);
  });
  gauge('table_up', 'Whether a table can record and has not stopped.', ['table'], ({ tables }, set) => {
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
      answered: (to, isRefused, time) => answers.observe({ to, end: isRefused ? 'refused' : 'done' }, time / 1_000),
      refused: (to, code) => refusals.inc({ to, code }),
      ended: (table, end) => rounds.inc({ table, end }),
      viewed: (whose, form, size) => views.observe({ of: whose, form }, size),
      outage: () => outages.inc(),
      leased: (what, change) => leases.inc({ of: what, change }),
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}
