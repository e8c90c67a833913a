import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type StaffService, type LetIn } from '../../runtime/staff/staffService.ts';
import { type Owner } from '../../runtime/ports/runtimeDependencies.ts';
import { type SignInSession } from '../../staff/state.ts';
import { effectiveRole, authoritiesOf } from '../../staff/roleGrants.ts';
import * as s from '../../base/schema.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import {
  type StaffMe,
  type StaffRequest,
  type StaffRequestName,
  staffHeader,
  staffRequestKinds,
} from '../../wire/staff/signInRequests.ts';
import { type Proxies, groupOf } from '../http/clientAddress.ts';
import { type Allowances } from '../limits/serverLimits.ts';
import { isEncrypted, isOwnOrigin } from '../http/originCheck.ts';
import { cookieIn, setCookie } from './cookies.ts';
import { sessionView } from './staffHub.ts';
import { type Refused, notSignedIn, tooManyTries } from '../shared/staffRefusals.ts';

type Parts = {
  readonly clock: () => number;
  readonly owner: Owner;
  readonly proxies: Proxies;
  /** Secrets that are tried from an address. */
  readonly tries: Allowances;
  /** Something was refused, by that code. */
  readonly refused: (code: string) => void;
  /** Whose register it is; none while the floor starts. */
  readonly people: () => StaffService | undefined;
  /** What is to be done once a session is over by a relief: what it has proposed is withdrawn. */
  readonly leaving: (session: SignInSession) => () => Promise<void>;
};

type Answer = { readonly [field: string]: unknown };

/** What each is answered with, where it is not done. */
const statuses: { readonly [code: string]: number } = {
  'bad-request': 400,
  'unknown-field': 400,
  'not-signed-in': 401,
  'session-over': 401,
  'wrong-secret': 401,
  'wrong-code': 401,
  'sign-in-locked': 429,
  'codes-locked': 429,
  'too-many-tries': 429,
  'server-closing': 503,
  'cannot-record': 503,
  'not-found': 404,
};

/** Signing in and out, and what goes with it: what a browser has to do by HTTP, since only that sets its cookies. */
export function staffRoutes(app: FastifyInstance, parts: Parts): void {
  const { clock, owner, proxies, tries } = parts;
  const isSecure = ({ raw }: FastifyRequest): boolean =>
    isEncrypted(raw) || (proxies.has(raw.socket.remoteAddress ?? '') && raw.headers['x-forwarded-proto'] === 'https');
  const deny = (reply: FastifyReply, { refused: code, message, by = null, ...more }: Refused): FastifyReply => {
    parts.refused(code);
    return reply.code(statuses[code] ?? 403).send({ code, message, by, ...more });
  };
  const sessionIn = (request: FastifyRequest, people: StaffService): SignInSession | undefined =>
    people.byToken(cookieIn(request.raw, 'session') ?? '');
  const consoleIn = (request: FastifyRequest, people: StaffService) =>
    people.consoleOf(cookieIn(request.raw, 'console') ?? '');

  /** What other nodes have written of who somebody is, where there are any; gives why that cannot be known. */
  const asked = ({ raw }: FastifyRequest, people: StaffService) =>
    people.look(cookieIn(raw, 'session'), cookieIn(raw, 'console'));

  /** Somebody is let in: with a token that was made for it, whatever cookie came along. */
  const letIn = (request: FastifyRequest, reply: FastifyReply, answer: LetIn | Refused): Answer | Refused => {
    if (isRefused(answer)) return answer;
    reply.header('set-cookie', setCookie('session', answer.token, isSecure(request)));
    return { session: sessionView(answer.session) };
  };

  type Asked<N extends StaffRequestName> = {
    readonly given: StaffRequest<N>;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly people: StaffService;
    readonly session: SignInSession | undefined;
  };
  type Route<N extends StaffRequestName> = (asked: Asked<N>) => Promise<Answer | Refused>;

  const routes: { readonly [N in StaffRequestName]: Route<N> } = {
    'sign-in': async ({ given, request, reply, people, session }) => {
      const console = consoleIn(request, people)?.console ?? null;
      const kind = people.secretAt(console);
      const secret = given[kind];
      if (secret === undefined) return kind === 'pin' ? pinWanted : passwordWanted;
      const { number, post } = given;
      const answer = await people.signIn({ number, secret, kind, ...(post && { post }), console });
      // Whoever was signed in here is not any more, once somebody else is.
      if (!isRefused(answer) && session && people.session(session.id)) await people.signOut(session.id);
      return letIn(request, reply, answer);
    },
    'sign-out': async ({ request, reply, people, session }) => {
      reply.header('set-cookie', setCookie('session', undefined, isSecure(request)));
      return (session && (await people.signOut(session.id))) ?? {};
    },
    lock: async ({ people, session }) => (session ? ((await people.lock(session.id)) ?? {}) : notSignedIn),
    unlock: async ({ given, people, session }) => {
      if (session === undefined) return notSignedIn;
      const secret = given[people.secretAt(session.console)];
      const refusal = await people.unlock(session.id, secret);
      return refusal ?? { session: sessionView(people.session(session.id)!) };
    },
    relief: async ({ given, request, reply, people, session }) => {
      if (session === undefined) return notSignedIn;
      const withdraw = parts.leaving(session);
      const answer = await people.relieve(session.id, given);
      if (!isRefused(answer)) await withdraw();
      return letIn(request, reply, answer);
    },
    demo: async ({ given, request, reply, people, session }) => {
      if (!people.isDemo) return nothingThere;
      const { number, post, table } = given;
      const there = Object.values(people.state!.consoles).find((one) => table !== undefined && one.table === table);
      if (table !== undefined && there === undefined) return noConsole;
      const console = there?.console ?? consoleIn(request, people)?.console ?? null;
      const answer = await people.demoSignIn({ number, ...(post && { post }), console });
      if (!isRefused(answer) && session && people.session(session.id)) await people.signOut(session.id);
      return letIn(request, reply, answer);
    },
    console: async ({ given, request, reply, people, session }) => {
      if (session === undefined) return notSignedIn;
      const enrolled = await people.consoles.enrol(randomUUID(), given, session);
      if (isRefused(enrolled)) return enrolled;
      reply.header('set-cookie', setCookie('console', enrolled.key, isSecure(request)));
      return { console: enrolled.console };
    },
    offer: async ({ given, people, session }) =>
      session ? people.consoles.offer(randomUUID(), given, session) : notSignedIn,
    enrol: async ({ given, request, reply, people, session }) => {
      const enrolled = await people.consoles.claim(given.code);
      if (isRefused(enrolled)) return enrolled;
      // Whoever was signed in at an office is not signed in at the console that it has become.
      if (session && people.session(session.id)) await people.signOut(session.id);
      const cookies = [
        setCookie('console', enrolled.key, isSecure(request)),
        setCookie('session', undefined, isSecure(request)),
      ];
      reply.header('set-cookie', cookies);
      return { console: enrolled.console };
    },
    password: async ({ given, people, session }) => {
      const { number, kind, old: secret, new: next } = given;
      const goesOn = session && { session: session.id };
      return (await people.secrets.change({ number, kind, secret, next, ...goesOn })) ?? {};
    },
  };

  /** What tries a secret costs more than a look. */
  const guesses: ReadonlySet<StaffRequestName> = new Set(['sign-in', 'unlock', 'relief', 'password', 'enrol']);

  const wrongWith = (request: FastifyRequest): Refused | undefined => {
    if (request.headers[staffHeader] !== '1') return noHeader;
    return request.method === 'GET' || isOwnOrigin(request.raw) ? undefined : foreign;
  };

  const handle = async (
    name: StaffRequestName,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const wrong = wrongWith(request);
    if (wrong) return deny(reply, wrong);
    const people = parts.people();
    if (people === undefined) return deny(reply, starting);
    const given = s.parse<object>(request.body ?? {}, staffRequestKinds[name]);
    if (isRefused(given)) return deny(reply, given);
    if (guesses.has(name) && !tries.spend(groupOf(proxies.askerOf(request.raw)), clock())) {
      return deny(reply, tooManyTries);
    }
    const unknown = await asked(request, people);
    if (unknown) return deny(reply, unknown);
    // What was read is what its name asks for.
    const route = routes[name] as (asked: object) => Promise<Answer | Refused>;
    const answer = await route({ given, request, reply, people, session: sessionIn(request, people) });
    return isRefused(answer) ? deny(reply, answer) : reply.send(answer);
  };

  for (const name of Object.keys(routes) as StaffRequestName[]) {
    app.post(`/staff/${name}`, (request, reply) => handle(name, request, reply));
  }
  app.get('/staff/me', async (request, reply) => {
    const wrong = wrongWith(request);
    if (wrong) return deny(reply, wrong);
    const people = parts.people();
    if (people === undefined) return deny(reply, starting);
    const unknown = await asked(request, people);
    if (unknown) return deny(reply, unknown);
    const session = sessionIn(request, people);
    const me: StaffMe = {
      at: clock(),
      ...owner,
      demo: people.isDemo,
      console: consoleIn(request, people) ?? null,
      session: session ? sessionView(session) : null,
      people: people.isDemo ? clickable(people, clock()) : [],
      tables: people.isDemo ? consoleTables(people) : [],
    };
    return reply.header('cache-control', 'no-store').send(me);
  });
}

/** Who may sign in with one click, with every post that is held or acted in by now. */
const clickable = ({ state }: StaffService, at: number): StaffMe['people'] =>
  Object.values(state?.members ?? {}).flatMap(({ person, number }) => {
    const posts = state ? authoritiesOf(state, person, at).map(effectiveRole) : [];
    return posts.length > 0 ? [{ number, posts }] : [];
  });

/** The tables that have a dealer's console. */
const consoleTables = ({ state }: StaffService): string[] =>
  Object.values(state?.consoles ?? {}).flatMap(({ kind, table }) =>
    kind === 'dealer' && table !== null ? [table] : [],
  );

const noHeader = refuse<'foreign-origin'>(
  'foreign-origin',
  `A request of staff comes with the header ${staffHeader}: 1; use a page of this server.`,
);
const foreign = refuse<'foreign-origin'>('foreign-origin', 'Staff sign in on pages of this server alone; load one.');
const starting = refuse<'server-closing'>('server-closing', 'The server is starting or closing; try again soon.');
const nothingThere = refuse<'not-found'>('not-found', 'There is no such page.');
const noConsole = refuse<'unknown-table'>('unknown-table', 'No console stands at that table; choose another.');
const pinWanted = refuse<'bad-request'>('bad-request', 'At a console one signs in with a PIN; give it.');
const passwordWanted = refuse<'bad-request'>('bad-request', 'Here one signs in with a password; give it.');
