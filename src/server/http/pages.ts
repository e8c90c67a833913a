import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join, sep } from 'node:path';
import { type Duplex } from 'node:stream';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { answering, rejectSocket, wrongWith } from './responseHeaders.ts';
import { fromMemory } from './fileCache.ts';
import { limitPipelining } from './connectionQuota.ts';
import { quoted } from '../../base/refusal.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { wrongHost } from './originCheck.ts';

/** The names of the parts change with their content. */
const forEver = 'public, max-age=31536000, immutable';

/** A certificate with those between it and its root, and its key; both as PEM. */
export type Tls = { readonly cert: string; readonly key: string };

type Parts = {
  /** Where the page and its parts were built into. */
  readonly folder: string;
  /** What this server is called. */
  readonly names: readonly string[];
  readonly limits: Pick<ServerLimits, 'request' | 'requests'>;
  /** The tables of the floor; none are known while it starts. */
  readonly tables: () => readonly string[] | undefined;
  readonly trouble: (what: string, error: unknown) => void;
  /** Plain HTTP unless given. */
  readonly tls?: Tls;
};

const staffPage = 'staff.html';
/** Where staff work. */
const staffPaths = [
  '/sign-in',
  '/dealer/:table',
  '/floor',
  '/floor/*',
  '/rounds',
  '/rounds/*',
  '/meters',
  '/terminals',
  '/terminals/*',
  '/people',
  '/settings',
  '/settings/:table',
];

const starting = { code: 'server-closing', message: 'The server is starting or closing; try again soon.' };

/** The pages and their parts. */
export function createHttpApp({ folder, names, limits, tables, trouble, tls }: Parts): FastifyInstance {
  const answerError = ({ statusCode = 500, message }: FastifyError, reply: FastifyReply): FastifyReply =>
    reply
      .code(statusCode)
      .send(
        statusCode < 500
          ? { code: 'bad-request', message: `The request is not right: ${message}.` }
          : { code: 'broken', message: 'The server failed on this request; please report it.' },
      );
  const few = limitPipelining(limits.requests);
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 1024,
    // Whoever says nothing, begins a request and does not end it, or does not read the answer is not waited for.
    serverFactory: (handle) => {
      const time = limits.request;
      const options = {
        ...answering(tls !== undefined),
        headersTimeout: time,
        requestTimeout: time,
        keepAliveTimeout: time,
        connectionsCheckingInterval: Math.ceil(time / 5),
      };
      const server = tls
        ? createTlsServer({ ...options, ...tls, handshakeTimeout: time }, few(handle))
        : createServer(options, few(handle));
      // Whoever has not begun to speak TLS can be told nothing.
      server.prependListener('tlsClientError', (_, socket: Duplex) => socket.destroy());
      return server.setTimeout(4 * time);
    },
    frameworkErrors: (error, _, reply) => void answerError(error, reply),
    clientErrorHandler: (error, socket) => rejectSocket(socket, wrongWith(error)),
  });
  app.server.on(
    'checkExpectation',
    few((_, answer) => {
      answer.writeHead(417, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
      answer.end(JSON.stringify({ code: 'bad-request', message: 'The request expects what is not done here.' }));
    }),
  );
  app.addHook('onRequest', async (request, reply) => {
    const wrong = wrongHost(request.raw, names);
    if (wrong) await reply.code(wrong.status).send({ code: wrong.code, message: wrong.message });
  });
  app.setErrorHandler((error: FastifyError, _, reply) => {
    if ((error.statusCode ?? 500) >= 500) trouble('a page', error);
    return answerError(error, reply);
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ code: 'not-found', message: 'There is no such page.' }));
  // What is not in the folder at the start is never looked for there. Each answer is whole: parts are not to be had.
  void app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    acceptRanges: false,
    cacheControl: false,
    lastModified: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', path.includes(`${sep}assets${sep}`) ? forEver : 'no-cache'),
  });
  // The screen over a table is one page for all of them, but only where there is such a table.
  app.get<{ Params: { table: string } }>('/display/:table', (request, reply) => {
    const known = tables();
    if (known === undefined) return reply.code(503).send(starting);
    const { table } = request.params;
    if (known.includes(table)) return reply.sendFile('display.html');
    // Whoever reads it in a browser is told by the screen itself.
    if (request.headers.accept?.includes('text/html')) return reply.code(404).sendFile('display.html');
    const message = `There is no table ${quoted(table)}; the tables are ${known.join(', ')}.`;
    return reply.code(404).send({ code: 'unknown-table', message });
  });
  // All screens of staff are one page, which finds out for itself what to show; without it there is none.
  const hasStaff = existsSync(join(folder, staffPage));
  // A door that can be typed.
  app.get('/staff', (_, reply) => (hasStaff ? reply.redirect('/sign-in') : reply.callNotFound()));
  for (const path of staffPaths) {
    app.get(path, (_, reply) => (hasStaff ? reply.sendFile(staffPage) : reply.callNotFound()));
  }
  app.addHook('onSend', fromMemory());
  return app;
}
