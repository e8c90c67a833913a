import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type StaffService } from '../../runtime/staff/staffService.ts';
import { type NewSessionWithToken } from '../../runtime/staff/signInService.ts';
import { type PropertyAndCurrency } from '../../runtime/ports/runtimeDependencies.ts';
import { type SignInSession } from '../../staff/state.ts';
import { effectiveRole, authoritiesOf } from '../../staff/roleGrants.ts';
import { parse } from '../../base/schema.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import {
  type StaffBrowserState,
  type StaffHttpRequestBody,
  type StaffHttpRequestName,
  staffHttpHeaderName,
  staffHttpRequestSchemas,
} from '../../wire/staff/signInRequests.ts';
import { type TrustedProxies, addressLimitKeyOf } from '../http/clientAddress.ts';
import { type DemoSignInGuard } from './demoSignInGuard.ts';
import { type KeyedTokenBuckets } from '../limits/tokenBucket.ts';
import { isTlsRequest, isOwnOrigin } from '../http/originCheck.ts';
import { readStaffCookie, formatStaffSetCookieHeader } from './cookies.ts';
import { buildStaffSessionView } from './staffHub.ts';
import {
  type ServerRefusal,
  notSignedInRefusal,
  serverClosingRefusal,
  tooManySignInAttemptsRefusal,
} from '../refusals/serverRefusals.ts';

type SignInRoutesDependencies = {
  readonly clock: () => number;
  readonly owner: PropertyAndCurrency;
  readonly proxies: TrustedProxies;
  /** Rate limit of checks of PINs, passwords and codes, per client address. */
  readonly secretAttempts: KeyedTokenBuckets;
  readonly onRefusal: (code: string) => void;
  /** Guard of the one-click sign-in of a demo. */
  readonly demoSignIn: DemoSignInGuard;
  /** Gives the staff service; undefined while the server starts or closes. */
  readonly staffService: () => StaffService | undefined;
  readonly withdrawalOnLeave: (session: SignInSession) => () => Promise<void>;
};

type SignInReply = { readonly [field: string]: unknown };

/** HTTP status by error code; any other code has status 403. */
const statusByCode: { readonly [code: string]: number } = {
  'bad-request': 400,
  'unknown-field': 400,
  'not-signed-in': 401,
  'session-over': 401,
  'wrong-secret': 401,
  'wrong-code': 401,
  'wrong-demo-code': 401,
  'sign-in-locked': 429,
  'codes-locked': 429,
  'too-many-attempts': 429,
  'server-closing': 503,
  'cannot-record': 503,
  'not-found': 404,
};

/**
 * Adds the HTTP routes for sign-in and sign-out of staff. The routes use HTTP because a WebSocket cannot set cookies.
 */
export function addSignInRoutes(app: FastifyInstance, dependencies: SignInRoutesDependencies): void {
  const { clock, owner, proxies, secretAttempts, demoSignIn } = dependencies;
  const isSecure = ({ raw }: FastifyRequest): boolean =>
    isTlsRequest(raw) || (proxies.has(raw.socket.remoteAddress ?? '') && raw.headers['x-forwarded-proto'] === 'https');
  const sendRefusal = (
    reply: FastifyReply,
    { refused: code, message, by = null, ...more }: ServerRefusal,
  ): FastifyReply => {
    dependencies.onRefusal(code);
    return reply.code(statusByCode[code] ?? 403).send({ code, message, by, ...more });
  };
  const sessionIn = (request: FastifyRequest, staff: StaffService): SignInSession | undefined =>
    staff.sessionByToken(readStaffCookie(request.raw, 'session') ?? '');
  const consoleIn = (request: FastifyRequest, staff: StaffService) =>
    staff.consoleOf(readStaffCookie(request.raw, 'console') ?? '');

  /**
   * In a cluster, reads session and console of a request from the store again. Gives a refusal if the store does not
   * answer; undefined otherwise.
   */
  const refreshSession = ({ raw }: FastifyRequest, staff: StaffService) =>
    staff.refresh(readStaffCookie(raw, 'session'), readStaffCookie(raw, 'console'));

  /**
   * Sets the cookie of a new session and gives the reply. The token is new at each sign-in, which prevents session
   * fixation.
   */
  const sendSession = (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: NewSessionWithToken | ServerRefusal,
  ): SignInReply | ServerRefusal => {
    if (isRefused(answer)) return answer;
    reply.header('set-cookie', formatStaffSetCookieHeader('session', answer.token, isSecure(request)));
    return { session: buildStaffSessionView(answer.session) };
  };

  type RouteRequest<N extends StaffHttpRequestName> = {
    readonly body: StaffHttpRequestBody<N>;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly staff: StaffService;
    readonly session: SignInSession | undefined;
  };
  type Route<N extends StaffHttpRequestName> = (request: RouteRequest<N>) => Promise<SignInReply | ServerRefusal>;

  const routes: { readonly [N in StaffHttpRequestName]: Route<N> } = {
    'sign-in': async ({ body, request, reply, staff, session }) => {
      const console = consoleIn(request, staff)?.console ?? null;
      const kind = staff.signIns.secretKindAt(console);
      const secret = body[kind];
      if (secret === undefined) return kind === 'pin' ? pinWanted : passwordWanted;
      const { number, role } = body;
      const answer = await staff.signIns.signIn({ number, secret, kind, ...(role && { role }), console });
      // If this browser had a session before, that session ends now.
      if (!isRefused(answer) && session && staff.session(session.id)) await staff.signOut(session.id);
      return sendSession(request, reply, answer);
    },
    'sign-out': async ({ request, reply, staff, session }) => {
      reply.header('set-cookie', formatStaffSetCookieHeader('session', undefined, isSecure(request)));
      return (session && (await staff.signOut(session.id))) ?? {};
    },
    lock: async ({ staff, session }) => (session ? ((await staff.lock(session.id)) ?? {}) : notSignedInRefusal),
    unlock: async ({ body, staff, session }) => {
      if (session === undefined) return notSignedInRefusal;
      const secret = body[staff.signIns.secretKindAt(session.console)];
      const refusal = await staff.signIns.unlock(session.id, secret);
      return refusal ?? { session: buildStaffSessionView(staff.session(session.id)!) };
    },
    relief: async ({ body, request, reply, staff, session }) => {
      if (session === undefined) return notSignedInRefusal;
      const withdraw = dependencies.withdrawalOnLeave(session);
      const answer = await staff.signIns.relieve(session.id, body);
      if (!isRefused(answer)) await withdraw();
      return sendSession(request, reply, answer);
    },
    demo: async ({ body, request, reply, staff, session }) => {
      if (!staff.isDemo) return nothingThere;
      const { number, role, table, code } = body;
      const refusal = demoSignIn.isCodeNeeded(request.raw) ? demoSignIn.codeRefusal(code) : undefined;
      if (refusal) return refusal;
      const there = Object.values(staff.state!.consoles).find((one) => table !== undefined && one.table === table);
      if (table !== undefined && there === undefined) return noConsole;
      const console = there?.console ?? consoleIn(request, staff)?.console ?? null;
      const answer = await staff.signIns.demoSignIn({ number, ...(role && { role }), console });
      if (!isRefused(answer) && session && staff.session(session.id)) await staff.signOut(session.id);
      return sendSession(request, reply, answer);
    },
    console: async ({ body, request, reply, staff, session }) => {
      if (session === undefined) return notSignedInRefusal;
      const enrolled = await staff.consoles.enrol(randomUUID(), body, session);
      if (isRefused(enrolled)) return enrolled;
      reply.header('set-cookie', formatStaffSetCookieHeader('console', enrolled.key, isSecure(request)));
      return { console: enrolled.console };
    },
    offer: async ({ body, staff, session }) =>
      session ? staff.consoles.offer(randomUUID(), body, session) : notSignedInRefusal,
    enrol: async ({ body, request, reply, staff, session }) => {
      const enrolled = await staff.consoles.claim(body.code);
      if (isRefused(enrolled)) return enrolled;
      // The session of this browser ends when the browser becomes a console.
      if (session && staff.session(session.id)) await staff.signOut(session.id);
      const cookies = [
        formatStaffSetCookieHeader('console', enrolled.key, isSecure(request)),
        formatStaffSetCookieHeader('session', undefined, isSecure(request)),
      ];
      reply.header('set-cookie', cookies);
      return { console: enrolled.console };
    },
    password: async ({ body, staff, session }) => {
      const { number, kind, old: secret, new: next } = body;
      const goesOn = session && { session: session.id };
      return (await staff.secrets.change({ number, kind, secret, next, ...goesOn })) ?? {};
    },
  };

  /** Requests whose PIN, password or code is checked. They have a rate limit. */
  const secretRoutes: ReadonlySet<StaffHttpRequestName> = new Set(['sign-in', 'unlock', 'relief', 'password', 'enrol']);

  const isSecretChecked = (name: StaffHttpRequestName, staff: StaffService, request: FastifyRequest): boolean =>
    secretRoutes.has(name) || (name === 'demo' && staff.isDemo && demoSignIn.isCodeNeeded(request.raw));

  const requestRefusal = (request: FastifyRequest): ServerRefusal | undefined => {
    if (request.headers[staffHttpHeaderName] !== '1') return noHeader;
    return request.method === 'GET' || isOwnOrigin(request.raw) ? undefined : foreign;
  };

  const handle = async (
    name: StaffHttpRequestName,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const refusal = requestRefusal(request);
    if (refusal) return sendRefusal(reply, refusal);
    const staff = dependencies.staffService();
    if (staff === undefined) return sendRefusal(reply, serverClosingRefusal);
    const body = parse<object>(request.body ?? {}, staffHttpRequestSchemas[name]);
    if (isRefused(body)) return sendRefusal(reply, body);
    if (isSecretChecked(name, staff, request)) {
      const isAllowed = secretAttempts.take(addressLimitKeyOf(proxies.clientAddressOf(request.raw)), clock());
      if (!isAllowed) return sendRefusal(reply, tooManySignInAttemptsRefusal);
    }
    const failure = await refreshSession(request, staff);
    if (failure) return sendRefusal(reply, failure);
    // The body fits the schema of this route, so the cast is safe.
    const route = routes[name] as (request: object) => Promise<SignInReply | ServerRefusal>;
    const answer = await route({ body, request, reply, staff, session: sessionIn(request, staff) });
    return isRefused(answer) ? sendRefusal(reply, answer) : reply.send(answer);
  };

  for (const name of Object.keys(routes) as StaffHttpRequestName[]) {
    app.post(`/staff/${name}`, (request, reply) => handle(name, request, reply));
  }
  app.get('/staff/me', async (request, reply) => {
    const refusal = requestRefusal(request);
    if (refusal) return sendRefusal(reply, refusal);
    const staff = dependencies.staffService();
    if (staff === undefined) return sendRefusal(reply, serverClosingRefusal);
    const failure = await refreshSession(request, staff);
    if (failure) return sendRefusal(reply, failure);
    const session = sessionIn(request, staff);
    const me: StaffBrowserState = {
      at: clock(),
      ...owner,
      demo: staff.isDemo,
      demoCode: staff.isDemo && demoSignIn.isCodeNeeded(request.raw),
      console: consoleIn(request, staff) ?? null,
      session: session ? buildStaffSessionView(session) : null,
      staff: staff.isDemo ? demoAccounts(staff, clock()) : [],
      tables: staff.isDemo ? consoleTables(staff) : [],
    };
    return reply.header('cache-control', 'no-store').send(me);
  });
}

/** Staff who can sign in to a demo with one click, with the roles of each: own roles and acting roles. */
const demoAccounts = ({ state }: StaffService, at: number): StaffBrowserState['staff'] =>
  Object.values(state?.members ?? {}).flatMap(({ person, number }) => {
    const roles = state ? authoritiesOf(state, person, at).map(effectiveRole) : [];
    return roles.length > 0 ? [{ number, roles }] : [];
  });

const consoleTables = ({ state }: StaffService): string[] =>
  Object.values(state?.consoles ?? {}).flatMap(({ kind, table }) =>
    kind === 'dealer' && table !== null ? [table] : [],
  );

const noHeader = refuse<'foreign-origin'>(
  'foreign-origin',
  `The header ${staffHttpHeaderName}: 1 is missing. Use a page of this server.`,
);
const foreign = refuse<'foreign-origin'>('foreign-origin', 'Staff can sign in only on pages of this server.');
const nothingThere = refuse<'not-found'>('not-found', 'There is no such page.');
const noConsole = refuse<'unknown-table'>('unknown-table', 'That table has no console. Choose another.');
const pinWanted = refuse<'bad-request'>('bad-request', 'Sign in with your PIN at this console.');
const passwordWanted = refuse<'bad-request'>('bad-request', 'Sign in with your password here.');
