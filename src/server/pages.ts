import { createServer } from 'node:http';
import { extname } from 'node:path';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { answering, turnAway, wrongWith } from './answer.ts';
import { Files } from './files.ts';
import { fewAtOnce } from './gate.ts';
import { quoted } from '../rules/refusal.ts';
import { type Limits } from './limits.ts';
import { wrongHost } from './origin.ts';

const types: { readonly [ending: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

type Parts = {
  /** Where the page and its parts were built into. */
  readonly folder: string;
  /** What this server is called. */
  readonly names: readonly string[];
  readonly limits: Pick<Limits, 'request' | 'requests'>;
  /** The tables of the floor; none are known while it starts. */
  readonly tables: () => readonly string[] | undefined;
  readonly trouble: (what: string, error: unknown) => void;
};

const starting = { code: 'server-closing', message: 'The server is starting or closing; try again soon.' };

/** The pages and their parts. */
export function pages({ folder, names, limits, tables, trouble }: Parts): FastifyInstance {
  const answerError = ({ statusCode = 500, message }: FastifyError, reply: FastifyReply): FastifyReply =>
    reply
      .code(statusCode)
      .send(
        statusCode < 500
          ? { code: 'bad-request', message: `The request is not right: ${message}.` }
          : { code: 'broken', message: 'The server failed on this request; please report it.' },
      );
  const few = fewAtOnce(limits.requests);
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 1024,
    // Whoever says nothing, begins a request and does not end it, or does not read the answer is not waited for.
    serverFactory: (handle) => {
      const time = limits.request;
      const server = createServer(
        {
          ...answering,
          headersTimeout: time,
          requestTimeout: time,
          keepAliveTimeout: time,
          connectionsCheckingInterval: Math.ceil(time / 5),
        },
        few(handle),
      );
      return server.setTimeout(4 * time);
    },
    frameworkErrors: (error, _, reply) => void answerError(error, reply),
    clientErrorHandler: (error, socket) => turnAway(socket, wrongWith(error)),
  });
  app.server.on(
    'checkExpectation',
    few((_, answer) => {
      answer.writeHead(417, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
      answer.end(JSON.stringify({ code: 'bad-request', message: 'The request expects what is not done here.' }));
    }),
  );
  const files = new Files(folder);
  app.addHook('onRequest', async (request, reply) => {
    const wrong = wrongHost(request.raw, names);
    if (wrong) await reply.code(wrong.status).send({ code: wrong.code, message: wrong.message });
  });
  app.setErrorHandler((error: FastifyError, _, reply) => {
    if ((error.statusCode ?? 500) >= 500) trouble('a page', error);
    return answerError(error, reply);
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ code: 'not-found', message: 'There is no such page.' }));
  const send = async (name: string, reply: FastifyReply): Promise<FastifyReply | void> => {
    const content = await files.named(name);
    if (content === undefined) return reply.callNotFound();
    // The names of the parts change with their content.
    const keep = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return reply
      .header('cache-control', keep)
      .type(types[extname(name)] ?? 'application/octet-stream')
      .send(content);
  };
  app.get('/*', (request, reply) => {
    const path = request.url.split('?')[0]!;
    return send(path === '/' ? '/index.html' : path, reply);
  });
  // The screen over a table is one page for all of them, but only where there is such a table.
  app.get<{ Params: { table: string } }>('/display/:table', (request, reply) => {
    const known = tables();
    if (known === undefined) return reply.code(503).send(starting);
    const { table } = request.params;
    if (known.includes(table)) return send('/display.html', reply);
    const message = `There is no table ${quoted(table)}; the tables are ${known.join(', ')}.`;
    return reply.code(404).send({ code: 'unknown-table', message });
  });
  return app;
}
