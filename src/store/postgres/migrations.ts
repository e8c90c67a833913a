import { quoted } from '../../base/refusal.ts';
import { NewerRecord } from '../schemaVersion.ts';
import { DamagedRecord, MissingRecord, UnusableData } from '../store.ts';
import { type Address, redactedUrl } from './connectionUrl.ts';
import { SqlError, type PgConnection } from './connection.ts';

/**
 * Makes a record of the first form; each further one brings a record of the form before it to the next. Only ever added to.
 * Plain tables and nothing else; names are compared letter by letter, whatever the language of the database.
 */
const migrations: readonly string[] = [
  // The place is where an entry stands among all, whatever their stream: it orders what is about one thing. An epoch is a
  // program that has opened the record; it has begun once it has written something.
  `CREATE TABLE entries (
     stream text COLLATE "C" NOT NULL,
     sequence bigint NOT NULL,
     hash text NOT NULL,
     body text NOT NULL,
     command text COLLATE "C",
     subject text COLLATE "C",
     place bigint GENERATED ALWAYS AS IDENTITY,
     PRIMARY KEY (stream, sequence)
   );
   CREATE UNIQUE INDEX entry_of_command ON entries (command) WHERE command IS NOT NULL;
   CREATE INDEX entry_of_subject ON entries (subject, place) WHERE subject IS NOT NULL;
   CREATE TABLE balances (
     account text COLLATE "C" PRIMARY KEY,
     amount bigint NOT NULL,
     version bigint NOT NULL,
     guarded integer NOT NULL,
     CHECK (guarded = 0 OR amount >= 0)
   );
   CREATE TABLE heads (
     stream text COLLATE "C" PRIMARY KEY,
     sequence bigint NOT NULL,
     hash text NOT NULL,
     epoch bigint NOT NULL
   );
   CREATE TABLE snapshots (
     stream text COLLATE "C" PRIMARY KEY,
     sequence bigint NOT NULL,
     form bigint NOT NULL,
     state text NOT NULL,
     hash text NOT NULL
   );
   CREATE TABLE sealed (id text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);
   CREATE TABLE beats (name text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
   CREATE TABLE aside (
     kind text COLLATE "C" NOT NULL,
     id text COLLATE "C" NOT NULL,
     value text NOT NULL,
     PRIMARY KEY (kind, id)
   );
   CREATE TABLE checkpoints (number bigint PRIMARY KEY, text text NOT NULL, signature text NOT NULL);
   CREATE TABLE epochs (epoch bigint PRIMARY KEY, at bigint NOT NULL, begun boolean NOT NULL, seen bigint NOT NULL);`,
  // Programs that are there, and who of them holds what until when, by the clock of the database.
  `CREATE TABLE nodes (
     node text COLLATE "C" PRIMARY KEY,
     address text NOT NULL,
     came timestamptz NOT NULL,
     seen timestamptz NOT NULL
   );
   CREATE TABLE leases (
     name text COLLATE "C" PRIMARY KEY,
     node text COLLATE "C" NOT NULL,
     since timestamptz NOT NULL,
     until timestamptz NOT NULL
   );`,
  // Where the other programs reach one, whether it takes tables, how far it has come; and the epoch of a stream that has no
  // head yet, since a lease that is over stays.
  `ALTER TABLE nodes
     ADD COLUMN link text NOT NULL DEFAULT '',
     ADD COLUMN drives boolean NOT NULL DEFAULT false,
     ADD COLUMN stage text NOT NULL DEFAULT 'open';
   ALTER TABLE leases ADD COLUMN epoch bigint NOT NULL DEFAULT 0;`,
];

const newest = migrations.length;

/** Where the numbers of the migrations stand that a record has gone through. */
const numbers = 'punto_forms';

/** Tables of this program or another one where a record is looked for, also those that the user has no right to. */
const tables = `SELECT relname::text AS name FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema() AND relkind IN ('r', 'p') ORDER BY relname`;

/** The form of the record in a database: 0 where it holds nothing at all. One that is not ours, or newer, is refused. */
export async function postgresSchemaVersion(link: PgConnection, address: Address): Promise<number> {
  const names = (await link.ask(tables)).map(({ name }) => String(name));
  const [first] = names;
  if (first === undefined) return 0;
  if (!names.includes(numbers)) {
    throw new UnusableData(
      `The database ${redactedUrl(address)} holds tables of another program, such as ${quoted(first)}; name an empty one, or make one.`,
    );
  }
  const [row] = await link.ask(`SELECT coalesce(max(form), 0) AS form, count(*) AS count FROM ${numbers}`);
  const { form, count } = row as { form: number; count: number };
  if (form > newest) {
    throw new NewerRecord(
      `The record is of form ${form} and this program knows forms up to ${newest}; use the newer program.`,
    );
  }
  if (form < 1 || count !== form) throw new DamagedRecord('The forms of the record do not count from 1 on.');
  return form;
}

/** Two who make tables at the same moment: one of them is told so in one of these ways. */
const alreadyMade: ReadonlySet<string> = new Set(['23505', '42P07', '42710', '40P01']);

/** Makes a record where there is none, and brings one to the newest form. Several may do so at once: one of them does it. */
export async function migratePostgres(
  link: PgConnection,
  address: Address,
  mustExist: boolean,
  patience: number,
): Promise<void> {
  for (;;) {
    const form = await postgresSchemaVersion(link, address);
    if (form === newest) return;
    if (form === 0 && mustExist) {
      throw new MissingRecord(`There is no record in the database ${redactedUrl(address)}.`);
    }
    try {
      await link.together('BEGIN', () => migrate(link, form), patience);
    } catch (error) {
      if (!(error instanceof SqlError) || !alreadyMade.has(error.state)) throw error;
    }
  }
}

/** The same within a transaction that has begun: it stands with that, or not at all. */
export const makeWithin = async (link: PgConnection, address: Address): Promise<void> =>
  migrate(link, await postgresSchemaVersion(link, address));

async function migrate(link: PgConnection, form: number): Promise<void> {
  if (form === 0) await link.ask(`CREATE TABLE ${numbers} (form integer PRIMARY KEY, at timestamptz NOT NULL)`);
  for (let next = form + 1; next <= newest; next++) {
    // Whoever else does the same waits here, and then finds it done.
    await link.ask(`INSERT INTO ${numbers} (form, at) VALUES (${next}, now())`);
    await link.ask(migrations[next - 1]!);
  }
}
