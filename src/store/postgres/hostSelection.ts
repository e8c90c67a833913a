import pg from 'pg';
import { quoted } from '../../base/refusal.ts';
import { DamagedRecord } from '../store.ts';
import { DatabaseAway } from '../failures.ts';
import { type Address, type Host, hostText, redactedUrl } from './connectionUrl.ts';
import { SqlError, PgConnection, NoAnswer } from './connection.ts';

/** Why a host is not used. */
class Unused extends Error {}

/** No host of an address can be used; or none has a connection left, and whoever has some waits for those. */
export class NoHost extends DatabaseAway {
  readonly isFull: boolean;

  constructor(address: Address, whys: readonly { readonly host: Host; readonly why: unknown }[]) {
    const each = whys.map(({ host, why }) => `${hostText(host)} ${whyOf(why, address)}`);
    super(`The database ${redactedUrl(address)} cannot be used: ${each.join('; ')}.`);
    this.isFull = whys.some(({ why }) => (why as { readonly code?: string }).code === tooMany);
  }
}

const tooMany = '53300';

/** What a connection is asked first. */
type Greeting = { readonly standby: boolean; readonly encoding: string };

/**
 * A commit is waited for, by our own timer and nobody else's; whoever waits for a lock gives up before that, so that what
 * is given up leaves nothing behind at the other end. What is said beside an answer is a warning at least. A plan that was
 * made while tables were small goes by their indexes too: it is kept while they grow.
 */
const greeting = `SELECT pg_is_in_recovery() AS standby,
  current_setting('server_encoding') AS encoding,
  set_config('lock_timeout', $1, false),
  set_config('statement_timeout', '0', false),
  set_config('enable_seqscan', 'off', false),
  set_config('client_min_messages', 'warning', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('synchronous_commit',
    CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
         ELSE current_setting('synchronous_commit') END, false)`;

/** So long a host may take to let somebody in, in milliseconds. */
const longestKnock = 5_000;

/**
 * A connection to the first host that takes writes and that is what whoever asks has seen of it. One that was used last is
 * asked first.
 */
export async function connectToPrimary(
  address: Address,
  {
    first,
    patience,
    check,
  }: {
    readonly first?: string | undefined;
    readonly patience: number;
    readonly check: (link: PgConnection) => Promise<string | undefined>;
  },
): Promise<PgConnection> {
  const whys: { readonly host: Host; readonly why: unknown }[] = [];
  const inOrder = address.hosts.toSorted(
    (one, other) => Number(hostText(other) === first) - Number(hostText(one) === first),
  );
  for (const host of inOrder) {
    let link: PgConnection | undefined;
    try {
      link = await PgConnection.to(host, address, Math.min(longestKnock, patience));
      await greet(link, patience);
      const not = await check(link);
      if (not !== undefined) throw new Unused(not);
      return link;
    } catch (why) {
      link?.drop();
      // What is wrong with the record itself, or with us, is no matter of the host.
      if (why instanceof DamagedRecord || why instanceof TypeError) throw why;
      whys.push({ host, why });
    }
  }
  throw new NoHost(address, whys);
}

async function greet(link: PgConnection, patience: number): Promise<void> {
  const [answer] = await link.ask(greeting, [String(Math.ceil(patience * 0.8))], patience);
  const { standby, encoding } = answer as unknown as Greeting;
  if (standby) throw new Unused('is a standby');
  if (encoding !== 'UTF8') throw new Unused(`keeps its texts as ${encoding}; make a database with the encoding UTF8`);
}

/** What a host says, or the way to it, in words. */
function whyOf(error: unknown, { user, database, mode }: Address): string {
  if (error instanceof Unused) return error.message;
  if (error instanceof NoAnswer) return error.isLate ? 'does not answer' : 'ends the connection';
  const { code = '', message } = error as NodeJS.ErrnoException;
  const state = error instanceof SqlError ? error.state : error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  switch (state === '' ? code : state) {
    case '28P01':
      return `does not take that password for the user ${quoted(user)}; put the right one into PGPASSWORD or a passfile`;
    case '3D000':
      return `has no database ${quoted(database)}; make it, or name another`;
    case tooMany:
      return 'has no connection left; end some, or let it have more (max_connections)';
    case '57P03':
      return 'is starting or ending';
    case 'ECONNREFUSED':
      return 'refuses connections: nothing listens there';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'is no host that is known';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'shows a certificate of another host';
  }
  if (state !== '') return `says ${quoted(message)} (${state})`;
  if (/client password must be a/.test(message)) return 'asks for a password; put it into PGPASSWORD or a passfile';
  if (/does not support SSL/.test(message)) return 'does not speak TLS; let it, or say sslmode=disable';
  if (/timeout expired/.test(message)) return 'does not answer';
  if (mode === 'verify-full' && /CERT|SIGNATURE|ISSUER/.test(code)) {
    return `shows a certificate that is not believed (${code}); name what it is signed by as sslrootcert`;
  }
  return `cannot be reached (${quoted(code === '' ? message : code)})`;
}
