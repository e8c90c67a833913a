import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { insecureScryptCost } from '../../../src/runtime/staff/credentialStore.ts';
import { demoPin } from '../../../src/runtime/staff/initialStaff.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { applyDelta } from '../../../src/wire/viewDelta.ts';
import {
  type StaffServerMessage,
  type StaffServerMessageOf,
  staffServerMessageSchemas,
} from '../../../src/wire/staff/messages.ts';
import { staffProtocolVersion } from '../../../src/wire/staff/protocolVersion.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, type TestServerOptions, startTestServer, secretOf } from '../support/testServer.ts';

/**
 * Store that outlives its server, and its verification: decides every command again and checks every role against the
 * roster.
 */
export function reusableStore() {
  const store = createMemoryStore();
  const problem = async (): Promise<string | undefined> => (await verifyStore(store)).problem;
  return { store: { ...store, close: async () => {} }, problem };
}

/** Only a demo opens attended tables without staff. */
const profile = { ...demoSettings[0]!.profile, name: 'house' };

/** Starts a server with an attended table and demo staff of every role, who sign in without a password. */
export const startPit = (options: TestServerOptions = {}): Promise<Server> =>
  startTestServer({
    tables: ['tiger'],
    settings: { dealing: 'keyed', attended: true, behind: 14, profile },
    initialStaff: { demo: true },
    ...options,
  });

/** The same with real money: one administrator, whose password is shown once. */
export const startRealMoneyPit = (options: TestServerOptions = {}): Promise<Server> =>
  startPit({ initialStaff: { demo: false, scryptCost: insecureScryptCost }, demoCredit: null, ...options });

type RequestOptions = {
  readonly cookie?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly method?: string;
};
export type StaffResponse = {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
  /** First cookie of the response, as the browser sends it back. */
  readonly cookie: string | undefined;
  readonly setCookies: readonly string[];
};

/** One request from a page of the server. */
export async function staffRequest(
  server: Pick<Server, 'address'>,
  name: string,
  body?: object,
  options: RequestOptions = {},
): Promise<StaffResponse> {
  const answer = await fetch(new URL(`staff/${name}`, server.address), {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'x-punto-staff': '1',
      origin: new URL(server.address).origin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options.cookie !== undefined && { cookie: options.cookie }),
      ...options.headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const set = answer.headers.getSetCookie();
  const [first] = set;
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text === '' ? {} : JSON.parse(text)) as StaffResponse['body'],
    cookie: first?.split(';', 1)[0],
    setCookies: set,
  };
}

/** Signs in without a password; gives the cookie. */
export async function demoSignIn(server: Pick<Server, 'address'>, number: string, table?: string): Promise<string> {
  const { status, cookie, body } = await staffRequest(server, 'demo', {
    number,
    ...(table !== undefined && { table }),
  });
  if (status !== 200 || cookie === undefined) throw new Error(JSON.stringify(body));
  return cookie;
}

type View = StaffServerMessageOf<'dealer'>['view'] | StaffServerMessageOf<'supervisor'>['view'];

/** Staff member on a WebSocket. Tests also send malformed messages with it. */
export class StaffSocket {
  readonly received: StaffServerMessage[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly socket: WebSocket;
  view: View | undefined;
  #version = 0;
  #wake = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#accept(JSON.parse(data.toString('utf8')) as StaffServerMessage);
      this.#notify();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') };
      this.#notify();
    });
    socket.on('error', () => {});
  }

  /** Checks each message against its schema and applies deltas to the view. */
  #accept(message: StaffServerMessage): void {
    const problem = staffServerMessageSchemas[message.type].check(message);
    if (problem) throw new Error(`The message ${message.type} is wrong: ${JSON.stringify(problem)}`);
    if (message.type === 'dealer' || message.type === 'supervisor') {
      this.view = message.view;
      this.#version = message.version;
    } else if (message.type === 'change') {
      if (message.version !== this.#version + 1)
        throw new Error(`After version ${this.#version} comes ${message.version}.`);
      this.#version = message.version;
      this.view = applyDelta(this.view!, message.change);
    }
    this.received.push(message);
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async #nextEvent(complaint: string): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`For five minutes ${complaint}.`)), 300_000);
    await Promise.race([this.#wake.promise, promise]).finally(() => clearTimeout(timer));
  }

  /** Connects with a cookie; throws the status if the server refuses. */
  static async connect(
    server: Pick<Server, 'address'>,
    cookie: string | undefined,
    headers: { readonly [name: string]: string } = {},
  ): Promise<StaffSocket> {
    const to = new URL(server.address);
    const socket = new WebSocket(`ws://${to.host}/staff-socket`, {
      headers: { origin: to.origin, ...(cookie !== undefined && { cookie }), ...headers },
    });
    const staff = new StaffSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('unexpected-response', (_, response) => {
        response.setEncoding('utf8').on('data', (text: string) => reject(new Error(`${response.statusCode} ${text}`)));
      });
      socket.once('error', reject);
    });
    return staff;
  }

  /** Connects and sends hello. */
  static async join(server: Pick<Server, 'address'>, cookie: string): Promise<StaffSocket> {
    const staff = await StaffSocket.connect(server, cookie);
    staff.send({ type: 'hello', v: staffProtocolVersion });
    await staff.receive('welcome');
    return staff;
  }

  /** Signs in without a password, at the console of the table if given, and connects. */
  static async signIn(server: Pick<Server, 'address'>, number: string, table?: string): Promise<StaffSocket> {
    return StaffSocket.join(server, await demoSignIn(server, number, table));
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async receive<T extends StaffServerMessage['type']>(
    type: T,
    isExpected: (message: StaffServerMessageOf<T>) => boolean = () => true,
    from = 0,
  ): Promise<StaffServerMessageOf<T>> {
    for (;;) {
      const found = this.received
        .slice(from)
        .find(
          (message): message is StaffServerMessageOf<T> =>
            message.type === type && isExpected(message as StaffServerMessageOf<T>),
        );
      if (found !== undefined) return found;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#nextEvent(`no expected ${type} was received`);
    }
  }

  /** Sends a request with an id and waits for its reply. */
  async request(
    message: { readonly type: string; readonly [field: string]: unknown },
    id: string = randomUUID(),
  ): Promise<StaffServerMessage> {
    const from = this.received.length;
    this.send({ id, ...message });
    const isReply = (reply: StaffServerMessage): boolean => 'id' in reply && reply.id === (message['id'] ?? id);
    for (;;) {
      const found = this.received.slice(from).find(isReply);
      if (found) return found;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#nextEvent(`there was no reply to ${message.type}`);
    }
  }

  /** Sends a command to a table. */
  command(table: string, type: string, fields: object = {}, id?: string): Promise<StaffServerMessage> {
    return this.request({ type: 'command', table, request: { type, ...fields } }, id);
  }

  /** Approves a proposal as the person with this staff number, who gives the demo PIN. */
  approve(
    table: string,
    { id: proposal, hash }: { readonly id: string; readonly hash: string },
    number: string,
  ): Promise<StaffServerMessage> {
    return this.request({ type: 'consent', table, proposal, hash, number, pin: demoPin });
  }

  /** Waits until the view is as expected. */
  async waitForView(isExpected: (view: View) => boolean): Promise<View> {
    for (;;) {
      if (this.view !== undefined && isExpected(this.view)) return this.view;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#nextEvent('the view was not as wanted');
    }
  }

  async waitForClose(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.closed === undefined) await this.#nextEvent('the socket stays open');
    return this.closed;
  }

  terminate(): void {
    this.socket.terminate();
  }
}

/** Opens a table with its proposed settings, by pit manager and gaming shift manager. */
export async function openTable(server: Server, table = 'tiger'): Promise<void> {
  const manager = await StaffSocket.signIn(server, 'M-1');
  const proposed = await manager.request({ type: 'query', name: 'settings', params: { table } });
  if (proposed.type !== 'answer') throw new Error(JSON.stringify(proposed));
  const done = await manager.request({
    type: 'open',
    table,
    hash: proposed.data['hash'],
    number: 'G-1',
    pin: demoPin,
  });
  if (done.type !== 'done') throw new Error(JSON.stringify(done));
  manager.terminate();
}

/** Dealer and supervisor bring a shoe into play. */
export async function putShoeInPlay(
  dealer: StaffSocket,
  supervisor: StaffSocket,
  table = 'tiger',
  shoe = 'L1',
  cards = 416,
): Promise<void> {
  for (const [type, fields] of [
    ['BringShoe', { shoe, seal: 'S1', decks: 8, backs: 'red' }],
    ['InspectCards', { match: true }],
    ['CountCards', { cards }],
    ['ShuffleShoe', { method: 'by hand' }],
    ['CutShoe', { behind: 14 }],
    ['VerifyShoe', {}],
  ] as const) {
    const answer = await dealer.command(table, type, fields);
    if (answer.type !== 'done') throw new Error(`${type}: ${JSON.stringify(answer)}`);
  }
  const { proposal } = await supervisor.waitForView((view) => view.proposal !== null);
  const approved = await supervisor.approve(table, proposal!, 'S-1');
  if (approved.type !== 'done') throw new Error(JSON.stringify(approved));
}

export const quickTimes = { bettingTime: 1_000, grace: 0, pause: 0 };

/** Starts a Tiger table with quick rounds, a shoe, dealer, supervisor and one patron; the store is reusable. */
export async function startTigerTable(options: TestServerOptions = {}) {
  const time = new TestScheduler();
  const { store, problem } = reusableStore();
  const server = await startPit({ store, scheduler: time, times: quickTimes, ...options });
  await openTable(server);
  const dealer = await StaffSocket.signIn(server, 'D-1', 'tiger');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  supervisor.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await supervisor.receive('supervisor');
  await putShoeInPlay(dealer, supervisor);
  const { table } = server.floor.tables.get('tiger')!;
  const submit = async (type: string, fields: object = {}): Promise<void> => {
    const answer = await dealer.command('tiger', type, fields);
    if (answer.type !== 'done') throw new Error(`${type}: ${JSON.stringify(answer)}`);
  };
  const patron = await PatronSocket.join(server, secretOf('a'), 'tiger');
  return { time, store, problem, server, dealer, supervisor, table, submit, patron };
}

/** A table opened by two persons, with a shoe, a dealer and a supervisor. */
export async function startStaffedTable(options: TestServerOptions = {}) {
  const server = await startPit(options);
  await openTable(server);
  const dealer = await StaffSocket.signIn(server, 'D-1', 'tiger');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  dealer.send({ type: 'watch', table: 'tiger', as: 'dealer' });
  supervisor.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await dealer.receive('dealer');
  await supervisor.receive('supervisor');
  await putShoeInPlay(dealer, supervisor);
  const close = async (): Promise<void> => {
    dealer.terminate();
    supervisor.terminate();
    await server.close();
  };
  return { server, dealer, supervisor, close };
}
