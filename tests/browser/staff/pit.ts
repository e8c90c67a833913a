import { type Page } from 'playwright-core';
import { type Server } from '../../../src/server/serverOptions.ts';
import { leastCost } from '../../../src/runtime/staff/credentialStore.ts';
import { demoPin } from '../../../src/runtime/staff/initialStaff.ts';
import { memoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { house } from '../../server/house.ts';
import { freshPage } from '../browser.ts';
import { addKeyClock, typeInTime } from './keyboard.ts';
import { screens } from '../screens.ts';

// A real floor with people at real screens: what one of them does is seen by the others.

/** A demo floor whose one table is dealt by hand, on a record that can be verified in the end. */
export class Pit {
  readonly server: Server;
  readonly #store: ReturnType<typeof memoryStore>;

  private constructor(server: Server, store: ReturnType<typeof memoryStore>) {
    this.server = server;
    this.#store = store;
  }

  static async of(table: string, setting: object = {}, more: Parameters<typeof house>[0] = {}): Promise<Pit> {
    const store = memoryStore();
    const server = await house({
      store: { ...store, close: async () => {} },
      tables: [table],
      settings: { dealing: 'keyed', attended: true, behind: 14, bettingTime: 1_000, ...setting },
      staff: { demo: true, cost: leastCost },
      screens: await screens(),
      ...more,
    });
    return new Pit(server, store);
  }

  person(number: string, path: string, table?: string): Promise<Person> {
    return personAt(this.server, number, path, table);
  }

  patron(table: string): Promise<Person> {
    return patronAt(this.server, table);
  }

  /** Ends it, and gives what is wrong with its record. */
  async close(): Promise<string | undefined> {
    await this.server.close();
    return (await verifyStore(this.#store)).problem;
  }
}

type At = Pick<Server, 'address'>;

/** A person at a screen of their own, signed in by one click. */
export async function personAt({ address }: At, number: string, path: string, table?: string): Promise<Person> {
  const { page, complaints } = await freshPage(1366, 768);
  await addKeyClock(page);
  await page.goto(new URL('/sign-in', address).href);
  await page.evaluate(
    (given) =>
      fetch('/staff/demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-punto-staff': '1' },
        body: JSON.stringify(given),
      }),
    { number, ...(table !== undefined && { table }) },
  );
  await page.goto(new URL(path, address).href);
  return new Person(page, complaints);
}

export async function patronAt({ address }: At, table: string): Promise<Person> {
  const { page, complaints } = await freshPage(1366, 768);
  await page.goto(new URL(`/#/table/${table}`, address).href);
  return new Person(page, complaints);
}

/** Somebody at a screen. */
export class Person {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** How many keys were pressed. */
  keys = 0;

  constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Types keys by hand, each Enter after its dead time. */
  async type(...keys: readonly string[]): Promise<void> {
    this.keys += keys.length;
    await typeInTime(this.page, keys);
  }

  /** Waits until the console says something. */
  async says(text: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: text }).waitFor();
  }

  /** Another person consents at this console. */
  async consentOf(number: string): Promise<void> {
    await this.type(...Array.from(number.toLowerCase()), 'Tab', ...Array.from(demoPin), 'Enter');
  }
}
