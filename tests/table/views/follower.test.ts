import { expect, test } from 'vitest';
import { createScenarioHandler } from '../../../src/cli/rules/table.ts';
import { type TableEvent } from '../../../src/table/schema/events.ts';
import { TableWithTally } from '../../../src/table/views/tableWithTally.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import { linesOf, scenarioRows } from '../../scenarios/scenarios.ts';
import { readyTable, shiftManager, supervisor } from '../tableScenario.ts';

/** The view of the follower, and one rebuilt from its state. */
const both = (follower: TableWithTally) =>
  [publicView(follower.table!, follower.tally), publicView(follower.table!)] as const;

test('a follower shows the same as a full rebuild after any events', () => {
  let results = 0;
  for (const row of scenarioRows()) {
    const handle = createScenarioHandler();
    const follower = new TableWithTally();
    for (const line of linesOf(row)) {
      const { events = [] } = handle(line) as { readonly events?: readonly TableEvent[] };
      for (const event of events) {
        follower.apply(structuredClone(event));
        const [grown, rebuilt] = both(follower);
        expect(grown, `${row}: ${event.type}`).toEqual(rebuilt);
        results += grown.statistics.rounds;
      }
    }
  }
  expect(results).toBeGreaterThan(100);
});

test('[READING 28] a round that is settled again changes on the roads, and those before it stay', () => {
  const scenario = readyTable('tiger').playRound('KC QD 7S 5H 9C').playRound('9S 2C 9H 4D');
  const follower = new TableWithTally(structuredClone(scenario.table!));
  const entryCount = scenario.entries.length;
  const marks = () => follower.tally.roads.beads.map(({ winner }) => winner[0]).join('');
  expect(marks()).toBe('pp');
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 3, card: '7D', reason: 'seen on camera' }, [
    supervisor,
    shiftManager,
  ]);
  for (const { event } of scenario.entries.slice(entryCount)) follower.apply(structuredClone(event));
  expect(marks()).toBe('pt');
  expect(both(follower)[0]).toEqual(both(follower)[1]);
});

test('a result is appended to the roads, which stay the same objects', () => {
  const scenario = readyTable('tiger');
  const follower = new TableWithTally(structuredClone(scenario.table!));
  const { roads } = follower.tally;
  const entryCount = scenario.entries.length;
  scenario.playRound('9S 2C 9H 4D').playRound('2C 9S 4D 9H');
  for (const { event } of scenario.entries.slice(entryCount)) follower.apply(structuredClone(event));
  expect(follower.tally.roads).toBe(roads);
  expect(roads.beads).toHaveLength(2);
});
