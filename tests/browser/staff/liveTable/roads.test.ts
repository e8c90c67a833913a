import { expect, test } from 'vitest';
import { approveProposal, commandBy, prepareLiveShoe } from '../../../server/support/liveTables.ts';
import { type TableRuntime } from '../../../../src/runtime/tables/tableRuntime.ts';
import { freshPage } from '../../support/browser.ts';
import { called, meter, settled, spot, toTable } from '../../support/patron.ts';
import { Pit } from '../support/pit.ts';

// Roads of earlier rounds on a display and on a terminal.

async function openCards(table: TableRuntime, cards: string): Promise<void> {
  await commandBy(table, 'd1', 'CallClose');
  await commandBy(table, 'd1', 'CloseBets');
  for (const [n, card] of cards.split(' ').entries())
    await commandBy(table, 'd1', 'DealCard', { slot: ['P1', 'B1', 'P2', 'B2'][n], card });
}

/** A table with two settled rounds, Banker and then Player, and a terminal that staked 5.00 on Player in both. */
async function twoRounds() {
  const pit = await Pit.of('tiger', { bettingTime: 0, grace: 0, pause: 0 });
  const table = await prepareLiveShoe(pit.server, 'tiger');
  const [display, terminal] = [await freshPage(1920, 1080), await freshPage(1366, 768)];
  await display.page.goto(new URL('/display/tiger', pit.server.address).href);
  await toTable(terminal.page, pit.server, 'tiger');
  const bet = async (): Promise<void> => {
    await commandBy(table, 'd1', 'OpenBets');
    await called(terminal.page, 'Place your bets, please');
    await spot(terminal.page, 'player').click();
    await settled(terminal.page);
  };
  for (const cards of ['2C 9S 4D TD', '9S 2C 9H 4D']) {
    await bet();
    await openCards(table, cards);
    await commandBy(table, 'd1', 'Settle');
    await table.processor.idle();
  }
  /** Waits until the bead plates of both screens have these winners. */
  const expectBeads = async (...winners: readonly string[]): Promise<void> => {
    for (const { page } of [display, terminal])
      await expect
        .poll(() =>
          page.$$eval('[data-road=bead] .bead', (all) => all.map((bead) => bead.getAttribute('class')!.slice(-1))),
        )
        .toEqual(winners);
  };
  await expectBeads('B', 'P');
  await expect.poll(() => meter(terminal.page, 'credit')).toBe(100_000);
  const end = async (): Promise<void> => {
    expect([display, terminal].map(({ complaints }) => complaints)).toEqual([[], []]);
    await pit.server.close();
  };
  return { table, terminal: terminal.page, bet, expectBeads, end };
}

test('[ETG 5.1.2] a void leaves the roads of the earlier rounds on every screen as they are, and their money on the terminal', async () => {
  const { table, terminal, bet, expectBeads, end } = await twoRounds();
  await bet();
  await openCards(table, '9S 2C');
  await commandBy(table, 'd1', 'ReportIrregularity', { kind: 'foreign-card' });
  await commandBy(table, 'd1', 'VoidRound', { reason: 'A joker was in the shoe.' });
  await approveProposal(table);
  await terminal.getByTestId('round-notice').waitFor();
  await expectBeads('B', 'P');
  await expect.poll(() => meter(terminal, 'credit')).toBe(100_000);
  await end();
});

test('[ETG 6.3.ii] a card corrected after settlement changes the roads on every screen, and the credit on the terminal', async () => {
  const { table, terminal, expectBeads, end } = await twoRounds();
  const { id } = table.table.round!;
  // Player has 9 + 9 = 8; with a seven as its fourth card Banker has 2 + 7 = 9.
  await commandBy(table, 's1', 'CorrectCard', { round: id, place: 4, card: '7D', reason: 'It was a seven.' });
  await approveProposal(table, 'm1');
  await expectBeads('B', 'B');
  await expect.poll(() => meter(terminal, 'credit')).toBe(99_000);
  expect(await terminal.getByTestId('round-notice').innerText()).toContain('settled again');
  await end();
});
