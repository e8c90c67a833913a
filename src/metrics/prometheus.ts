import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { type Metrics, type ServerStatus } from './metrics.ts';

/** What is counted, and its text for whoever collects it. */
export type PrometheusMetrics = {
  readonly gauges: Metrics;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** In seconds: a disk answers within a millisecond or two, a far one within tens, and beyond a second something is wrong. */
const times = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** A batch is what has come while the one before was written. */
const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];
const bytes = [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072];

/** Figures as Prometheus reads them; what stands at the moment is asked for when they are. */
export function prometheus(standing: () => ServerStatus | undefined): PrometheusMetrics {
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
    read: (told: ServerStatus, set: (labels: Partial<Record<Label, string>>, value: number) => void) => void,
  ) =>
    new Gauge<Label>({
      name: `punto_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        const told = standing();
        // A table that is not there any more is not told of for ever.
        this.reset();
        if (told) read(told, (labels, value) => this.set(labels, value));
      },
    });

  const appendTime = histogram('append_seconds', 'Time of one append to the record, by its end.', times, ['end']);
  const commands = histogram('append_commands', 'Commands that one append made durable.', sizes, []);
  const entries = histogram('append_entries', 'Entries that one append made durable.', sizes, []);
  const answers = histogram('answer_seconds', 'From the arrival of a message to its answer.', times, ['to', 'end']);
  const refusals = counter('refusals_total', 'Refusals by code, and to whom.', ['to', 'code']);
  const rounds = counter('rounds_total', 'Rounds by table, and how they ended.', ['table', 'end']);
  const views = histogram('view_bytes', 'Sizes of views, whole or as what has changed.', bytes, ['of', 'form']);
  const leases = counter('lease_changes_total', 'Leases of this program: taken, given, lost.', ['of', 'change']);
  const outages = counter('outages_total', 'How often writing has begun to fail.', []);
  gauge('ready', 'Whether the floor can be played at.', [], ({ unready }, set) => set({}, unready ? 0 : 1));
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
    gauges: {
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
