import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { isOwnHost } from './origin.ts';

const types: { readonly [ending: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Nothing from elsewhere, nothing inline, nothing framed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The page and its parts, from the folder that they were built into. */
export function pages(folder: string, names: readonly string[]): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, bodyLimit: 1024 });
  // Asked for by these names alone: a path from outside never reaches the disk.
  const files = new Map<string, string>(
    globSync('**/*.*', { cwd: folder }).map((name) => [`/${name.replaceAll('\\', '/')}`, join(folder, name)]),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    if (isOwnHost(request.raw, names)) return;
    await reply.code(403).send({ code: 'foreign-origin', message: 'This server does not go by that name.' });
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ code: 'not-found', message: 'There is no such page.' }));
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0]!;
    const name = path === '/' ? '/index.html' : path;
    const file = files.get(name);
    if (file === undefined || !existsSync(file)) return reply.callNotFound();
    // The names of the parts change with their content.
    const keep = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return reply
      .header('cache-control', keep)
      .type(types[extname(file)] ?? 'application/octet-stream')
      .send(await readFile(file));
  });
  return app;
}
