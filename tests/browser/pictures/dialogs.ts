import { type Scene, playing } from './scene.ts';

const pages = ['pays', 'play', 'drawing', 'wrong', 'limits', 'about'] as const;

/** Dialogs over a terminal. */
export const dialogs: readonly Scene[] = [
  {
    name: 'collect',
    shoot: async (page, take) => {
      const dealer = await playing(page, 1);
      await page.keyboard.press('o');
      await page.waitForSelector('[data-testid=collect-issue]:enabled');
      await take('asked');
      await page.locator('[data-testid=collect-issue]').click();
      await page.waitForFunction(
        () => (document.querySelector('.ticket-code path')?.getAttribute('d')?.length ?? 0) > 500,
      );
      await take('ticket');
      await page.locator('[data-testid=collect-done]').click();
      await page.keyboard.press('o');
      await page.waitForSelector('[data-testid=insert]');
      await take('empty');
      await dealer.leave();
    },
  },
  {
    name: 'collect-by-hand',
    shoot: async (page, take) => {
      const dealer = await playing(page, 1, { handPay: 100 });
      await page.keyboard.press('o');
      await page.locator('[data-testid=collect-issue]').click();
      await page.waitForSelector('[data-testid=collect-status]');
      await take();
      await dealer.leave();
    },
  },
  {
    name: 'recall',
    shoot: async (page, take) => {
      const dealer = await playing(page, 3);
      await page.locator('.bar-recall').click();
      await page.locator('[data-testid=recall-row]').last().click();
      await take();
      await dealer.leave();
    },
  },
  {
    name: 'limits',
    shoot: async (page, take) => {
      const help = { en: 'Call 1800 at any hour.', zh: '请随时致电 1800。' };
      const dealer = await playing(page, 2, { responsibleGaming: { realityCheckMs: 86_400_000, help } });
      await page.locator('[data-testid=session-clock]').click();
      await page.locator('[data-limit=stake] .limits-lower').click();
      await take('lower');
      await page.locator('[data-testid=limits-break]').click();
      await take('break');
      await dealer.leave();
    },
  },
  {
    name: 'reminder',
    shoot: async (page, take) => {
      const dealer = await playing(page, 3, { responsibleGaming: { realityCheckMs: 3_600_000, help: null } });
      await page.waitForSelector('.reminder');
      await take();
      await dealer.leave();
    },
  },
  {
    name: 'help',
    shoot: async (page, take) => {
      const dealer = await playing(page, 0);
      await page.locator('.bar-help').first().click();
      await page.waitForFunction(() => document.querySelector('.pay-chance')?.textContent.includes('%'));
      for (const name of pages) {
        await page.locator(`#tab-${name}`).click();
        await take(name);
      }
      await dealer.leave();
    },
  },
  {
    name: 'proof',
    shoot: async (page, take) => {
      const dealer = await playing(page, 1);
      await page.locator('[data-testid=proven]').first().click();
      await page.waitForSelector('[data-testid=root]');
      await take();
      await dealer.leave();
    },
  },
  {
    name: 'menu',
    shoot: async (page, take) => {
      const dealer = await playing(page, 1);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator('.bar-menu').click();
      await take();
      await dealer.leave();
    },
  },
];
