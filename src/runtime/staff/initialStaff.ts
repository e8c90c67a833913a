import { type StaffState } from '../../staff/state.ts';
import { type Role } from '../../access/roles.ts';
import { type CredentialStore, insecureScryptCost, newSecretHashId, newPinOrPassword } from './credentialStore.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

/** Staff number and password of the first administrator; the password is shown once. */
export type FirstAdministratorCredentials = { readonly number: string; readonly password: string };

export const demoStaff: readonly { readonly number: string; readonly role: Role }[] = [
  { number: 'D-1', role: 'dealer' },
  { number: 'D-2', role: 'dealer' },
  { number: 'S-1', role: 'supervisor' },
  { number: 'S-2', role: 'supervisor' },
  { number: 'M-1', role: 'pit-manager' },
  { number: 'G-1', role: 'gaming-shift-manager' },
  { number: 'C-1', role: 'cage' },
  { number: 'T-1', role: 'technician' },
  { number: 'A-1', role: 'auditor' },
  { number: 'V-1', role: 'surveillance' },
  { number: 'N-1', role: 'administrator' },
];

/** PIN of all demo staff, for relief and for approval at the console of another person. */
export const demoPin = '246810';

const firstNumber = 'N-1';

type InitialRequests = {
  readonly requests: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly password: FirstAdministratorCredentials | undefined;
};

/**
 * Prepares the requests that create the first staff, if there are no staff yet. The hashes of their secrets are saved
 * at once. A demo also gets the consoles that it lacks: floor, office and cage, and one for each attended table.
 */
export async function prepareInitialStaff(
  state: StaffState | undefined,
  demo: boolean,
  tables: readonly string[],
  { property, currency }: PropertyAndCurrency,
  credentials: CredentialStore,
  { random }: Pick<FloorDependencies, 'random'>,
): Promise<InitialRequests> {
  const begin = { type: 'StartStaffRegister', property, currency, demo };
  if (demo) {
    const request = state === undefined ? [begin, ...(await demoRequests(credentials))] : [];
    return { requests: [...request, ...consolesFor(state, tables)], password: undefined };
  }
  if (state !== undefined) return { requests: [], password: undefined };
  const [password, mark] = [newPinOrPassword('password', random.below), newSecretHashId()];
  await credentials.saveSecret('p1', 'password', mark, password);
  return {
    requests: [
      begin,
      { type: 'EnrolPerson', number: firstNumber, roles: ['administrator'] },
      { type: 'SetSecret', person: 'p1', kind: 'password', mark },
    ],
    password: { number: firstNumber, password },
  };
}

async function demoRequests(credentials: CredentialStore): Promise<InitialRequests['requests']> {
  const request: { type: string; [field: string]: unknown }[] = [];
  for (const [place, { number, role }] of demoStaff.entries()) {
    const [person, mark] = [`p${place + 1}`, newSecretHashId()];
    await credentials.saveSecret(person, 'pin', mark, demoPin, insecureScryptCost);
    request.push({ type: 'EnrolPerson', number, roles: [role] }, { type: 'SetSecret', person, kind: 'pin', mark });
  }
  return request;
}

function consolesFor(state: StaffState | undefined, tables: readonly string[]): InitialRequests['requests'] {
  const consoles = Object.values(state?.consoles ?? {});
  const kinds = (['floor', 'office', 'cage'] as const).filter((kind) => consoles.every((one) => one.kind !== kind));
  return [
    ...kinds.map((kind) => ({ type: 'EnrolConsole', kind, table: null })),
    ...tables
      .filter((table) => consoles.every((one) => one.table !== table))
      .map((table) => ({ type: 'EnrolConsole', kind: 'dealer', table })),
  ];
}
