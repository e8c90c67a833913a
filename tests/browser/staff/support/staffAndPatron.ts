import { type Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Server } from '../../../../src/server/serverOptions.ts';
import { chip, meter, spot, toTable } from '../../support/patron.ts';
import { typeInTime } from './keyboard.ts';

// A member of staff and a patron, each with a screen.

export const table = 'tiger';

/** Compares with a value worked out by hand. */
export function expectSame(actual: unknown, expected: unknown, what?: string): void {
  expect(actual, what).toEqual(expected);
}

/** Waits until it equals a value worked out by hand. */
async function expectSoon(read: () => Promise<number>, expected: number, what: string): Promise<void> {
  await expect.poll(read, { message: what }).toBe(expected);
}

export class StaffMember {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Number of keys pressed. */
  keys = 0;

  constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Waits for a prompt. */
  async expectPrompt(text: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: text }).waitFor();
  }

  /** Waits for an element. */
  async waitFor(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor();
  }

  /** Types keys by hand, each Enter after the time in which it is ignored. */
  async type(...keys: readonly string[]): Promise<void> {
    this.keys += keys.length;
    await typeInTime(this.page, keys);
  }

  /** Types a reason and leaves the field by Enter, so that the next Enter acts. */
  async typeReason(reason: string): Promise<void> {
    await this.page.locator('[data-field=reason]:focus').waitFor();
    await this.page.keyboard.type(reason);
    await this.type('Enter');
  }
}

export type Bets = { readonly [wager: string]: number };

/** Chips of the tray, in cents. */
const chips = [100, 500, 2_500, 10_000, 50_000];

/** Patron at a terminal whose connection can be cut. */
export class Patron {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Credit worked out by hand, in cents. */
  credit = 100_000;
  #isUp = true;
  #cut: (() => Promise<void>) | undefined;

  constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  async openTable(server: Pick<Server, 'address'>): Promise<void> {
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

  /** Places chips of the tray; waits until all are accepted. */
  async placeBets(expected: Bets): Promise<void> {
    await this.page.locator('[data-testid=call] .bi-1', { hasText: /^Place your bets/i }).waitFor();
    for (const [wager, amount] of Object.entries(expected)) {
      await chip(this.page, chips.indexOf(amount)).click();
      await spot(this.page, wager).click();
      await this.page.locator(`[data-wager="${wager}"][data-staked="${amount}"]:not(.is-pending)`).waitFor();
    }
  }

  /** Opens the table again from the lobby. */
  async reopenTable(): Promise<void> {
    await this.page.locator(`[data-table=${table}]`).click();
    await this.page.waitForSelector('.spot');
  }

  /** Cuts the connection until `reconnect`. */
  async disconnect(): Promise<void> {
    this.#isUp = false;
    await this.#cut?.();
  }

  async reconnect(): Promise<void> {
    this.#isUp = true;
    await this.page.locator('[data-testid=connection]').waitFor({ state: 'detached' });
  }

  /** After a round: the credit changes by the amount worked out by hand. */
  async expectGain(by: number): Promise<void> {
    this.credit += by;
    await this.expectCredit(this.credit, 'in the end');
  }

  /** Waits until the credit on screen is the one worked out by hand. */
  async expectCredit(credit: number, what: string): Promise<void> {
    await expectSoon(() => meter(this.page, 'credit'), credit, `the credit ${what}`);
  }

  /** Text of a notice, which is then closed by a touch. */
  async readNotice(mark: 'round-notice' | 'notice' | 'back' | 'missed'): Promise<string> {
    const box = this.page.locator(`[data-testid=${mark}]`);
    const text = (await box.innerText()).replaceAll(/\s+/g, ' ');
    await box.locator('button').click();
    await box.waitFor({ state: 'detached' });
    return text;
  }

  /** Clause by which a wager of this patron was settled. */
  clauseOf(wager: string): Promise<string | null> {
    return this.page.locator(`[data-outcome="${wager}"]`).getAttribute('data-by');
  }
}
