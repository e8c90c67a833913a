import { expect, test } from 'vitest';
import { publicView } from '../../../src/table/views/publicView.ts';
import { readyTable } from '../tableScenario.ts';

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };

test('[ETG 6.3.i] displays decide nothing: settlement and views follow from the recorded cards alone', () => {
  const table = readyTable('tiger').playRound('TD TC 9H 8D', stakes).bets(stakes).close().deal('9S 2C 9H 4D');
  const paid = [table.balance('T1'), table.balance('T2')];
  // A display shows wrong results of this round and of the one before.
  const view = publicView(table.table!);
  const { bead, big } = view.roads as unknown as { bead: { winner: string }[]; big: { winner: string }[] };
  expect(bead).toMatchObject([{ winner: 'player' }]);
  bead[0]!.winner = 'banker';
  big[0]!.winner = 'banker';
  big.push({ winner: 'banker' });
  Object.assign(view.round!, { winner: 'banker', player: { total: 0 } });
  expect([table.balance('T1'), table.balance('T2')]).toEqual(paid);
  table.settle();
  expect([table.balance('T1'), table.balance('T2')]).toEqual([paid[0]! + 2000, paid[1]]);
  expect(publicView(table.table!)).toMatchObject({
    statistics: { player: 2, banker: 0 },
    roads: { bead: [{ winner: 'player' }, { winner: 'player' }] },
  });
});
