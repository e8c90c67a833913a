import { randomBytes, randomUUID } from 'node:crypto';
import { leastCost } from '../../../src/runtime/staff/credentialStore.ts';
import { demoPin } from '../../../src/runtime/staff/initialStaff.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type Scheduler } from '../../../src/server/operations/serverClock.ts';
import { memoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { house } from '../../server/house.ts';
import { freshPage } from '../browser.ts';
import { addKeyClock } from './keyboard.ts';
import { type Bets, Hand, Patron, expectSame, table } from './hands.ts';
import { screens } from '../screens.ts';

// Everybody whom an irregularity concerns, each at a screen of their own: a dealer, a supervisor, a shift manager and two
// patrons. Nothing is asked of the table but by their hands, save for the shoes, which another test brings by keys.

/** How a matter is ended, by whose keys, and who is the second person. */
export type Ruling = {
  /** Who rules, each at a screen of their own. */
  readonly by: 'supervisor' | 'dealer';
  readonly keys: readonly string[];
  /** Who signs: the shift manager or the supervisor at their own screen, or the supervisor by PIN at the dealer's. */
  readonly signed: 'manager' | 'supervisor' | 'pin';
};

/** A demo floor whose one table is dealt by hand, with everybody at it. */
export class Crew {
  server: Server;
  readonly #store: ReturnType<typeof memoryStore>;
  readonly #start: (port: number) => Promise<Server>;
  readonly dealer: Hand;
  readonly supervisor: Hand;
  readonly manager: Hand;
  readonly patrons: readonly [Patron, Patron];
  readonly #clock: { ahead: number };
  #shoes = 0;

  private constructor(
    parts: Pick<Crew, 'server' | 'dealer' | 'supervisor' | 'manager' | 'patrons'>,
    store: ReturnType<typeof memoryStore>,
    start: (port: number) => Promise<Server>,
    clock: { ahead: number },
  ) {
    this.server = parts.server;
    this.dealer = parts.dealer;
    this.supervisor = parts.supervisor;
    this.manager = parts.manager;
    this.patrons = parts.patrons;
    this.#store = store;
    this.#start = start;
    this.#clock = clock;
  }

  static async gathered(): Promise<Crew> {
    const store = memoryStore();
    const key = randomBytes(32);
    const clock = { ahead: 0 };
    const time: Scheduler = {
      now: () => Date.now() + clock.ahead,
      after: (span, run) => {
        const timer = setTimeout(run, span);
        return () => clearTimeout(timer);
      },
    };
    const folder = await screens();
    const start = (port: number): Promise<Server> =>
      house({
        store: { ...store, close: async () => {} },
        key,
        port,
        time,
        tables: [table],
        settings: { dealing: 'keyed', attended: true, behind: 14, bettingTime: 400 },
        linkTime: 300,
        staff: { demo: true, cost: leastCost },
        screens: folder,
        // The service stops and starts again within a test, and the next test goes on with it.
        closes: 'file',
      });
    const server = await start(0);
    const [dealer, supervisor, manager] = [
      await signedIn(server, 'D-1', `/dealer/${table}`, table),
      await signedIn(server, 'S-1', `/floor/${table}/ruling`),
      await signedIn(server, 'G-1', `/floor/${table}`),
    ];
    const patrons = [await seated(server), await seated(server)] as const;
    return new Crew({ server, dealer, supervisor, manager, patrons }, store, start, clock);
  }

  get everybody(): readonly (Hand | Patron)[] {
    return [this.dealer, this.supervisor, this.manager, ...this.patrons];
  }

  /** Something is asked of the table in the name of somebody, in the post that the register says. */
  async #ask(number: string, type: string, fields: object = {}): Promise<void> {
    const { tables, people } = this.server.floor;
    const { person, post, held } = people.holderOf(number, () => true)!;
    const answered = await tables
      .get(table)!
      .submit(randomUUID(), { type, who: { person }, ...fields }, undefined, { post, held });
    expectSame('entries' in answered, true, type);
  }

  async #approve(number: string): Promise<void> {
    const { id: proposal, hash } = this.server.floor.tables.get(table)!.table.proposal!;
    await this.#ask(number, 'Approve', { proposal, hash });
  }

  /** Another shoe comes; one that is there leaves under a seal. The cutting card lies before so many cards. */
  async shoe(behind = 14): Promise<void> {
    this.#shoes += 1;
    if (this.server.floor.tables.get(table)!.table.shoe !== null) {
      await this.#ask('D-1', 'SealShoe', { seal: `old ${this.#shoes}`, to: 'Card room' });
      await this.#approve('S-1');
    }
    await this.#ask('D-1', 'BringShoe', { shoe: `S${this.#shoes}`, seal: `new ${this.#shoes}` });
    await this.#ask('D-1', 'CountCards', { cards: 416 });
    await this.#ask('D-1', 'ShuffleShoe', { method: 'machine' });
    await this.#ask('D-1', 'CutShoe', { behind });
    await this.#ask('D-1', 'VerifyShoe');
    await this.#approve('S-1');
  }

  /** Bets are opened, placed at both terminals, and called closed: one key a call. */
  async bets(wanted: readonly [Bets, Bets]): Promise<void> {
    await this.opens(wanted);
    const { dealer } = this;
    await dealer.type('Enter');
    await dealer.says('Player’s first card');
  }

  /** Bets are opened and placed, and not closed yet. */
  async opens(wanted: readonly [Bets, Bets]): Promise<void> {
    const { dealer, patrons } = this;
    await dealer.says('Ready for the next round');
    await dealer.type('Enter');
    await dealer.says('Bets are open');
    await Promise.all(patrons.map((patron, n) => patron.bets(wanted[n]!)));
  }

  /** Cards are dealt by keys: two a card. */
  async deals(cards: string): Promise<void> {
    const { dealer } = this;
    const all = cards.split(' ').filter((card) => card !== '');
    const lie = dealer.page.locator('.hands .slot:not(:has(.hole))');
    const before = await lie.count();
    await dealer.type(...Array.from(all.join('').toLowerCase()));
    await lie.nth(before + all.length - 1).waitFor();
  }

  /** The dealer settles by one key. */
  async settles(result: string): Promise<void> {
    const { dealer } = this;
    await dealer.says(result);
    await dealer.type('Enter');
  }

  /** What is wrong is reported by the dealer: two digits after the key of the list, then what the report asks for. */
  async reports(row: string, more: readonly string[], says: string): Promise<void> {
    const { dealer } = this;
    await dealer.type('w', ...Array.from(row));
    if (more.length > 0) {
      await dealer.page.waitForSelector('.sheet', { state: 'detached' });
      await dealer.type(...more);
    }
    await dealer.says(says);
  }

  /** Both patrons see that the table stands still, and by which clause. */
  async stands(clause: string): Promise<void> {
    for (const { page } of this.patrons)
      await page.locator('[data-testid=stopped] code', { hasText: clause }).waitFor();
  }

  /** Somebody opens another page, unless it is there. */
  async goes(who: 'supervisor' | 'manager', path: string): Promise<void> {
    const { page } = this[who];
    if (new URL(page.url()).pathname === path) return;
    await page.goto(new URL(path, this.server.address).href);
    await page.locator('main').waitFor();
  }

  /** Somebody refers what is at the table, in words. */
  async refers(who: 'supervisor' | 'manager', reason: string): Promise<void> {
    await this.goes(who, `/floor/${table}`);
    await this[who].sees('[data-act=F]');
    await this[who].type('f');
    await this[who].writes(reason);
    await this[who].type('Enter');
  }

  /** One person rules by keys, and a second one consents to just that. */
  async rules({ by, keys, signed }: Ruling): Promise<void> {
    const { dealer, supervisor } = this;
    const ruler = this[by];
    if (by === 'supervisor') {
      await this.goes('supervisor', `/floor/${table}/ruling`);
      await supervisor.sees('[data-testid=propose]');
    }
    await ruler.type(...keys);
    if (signed === 'pin') {
      await dealer.sees('[data-testid=second]');
      await dealer.type(...signature('S-1'));
      return;
    }
    await this.signs(signed);
  }

  /** Somebody consents at a screen of their own by one key; where the supervisor proposed it, to what is shown there. */
  async signs(who: 'supervisor' | 'manager'): Promise<void> {
    const [second, fragment] = [this[who], '[data-testid=fragment]'];
    await second.sees('[data-testid=approve]');
    if (who === 'manager' && (await this.supervisor.page.locator(fragment).count()) > 0)
      expectSame(await second.page.innerText(fragment), await this.supervisor.page.innerText(fragment));
    await second.type('Enter');
  }

  /** The Gaming Shift Manager decides a referral with a reason, and is back at the table. */
  async decides(digit: string, reason: string): Promise<void> {
    const { manager } = this;
    await this.goes('manager', `/floor/${table}`);
    await manager.sees('[data-act=E]');
    await manager.type('e');
    await manager.sees('[data-testid=decide]:not(:disabled)');
    await manager.type(digit, 'y');
    await manager.writes(reason);
    await manager.type('Enter');
    await manager.sees('main.soon');
    await manager.type('Escape');
    await manager.sees('main.table1');
  }

  /** Each credit differs by what was worked out by hand. */
  async gains(each: readonly [number, number]): Promise<void> {
    for (const [n, patron] of this.patrons.entries()) await patron.gains(each[n]!);
  }

  /** Both patrons read that the round is void, why and by which clause. */
  async told(by: string, why: string): Promise<void> {
    for (const patron of this.patrons) {
      const text = await patron.reads('told');
      for (const part of ['is void', by, why]) expectSame(text.includes(part), true, `${part} in: ${text}`);
    }
  }

  /** Nothing happens at the table for so long; the dealer's screen knows the time again by the next heartbeat. */
  async waits(span: number): Promise<void> {
    const { page } = this.dealer;
    const before = await page.innerText('.clock');
    this.#clock.ahead += span;
    await page.waitForFunction(
      ([from, seconds]) => {
        const secondsIn = (time: string): number => time.split(':').reduce((all, part) => all * 60 + Number(part), 0);
        const passed = secondsIn(document.querySelector('.clock')!.textContent) - secondsIn(from);
        return (passed < 0 ? passed + 86_400 : passed) >= seconds;
      },
      [before, span / 1_000] as const,
    );
  }

  /** The service stops for so long, and begins again on the same record. */
  async stops(span: number): Promise<void> {
    const { port } = new URL(this.server.address);
    await this.server.close();
    this.#clock.ahead += span;
    this.server = await this.#start(Number(port));
  }

  /** Nobody's page complained but of what was expected; everybody leaves, and gives what is wrong with the record. */
  async leave(expected = /^$/): Promise<string | undefined> {
    const complaints = this.everybody.map((one) => one.complaints.filter((text) => !expected.test(text)));
    expectSame(complaints.flat(), []);
    await this.server.close();
    return (await verifyStore(this.#store)).problem;
  }
}

/** Somebody of the demo at a screen of their own. */
async function signedIn(server: Server, number: string, path: string, at?: string): Promise<Hand> {
  const { page, complaints } = await freshPage(1366, 768);
  await addKeyClock(page);
  await page.goto(new URL('/sign-in', server.address).href);
  await page.evaluate(
    (given) =>
      fetch('/staff/demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-punto-staff': '1' },
        body: JSON.stringify(given),
      }),
    { number, ...(at !== undefined && { table: at }) },
  );
  await page.goto(new URL(path, server.address).href);
  return new Hand(page, complaints);
}

async function seated(server: Server): Promise<Patron> {
  const { page, complaints } = await freshPage(1366, 768);
  const patron = new Patron(page, complaints);
  await patron.begin(server);
  return patron;
}

/** Number and PIN of a second person, as they are keyed at a dealer's console. */
const signature = (number: string): readonly string[] => [
  ...Array.from(number.toLowerCase()),
  'Tab',
  ...Array.from(demoPin),
  'Enter',
];
