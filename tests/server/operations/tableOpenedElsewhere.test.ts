import { expect, test } from 'vitest';
import { type TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { discardingMetrics } from '../../../src/metrics/metrics.ts';
import { tableDecider } from '../../../src/deciders/deciders.ts';
import { defaultResponsibleGamingSettings } from '../../../src/server/money/sessionLimitsAndBreaksHandler.ts';
import { PatronHub } from '../../../src/server/patron/patronHub.ts';
import { defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { type StoredEntry } from '../../../src/store/store.ts';
import { type Table } from '../../../src/table/state.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../../runtime/support/demo.ts';
import { TestCluster, phaseAt, tableAt } from '../../runtime/support/testCluster.ts';

test('the hub publishes every entry of a table that another node opens and continues during the read', async () => {
  const nodes = new TestCluster();
  const a = await nodes.addNode('a');
  const warnings: unknown[] = [];
  const hub = new PatronHub({
    store: nodes.store,
    metrics: discardingMetrics,
    clock: () => nodes.time.now,
    after: nodes.time.after,
    limits: defaultServerLimits,
    demoCredit,
    responsibleGaming: defaultResponsibleGamingSettings,
    scanFormat: {} as never,
    port: () => ({}) as never,
    displayInfoOf: () => ({}),
    onTableChange: () => {},
    warn: (_, error) => warnings.push(error),
  });
  await hub.open(a.floor);
  await nodes.takeLease(a, 'baccarat');
  await nodes.until(() => phaseAt(a) === 'betting' && tableAt(a).processor.sequence >= 5);
  const appended: StoredEntry[] = [];
  for await (const entries of nodes.store.read(tableAt(a).stream)) appended.push(...entries);
  const stateAt = (sequence: number): Table =>
    appended
      .slice(0, sequence)
      .reduce<Table | undefined>(
        (state, { event }) => tableDecider.evolve(state, tableDecider.parseEvent(event)),
        undefined,
      )!;
  let sequence = 0;
  const listeners: (() => void)[] = [];
  const runner = {
    canAppend: true,
    committed: () => ({ state: stateAt(sequence), sequence }),
    lastEntries: async (): Promise<readonly StoredEntry[]> => {
      await new Promise<void>((resolve) => listeners.push(resolve));
      return appended.slice(0, sequence);
    },
  };
  const message = (): void => {
    sequence += 1;
    hub.views.publish({ id: 'baccarat', processor: runner } as unknown as TableRuntime, [appended[sequence - 1]!]);
  };
  message();
  message();
  await flushPromises();
  listeners[0]!();
  await flushPromises();
  message();
  listeners[1]!();
  await flushPromises();
  message();
  expect(hub.views.builder('baccarat')!.table).toEqual(stateAt(4));
  expect(warnings).toEqual([]);
});
