import pg from 'pg';
import { quoteForMessage } from '../../base/refusal.ts';
import { DamagedStoreError } from '../store.ts';
import { DatabaseUnavailableError } from '../failures.ts';
import { type ConnectionSettings, type DatabaseHost, hostText, redactedUrl } from './connectionUrl.ts';
import { SqlError, PgConnection, NoAnswerError } from './connection.ts';

/** Error: the host answers, but must not be used. The message says why. */
class HostRejected extends Error {}

/** Error: no host of the connection URL can be used. `isFull`: a host has no free connection, so waiting may help. */
export class NoUsableHostError extends DatabaseUnavailableError {
  readonly isFull: boolean;

  constructor(
    address: ConnectionSettings,
    failures: readonly { readonly host: DatabaseHost; readonly error: unknown }[],
  ) {
    const reasons = failures.map(({ host, error }) => describeFailure(hostText(host), error, address));
    super(`The database ${redactedUrl(address)} cannot be used: ${reasons.join('; ')}.`);
    this.isFull = failures.some(({ error }) => (error as { readonly code?: string }).code === tooManyConnections);
  }
}

const tooManyConnections = '53300';

type SessionInfo = { readonly standby: boolean; readonly encoding: string };

/**
 * Configures a database session. There is no statement_timeout, because `PgConnection` has a timer of its own. Lock
 * waits end before that timer, so that no statement still waits for a lock after its timeout. Only warnings are sent as
 * notices. Sequential scans are off: PostgreSQL caches plans while tables are small, and such a plan would still scan a
 * whole table when the table has grown. JIT compilation is off: a plan that cannot avoid a sequential scan now has an
 * immense cost estimate, and PostgreSQL would compile it to machine code at each execution. For a renewal of leases
 * this would take up to a second of CPU time.
 */
const configureSession = `SELECT pg_is_in_recovery() AS standby,
  current_setting('server_encoding') AS encoding,
  set_config('lock_timeout', $1, false),
  set_config('statement_timeout', '0', false),
  set_config('enable_seqscan', 'off', false),
  set_config('jit', 'off', false),
  set_config('client_min_messages', 'warning', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('synchronous_commit',
    CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
         ELSE current_setting('synchronous_commit') END, false)`;

const maxConnectMs = 5_000;

/**
 * Connects to the first host that is a primary and passes `check`. The preferred host is tried first. `check` returns
 * undefined if the host may be used, otherwise a text that says why not.
 */
export async function connectToPrimary(
  address: ConnectionSettings,
  {
    preferredHost,
    timeoutMs,
    check,
  }: {
    readonly preferredHost?: string | undefined;
    readonly timeoutMs: number;
    readonly check: (connection: PgConnection) => Promise<string | undefined>;
  },
): Promise<PgConnection> {
  const failures: { readonly host: DatabaseHost; readonly error: unknown }[] = [];
  const hosts = address.hosts.toSorted(
    (a, b) => Number(hostText(b) === preferredHost) - Number(hostText(a) === preferredHost),
  );
  for (const host of hosts) {
    let connection: PgConnection | undefined;
    try {
      connection = await PgConnection.connect(host, address, Math.min(maxConnectMs, timeoutMs));
      await startSession(connection, timeoutMs);
      const rejection = await check(connection);
      if (rejection !== undefined) throw new HostRejected(rejection);
      return connection;
    } catch (error) {
      connection?.destroy();
      // Damaged data and defects end the search; any other failure leads to the next host.
      if (error instanceof DamagedStoreError || error instanceof TypeError) throw error;
      failures.push({ host, error });
    }
  }
  throw new NoUsableHostError(address, failures);
}

async function startSession(connection: PgConnection, timeoutMs: number): Promise<void> {
  const [row] = await connection.query(configureSession, [String(Math.ceil(timeoutMs * 0.8))], timeoutMs);
  const { standby, encoding } = row as unknown as SessionInfo;
  if (standby) throw new HostRejected(`${connection.host} is a standby`);
  if (encoding !== 'UTF8')
    throw new HostRejected(`${connection.host} has the encoding ${encoding}; create a database with the encoding UTF8`);
}

/** Says why a host cannot be used and what to do: one sentence without its full stop. */
function describeFailure(host: string, error: unknown, { user, database, sslMode }: ConnectionSettings): string {
  if (error instanceof HostRejected) return error.message;
  if (error instanceof NoAnswerError)
    return error.isTimeout ? `${host} does not answer` : `${host} ends the connection`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const state = error instanceof SqlError ? error.state : error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  switch (state === '' ? code : state) {
    case '28P01':
      return `${host} rejects the password of the user ${quoteForMessage(user)}; set the right password in PGPASSWORD or a passfile`;
    case '3D000':
      return `${host} has no database ${quoteForMessage(database)}; create the database, or name another`;
    case tooManyConnections:
      return `${host} has no free connection; close some connections, or raise max_connections`;
    case '57P03':
      return `${host} is starting or shutting down`;
    case 'ECONNREFUSED':
      return `${host} refuses connections: no server listens there`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is an unknown host; correct its name, or check the DNS server`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `${host} has a certificate of another host; use the host name in the certificate`;
  }
  if (state !== '') return `${host} replies ${quoteForMessage(message)} (${state})`;
  if (/client password must be a/.test(message))
    return `${host} asks for a password; set it in PGPASSWORD or a passfile`;
  if (/does not support SSL/.test(message))
    return `${host} does not support TLS; enable TLS there, or use sslmode=disable`;
  if (/timeout expired/.test(message)) return `${host} does not answer`;
  if (sslMode === 'verify-full' && /CERT|SIGNATURE|ISSUER/.test(code)) {
    return `${host} has a certificate that is not trusted (${code}); name its certificate authority with sslrootcert`;
  }
  return `${host} cannot be reached (${quoteForMessage(code === '' ? message : code)})`;
}
