import { type StaffState } from '../../staff/state.ts';
import { type Role } from '../../access/roles.ts';
import { type Cost, type CredentialStore, leastCost, newMark, newSecret } from './credentialStore.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

// With whom a property begins.

/** How the people of a floor begin, and what holds for them. */
export type StaffSetting = {
  /** Whether they are those of a demo, who sign in by one click. */
  readonly demo: boolean;
  /** After so long without anybody a session locks, in milliseconds; five minutes unless given. */
  readonly idle?: number;
  /** What it takes to try a secret; the usual unless given. */
  readonly cost?: Cost;
};

/** The password of the first administrator, which is told once. */
export type FirstSecret = { readonly number: string; readonly password: string };

/** One of every post and two of some, called by their posts. */
export const demoPeople: readonly { readonly number: string; readonly post: Role }[] = [
  { number: 'D-1', post: 'dealer' },
  { number: 'D-2', post: 'dealer' },
  { number: 'S-1', post: 'supervisor' },
  { number: 'S-2', post: 'supervisor' },
  { number: 'M-1', post: 'pit-manager' },
  { number: 'G-1', post: 'gaming-shift-manager' },
  { number: 'C-1', post: 'cage' },
  { number: 'T-1', post: 'technician' },
  { number: 'A-1', post: 'auditor' },
  { number: 'V-1', post: 'surveillance' },
  { number: 'N-1', post: 'administrator' },
];

/** The PIN of everybody in a demo, where somebody is relieved or consents at the console of another. */
export const demoPin = '246810';

const firstNumber = 'N-1';

type Begun = {
  readonly asked: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly secret: FirstSecret | undefined;
};

/** What a register begins with, if it has not begun; a demo gets a console at every table that people deal at. */
export async function begun(
  people: StaffState | undefined,
  demo: boolean,
  tables: readonly string[],
  { property, currency }: Owner,
  credentials: CredentialStore,
  { chance }: Pick<RuntimeDependencies, 'chance'>,
): Promise<Begun> {
  const begins = { type: 'BeginPeople', property, currency, demo };
  if (demo) {
    const asked = people === undefined ? [begins, ...(await demoAsked(credentials))] : [];
    return { asked: [...asked, ...consolesFor(people, tables)], secret: undefined };
  }
  if (people !== undefined) return { asked: [], secret: undefined };
  const [password, mark] = [newSecret('password', chance.below), newMark()];
  await credentials.keepSecret('p1', 'password', mark, password);
  return {
    asked: [
      begins,
      { type: 'EnrolPerson', number: firstNumber, posts: ['administrator'] },
      { type: 'SetSecret', person: 'p1', kind: 'password', mark },
    ],
    secret: { number: firstNumber, password },
  };
}

async function demoAsked(credentials: CredentialStore): Promise<Begun['asked']> {
  const asked: { type: string; [field: string]: unknown }[] = [];
  for (const [place, { number, post }] of demoPeople.entries()) {
    const [person, mark] = [`p${place + 1}`, newMark()];
    await credentials.keepSecret(person, 'pin', mark, demoPin, leastCost);
    asked.push({ type: 'EnrolPerson', number, posts: [post] }, { type: 'SetSecret', person, kind: 'pin', mark });
  }
  return asked;
}

function consolesFor(people: StaffState | undefined, tables: readonly string[]): Begun['asked'] {
  const there = Object.values(people?.consoles ?? {});
  const kinds = (['floor', 'office', 'cage'] as const).filter((kind) => there.every((one) => one.kind !== kind));
  return [
    ...kinds.map((kind) => ({ type: 'EnrolConsole', kind, table: null })),
    ...tables
      .filter((table) => there.every((one) => one.table !== table))
      .map((table) => ({ type: 'EnrolConsole', kind: 'dealer', table })),
  ];
}
