import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Page, type Route, type WebSocketRoute } from 'playwright-core';
import { type StaffBrowserState } from '../../../../src/wire/staff/signInRequests.ts';
import {
  type StaffServerMessage,
  type StaffClientMessage,
  type StaffSession,
} from '../../../../src/wire/staff/messages.ts';
import { type DealerView } from '../../../../src/wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../../src/wire/staff/supervisorView.ts';
import { lastingPage } from '../../support/browser.ts';
import { addKeyClock, passEnterGuard, scanText, typeKeys, viewReceived } from './keyboard.ts';
import { screens } from '../../support/screens.ts';

// Staff screens against a fake server: no table, and no real waiting.

const contentTypes: { readonly [ending: string]: string } = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export const session = (more: Partial<StaffSession> = {}): StaffSession => ({
  person: 'p1',
  number: 'D-214',
  role: 'dealer',
  acting: null,
  until: null,
  since: Date.now() - 3_600_000,
  table: 'L11',
  locked: false,
  ...more,
});

/** Built files of the screens, read once. */
const files = new Map<string, Buffer>();
function fileAt(path: string): Buffer {
  const file = files.get(path) ?? readFileSync(path);
  files.set(path, file);
  return file;
}

/** Browser page that several tests use in turn: opening a new one takes longer than most tests. */
type ReusedPage = {
  readonly page: Page;
  readonly complaints: string[];
  readonly folder: string;
  staffPage: StaffPage | undefined;
};

/** Pages that are free. */
const freePages: ReusedPage[] = [];

async function newPage(touch: boolean): Promise<ReusedPage> {
  const { page, complaints } = await lastingPage(1366, 768, { hasTouch: touch });
  const reused: ReusedPage = { page, complaints, folder: await screens(), staffPage: undefined };
  await page.route('http://staff.test/**', (route) => reused.staffPage!.answerHttp(route, reused.folder));
  await page.routeWebSocket(/staff-socket$/, (route) => reused.staffPage!.open(route));
  // After the route, so that the clock sees the messages of the routed socket.
  await addKeyClock(page);
  return reused;
}

type ClientRequest = Extract<StaffClientMessage, { readonly id: string }>;

/** Staff page with a fake server behind it. */
export class StaffPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly #seat: ReusedPage;
  readonly #isTouched: boolean;
  /** Socket messages of the page. */
  readonly messages: StaffClientMessage[] = [];
  /** HTTP requests of the page. */
  readonly httpRequests: { readonly path: string; readonly body: unknown }[] = [];
  /** Reply to a request; `done` unless a test sets another. */
  reply: (request: ClientRequest) => StaffServerMessage | undefined = ({ id }) => ({
    type: 'done',
    id,
    events: [],
    sequence: 1,
  });
  /** Refusals and replies by HTTP path. */
  readonly httpRefusals: { [path: string]: object } = {};
  readonly httpReplies: { [path: string]: object } = {};
  me: StaffBrowserState;
  #route: WebSocketRoute | undefined;
  #heartbeatTimer: ReturnType<typeof setInterval> | undefined;
  #version = 0;
  #view: DealerView | undefined;
  /** Supervisor's view, for pages that subscribe to it. */
  supervisorView: SupervisorView | undefined;
  #isUp = true;
  /** Session that the socket reports. */
  signedIn = session();

  private constructor(reused: ReusedPage, isTouched: boolean) {
    this.page = reused.page;
    this.complaints = reused.complaints;
    this.#seat = reused;
    this.#isTouched = isTouched;
    this.me = {
      at: Date.now(),
      property: 'demo',
      currency: 'SGD',
      demo: true,
      demoCode: false,
      console: null,
      session: this.signedIn,
      staff: [],
      tables: [],
    };
  }

  static async at(
    path: string,
    view?: DealerView,
    touch = false,
    width = 1366,
    height = 768,
    me: Partial<StaffBrowserState> = {},
    person: Partial<StaffSession> = {},
  ): Promise<StaffPage> {
    const staffPage = await StaffPage.for(session(person), touch, width, height);
    staffPage.#view = view;
    staffPage.me = { ...staffPage.me, ...me };
    await staffPage.page.goto(`http://staff.test${path}`);
    return staffPage;
  }

  /** Page that is not opened yet, with a signed-in person. */
  static async for(person: StaffSession, touch = false, width = 1366, height = 768): Promise<StaffPage> {
    const reused = (touch ? undefined : freePages.pop()) ?? (await newPage(touch));
    const staffPage = new StaffPage(reused, touch);
    reused.staffPage = staffPage;
    staffPage.signedIn = person;
    staffPage.me = { ...staffPage.me, session: person };
    await reused.page.setViewportSize({ width, height });
    return staffPage;
  }

  /** Answers an HTTP request of the page. */
  answerHttp(route: Route, folder: string): Promise<void> {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/staff/')) {
      this.httpRequests.push({ path: pathname, body: route.request().postDataJSON() as unknown });
      const refusal = this.httpRefusals[pathname];
      if (refusal) return route.fulfill({ status: 403, json: refusal });
      return route.fulfill({ json: pathname === '/staff/me' ? this.me : (this.httpReplies[pathname] ?? {}) });
    }
    const file = pathname.startsWith('/assets/') ? pathname : '/staff.html';
    return route.fulfill({ body: fileAt(join(folder, file)), contentType: contentTypes[extname(file)]! });
  }

  async showSupervisor(view: SupervisorView): Promise<void> {
    this.supervisorView = view;
    await this.#sendView({ type: 'supervisor', table: view.table, version: ++this.#version, view });
  }

  async showDealer(view: DealerView): Promise<void> {
    this.#view = view;
    await this.#sendView({ type: 'dealer', table: 'L11', version: ++this.#version, view });
  }

  /** Sends a view and waits until it is drawn. A page that is not connected gets the view when it subscribes. */
  async #sendView(message: Extract<StaffServerMessage, { readonly version: number }>): Promise<void> {
    this.send(message);
    if (this.#isUp && this.#route !== undefined) await viewReceived(this.page, message.version);
    await this.waitUntilDrawn();
  }

  /** Waits until everything that was sent is drawn. */
  async waitUntilDrawn(): Promise<void> {
    await this.page.evaluate(async () => {
      for (let n = 0; n < 2; n++) await new Promise((next) => requestAnimationFrame(next));
      await document.fonts.ready;
    });
  }

  send(message: StaffServerMessage): void {
    this.#route?.send(JSON.stringify(message));
  }

  type(...keys: readonly string[]): Promise<void> {
    return typeKeys(this.page, keys);
  }

  async scan(text: string): Promise<void> {
    await scanText(this.page, Array.from(text));
    await this.waitUntilDrawn();
  }

  passEnterGuard(): Promise<void> {
    return passEnterGuard(this.page);
  }

  /** Commands to the table, in order. */
  get commands(): readonly { readonly type: string; readonly [field: string]: unknown }[] {
    return this.messages.flatMap((message) => (message.type === 'command' ? [message.request] : []));
  }

  cut(): void {
    this.#isUp = false;
    void this.#route?.close({ code: 1011 });
  }

  /** Leaves the page clean for the next test. */
  async leave(): Promise<void> {
    clearInterval(this.#heartbeatTimer);
    if (this.#isTouched) {
      await this.page.context().close();
      return;
    }
    await this.page.evaluate(() => localStorage.clear());
    await this.page.goto('about:blank');
    await this.page.mouse.move(0, 0);
    this.#seat.complaints.length = 0;
    freePages.push(this.#seat);
  }

  /** Accepts the socket of the page. */
  open(route: WebSocketRoute): void {
    if (!this.#isUp) {
      void route.close({ code: 1011 });
      return;
    }
    this.#route = route;
    clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = setInterval(() => this.send({ type: 'heartbeat', at: Date.now() }), 1_000);
    route.onMessage((text) => {
      const message = JSON.parse(String(text)) as StaffClientMessage;
      this.messages.push(message);
      if (message.type === 'hello') {
        const { property, currency, demo } = this.me;
        this.send({ type: 'welcome', v: 1, at: Date.now(), property, currency, demo, session: this.signedIn });
      }
      if (message.type === 'watch' && message.as === 'supervisor') {
        const view = this.supervisorView;
        if (view) this.send({ type: 'supervisor', table: message.table, version: ++this.#version, view });
      } else if (message.type === 'watch' && this.#view) {
        this.send({ type: 'dealer', table: message.table, version: ++this.#version, view: this.#view });
      }
      if ('id' in message) {
        const serverReply = this.reply(message);
        if (serverReply) this.send(serverReply);
      }
    });
  }
}
