import { type Metrics, type ServerStatus } from '../../metrics/metrics.ts';
import { startHealthServer } from '../../metrics/healthServer.ts';
import { prometheusMetrics } from '../../metrics/prometheus.ts';
import { quoted } from '../../base/refusal.ts';
import { type ServerLog } from '../support/serverLog.ts';
import { CliError } from '../support/cliError.ts';

/** The address at which operators and their programs look at a server. */
export type MetricsEndpoint = {
  readonly address: string;
  readonly gauges: Metrics;
  /** From now on it is known how the server stands. */
  readonly follow: (standing: () => ServerStatus) => void;
  readonly close: () => Promise<void>;
};

/** Opens the address that `--metrics` names, before there is a server: that one starts is told there as well. */
export async function openMetricsEndpoint(
  text: string | undefined,
  log: Pick<ServerLog, 'trouble'>,
): Promise<MetricsEndpoint | undefined> {
  if (text === undefined) return undefined;
  const { host, port } = parseHostAndPort('--metrics', text);
  let read: (() => ServerStatus) | undefined;
  const status = (): ServerStatus | undefined => read?.();
  const metrics = prometheusMetrics(status);
  try {
    const { address, close } = await startHealthServer({ host, port, metrics, status, warn: log.trouble });
    return { address, close, gauges: metrics.metrics, follow: (found) => void (read = found) };
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error;
    throw new CliError(
      1,
      'address-unavailable',
      `The address ${host} port ${port} for --metrics is not available (${code}); choose another.`,
    );
  }
}

/** A port of this machine unless a host stands before it; an address of IPv6 stands in brackets. */
export function parseHostAndPort(
  option: string,
  text: string,
  usual = '127.0.0.1',
): { readonly host: string; readonly port: number } {
  const [, host = usual, digits = ''] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (port >= 1 && port <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port };
  throw new CliError(
    2,
    'malformed-argument',
    `${option} is ${quoted(text)}; write a port, or an address and a port such as 127.0.0.1:9464.`,
  );
}
