import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ServerStatus, type Unready } from './metrics.ts';
import { type PrometheusMetrics } from './prometheus.ts';

/** Where operators and their programs look, apart from where patrons come in. */
export type HealthServer = { readonly address: string; readonly close: () => Promise<void> };

type Parts = {
  readonly host: string;
  readonly port: number;
  readonly figures: Pick<PrometheusMetrics, 'text' | 'contentType'>;
  /** How the server stands; nothing before it does. */
  readonly standing: () => ServerStatus | undefined;
  readonly trouble: (what: string, error: unknown) => void;
};

/** Few look, and none of them is slow. */
const mostConnections = 64;
const longest = 5_000;

const starting: Unready = { code: 'server-closing', message: 'The server is starting; try again soon.' };

type Answer = { readonly status: number; readonly type: string; readonly body: string };

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(body)}\n`,
});

/** Opens the post: whether the program lives, whether the floor can be played at, and the figures. */
export async function startHealthServer({ host, port, figures, standing, trouble }: Parts): Promise<HealthServer> {
  const answers: { readonly [path: string]: () => Answer | Promise<Answer> } = {
    '/healthz': () => json(200, { alive: true }),
    '/readyz': () => {
      const told = standing();
      const unready = told ? told.unready : starting;
      return unready ? json(503, { ready: false, ...unready }) : json(200, { ready: true });
    },
    '/metrics': async () => ({ status: 200, type: figures.contentType, body: await figures.text() }),
  };

  const answerTo = async ({ method, url = '' }: IncomingMessage): Promise<Answer> => {
    const path = url.split('?', 1)[0]!;
    if (!Object.hasOwn(answers, path)) return json(404, notFound);
    return method === 'GET' || method === 'HEAD' ? answers[path]!() : json(405, onlyGet);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // What was sent along is not read.
    request.resume();
    const { status, type, body } = await answerTo(request).catch((error: unknown) => {
      trouble('the figures', error);
      return json(500, broken);
    });
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };

  const server = createServer(
    { headersTimeout: longest, requestTimeout: longest, keepAliveTimeout: longest },
    (request, response) => void answer(request, response),
  );
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, port: taken, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const notFound = { code: 'not-found', message: 'There is no such page; there are /healthz, /readyz and /metrics.' };
const onlyGet = { code: 'bad-request', message: 'These pages are only read; ask with GET.' };
const broken = { code: 'broken', message: 'The server failed on this request; please report it.' };
