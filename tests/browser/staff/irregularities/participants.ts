import { randomBytes, randomUUID } from 'node:crypto';
import { insecureScryptCost } from '../../../../src/runtime/staff/credentialStore.ts';
import { demoPin } from '../../../../src/runtime/staff/initialStaff.ts';
import { type Server } from '../../../../src/server/serverOptions.ts';
import { type Scheduler } from '../../../../src/runtime/ports/scheduler.ts';
import { createMemoryStore } from '../../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../../src/verify/verify.ts';
import { startTestServer } from '../../../server/support/testServer.ts';
import { freshPage } from '../../support/browser.ts';
import { addKeyClock } from '../support/keyboard.ts';
import { type Bets, StaffMember, Patron, expectSame, table } from '../support/staffAndPatron.ts';
import { screens } from '../../support/screens.ts';

// Everyone whom an irregularity concerns, each with a screen: dealer, supervisor, shift manager and two patrons. All
// commands come from their keys, except for the shoes, which another test covers.

/** Ruling: its keys, and who gives the second signature. */
export type Ruling = {
  /** Role that rules. */
  readonly by: 'supervisor' | 'dealer';
  readonly keys: readonly string[];
  /** Second signature: shift manager or supervisor at their own screen, or supervisor by PIN at the dealer's. */
  readonly signed: 'manager' | 'supervisor' | 'pin';
};

/** Demo floor with one table dealt by hand, and the crew at it. */
export class Participants {
  server: Server;
  readonly #store: ReturnType<typeof createMemoryStore>;
  readonly #start: (port: number) => Promise<Server>;
  readonly dealer: StaffMember;
  readonly supervisor: StaffMember;
  readonly manager: StaffMember;
  readonly patrons: readonly [Patron, Patron];
  readonly #clock: { offsetMs: number };
  #shoes = 0;

  private constructor(
    participants: Pick<Participants, 'server' | 'dealer' | 'supervisor' | 'manager' | 'patrons'>,
    store: ReturnType<typeof createMemoryStore>,
    start: (port: number) => Promise<Server>,
    clock: { offsetMs: number },
  ) {
    this.server = participants.server;
    this.dealer = participants.dealer;
    this.supervisor = participants.supervisor;
    this.manager = participants.manager;
    this.patrons = participants.patrons;
    this.#store = store;
    this.#start = start;
    this.#clock = clock;
  }

  static async start(): Promise<Participants> {
    const store = createMemoryStore();
    const key = randomBytes(32);
    const clock = { offsetMs: 0 };
    const time: Scheduler = {
      now: () => Date.now() + clock.offsetMs,
      after: (durationMs, run) => {
        const timer = setTimeout(run, durationMs);
        return () => clearTimeout(timer);
      },
    };
    const folder = await screens();
    const start = (port: number): Promise<Server> =>
      startTestServer({
        store: { ...store, close: async () => {} },
        key,
        port,
        scheduler: time,
        tables: [table],
        settings: { dealing: 'keyed', attended: true, behind: 14, bettingTime: 400 },
        disconnectReportMs: 300,
        initialStaff: { demo: true, scryptCost: insecureScryptCost },
        screensFolder: folder,
        // The service stops and restarts within a test, and the next test goes on with it.
        closeAfter: 'file',
      });
    const server = await start(0);
    const [dealer, supervisor, manager] = [
      await openStaff(server, 'D-1', `/dealer/${table}`, table),
      await openStaff(server, 'S-1', `/floor/${table}/ruling`),
      await openStaff(server, 'G-1', `/floor/${table}`),
    ];
    const patrons = [await openPatron(server), await openPatron(server)] as const;
    return new Participants({ server, dealer, supervisor, manager, patrons }, store, start, clock);
  }

  get everyone(): readonly (StaffMember | Patron)[] {
    return [this.dealer, this.supervisor, this.manager, ...this.patrons];
  }

  /** Submits a command for a member of staff, in the role that the staff list gives. */
  async #ask(number: string, type: string, fields: object = {}): Promise<void> {
    const { tables, staff } = this.server.floor;
    const { person, authority, grant } = staff.findAuthorized(number, () => true)!;
    const result = await tables
      .get(table)!
      .submit(randomUUID(), { type, actor: { person }, ...fields }, undefined, { authority, grant });
    expectSame('entries' in result, true, type);
  }

  async #approve(number: string): Promise<void> {
    const { id: proposal, hash } = this.server.floor.tables.get(table)!.table.proposal!;
    await this.#ask(number, 'Approve', { proposal, hash });
  }

  /** Changes the shoe; a shoe at the table leaves sealed. `behind` is the number of cards behind the cutting card. */
  async changeShoe(behind = 14): Promise<void> {
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

  /** Opens bets, places them at both terminals and calls the close: one key each. */
  async placeBets(stakes: readonly [Bets, Bets]): Promise<void> {
    await this.openBets(stakes);
    const { dealer } = this;
    await dealer.type('Enter');
    await dealer.expectPrompt('Player’s first card');
  }

  /** Opens and places bets, without closing. */
  async openBets(stakes: readonly [Bets, Bets]): Promise<void> {
    const { dealer, patrons } = this;
    await dealer.expectPrompt('Ready for the next round');
    await dealer.type('Enter');
    await dealer.expectPrompt('Bets are open');
    await Promise.all(patrons.map((patron, n) => patron.placeBets(stakes[n]!)));
  }

  /** Deals cards by keys: two for each card. */
  async dealCards(cards: string): Promise<void> {
    const { dealer } = this;
    const all = cards.split(' ').filter((card) => card !== '');
    const dealt = dealer.page.locator('.hands .slot:not(:has(.hole))');
    const before = await dealt.count();
    await dealer.type(...Array.from(all.join('').toLowerCase()));
    await dealt.nth(before + all.length - 1).waitFor();
  }

  async settle(result: string): Promise<void> {
    const { dealer } = this;
    await dealer.expectPrompt(result);
    await dealer.type('Enter');
  }

  /** Reports an irregularity: two digits after the menu key, then the details. */
  async report(row: string, more: readonly string[], prompt: string): Promise<void> {
    const { dealer } = this;
    await dealer.type('w', ...Array.from(row));
    if (more.length > 0) {
      await dealer.page.waitForSelector('.sheet', { state: 'detached' });
      await dealer.type(...more);
    }
    await dealer.expectPrompt(prompt);
  }

  /** Both patrons see that the table is stopped, and by which clause. */
  async expectStopped(clause: string): Promise<void> {
    for (const { page } of this.patrons)
      await page.locator('[data-testid=stopped] code', { hasText: clause }).waitFor();
  }

  /** Opens another page, unless it is open. */
  async openPage(role: 'supervisor' | 'manager', path: string): Promise<void> {
    const { page } = this[role];
    if (new URL(page.url()).pathname === path) return;
    await page.goto(new URL(path, this.server.address).href);
    await page.locator('main').waitFor();
  }

  /** Refers the case at the table with a reason. */
  async refer(role: 'supervisor' | 'manager', reason: string): Promise<void> {
    await this.openPage(role, `/floor/${table}`);
    await this[role].waitFor('[data-act=F]');
    await this[role].type('f');
    await this[role].typeReason(reason);
    await this[role].type('Enter');
  }

  /** One person rules by keys, and a second one approves that proposal. */
  async rule({ by, keys, signed }: Ruling): Promise<void> {
    const { dealer, supervisor } = this;
    const ruler = this[by];
    if (by === 'supervisor') {
      await this.openPage('supervisor', `/floor/${table}/ruling`);
      await supervisor.waitFor('[data-testid=propose]');
    }
    await ruler.type(...keys);
    if (signed === 'pin') {
      await dealer.waitFor('[data-testid=second]');
      await dealer.type(...signature('S-1'));
      return;
    }
    await this.approve(signed);
  }

  /** Approves with the PIN at the own desk. If the supervisor proposed, both screens show the same hash. */
  async approve(role: 'supervisor' | 'manager'): Promise<void> {
    const [second, fragment] = [this[role], '[data-testid=fragment]'];
    await second.waitFor('[data-testid=sign-bar]');
    if (role === 'manager' && (await this.supervisor.page.locator(fragment).count()) > 0)
      expectSame(await second.page.innerText(fragment), await this.supervisor.page.innerText(fragment));
    await second.type(...Array.from(demoPin), 'Enter');
  }

  /** The Gaming Shift Manager decides a referral with a reason and returns to the table page. */
  async decide(digit: string, reason: string): Promise<void> {
    const { manager } = this;
    await this.openPage('manager', `/floor/${table}`);
    await manager.waitFor('[data-act=E]');
    await manager.type('e');
    await manager.waitFor('[data-testid=decide]:not(:disabled)');
    await manager.type(digit, 'y');
    await manager.typeReason(reason);
    await manager.type('Enter');
    await manager.waitFor('main.soon');
    await manager.type('Escape');
    await manager.waitFor('main.table1');
  }

  /** Each credit changes by the amount worked out by hand. */
  async expectGains(each: readonly [number, number]): Promise<void> {
    for (const [n, patron] of this.patrons.entries()) await patron.expectGain(each[n]!);
  }

  /** Both patrons read that the round is void, the reason and the clause. */
  async expectVoidNotice(by: string, why: string): Promise<void> {
    for (const patron of this.patrons) {
      const text = await patron.readNotice('round-notice');
      for (const part of ['is void', by, why]) expectSame(text.includes(part), true, `${part} in: ${text}`);
    }
  }

  /** Moves the server clock; waits until the next heartbeat has updated the dealer's screen. */
  async advanceClock(durationMs: number): Promise<void> {
    const { page } = this.dealer;
    const before = await page.innerText('.clock');
    this.#clock.offsetMs += durationMs;
    await page.waitForFunction(
      ([from, seconds]) => {
        const secondsIn = (time: string): number => time.split(':').reduce((all, part) => all * 60 + Number(part), 0);
        const passed = secondsIn(document.querySelector('.clock')!.textContent) - secondsIn(from);
        return (passed < 0 ? passed + 86_400 : passed) >= seconds;
      },
      [before, durationMs / 1_000] as const,
    );
  }

  /** Stops the service for a time, and restarts it on the same store. */
  async restartService(durationMs: number): Promise<void> {
    const { port } = new URL(this.server.address);
    await this.server.close();
    this.#clock.offsetMs += durationMs;
    this.server = await this.#start(Number(port));
  }

  /** Expects no page errors but the given ones, closes everything and returns what is wrong with the event log. */
  async leave(expected = /^$/): Promise<string | undefined> {
    const complaints = this.everyone.map((one) => one.complaints.filter((text) => !expected.test(text)));
    expectSame(complaints.flat(), []);
    await this.server.close();
    return (await verifyStore(this.#store)).problem;
  }
}

/** Member of the demo staff with a screen of their own. */
async function openStaff(server: Server, number: string, path: string, console?: string): Promise<StaffMember> {
  const { page, complaints } = await freshPage(1366, 768);
  await addKeyClock(page);
  await page.goto(new URL('/sign-in', server.address).href);
  await page.evaluate(
    (body) =>
      fetch('/staff/demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-punto-staff': '1' },
        body: JSON.stringify(body),
      }),
    { number, ...(console !== undefined && { table: console }) },
  );
  await page.goto(new URL(path, server.address).href);
  return new StaffMember(page, complaints);
}

async function openPatron(server: Server): Promise<Patron> {
  const { page, complaints } = await freshPage(1366, 768);
  const patron = new Patron(page, complaints);
  await patron.openTable(server);
  return patron;
}

/** Number and PIN of a second person, as keyed at a dealer console. */
const signature = (number: string): readonly string[] => [
  ...Array.from(number.toLowerCase()),
  'Tab',
  ...Array.from(demoPin),
  'Enter',
];
