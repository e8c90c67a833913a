import { expect, test } from 'vitest';
import { shortcutKeys } from '../../../src/web/patron/app/shortcuts.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { Live } from '../support/live.ts';
import { call, called, key, placed, refusal, settled, spot, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

test('[ETG 3.2] the terminal shows the close at the deadline, takes no more bets, and a slip on its way still counts', async () => {
  const dealer = await Dealer.at('tiger');
  const { page, complaints } = await freshPage(1366, 768);
  let held: (() => void)[] | undefined;
  await page.routeWebSocket(/socket$/, (route) => {
    const server = route.connectToServer();
    route.onMessage((message) => {
      if (held) held.push(() => server.send(message));
      else server.send(message);
    });
  });
  await toTable(page, dealer, 'tiger');
  await spot(page, 'tie').click();
  await settled(page);
  const slips = () => Object.values(dealer.table.round!.slips);
  // Tapped before the deadline, received after it.
  held = [];
  const onItsWay = held;
  await spot(page, 'banker').click();
  await expect.poll(() => onItsWay.length).toBeGreaterThan(0);
  await dealer.call();
  await called(page, 'No more bets');
  expect([dealer.table.phase, slips()]).toEqual(['closing', [{ tie: 500 }]]);
  held = undefined;
  for (const send of onItsWay) send();
  await settled(page);
  expect(await placed(page)).toEqual({ tie: 500, banker: 500 });
  expect([dealer.table.phase, slips()]).toEqual(['closing', [{ tie: 500, banker: 500 }]]);
  await spot(page, 'player').click();
  expect(await refusal(page)).toContain('bets-closed · ETG 5.5');
  await dealer.close();
  await spot(page, 'player').click();
  expect(await refusal(page)).toContain('bets-closed · ETG 5.5');
  expect(await placed(page)).toEqual({ tie: 500, banker: 500 });
  expect(slips()).toEqual([{ tie: 500, banker: 500 }]);
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('[ETG 3.2] the terminal takes bets until the deadline of a call that comes earlier, and none after it', async () => {
  const live = await Live.at('L11');
  await live.shoe('one');
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, live, 'L11');
  await live.open();
  await called(page, 'Place your bets, please');
  live.wait(60_000);
  await live.by('d1', 'CallClose', { notice: 60_000 });
  await page.waitForSelector('[data-testid=count]');
  expect(await call(page)).not.toBe('No more bets');
  await spot(page, 'tie').click();
  await settled(page);
  const { table } = live.table;
  expect([table.phase, Object.values(table.round!.slips)]).toEqual(['closing', [{ tie: 500 }]]);
  live.wait(60_000);
  await called(page, 'No more bets');
  expect(live.table.table.phase).toBe('closing');
  await spot(page, 'tie').click();
  expect(await refusal(page)).toContain('ETG 5.5');
  expect(await placed(page)).toEqual({ tie: 500 });
  expect(complaints).toEqual([]);
  await live.leave();
});

test('[ETG 3.1] the terminal takes taps and keys while it shows that bets are open, in words of the book, and at no other time', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('9H 2S KS QS') });
  const { page, complaints } = await freshPage(1366, 768);
  /** The slips that the page has sent. */
  const sent: unknown[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(String(payload)) as { type: string; slip?: unknown };
      if (message.type === 'slip') sent.push(message.slip);
    }),
  );
  await toTable(page, dealer, 'tiger');
  const slips = () => Object.values(dealer.table.round!.slips);
  const press = (name: keyof typeof shortcutKeys) => () => page.keyboard.press(shortcutKeys[name]);
  const touch = (name: string) => () => key(page, name).click({ force: true });
  const enter = async (): Promise<void> => {
    await spot(page, 'player').focus();
    await page.keyboard.press('Enter');
  };
  /** Every way to change the slip, with what it leaves on Tie and Player while bets are open. */
  const ways: readonly (readonly [name: string, act: () => Promise<unknown>, tie: number, player: number])[] = [
    ['spot', () => spot(page, 'tie').click(), 500, 0],
    ['x2', touch('x2'), 1000, 0],
    ['double', press('double'), 2000, 0],
    ['UNDO', touch('UNDO'), 1000, 0],
    ['undo', press('undo'), 500, 0],
    ['Enter', enter, 500, 500],
    ['CLEAR BET', touch('CLEAR BET'), 0, 0],
    ['undo', press('undo'), 500, 500],
    ['clear', press('clear'), 0, 0],
  ];
  /** They repeat the slip of the round before. */
  const repeats: typeof ways = [
    ['RE-BET', touch('RE-BET'), 500, 500],
    ['undo', press('undo'), 0, 0],
    ['again', press('again'), 500, 500],
  ];
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    ['Place your bets, please', async () => {}],
    ['No more bets', () => dealer.call()],
    ['No more bets', () => dealer.close()],
    ['No more bets', () => dealer.deal(1)],
    ['No more bets', () => dealer.deal()],
    ['Next round soon', () => dealer.settle()],
    ['Place your bets, please', () => dealer.open()],
    ['No more bets', () => dealer.call()],
  ];
  for (const [n, [shown, step]] of steps.entries()) {
    await step();
    await called(page, shown);
    if (['Place your bets, please', 'Bets are open'].includes(shown)) {
      const last = n === 0 ? ([['undo', press('undo'), 500, 500]] as const) : repeats;
      for (const [name, act, tie, player] of [...ways, ...last]) {
        await act();
        const slip = { ...(tie > 0 && { tie }), ...(player > 0 && { player }) };
        await expect.poll(() => placed(page), { message: name }).toEqual(slip);
        await settled(page);
        expect(slips(), name).toEqual(tie + player > 0 ? [slip] : []);
        expect(sent.at(-1), name).toEqual(slip);
      }
    } else {
      const [before, count] = [slips(), sent.length];
      for (const [name, act] of [...ways, ...repeats]) {
        await act();
        await settled(page);
        expect(await placed(page), `${shown}: ${name}`).toEqual({ tie: 500, player: 500 });
      }
      expect([slips(), sent.length], shown).toEqual([before, count]);
    }
  }
  expect(complaints).toEqual([]);
  await dealer.leave();
});
