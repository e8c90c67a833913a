import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ServerStatus, type NotReadyReason } from './metrics.ts';
import { type PrometheusMetrics } from './prometheus.ts';

/** HTTP server for monitoring, at a port of its own. */
export type MonitoringServer = { readonly address: string; readonly close: () => Promise<void> };

type HealthServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly metrics: Pick<PrometheusMetrics, 'text' | 'contentType'>;
  /** Gives the status of the floor server; undefined before that server has started. */
  readonly status: () => ServerStatus | undefined;
  readonly warn: (what: string, error: unknown) => void;
};

/** Maximum number of connections. Monitoring needs few. */
const maxConnections = 64;
const timeoutMs = 5_000;

const starting: NotReadyReason = { code: 'server-closing', message: 'The server is starting; try again soon.' };

type HealthResponse = { readonly status: number; readonly type: string; readonly body: string };

const json = (status: number, body: object): HealthResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(body)}\n`,
});

/**
 * Starts an HTTP server for monitoring. /healthz shows that the process is alive, /readyz whether the floor can take
 * bets, and /metrics the metrics.
 */
export async function startMonitoringServer({
  host,
  port,
  metrics,
  status,
  warn,
}: HealthServerOptions): Promise<MonitoringServer> {
  const routes: { readonly [path: string]: () => HealthResponse | Promise<HealthResponse> } = {
    '/healthz': () => json(200, { alive: true }),
    '/readyz': () => {
      const current = status();
      const notReady = current ? current.notReady : starting;
      return notReady ? json(503, { ready: false, ...notReady }) : json(200, { ready: true });
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() }),
  };

  const responseTo = async ({ method, url = '' }: IncomingMessage): Promise<HealthResponse> => {
    const path = url.split('?', 1)[0]!;
    if (!Object.hasOwn(routes, path)) return json(404, notFound);
    return method === 'GET' || method === 'HEAD' ? routes[path]!() : json(405, onlyGet);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The request body is discarded.
    request.resume();
    const {
      status: code,
      type,
      body,
    } = await responseTo(request).catch((error: unknown) => {
      warn('the metrics', error);
      return json(500, broken);
    });
    response.writeHead(code, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };

  const server = createServer(
    { headersTimeout: timeoutMs, requestTimeout: timeoutMs, keepAliveTimeout: timeoutMs },
    (request, response) => void handle(request, response),
  );
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, port: boundPort, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${boundPort}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const notFound = { code: 'not-found', message: 'This page does not exist; use /healthz, /readyz or /metrics.' };
const onlyGet = { code: 'bad-request', message: 'This page can only be read; use GET.' };
const broken = { code: 'broken', message: 'The server failed on this request; please report it.' };
