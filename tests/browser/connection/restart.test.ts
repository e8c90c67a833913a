import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { verifyStore } from '../../../src/verify/verify.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { closeLater } from '../../closing.ts';
import { root } from '../../architecture/sources.ts';
import { demoOf } from '../../cli/support/serverProcess.ts';
import { temporaryFolder } from '../../temporary.ts';
import { freshPage } from '../support/browser.ts';
import { type DealerRequest, type DealerStatus } from '../support/dealer.ts';
import { atSizesAndLanguages, faults, violations } from '../support/appearance.ts';
import { freePort } from '../../freePort.ts';
import { cardsOut, meter, outcomes, placed, settled, spot, toTable, winner } from '../support/patron.ts';

/** Kills a program at the end of its test, if the test has not ended it. */
const killLater = (program: ChildProcess): void => closeLater(() => program.kill('SIGKILL'));

async function pull(program: ChildProcess): Promise<void> {
  program.kill('SIGKILL');
  await once(program, 'exit');
}

async function problemIn(folder: string): Promise<unknown> {
  const store = await openSqliteStore(join(folder, 'data'));
  const { problem } = await verifyStore(store);
  await store.close();
  return problem;
}

/** Real time: a dealer may have changed the clock of this process. */
const realNow = (): number => performance.timeOrigin + performance.now();

/** A compile cache, because programs are started often here. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };

/** A Tiger table in its own process, with a store on disk. It can be killed and started again. */
class Plugged {
  readonly folder = temporaryFolder('plug');
  address = '';
  #port = 0;
  #clockOffset = 0;
  #pulled = realNow();
  #process: ChildProcess | undefined;

  static async in(): Promise<Plugged> {
    const table = new Plugged();
    table.#port = await freePort();
    await table.start(0);
    return table;
  }

  /** Starts again after this time in ms on its own clock. */
  async start(time: number): Promise<void> {
    const at = Math.round(this.#pulled + this.#clockOffset + time);
    this.#process = fork(
      join(root, 'tests/browser/support/tableProcess.ts'),
      [this.folder, String(this.#port), String(at)],
      { env },
    );
    killLater(this.#process);
    await this.#waitForStatus();
  }

  async does(act: DealerRequest['act'], cards?: number): Promise<void> {
    this.#process!.send({ act, ...(cards !== undefined && { cards }) } satisfies DealerRequest);
    await this.#waitForStatus();
  }

  async #waitForStatus(): Promise<void> {
    const [status] = (await Promise.race([once(this.#process!, 'message'), once(this.#process!, 'exit')])) as [
      DealerStatus,
    ];
    if (typeof status !== 'object') throw new Error(`The table ended with ${String(status)}.`);
    const { address, clockOffset } = status;
    this.address = address;
    this.#clockOffset = clockOffset;
  }

  async pull(): Promise<void> {
    await pull(this.#process!);
    this.#pulled = realNow();
  }

  /** Stops the table; returns the integrity issues of its store. */
  async end(): Promise<unknown> {
    const gone = once(this.#process!, 'exit');
    await this.does('leave');
    await gone;
    return problemIn(this.folder);
  }
}

/** Shorter and longer than the ten seconds after which a table counts as interrupted. [READING 12] */
const short = 1_000;
const long = 12_000;

const back = async (page: Page): Promise<void> => {
  await page.waitForSelector('[data-testid=connection]', { state: 'detached' });
};

/** A page at a table in another process, with bets on Player and Tie. */
async function seated(): Promise<{ table: Plugged; page: Page }> {
  const table = await Plugged.in();
  const { page } = await freshPage(1366, 768);
  await toTable(page, table, 'tiger');
  for (const wager of ['player', 'tie']) await spot(page, wager).click();
  await settled(page);
  return { table, page };
}

/** Kills the table and starts it again after a time; waits until the page has noticed both. */
async function away(table: Plugged, page: Page, time: number): Promise<void> {
  await table.pull();
  await page.waitForSelector('[data-testid=connection]');
  await table.start(time);
  await back(page);
}

test('a table killed while bets are open and soon restarted continues the round and takes bets tapped meanwhile', async () => {
  const { table, page } = await seated();
  await table.pull();
  await page.waitForSelector('[data-testid=connection]');
  await spot(page, 'tie').click();
  await page.waitForSelector('[data-wager=tie].is-pending');
  await table.start(short);
  await back(page);
  await settled(page);
  expect(await page.getByTestId('notice').count()).toBe(0);
  expect(await placed(page)).toEqual({ player: 500, tie: 1000 });
  expect(await meter(page, 'credit')).toBe(98_500);
  await table.does('settle');
  await page.waitForSelector('[data-outcome]');
  expect(await winner(page)).toBe('Player wins');
  expect(await meter(page, 'credit')).toBe(98_500 + 1000);
  expect(await table.end()).toBeUndefined();
});

test('[ETG 5.9.1] a table killed while bets are open and restarted late voids the round and returns every stake', async () => {
  const { table, page } = await seated();
  await away(table, page, long);
  const notice = page.locator('[data-testid=round-notice] .notice-body');
  const noticeText = async (): Promise<string> => (await notice.innerText()).replaceAll(/\s+/g, ' ');
  const expectedText =
    'Round #1 is void No outcome was established before the interruption. ETG 5.9.1 Every stake is back in your credit 10.00';
  expect(await noticeText()).toBe(expectedText);
  expect(await outcomes(page)).toEqual({ player: 'returned ETG 5.9.1', tie: 'returned ETG 5.9.1' });
  expect(await meter(page, 'credit')).toBe(100_000);
  await page.keyboard.press('l');
  expect(await notice.innerText()).toContain('中断之前尚未有任何结果可以确定。');
  await page.keyboard.press('l');

  await atSizesAndLanguages(page, async (label) => {
    expect(await faults(page), label).toEqual([]);
    expect(await violations(page), label).toEqual([]);
  });

  // The message stays in the next round too, until it is closed.
  await table.does('open');
  await page.waitForSelector('[data-testid=game]:text-is("2")');
  // The message stays until it is closed, also after a reload.
  expect(await noticeText()).toBe(expectedText);
  await atSizesAndLanguages(page, async (label) => expect(await faults(page), label).toEqual([]));
  await page.reload();
  expect(await noticeText()).toBe(expectedText);
  await page.locator('[data-testid=round-notice] button').click();
  await page.waitForSelector('[data-testid=round-notice]', { state: 'detached' });
  await page.reload();
  await page.waitForSelector('[data-testid=game]:text-is("2")');
  expect(await page.getByTestId('round-notice').count()).toBe(0);
  await spot(page, 'tie').click();
  await settled(page);
  await table.does('open');
  expect(await page.getByTestId('notice').count()).toBe(0);
  expect(await table.end()).toBeUndefined();
});

test('a table killed while cards are dealt and soon restarted finishes the deal with the same cards', async () => {
  const { table, page } = await seated();
  await table.does('deal', 2);
  await cardsOut(page, 2);
  const cards = (): Promise<(string | null)[]> =>
    page.$$eval('.flip [data-card]', (all) => all.map((one) => one.getAttribute('data-card')));
  expect(await cards()).toEqual(['2C', '3D']);
  await away(table, page, short);
  expect(await cards()).toEqual(['2C', '3D']);
  expect(await page.getByTestId('notice').count()).toBe(0);
  await table.does('deal', 6);
  await cardsOut(page, 6);
  // The third card of Player is on the outer side, on the left.
  expect(await cards()).toEqual(['5H', '2C', '2D', '3D', 'KS', '2H']);
  expect(await page.getByTestId('proven').innerText()).toContain('6 cards verified');
  await table.does('settle');
  await page.waitForSelector('[data-outcome]');
  expect(await page.locator('[data-testid=back] p').innerText()).toBe(
    'Reconnected: you were in round 1. Player won: you staked 10.00 and 10.00 was returned, winnings included. ETG 5.10.1',
  );
  expect(await placed(page)).toEqual({ player: 500, tie: 500 });
  expect(await meter(page, 'credit')).toBe(99_000 + 1000);
  expect(await table.end()).toBeUndefined();
});

test('[ETG 5.9.1] a table killed after two cards and restarted late voids the round, because no wager was decided', async () => {
  const { table, page } = await seated();
  await table.does('deal', 2);
  await cardsOut(page, 2);
  await away(table, page, long);
  const notice = await page.waitForSelector('[data-testid=round-notice]');
  expect(await notice.innerText()).toContain('Round #1 is void');
  await page.waitForSelector('[data-outcome=tie]');
  // After the message is closed, the stage still shows the void.
  await page.locator('[data-testid=round-notice] button').click();
  expect(await page.locator('.axis-void').innerText()).toMatch(
    /^ROUND VOID 本局作废\s+PLAYER 闲\s+\d\s+BANKER 庄\s+\d\s+ETG 5.9.1\s+Stakes returned\s+10.00$/i,
  );
  await atSizesAndLanguages(page, async (label) => expect(await faults(page), label).toEqual([]));
  expect(await meter(page, 'credit')).toBe(100_000);
  expect(await table.end()).toBeUndefined();
});

test('[ETG 5.9.2] a table killed after four cards and restarted late finishes the deal, because a wager was decided', async () => {
  const { table, page } = await seated();
  await table.does('deal', 4);
  await cardsOut(page, 4);
  await away(table, page, long);
  const notice = await page.waitForSelector('[data-testid=notice]');
  expect((await notice.innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'Round #1 continues It was interrupted. A bet was already decided by its cards, so the round is completed. ETG 5.9.2',
  );
  expect(await meter(page, 'credit')).toBe(99_000);
  await table.does('settle');
  await page.waitForSelector('[data-outcome]');
  expect((await outcomes(page))['player']).toContain('won 5.00');
  expect(await meter(page, 'credit')).toBe(99_000 + 1000);
  expect(await table.end()).toBeUndefined();
});

/** Starts the real program with a table whose betting time is ten minutes, and waits for its first line. */
async function serve(folder: string, port: number): Promise<{ process: ChildProcess; address: string }> {
  const property = join(folder, 'property.jsonc');
  const demo = demoOf('X09').replace('"bettingTime": 15000', '"bettingTime": 600000, "interruption": 600000');
  writeFileSync(property, demo);
  const options = ['--property', property, '--port', String(port), '--data', join(folder, 'data')];
  const program = spawn(process.execPath, [join(root, 'src/cli/main.ts'), 'serve', ...options], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killLater(program);
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  return { process: program, address: /http:\S+/.exec(line.toString('utf8'))![0] };
}

test('the real program loses no accepted bet when it is killed', async () => {
  const folder = temporaryFolder('plug');
  const port = await freePort();
  const first = await serve(folder, port);
  const { page } = await freshPage(1366, 768);
  await toTable(page, first, 'X09');
  await page.waitForSelector('.terminal.is-open');
  for (const wager of ['banker', 'tiger']) await spot(page, wager).click();
  await settled(page);
  await pull(first.process);
  await page.waitForSelector('[data-testid=connection]');

  const second = await serve(folder, port);
  await back(page);
  await settled(page);
  expect(await placed(page)).toEqual({ banker: 500, tiger: 500 });
  second.process.kill('SIGTERM');
  const [code] = (await once(second.process, 'exit')) as [number];
  expect(code).toBe(0);
  expect(await problemIn(folder)).toBeUndefined();
});
