import { quoteForMessage } from '../../base/refusal.ts';
import { defaultLeaseMs } from '../../cluster/nodeLeases.ts';
import { TrustedProxies } from '../../server/http/clientAddress.ts';
import { CliError } from '../support/cliError.ts';
import { parseHostAndPort } from './metricsServer.ts';

// Parsers for options of `punto serve`. A parser throws a `CliError` if its option is malformed.

export const defaultHost = '127.0.0.1';
export const defaultDataFolder = 'data';
/** Default port. If it is in use, one of the next 99 ports is used. */
export const defaultPort = 2026;
const furtherPorts = 99;

export function parseClockAcceptOption(text: string | undefined): boolean {
  if (text === undefined || text === 'accept') return text !== undefined;
  throw new CliError(
    2,
    'malformed-argument',
    `--clock is ${quoteForMessage(text)}; write --clock accept, or leave the option out.`,
  );
}

export type PortRange = { readonly port: number; readonly extraPorts: number };

export function parsePortOption(text: string | undefined): PortRange {
  if (text === undefined) return { port: defaultPort, extraPorts: furtherPorts };
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return { port, extraPorts: 0 };
  throw new CliError(
    2,
    'malformed-argument',
    `--port is ${quoteForMessage(text)}; write a whole number from 1 to 65535.`,
  );
}

export function parseProxyOption(texts: readonly string[]): TrustedProxies {
  const proxies = new TrustedProxies();
  const invalid = texts.find((text) => !proxies.trust(text));
  if (invalid === undefined) return proxies;
  const message = `--proxy is ${quoteForMessage(invalid)}; write an address or a block of addresses, such as 10.0.0.0/8.`;
  throw new CliError(2, 'malformed-argument', message);
}

/**
 * Parses --lease: from 500 ms to 60 s. With a shorter lease, a renewal could come too late. With a longer lease, other
 * nodes would wait too long before they take over tables.
 */
export function parseLeaseOption(text: string | undefined, databaseUrl: string | undefined): number {
  if (text === undefined) return defaultLeaseMs;
  if (databaseUrl === undefined) {
    throw new CliError(2, 'malformed-argument', 'A data folder has only one node; give --lease only with --store.');
  }
  const leaseMs = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (leaseMs >= 500 && leaseMs <= 60_000) return leaseMs;
  throw new CliError(
    2,
    'malformed-argument',
    `--lease is ${quoteForMessage(text)}; write milliseconds, from 500 to 60000.`,
  );
}

export function parseBrowserUrlOption(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:\/\/[^/]+\/?$/.test(text)) return new URL(text).href;
  throw new CliError(
    2,
    'malformed-argument',
    `--node is ${quoteForMessage(text)}; write an address such as http://10.0.0.5:2026/.`,
  );
}

type NodeAddress = { readonly host: string; readonly port: number; readonly reached?: string };

/**
 * Parses --cluster: the address at which this node listens for other nodes. If this node listens on all interfaces,
 * other nodes reach it under the host name of --node.
 */
export function parseClusterListenOption(
  text: string | undefined,
  host: string,
  browserUrl: string | undefined,
): NodeAddress {
  const address = text === undefined ? { host, port: 0 } : parseHostAndPort('--cluster', text, host);
  const listensEverywhere = address.host === '0.0.0.0' || address.host === '::';
  return {
    ...address,
    ...(listensEverywhere && browserUrl !== undefined && { reached: new URL(browserUrl).hostname }),
  };
}

export function parseMayLeadTablesOption(text: string | undefined, databaseUrl: string | undefined): boolean {
  if (text === undefined) return true;
  if (text === 'none' && databaseUrl !== undefined) return false;
  throw new CliError(
    2,
    'malformed-argument',
    `--tables is ${quoteForMessage(text)}; write --tables none together with --store, or leave the option out.`,
  );
}
