import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { minScryptCost } from '../../../src/runtime/staff/credentialStore.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { memoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { applyDelta } from '../../../src/wire/viewDelta.ts';
import {
  type StaffServerMessage,
  type StaffServerMessageOf,
  staffServerMessages,
} from '../../../src/wire/staff/messages.ts';
import { staffProtocolVersion } from '../../../src/wire/staff/protocolVersion.ts';
import { demoSettings } from '../../runtime/demo.ts';
import { Clock } from '../clock.ts';
import { Guest, house, secretOf } from '../house.ts';

type Wanted = Parameters<typeof house>[0];

/** A record that outlives its server, and what is wrong with it in the end: every command is decided again, every post held against the register. */
export function keptRecord() {
  const store = memoryStore();
  const problem = async (): Promise<string | undefined> => (await verifyStore(store)).problem;
  return { store: { ...store, close: async () => {} }, problem };
}

/** Only a demo opens such tables by itself. */
const profile = { ...demoSettings[0]!.profile, name: 'house' };

/** Tables where people deal, and people of every post who sign in by one click. */
export const pit = (wanted: Wanted = {}): Promise<Server> =>
  house({
    tables: ['tiger'],
    settings: { dealing: 'keyed', attended: true, behind: 14, profile },
    staff: { demo: true },
    ...wanted,
  });

/** The same where money is real: one administrator, with a password that is told once. */
export const realPit = (wanted: Wanted = {}): Promise<Server> =>
  pit({ staff: { demo: false, cost: minScryptCost }, credit: null, ...wanted });

type Sent = {
  readonly cookie?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly method?: string;
};
export type Got = {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
  /** What the browser keeps from now on, as it would send it back. */
  readonly cookie: string | undefined;
  readonly set: readonly string[];
};

/** One request of a browser on a page of the server. */
export async function request(
  server: Pick<Server, 'address'>,
  name: string,
  given?: object,
  sent: Sent = {},
): Promise<Got> {
  const answer = await fetch(new URL(`staff/${name}`, server.address), {
    method: sent.method ?? (given === undefined ? 'GET' : 'POST'),
    headers: {
      'x-punto-staff': '1',
      origin: new URL(server.address).origin,
      ...(given !== undefined && { 'content-type': 'application/json' }),
      ...(sent.cookie !== undefined && { cookie: sent.cookie }),
      ...sent.headers,
    },
    ...(given !== undefined && { body: JSON.stringify(given) }),
  });
  const set = answer.headers.getSetCookie();
  const [first] = set;
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text === '' ? {} : JSON.parse(text)) as Got['body'],
    cookie: first?.split(';', 1)[0],
    set,
  };
}

/** Signs in with one click; gives the cookie. */
export async function clicked(server: Pick<Server, 'address'>, number: string, table?: string): Promise<string> {
  const { status, cookie, body } = await request(server, 'demo', { number, ...(table !== undefined && { table }) });
  if (status !== 200 || cookie === undefined) throw new Error(JSON.stringify(body));
  return cookie;
}

type View = StaffServerMessageOf<'dealer'>['view'] | StaffServerMessageOf<'supervisor'>['view'];

/** Somebody of the staff who speaks the protocol, and a malicious one where a test wants it. */
export class Colleague {
  readonly heard: StaffServerMessage[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly socket: WebSocket;
  view: View | undefined;
  #version = 0;
  #wake = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#take(JSON.parse(data.toString('utf8')) as StaffServerMessage);
      this.#stir();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') };
      this.#stir();
    });
    socket.on('error', () => {});
  }

  /** Every message is held to its declaration, and what has changed makes another whole. */
  #take(told: StaffServerMessage): void {
    const problem = staffServerMessages[told.type].check(told);
    if (problem) throw new Error(`The message ${told.type} is wrong: ${JSON.stringify(problem)}`);
    if (told.type === 'dealer' || told.type === 'supervisor') {
      this.view = told.view;
      this.#version = told.version;
    } else if (told.type === 'change') {
      if (told.version !== this.#version + 1) throw new Error(`After version ${this.#version} comes ${told.version}.`);
      this.#version = told.version;
      this.view = applyDelta(this.view!, told.change);
    }
    this.heard.push(told);
  }

  #stir(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async #stirred(otherwise: string): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`For half a minute ${otherwise}.`)), 30_000);
    await Promise.race([this.#wake.promise, promise]).finally(() => clearTimeout(timer));
  }

  /** Opens a socket with a cookie; throws the status where it is refused. */
  static async arrive(
    server: Pick<Server, 'address'>,
    cookie: string | undefined,
    headers: { readonly [name: string]: string } = {},
  ): Promise<Colleague> {
    const to = new URL(server.address);
    const socket = new WebSocket(`ws://${to.host}/staff-socket`, {
      headers: { origin: to.origin, ...(cookie !== undefined && { cookie }), ...headers },
    });
    const colleague = new Colleague(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('unexpected-response', (_, response) => {
        response.setEncoding('utf8').on('data', (text: string) => reject(new Error(`${response.statusCode} ${text}`)));
      });
      socket.once('error', reject);
    });
    return colleague;
  }

  /** The same with hello said. */
  static async welcome(server: Pick<Server, 'address'>, cookie: string): Promise<Colleague> {
    const colleague = await Colleague.arrive(server, cookie);
    colleague.say({ type: 'hello', v: staffProtocolVersion });
    await colleague.hears('welcome');
    return colleague;
  }

  /** Signed in by one click, at the console of a table where one is named, and welcome. */
  static async clicked(server: Pick<Server, 'address'>, number: string, table?: string): Promise<Colleague> {
    return Colleague.welcome(server, await clicked(server, number, table));
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async hears<T extends StaffServerMessage['type']>(
    type: T,
    fits: (tell: StaffServerMessageOf<T>) => boolean = () => true,
    from = 0,
  ): Promise<StaffServerMessageOf<T>> {
    for (;;) {
      const found = this.heard
        .slice(from)
        .find((tell): tell is StaffServerMessageOf<T> => tell.type === type && fits(tell as StaffServerMessageOf<T>));
      if (found !== undefined) return found;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#stirred(`nothing like ${type} was heard`);
    }
  }

  /** What is answered to something that is asked with an id. */
  async asks(
    message: { readonly type: string; readonly [field: string]: unknown },
    id: string = randomUUID(),
  ): Promise<StaffServerMessage> {
    const from = this.heard.length;
    this.say({ id, ...message });
    const isAnswer = (tell: StaffServerMessage): boolean => 'id' in tell && tell.id === (message['id'] ?? id);
    for (;;) {
      const found = this.heard.slice(from).find(isAnswer);
      if (found) return found;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#stirred(`nothing was answered to ${message.type}`);
    }
  }

  /** A command of a table. */
  commands(table: string, type: string, fields: object = {}, id?: string): Promise<StaffServerMessage> {
    return this.asks({ type: 'command', table, request: { type, ...fields } }, id);
  }

  /** The view, once it is as wanted. */
  async sees(isSo: (view: View) => boolean): Promise<View> {
    for (;;) {
      if (this.view !== undefined && isSo(this.view)) return this.view;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#stirred('the view was not as wanted');
    }
  }

  async left(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.closed === undefined) await this.#stirred('the socket stays open');
    return this.closed;
  }

  leave(): void {
    this.socket.terminate();
  }
}

/** What is told of a table to open it with, and the two who do. */
export async function opened(server: Server, table = 'tiger'): Promise<void> {
  const manager = await Colleague.clicked(server, 'M-1');
  const told = await manager.asks({ type: 'query', name: 'settings', params: { table } });
  if (told.type !== 'answer') throw new Error(JSON.stringify(told));
  const done = await manager.asks({ type: 'open', table, hash: told.data['hash'], number: 'G-1', pin: '246810' });
  if (done.type !== 'done') throw new Error(JSON.stringify(done));
  manager.leave();
}

/** A shoe on the table, by dealer and supervisor. */
export async function withShoe(
  dealer: Colleague,
  supervisor: Colleague,
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
    const answer = await dealer.commands(table, type, fields);
    if (answer.type !== 'done') throw new Error(`${type}: ${JSON.stringify(answer)}`);
  }
  const { proposal } = await supervisor.sees((view) => view.proposal !== null);
  const approved = await supervisor.commands(table, 'Approve', { proposal: proposal!.id, hash: proposal!.hash });
  if (approved.type !== 'done') throw new Error(JSON.stringify(approved));
}

/** The Tiger table of a pit with quick rounds, its shoe on it, its dealer and a patron there; the record is kept. */
export async function tigerDealt() {
  const time = new Clock();
  const { store, problem } = keptRecord();
  const server = await pit({ store, time, times: { bettingTime: 1_000, grace: 0, pause: 0 } });
  await opened(server);
  const dealer = await Colleague.clicked(server, 'D-1', 'tiger');
  const supervisor = await Colleague.clicked(server, 'S-1');
  supervisor.say({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await supervisor.hears('supervisor');
  await withShoe(dealer, supervisor);
  const { table } = server.floor.tables.get('tiger')!;
  const does = async (type: string, fields: object = {}): Promise<void> => {
    const answer = await dealer.commands('tiger', type, fields);
    if (answer.type !== 'done') throw new Error(`${type}: ${JSON.stringify(answer)}`);
  };
  const guest = await Guest.seated(server, secretOf('a'), 'tiger');
  return { time, store, problem, server, dealer, supervisor, table, does, guest };
}
