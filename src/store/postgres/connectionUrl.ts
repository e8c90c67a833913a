import { readFileSync, statSync } from 'node:fs';
import { quoted } from '../../base/refusal.ts';
import { UnusableData } from '../store.ts';

/** One machine that the database may be found at. */
export type Host = { readonly host: string; readonly port: number };

/** How a connection is kept from others: not at all, by TLS with whoever answers, or with whoever proves to be that host. */
const modes = ['disable', 'require', 'verify-full'] as const;
type Mode = (typeof modes)[number];

/** Where a database is, as whom it is used, and how the way there is kept from others. */
export type Address = {
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly database: string;
  readonly mode: Mode;
  /** The certificates that hosts are believed by, if not by those that the system trusts. */
  readonly authority?: string;
  /** The password, where a file holds it; PGPASSWORD is read by the client itself. */
  readonly password?: string;
};

const form = 'postgres://user@host:5432,host:5432/database';

/** The words that an address may end with. */
const words = ['sslmode', 'sslrootcert', 'passfile'] as const;
type Word = (typeof words)[number];

/**
 * An address from its text. It is read here since neither `URL` nor the client knows a list of hosts; the words after the
 * question mark have the names that PostgreSQL's own programs give them.
 */
export function parseConnectionUrl(text: string): Address {
  const [, body, search = ''] = /^postgres(?:ql)?:\/\/([^?#]*)(?:\?([^#]*))?$/.exec(text) ?? [];
  if (body === undefined) throw wrong('This is no address of a database');
  const [, who, list, name] = /^(?:(.*)@)?([^/@]*)(?:\/(.*))?$/.exec(body) ?? [];
  if (who === undefined || who === '') throw wrong('The address names no user');
  if (who.includes(':')) {
    throw new UnusableData(
      'A password does not belong into the address of a database, where others see it; put it into PGPASSWORD, or into a file that the address names as ?passfile=FILE.',
    );
  }
  if (name === undefined || name === '') throw wrong('The address names no database');
  if (name.includes('/')) throw wrong('The address names more than one database');
  const said = wordsIn(search);
  const hosts = (list ?? '').split(',').map(hostOf);
  const mode = modeOf(said.get('sslmode'), hosts);
  const [certificates, file] = [said.get('sslrootcert'), said.get('passfile')];
  if (certificates !== undefined && mode !== 'verify-full') {
    throw wrong('The address names certificates (sslrootcert) that only sslmode=verify-full looks at');
  }
  return {
    hosts,
    user: plain(who),
    database: plain(name),
    mode,
    ...(certificates !== undefined && { authority: textIn(certificates) }),
    ...(file !== undefined && { password: passwordIn(file) }),
  };
}

const wrong = (what: string): UnusableData => new UnusableData(`${what}; write it as ${form}.`);

/** An address for the eyes of an operator: without what it ends with. */
export const redactedUrl = ({ hosts, user, database }: Address): string =>
  `postgres://${encodeURIComponent(user)}@${hosts.map(hostText).join(',')}/${encodeURIComponent(database)}`;

export const hostText = ({ host, port }: Host): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(`The address holds a broken sign in ${quoted(text)}`);
  }
}

function hostOf(text: string): Host {
  if (text === '') throw wrong('The address names no host, or an empty one');
  const [, six, name, digits = '5432'] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = six ?? name;
  if (host === undefined) throw wrong(`The address holds ${quoted(text)}, which is no host with its port`);
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw wrong(`The address holds ${quoted(text)}, whose port is none from 1 to 65535`);
  return { host, port };
}

function wordsIn(search: string): ReadonlyMap<Word, string> {
  const said = new Map<Word, string>();
  for (const part of search === '' ? [] : search.split('&')) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    const word = words.find((one) => one === name);
    if (word === undefined || value === '') {
      throw new UnusableData(
        `The address ends with ${quoted(part)}, which says nothing here; it may end with ${words.join('=, ')}=.`,
      );
    }
    if (said.has(word)) throw wrong(`The address says ${word} twice`);
    said.set(word, plain(value));
  }
  return said;
}

/** The way within one machine is nobody else's; any other is kept from others unless the address says that it need not be. */
function modeOf(said: string | undefined, hosts: readonly Host[]): Mode {
  if (said === undefined) return hosts.every(({ host }) => isThisMachine(host)) ? 'disable' : 'verify-full';
  const mode = modes.find((one) => one === said);
  if (mode !== undefined) return mode;
  throw new UnusableData(`The address says sslmode=${said}, and it can be ${modes.join(', ')}.`);
}

const isThisMachine = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableData(
      `The file ${quoted(file)} that the address names cannot be read (${code}); name one that can.`,
    );
  }
}

/** The first line of a file that nobody else may read. */
function passwordIn(file: string): string {
  const [password = ''] = textIn(file).split(/\r?\n/, 1);
  if (password === '') {
    throw new UnusableData(`The file ${quoted(file)} holds no password; write it into its first line.`);
  }
  // Windows keeps rights by other means.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new UnusableData(`Others may read the password in ${quoted(file)}; take their rights away (chmod 600).`);
  }
  return password;
}
