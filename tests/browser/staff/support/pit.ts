import { type Page } from 'playwright-core';
import { type Server } from '../../../../src/server/serverOptions.ts';
import { insecureScryptCost } from '../../../../src/runtime/staff/credentialStore.ts';
import { demoPin } from '../../../../src/runtime/staff/initialStaff.ts';
import { createMemoryStore } from '../../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../../src/verify/verify.ts';
import { startTestServer } from '../../../server/support/testServer.ts';
import { freshPage } from '../../support/browser.ts';
import { addKeyClock, typeInTime } from './keyboard.ts';
import { screens } from '../../support/screens.ts';

// Real floor with people at real screens, each of whom sees what the others do.

/** Demo floor with one table dealt by hand, on an event log that is verified in the end. */
export class Pit {
  readonly server: Server;
  readonly #store: ReturnType<typeof createMemoryStore>;

  private constructor(server: Server, store: ReturnType<typeof createMemoryStore>) {
    this.server = server;
    this.#store = store;
  }

  static async of(table: string, setting: object = {}, more: Parameters<typeof startTestServer>[0] = {}): Promise<Pit> {
    const store = createMemoryStore();
    const server = await startTestServer({
      store: { ...store, close: async () => {} },
      tables: [table],
      settings: { dealing: 'keyed', attended: true, behind: 14, bettingTime: 1_000, ...setting },
      initialStaff: { demo: true, scryptCost: insecureScryptCost },
      screensFolder: await screens(),
      ...more,
    });
    return new Pit(server, store);
  }

  person(number: string, path: string, table?: string): Promise<Person> {
    return openStaffPage(this.server, number, path, table);
  }

  patron(table: string): Promise<Person> {
    return openPatronPage(this.server, table);
  }

  /** Closes the server and returns what is wrong with the event log. */
  async close(): Promise<string | undefined> {
    await this.server.close();
    return (await verifyStore(this.#store)).problem;
  }
}

type ServerAddress = Pick<Server, 'address'>;

/** Person with a screen of their own, signed in by one click. */
export async function openStaffPage(
  { address }: ServerAddress,
  number: string,
  path: string,
  table?: string,
): Promise<Person> {
  const { page, complaints } = await freshPage(1366, 768);
  await addKeyClock(page);
  await page.goto(new URL('/sign-in', address).href);
  await page.evaluate(
    (body) =>
      fetch('/staff/demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-punto-staff': '1' },
        body: JSON.stringify(body),
      }),
    { number, ...(table !== undefined && { table }) },
  );
  await page.goto(new URL(path, address).href);
  return new Person(page, complaints);
}

export async function openPatronPage({ address }: ServerAddress, table: string): Promise<Person> {
  const { page, complaints } = await freshPage(1366, 768);
  await page.goto(new URL(`/#/table/${table}`, address).href);
  return new Person(page, complaints);
}

export class Person {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Number of keys pressed. */
  keys = 0;

  constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Types keys by hand, each Enter after the time in which it is ignored. */
  async type(...keys: readonly string[]): Promise<void> {
    this.keys += keys.length;
    await typeInTime(this.page, keys);
  }

  /** Waits for a prompt. */
  async expectPrompt(text: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: text }).waitFor();
  }

  /** Approval by another person at this console. */
  async approveAs(number: string): Promise<void> {
    await this.type(...Array.from(number.toLowerCase()), 'Enter', ...Array.from(demoPin), 'Enter');
  }

  /** Approval with the PIN at the own desk. */
  async sign(): Promise<void> {
    await this.page.getByTestId('sign-bar').waitFor();
    await this.type(...Array.from(demoPin), 'Enter');
  }
}
