import { expect, test } from 'vitest';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { managers } from '../../table/tableScenario.ts';
import { demoOwner, demoSettings } from '../support/demo.ts';
import { testDependencies } from '../support/testDependencies.ts';

const [setting] = demoSettings as [(typeof demoSettings)[number]];

/** Unattended table that opens its next round when one is paid. */
async function openRestlessTable() {
  const store = createMemoryStore();
  const { dependencies, published, warnings, time } = testDependencies(store, 'restless');
  const floor = await openFloor(demoOwner, [setting], { betweenRounds: 0, betweenCards: 0 }, dependencies);
  const table = floor.tables.get(setting.table)!;
  const opened = () => published.filter(({ event }) => event.type === 'BetsOpened').length;
  const until = async (condition: () => boolean): Promise<void> => {
    for (let n = 0; n < 500 && !condition(); n++) await time.step();
    expect(condition()).toBe(true);
  };
  const by = (index: 0 | 1, type: string, fields: object) => {
    const { person, role } = managers[index];
    const id = `${type}-${table.table.proposals}`;
    return table.submit(id, { type, actor: { person }, ...fields }, time.now, { authority: { role } });
  };
  const two = async (type: 'CloseTable' | 'ReopenTable', between: () => Promise<void>) => {
    const reason = 'the end of the night';
    expect(await by(0, type, { reason })).toHaveProperty('entries');
    const { id: proposal, hash } = table.table.proposal!;
    await between();
    return by(1, 'Approve', { proposal, hash });
  };
  return { store, table, opened, until, two, warnings, time };
}

test.each(['betting', 'closing', 'dealing', 'result'] as const)(
  '[HOUSE 2] two persons close an unattended table while it is %s, however soon it would open again',
  async (phase) => {
    const { store, table, opened, until, two, warnings, time } = await openRestlessTable();
    await until(() => table.isOpen && table.table.phase === phase);
    // The approval comes in the next round.
    const closed = await two('CloseTable', () => until(() => opened() === 3));
    expect(closed).toMatchObject({ entries: [{ event: { type: 'Approved' } }, { event: { type: 'TableClosed' } }] });
    for (let n = 0; n < 200; n++) await time.step();
    expect(table.table).toMatchObject({ phase: 'idle', closed: true, pendingSettlements: [] });
    expect(opened()).toBe(3);
    expect(await two('ReopenTable', flushPromises)).toHaveProperty('entries');
    await until(() => opened() > 3);
    expect(warnings).toEqual([]);
    expect((await verifyStore(store)).problem).toBeUndefined();
  },
);
