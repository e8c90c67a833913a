import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Page, type Route, type WebSocketRoute } from 'playwright-core';
import { type StaffMe } from '../../../src/wire/staff/signInRequests.ts';
import { type StaffServerMessage, type StaffClientMessage, type StaffSession } from '../../../src/wire/staff/messages.ts';
import { type DealerView } from '../../../src/wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../src/wire/staff/supervisorView.ts';
import { lastingPage } from '../browser.ts';
import { addKeyClock, passDeadTime, scanText, typeKeys } from './keyboard.ts';
import { screens } from '../screens.ts';

// Staff screens fed by a test: no server, no table, no clock that anybody waits for.

const kinds: { readonly [ending: string]: string } = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export const session = (more: Partial<StaffSession> = {}): StaffSession => ({
  person: 'p1',
  number: 'D-214',
  post: 'dealer',
  acting: null,
  until: null,
  since: Date.now() - 3_600_000,
  table: 'L11',
  locked: false,
  ...more,
});

/** The files of the screens, read once. */
const files = new Map<string, Buffer>();
function fileAt(place: string): Buffer {
  const file = files.get(place) ?? readFileSync(place);
  files.set(place, file);
  return file;
}

/** A page that outlives who sits there: opening another takes longer than most of what is shown on one. */
type Seat = { readonly page: Page; readonly complaints: string[]; readonly folder: string; fed: Fed | undefined };

/** Those that nobody sits at. */
const idle: Seat[] = [];

async function seatOf(touch: boolean): Promise<Seat> {
  const { page, complaints } = await lastingPage(1366, 768, { hasTouch: touch });
  await addKeyClock(page);
  const seat: Seat = { page, complaints, folder: await screens(), fed: undefined };
  await page.route('http://staff.test/**', (route) => seat.fed!.answer(route, seat.folder));
  await page.routeWebSocket(/staff-socket$/, (route) => seat.fed!.open(route));
  return seat;
}

type Asked = Extract<StaffClientMessage, { readonly id: string }>;

/** A page of staff with its other end in the hands of a test. */
export class Fed {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly #seat: Seat;
  readonly #isTouched: boolean;
  /** All that the page said. */
  readonly heard: StaffClientMessage[] = [];
  /** All that it asked by HTTP. */
  readonly asked: { readonly path: string; readonly body: unknown }[] = [];
  /** How what is asked is answered; as done, unless a test says otherwise. */
  answers: (asked: Asked) => StaffServerMessage | undefined = ({ id }) => ({
    type: 'done',
    id,
    events: [],
    sequence: 1,
  });
  /** What is refused by HTTP, and what is answered there besides. */
  readonly denies: { [path: string]: object } = {};
  readonly gives: { [path: string]: object } = {};
  me: StaffMe;
  #route: WebSocketRoute | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #version = 0;
  #view: DealerView | undefined;
  /** A table as a supervisor sees it, for pages that ask for that. */
  supervised: SupervisorView | undefined;
  #isUp = true;
  /** Who the link says is signed in. */
  signedIn = session();

  private constructor(seat: Seat, isTouched: boolean) {
    this.page = seat.page;
    this.complaints = seat.complaints;
    this.#seat = seat;
    this.#isTouched = isTouched;
    this.me = {
      at: Date.now(),
      property: 'demo',
      currency: 'SGD',
      demo: true,
      console: null,
      session: this.signedIn,
      people: [],
      tables: [],
    };
  }

  static async at(
    path: string,
    view?: DealerView,
    touch = false,
    width = 1366,
    height = 768,
    me: Partial<StaffMe> = {},
    who: Partial<StaffSession> = {},
  ): Promise<Fed> {
    const fed = await Fed.for(session(who), touch, width, height);
    fed.#view = view;
    fed.me = { ...fed.me, ...me };
    await fed.page.goto(`http://staff.test${path}`);
    return fed;
  }

  /** A page that is not opened yet, with somebody signed in. */
  static async for(who: StaffSession, touch = false, width = 1366, height = 768): Promise<Fed> {
    const seat = (touch ? undefined : idle.pop()) ?? (await seatOf(touch));
    const fed = new Fed(seat, touch);
    seat.fed = fed;
    fed.signedIn = who;
    fed.me = { ...fed.me, session: who };
    await seat.page.setViewportSize({ width, height });
    return fed;
  }

  /** What the page asks for by HTTP. */
  answer(route: Route, folder: string): Promise<void> {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/staff/')) {
      this.asked.push({ path: pathname, body: route.request().postDataJSON() as unknown });
      const denied = this.denies[pathname];
      if (denied) return route.fulfill({ status: 403, json: denied });
      return route.fulfill({ json: pathname === '/staff/me' ? this.me : (this.gives[pathname] ?? {}) });
    }
    const file = pathname.startsWith('/assets/') ? pathname : '/staff.html';
    return route.fulfill({ body: fileAt(join(folder, file)), contentType: kinds[extname(file)]! });
  }

  /** Shows a table as a supervisor sees it. */
  async supervise(view: SupervisorView): Promise<void> {
    this.supervised = view;
    this.tell({ type: 'supervisor', table: view.table, version: ++this.#version, view });
    await this.settled();
  }

  /** Shows a table as its dealer sees it. */
  async show(view: DealerView): Promise<void> {
    this.#view = view;
    this.tell({ type: 'dealer', table: 'L11', version: ++this.#version, view });
    await this.settled();
  }

  /** All that was told is drawn. */
  async settled(): Promise<void> {
    await this.page.evaluate(async () => {
      for (let n = 0; n < 2; n++) await new Promise((next) => requestAnimationFrame(next));
      await document.fonts.ready;
    });
  }

  tell(told: StaffServerMessage): void {
    this.#route?.send(JSON.stringify(told));
  }

  type(...keys: readonly string[]): Promise<void> {
    return typeKeys(this.page, keys);
  }

  async scan(text: string): Promise<void> {
    await scanText(this.page, Array.from(text));
    await this.settled();
  }

  ready(): Promise<void> {
    return passDeadTime(this.page);
  }

  /** What was asked of the table, one after the other. */
  get commands(): readonly { readonly type: string; readonly [field: string]: unknown }[] {
    return this.heard.flatMap((said) => (said.type === 'command' ? [said.asked] : []));
  }

  cut(): void {
    this.#isUp = false;
    void this.#route?.close({ code: 1011 });
  }

  /** Leaves the page as somebody else finds a fresh one. */
  async leave(): Promise<void> {
    clearInterval(this.#beat);
    if (this.#isTouched) {
      await this.page.context().close();
      return;
    }
    await this.page.evaluate(() => localStorage.clear());
    await this.page.goto('about:blank');
    await this.page.mouse.move(0, 0);
    this.#seat.complaints.length = 0;
    idle.push(this.#seat);
  }

  /** The page opens its link. */
  open(route: WebSocketRoute): void {
    if (!this.#isUp) {
      void route.close({ code: 1011 });
      return;
    }
    this.#route = route;
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.tell({ type: 'beat', at: Date.now() }), 1_000);
    route.onMessage((text) => {
      const said = JSON.parse(String(text)) as StaffClientMessage;
      this.heard.push(said);
      if (said.type === 'hello') {
        const { property, currency, demo } = this.me;
        this.tell({ type: 'welcome', v: 1, at: Date.now(), property, currency, demo, session: this.signedIn });
      }
      if (said.type === 'watch' && said.as === 'supervisor') {
        const view = this.supervised;
        if (view) this.tell({ type: 'supervisor', table: said.table, version: ++this.#version, view });
      } else if (said.type === 'watch' && this.#view) {
        this.tell({ type: 'dealer', table: said.table, version: ++this.#version, view: this.#view });
      }
      if ('id' in said) {
        const answer = this.answers(said);
        if (answer) this.tell(answer);
      }
    });
  }
}
