import { expect, test } from 'vitest';
import { createScenarioHandler } from '../../../src/cli/rules/table.ts';
import { type Infer } from '../../../src/base/schema.ts';
import { defaultScanFormat } from '../../../src/rules/cardScan.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { type Table } from '../../../src/table/state.ts';
import { dealerViewSchema as dealerKind } from '../../../src/wire/staff/dealerView.ts';
import { supervisorViewSchema as supervisorKind } from '../../../src/wire/staff/supervisorView.ts';
import { linesOf, scenarioRows } from '../../scenarios/scenarios.ts';

/** Fields that the server adds. */
const added = { messages: [], dealer: null, fault: null, scanner: defaultScanFormat } as const;
const more = { ...added, terminalsAway: [], events: [] } as const;

// The type checker proves that each view is assignable to its schema.
export const dealerOf = (table: Table): Infer<typeof dealerKind> => ({ ...buildDealerView(table), ...added });
export const supervisorOf = (table: Table): Infer<typeof supervisorKind> => ({
  ...buildSupervisorView(table),
  ...more,
});

test('staff views match their wire schema at each step of every scenario', () => {
  let steps = 0;
  for (const row of scenarioRows()) {
    const handle = createScenarioHandler();
    for (const line of linesOf(row)) {
      // Queries, expectations and refusals change nothing.
      if (!('events' in handle(line))) continue;
      steps += 1;
      // A supervisor's view contains all fields of a dealer's view.
      expect(supervisorKind.check({ ...handle({ view: 'supervisor' }), ...more }), row).toBeUndefined();
      if (steps % 9 > 0) continue;
      expect(dealerKind.check({ ...handle({ view: 'dealer' }), ...added }), row).toBeUndefined();
    }
  }
  expect(steps).toBeGreaterThan(1_500);
});
