import { type Metrics, type ServerStatus } from '../../metrics/metrics.ts';
import { startMonitoringServer } from '../../metrics/monitoringServer.ts';
import { createPrometheusMetrics } from '../../metrics/prometheus.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { type ServerLog } from '../support/serverLog.ts';
import { CliError } from '../support/cliError.ts';

/** HTTP server for operators, with the paths /metrics, /healthz and /readyz. */
export type MetricsServer = {
  readonly address: string;
  readonly gauges: Metrics;
  /**
   * Sets the function that gives the status of the floor server. Until this call, /readyz reports that the floor server
   * is starting.
   */
  readonly setStatusSource: (readStatus: () => ServerStatus) => void;
  readonly close: () => Promise<void>;
};

/**
 * Opens the HTTP server of --metrics. It is opened before the floor server, so that probes can see that the floor
 * server is starting.
 */
export async function openMetricsServer(
  text: string | undefined,
  log: Pick<ServerLog, 'error'>,
): Promise<MetricsServer | undefined> {
  if (text === undefined) return undefined;
  const { host, port } = parseHostAndPort('--metrics', text);
  let statusSource: (() => ServerStatus) | undefined;
  const readStatus = (): ServerStatus | undefined => statusSource?.();
  const metrics = createPrometheusMetrics(readStatus);
  try {
    const { address, close } = await startMonitoringServer({
      host,
      port,
      metrics,
      status: readStatus,
      warn: log.error,
    });
    return { address, close, gauges: metrics.metrics, setStatusSource: (source) => void (statusSource = source) };
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error;
    throw new CliError(
      1,
      'address-unavailable',
      `The address ${host} port ${port} for --metrics is not available (${code}); choose another address or port.`,
    );
  }
}

/** Parses `[HOST:]PORT`; an IPv6 address is in brackets. */
export function parseHostAndPort(
  option: string,
  text: string,
  defaultHost = '127.0.0.1',
): { readonly host: string; readonly port: number } {
  const [, host = defaultHost, digits = ''] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (port >= 1 && port <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port };
  throw new CliError(
    2,
    'malformed-argument',
    `${option} is ${quoteForMessage(text)}; write a port, or an address and a port such as 127.0.0.1:9464.`,
  );
}
