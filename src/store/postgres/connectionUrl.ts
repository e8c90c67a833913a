import { readFileSync, statSync } from 'node:fs';
import { quoteForMessage } from '../../base/refusal.ts';
import { UnusableStoreError } from '../store.ts';

export type DatabaseHost = { readonly host: string; readonly port: number };

/**
 * TLS modes of a connection URL. `disable`: no TLS. `require`: TLS without verification of the certificate.
 * `verify-full`: TLS with a trusted certificate of the host.
 */
const sslModes = ['disable', 'require', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

export type ConnectionSettings = {
  readonly hosts: readonly DatabaseHost[];
  readonly user: string;
  readonly database: string;
  readonly sslMode: SslMode;
  /** Trusted certificates as PEM text. If absent, the certificates that Node trusts by default apply. */
  readonly caCertificates?: string;
  /** Password from a password file. If absent, the client library reads PGPASSWORD. */
  readonly password?: string;
};

const urlFormat = 'postgres://user@host:5432,host:5432/database';

const parameterNames = ['sslmode', 'sslrootcert', 'passfile'] as const;
type ParameterName = (typeof parameterNames)[number];

/**
 * Parses a connection URL. The URL may list several hosts with ports, which neither `URL` nor the client library
 * supports. Parameter names are those of libpq.
 */
export function parseConnectionUrl(text: string): ConnectionSettings {
  const [, body, search = ''] = /^postgres(?:ql)?:\/\/([^?#]*)(?:\?([^#]*))?$/.exec(text) ?? [];
  if (body === undefined) throw invalidUrl('This is not a database URL');
  const [, user, hostList, database] = /^(?:(.*)@)?([^/@]*)(?:\/(.*))?$/.exec(body) ?? [];
  if (user === undefined || user === '') throw invalidUrl('The database URL has no user');
  if (user.includes(':')) {
    throw new UnusableStoreError(
      'A database URL must not contain a password, because others can see it; set PGPASSWORD, or name a file with ?passfile=FILE.',
    );
  }
  if (database === undefined || database === '') throw invalidUrl('The database URL has no database');
  if (database.includes('/')) throw invalidUrl('The database URL has more than one database');
  const parameters = parseParameters(search);
  const hosts = (hostList ?? '').split(',').map(parseHost);
  const sslMode = parseSslMode(parameters.get('sslmode'), hosts);
  const [certificateFile, passwordFile] = [parameters.get('sslrootcert'), parameters.get('passfile')];
  if (certificateFile !== undefined && sslMode !== 'verify-full') {
    throw new UnusableStoreError(
      'The database URL has sslrootcert, which only sslmode=verify-full uses; use that mode, or remove sslrootcert.',
    );
  }
  return {
    hosts,
    user: decode(user),
    database: decode(database),
    sslMode,
    ...(certificateFile !== undefined && { caCertificates: readText(certificateFile) }),
    ...(passwordFile !== undefined && { password: readPassword(passwordFile) }),
  };
}

const invalidUrl = (problem: string): UnusableStoreError =>
  new UnusableStoreError(`${problem}; write it as ${urlFormat}.`);

/** URL for messages: user, hosts and database, without parameters. */
export const redactedUrl = ({ hosts, user, database }: ConnectionSettings): string =>
  `postgres://${encodeURIComponent(user)}@${hosts.map(hostText).join(',')}/${encodeURIComponent(database)}`;

export const hostText = ({ host, port }: DatabaseHost): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl(`The database URL has an invalid character code in ${quoteForMessage(text)}`);
  }
}

function parseHost(text: string): DatabaseHost {
  if (text === '') throw invalidUrl('The database URL has no host, or an empty host in its list');
  const [, ipv6, name, digits = '5432'] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined)
    throw invalidUrl(`The database URL contains ${quoteForMessage(text)}, which is not a host with a port`);
  const port = Number(digits);
  if (port < 1 || port > 65_535)
    throw invalidUrl(`The database URL contains ${quoteForMessage(text)}, whose port is not between 1 and 65535`);
  return { host, port };
}

function parseParameters(search: string): ReadonlyMap<ParameterName, string> {
  const parameters = new Map<ParameterName, string>();
  for (const parameter of search === '' ? [] : search.split('&')) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(parameter) ?? [];
    const key = parameterNames.find((candidate) => candidate === name);
    if (key === undefined || value === '') {
      throw new UnusableStoreError(
        `The database URL has the parameter ${quoteForMessage(parameter)}, which is not supported or has no value; use ${parameterNames.join('=, ')}=.`,
      );
    }
    if (parameters.has(key)) throw new UnusableStoreError(`The database URL has ${key} twice; remove one of them.`);
    parameters.set(key, decode(value));
  }
  return parameters;
}

/** Parses `sslmode`. The default is `disable` if all hosts are loopback addresses, `verify-full` otherwise. */
function parseSslMode(value: string | undefined, hosts: readonly DatabaseHost[]): SslMode {
  if (value === undefined) return hosts.every(({ host }) => isLoopback(host)) ? 'disable' : 'verify-full';
  const sslMode = sslModes.find((candidate) => candidate === value);
  if (sslMode !== undefined) return sslMode;
  throw new UnusableStoreError(`The database URL has sslmode=${value}, but it can only be ${sslModes.join(', ')}.`);
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableStoreError(
      `The file ${quoteForMessage(file)} in the database URL cannot be read (${code}); name another file.`,
    );
  }
}

/** Reads the password: the first line of a file that only its owner may read. */
function readPassword(file: string): string {
  const [password = ''] = readText(file).split(/\r?\n/, 1);
  if (password === '') {
    throw new UnusableStoreError(`The file ${quoteForMessage(file)} contains no password; write it in the first line.`);
  }
  // Windows has no permission bits.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new UnusableStoreError(
      `Other users can read the password in ${quoteForMessage(file)}; make the file private (chmod 600).`,
    );
  }
  return password;
}
