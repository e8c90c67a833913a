import { type Page } from 'playwright-core';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type PublicTableView } from '../../../src/wire/tableView.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { Dealer } from '../support/dealer.ts';
import { chip, refusal, settled, spot } from '../support/patron.ts';
import { type Phase, Stage, record } from '../support/recordedViews.ts';
import { lateIn, voidNotice as notice } from '../support/scriptedPage.ts';
import { type Scene, playing } from './scene.ts';
import { screens } from '../support/screens.ts';

/** Puts chips on three spots, accepted by the server. */
async function stake(page: Page): Promise<void> {
  for (const [place, wager] of [
    [3, 'banker'],
    [1, 'tie'],
    [2, 'tiger-pair'],
  ] as const) {
    await chip(page, place).click();
    await spot(page, wager).click();
  }
  await settled(page);
}

/** A table late in its shoe, from messages of the test. */
const scripted =
  (phase: Phase, change: Partial<PublicTableView>): Scene['shoot'] =>
  async (page, take) => {
    const floor = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
    const stage = await Stage.on(page);
    await page.goto(floor.address);
    const recording = await record('tiger');
    const view = lateIn(recording, phase, change);
    await stage.showMessages(
      'tiger',
      ...recording.messages[phase].map((message) => (message.type === 'table' ? { ...message, view } : message)),
    );
    await page.waitForSelector('[data-wager]');
    await take();
    await floor.close();
  };

/** States of a terminal other than those of a regular round. */
export const states: readonly Scene[] = [
  {
    name: 'terminal',
    shoot: async (page, take) => {
      const dealer = await playing(page, 0, { settings: { totalMinimum: 1000 } });
      await take('first');
      await chip(page, 0).click();
      await spot(page, 'player').click();
      await page.waitForSelector('[data-testid=lacking]');
      await take('short');
      await stake(page);
      await take('accepted');
      await chip(page, 4).click();
      await spot(page, 'banker').click();
      await spot(page, 'banker').click();
      await refusal(page);
      await take('refused');
      await dealer.call();
      await page.waitForSelector('.terminal.is-closed');
      await take('closed');
      await dealer.deal(4);
      await page.waitForFunction(() => document.querySelectorAll('.flip.is-turned').length === 4);
      await take('four-cards');
      await dealer.settle();
      await page.waitForSelector('[data-outcome]');
      await take('paid');
      await dealer.open();
      await page.waitForSelector('[data-testid=last]');
      await take('next');
      await dealer.leave();
    },
  },
  {
    name: 'waiting',
    shoot: async (page, take) => {
      const floor = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
      const stage = await Stage.on(page);
      await page.goto(floor.address);
      await stage.show(await record('tiger'), 'betting');
      // There is no server to reply.
      await spot(page, 'big-tiger').click();
      await page.waitForSelector('[data-wager].is-pending');
      await take();
      await floor.close();
    },
  },
  {
    name: 'connection-lost',
    shoot: async (page, take) => {
      const dealer = await playing(page, 1);
      await stake(page);
      await dealer.server.close();
      await page.waitForSelector('[data-testid=connection]');
      await take();
    },
  },
  {
    name: 'void',
    shoot: async (page, take) => {
      const [store, key] = [createMemoryStore(), Buffer.alloc(32, 7)];
      const dealer = await playing(page, 1, { store, key });
      await stake(page);
      const port = Number(new URL(dealer.address).port);
      await dealer.server.close();
      const later = await Dealer.at('tiger', { store, key, port, later: 3_600_000 });
      await page.waitForSelector('[data-testid=round-notice], [data-testid=back]');
      await take();
      await later.server.close();
    },
  },
  { name: 'notice', shoot: scripted('betting', { notice }) },
  { name: 'stopped', shoot: scripted('dealing', { stopped: { kind: 'wrong-number', by: 'ETG 5.7' } }) },
  { name: 'cannot-record', shoot: scripted('betting', { stopped: { kind: 'cannot-record', by: null } }) },
  { name: 'new-shoe', shoot: scripted('result', { shoe: null, results: [] }) },
];
