import { expect, test } from 'vitest';
import { approveProposal, commandBy, prepareLiveShoe } from '../../../server/support/liveTables.ts';
import { Pit } from '../support/pit.ts';

test.each([
  ['ETG 5.1.unshuffled', 'tiger'],
  ['HOUSE 7', 'baccarat'],
])(
  '[%s] the console of %s warns the dealer of a shoe with no recorded shuffle before its first round, and of no other',
  async (_, id) => {
    const pit = await Pit.of(id);
    const table = pit.server.floor.tables.get(id)!;
    await commandBy(table, 'd1', 'BringShoe', { shoe: 'L1', seal: 'S1' });
    await commandBy(table, 'd1', 'CountCards', { cards: 416 });
    await commandBy(table, 'd1', 'CutShoe', { behind: 14 });
    await commandBy(table, 'd1', 'VerifyShoe');
    await approveProposal(table);
    const dealer = await pit.person('D-1', `/dealer/${id}`, id);
    const warning = dealer.page.getByTestId('say').getByText('No shuffle of this shoe is on record');
    await dealer.expectPrompt('Ready for the next round');
    await warning.waitFor();
    await commandBy(table, 'd1', 'EndShoe', { seen: {} });
    await approveProposal(table);
    await prepareLiveShoe(pit.server, id, 'L2');
    await dealer.expectPrompt('Ready for the next round');
    await warning.waitFor({ state: 'detached' });
    await dealer.page.getByLabel('Shoe L2').waitFor();
    expect(await warning.count()).toBe(0);
    expect(dealer.complaints).toEqual([]);
    await pit.server.close();
  },
);
