import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join, sep } from 'node:path';
import { type Duplex } from 'node:stream';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { createSecuredHttpServerOptions, rejectSocket, httpErrorOfParser } from './responseHeaders.ts';
import { createFileMemoryCacheHook } from './fileMemoryCacheHook.ts';
import { createPipeliningLimiter } from './pipeliningLimiter.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { checkHostHeader } from './originCheck.ts';
import { serverClosingRefusal } from '../refusals/serverRefusals.ts';

/** Cache-Control header of files under assets/. The name of each such file contains a hash of its content. */
const immutableCache = 'public, max-age=31536000, immutable';

/** TLS certificate chain and private key, both as PEM text. */
export type TlsCertificate = { readonly cert: string; readonly key: string };

type HttpAppOptions = {
  readonly folder: string;
  readonly hostNames: readonly string[];
  readonly limits: Pick<ServerLimits, 'requestMs' | 'maxPipelined'>;
  /** Gives the ids of all tables; undefined while the server starts or closes. */
  readonly tableIds: () => readonly string[] | undefined;
  /** Called for a failure from which the server recovers; `subject` names what failed, such as a page. */
  readonly warn: (subject: string, error: unknown) => void;
  /** TLS certificate and key; plain HTTP if absent. */
  readonly tls?: TlsCertificate;
};

const staffPage = 'staff.html';
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
  '/staff-accounts',
  '/settings',
  '/settings/:table',
];

export function createHttpApp({ folder, hostNames, limits, tableIds, warn, tls }: HttpAppOptions): FastifyInstance {
  const answerError = ({ statusCode = 500, message }: FastifyError, reply: FastifyReply): FastifyReply =>
    reply
      .code(statusCode)
      .send(
        statusCode < 500
          ? { code: 'bad-request', message: `The request is not valid: ${message}.` }
          : { code: 'broken', message: 'The server failed because of a bug. Please report it.' },
      );
  const limitRequests = createPipeliningLimiter(limits.maxPipelined);
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 1024,
    // Sets timeouts for idle connections, for slow requests, and for clients that read slowly.
    serverFactory: (handle) => {
      const timeoutMs = limits.requestMs;
      const options = {
        ...createSecuredHttpServerOptions(tls !== undefined),
        headersTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        keepAliveTimeout: timeoutMs,
        connectionsCheckingInterval: Math.ceil(timeoutMs / 5),
      };
      const server = tls
        ? createTlsServer({ ...options, ...tls, handshakeTimeout: timeoutMs }, limitRequests(handle))
        : createServer(options, limitRequests(handle));
      // If the TLS handshake fails, no response can be sent.
      server.prependListener('tlsClientError', (_, socket: Duplex) => socket.destroy());
      return server.setTimeout(4 * timeoutMs);
    },
    frameworkErrors: (error, _, reply) => void answerError(error, reply),
    clientErrorHandler: (error, socket) => rejectSocket(socket, httpErrorOfParser(error)),
  });
  app.server.on(
    'checkExpectation',
    limitRequests((_, answer) => {
      answer.writeHead(417, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
      answer.end(JSON.stringify({ code: 'bad-request', message: 'The Expect header is not supported. Leave it out.' }));
    }),
  );
  app.addHook('onRequest', async (request, reply) => {
    const error = checkHostHeader(request.raw, hostNames);
    if (error) await reply.code(error.status).send({ code: error.code, message: error.message });
  });
  app.setErrorHandler((error: FastifyError, _, reply) => {
    if ((error.statusCode ?? 500) >= 500) warn('a page', error);
    return answerError(error, reply);
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ code: 'not-found', message: 'There is no such page.' }));
  // The names of the files are read once, at the start. Range requests are not supported.
  void app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    acceptRanges: false,
    cacheControl: false,
    lastModified: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', path.includes(`${sep}assets${sep}`) ? immutableCache : 'no-cache'),
  });
  // One display page is served for all tables. For an unknown table its status is 404.
  app.get<{ Params: { table: string } }>('/display/:table', (request, reply) => {
    const ids = tableIds();
    if (ids === undefined)
      return reply.code(503).send({ code: serverClosingRefusal.refused, message: serverClosingRefusal.message });
    const { table } = request.params;
    if (ids.includes(table)) return reply.sendFile('display.html');
    // For an unknown table a browser gets the display page with status 404, and the page shows the error.
    if (request.headers.accept?.includes('text/html')) return reply.code(404).sendFile('display.html');
    const message = `There is no table ${quoteForMessage(table)}. The tables are ${ids.join(', ')}.`;
    return reply.code(404).send({ code: 'unknown-table', message });
  });
  // All staff screens are one page with its own router. This page may be missing from the build.
  const hasStaff = existsSync(join(folder, staffPage));
  app.get('/staff', (_, reply) => (hasStaff ? reply.redirect('/sign-in') : reply.callNotFound()));
  for (const path of staffPaths) {
    app.get(path, (_, reply) => (hasStaff ? reply.sendFile(staffPage) : reply.callNotFound()));
  }
  app.addHook('onSend', createFileMemoryCacheHook());
  return app;
}
