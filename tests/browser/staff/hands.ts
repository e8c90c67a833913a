import { type Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { chip, meter, spot, toTable } from '../patron.ts';
import { typeInTime } from './keyboard.ts';

// Somebody of the staff and a patron, each at a screen of their own.

/** The table where they are. */
export const table = 'tiger';

/** What was seen is what was worked out by hand. */
export function expectSame(seen: unknown, wanted: unknown, what?: string): void {
  expect(seen, what).toEqual(wanted);
}

/** It becomes what was worked out by hand. */
async function expectSoon(look: () => Promise<number>, wanted: number, what: string): Promise<void> {
  await expect.poll(look, { message: what }).toBe(wanted);
}

/** Somebody of the staff at a screen. */
export class Hand {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** How many keys were pressed. */
  keys = 0;

  constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Waits until the screen says something. */
  async says(text: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: text }).waitFor();
  }

  /** Waits until something is there. */
  async sees(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor();
  }

  /** Types keys by hand, each Enter after its dead time. */
  async type(...keys: readonly string[]): Promise<void> {
    this.keys += keys.length;
    await typeInTime(this.page, keys);
  }

  /** Writes a reason and leaves it by Enter, so that the next one acts. */
  async writes(reason: string): Promise<void> {
    await this.page.locator('[data-field=reason]:focus').waitFor();
    await this.page.keyboard.type(reason);
    await this.type('Enter');
  }
}

export type Bets = { readonly [wager: string]: number };

/** The chips of the tray, in cents. */
const chips = [100, 500, 2_500, 10_000, 50_000];

/** Somebody at a terminal, whose link can be cut. */
export class Patron {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** The credit that this patron has by hand, in cents. */
  credit = 100_000;
  #isUp = true;
  #cut: (() => Promise<void>) | undefined;

  constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  async begin(server: Pick<Server, 'address'>): Promise<void> {
    await this.page.routeWebSocket(/socket$/, (route) => {
      if (!this.#isUp) {
        void route.close({ code: 1011 });
        return;
      }
      route.connectToServer();
      this.#cut = () => route.close({ code: 1011 });
    });
    await toTable(this.page, server, table);
  }

  /** Puts chips of the tray on the spots; all of them are accepted. */
  async bets(wanted: Bets): Promise<void> {
    await this.page.locator('[data-testid=call] .bi-1', { hasText: /^Place your bets/i }).waitFor();
    for (const [wager, amount] of Object.entries(wanted)) {
      await chip(this.page, chips.indexOf(amount)).click();
      await spot(this.page, wager).click();
      await this.page.locator(`[data-wager="${wager}"][data-staked="${amount}"]:not(.is-pending)`).waitFor();
    }
  }

  /** Sits down at the table again. */
  async returns(): Promise<void> {
    await this.page.locator(`[data-table=${table}]`).click();
    await this.page.waitForSelector('.spot');
  }

  /** The link breaks, and stays broken. */
  async cut(): Promise<void> {
    this.#isUp = false;
    await this.#cut?.();
  }

  /** The link is there again. */
  async mend(): Promise<void> {
    this.#isUp = true;
    await this.page.locator('[data-testid=link]').waitFor({ state: 'detached' });
  }

  /** The round is over for this patron: the credit differs by what was worked out by hand. */
  async gains(by: number): Promise<void> {
    this.credit += by;
    await this.has(this.credit, 'in the end');
  }

  /** The credit on the screen becomes what was worked out by hand, and no other. */
  async has(credit: number, what: string): Promise<void> {
    await expectSoon(() => meter(this.page, 'credit'), credit, `the credit ${what}`);
  }

  /** What is told after the round, closed by a touch: the patron has read it. */
  async reads(mark: 'told' | 'notice' | 'back' | 'missed'): Promise<string> {
    const box = this.page.locator(`[data-testid=${mark}]`);
    const text = (await box.innerText()).replaceAll(/\s+/g, ' ');
    await box.locator('button').click();
    await box.waitFor({ state: 'detached' });
    return text;
  }

  /** By which clause a wager of this patron was settled. */
  clauseOf(wager: string): Promise<string | null> {
    return this.page.locator(`[data-outcome="${wager}"]`).getAttribute('data-by');
  }
}
