import { existsSync, mkdirSync, readdirSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary.ts';
import { startTestServer } from '../support/testServer.ts';

const folder = temporaryFolder('screens');
const script = 'console.log("庄");\n'.repeat(100);
const files = { 'index.html': '<!doctype html><title>Punto</title>', 'assets/part-1.js': script };
/** More than a connection buffers for a client that does not read. */
let large: string;

let open: ReturnType<typeof startTestServer>;
beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(folder, 'assets', 'font-1.woff2'), 'dense');
  large = join(realpathSync(folder), 'assets', 'large-1.woff2');
  writeFileSync(large, Buffer.alloc(8 << 20));
  open = startTestServer({ tables: ['tiger'], screensFolder: folder });
});
afterAll(async () => (await open).close());

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

async function httpRequest(
  path: string,
  headers: { readonly [name: string]: string } = {},
  method = 'GET',
): Promise<Answer> {
  const { address } = await open;
  return new Promise((resolve, reject) => {
    request(new URL(path, address), { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (part: Buffer) => chunks.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
])('a client that accepts %s gets %s, compressed at build time', async (accepted, encoding, unpack) => {
  for (const _ of ['from the disk', 'from memory']) {
    const { status, headers, body } = await httpRequest('/assets/part-1.js', { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/javascript; charset=utf-8',
      'content-length': String(body.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(String(unpack(body))).toBe(script);
  }
});

test('a client without compression gets the plain file', async () => {
  const { headers, body } = await httpRequest('/assets/part-1.js');
  expect(headers['content-encoding']).toBeUndefined();
  expect(String(body)).toBe(script);
});

test('a font is sent without further compression', async () => {
  const { headers, body } = await httpRequest('/assets/font-1.woff2', { 'accept-encoding': 'br, gzip' });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(String(body)).toBe('dense');
});

test('a page is revalidated each time and sent again only when it changed', async () => {
  const { headers, body } = await httpRequest('/?from=test', { 'accept-encoding': 'br' });
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
  expect(String(brotliDecompressSync(body))).toBe(files['index.html']);
  const again = await httpRequest('/', { 'accept-encoding': 'br', 'if-none-match': headers.etag! });
  expect(again.status).toBe(304);
  expect(again.body).toHaveLength(0);
});

test('HEAD gives the headers of the page without its body', async () => {
  const { status, headers, body } = await httpRequest('/', { 'accept-encoding': 'br' }, 'HEAD');
  expect([status, headers['content-encoding'], body.length]).toEqual([200, 'br', 0]);
});

test('a range request gets the whole file', async () => {
  const { status, body } = await httpRequest('/assets/part-1.js', { range: 'bytes=0-3' });
  expect([status, String(body)]).toEqual([200, script]);
});

test.each([
  '/assets/part-1.js.br',
  '/assets/part-1.js.gz',
  '/assets/',
  '/assets',
  '/assets/../index.html/x',
  '/%2e%2e/package.json',
  '/..%2fpackage.json',
  '/assets//part-1.js',
  '/INDEX.HTML',
])('a request for %s gets 404', async (path) => {
  const { status, body } = await httpRequest(path, { 'accept-encoding': 'br' });
  expect([status, JSON.parse(String(body))]).toEqual([404, { code: 'not-found', message: 'There is no such page.' }]);
});

/** Number of open descriptors of a file in this process; 0 where the system does not list them. */
function openDescriptors(path: string): number {
  if (!existsSync('/proc/self/fd')) return 0;
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      // It was closed in between.
      return false;
    }
  }).length;
}

test('a client that does not read holds no open file and no copy', async () => {
  const { address } = await open;
  await httpRequest('/assets/large-1.woff2');
  const { hostname, port } = new URL(address);
  const before = process.memoryUsage();
  const readers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect({ host: hostname, port: Number(port) }).pause();
      await once(socket, 'connect');
      socket.write('GET /assets/large-1.woff2 HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4));
      // The response has begun and the client does not read on.
      await once(socket, 'readable');
      return socket;
    }),
  );
  // The last request is served after all others.
  expect((await httpRequest('/assets/large-1.woff2')).body).toHaveLength(8 << 20);
  const { arrayBuffers } = process.memoryUsage();
  expect(arrayBuffers - before.arrayBuffers).toBeLessThan(20 * (8 << 20));
  await expect.poll(() => openDescriptors(large), { timeout: 300_000 }).toBe(0);
  for (const socket of readers) socket.destroy();
});
