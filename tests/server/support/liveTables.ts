import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { SecretBindings, type DeviceKind } from '../../../src/runtime/terminals/secretBindings.ts';
import { type TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { type RefusedScan } from '../../../src/runtime/ports/clusterPort.ts';
import { type CardReaderDealerPort } from '../../../src/server/patron/cardReaderScanHandler.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type Store } from '../../../src/store/store.ts';
import { hashSecret } from '../../../src/server/patron/secretRotationHandler.ts';

// Live tables of a test server, and commands of their staff.

export const scannedTable = { dealing: 'scanned', attended: true, burn: 'first-card' } as const;

/** Card reader port: the test sets the dealer; refused scans are kept. */
export class TestCardReaderPort implements CardReaderDealerPort {
  dealer: string | undefined = 'd1';
  readonly refusedScans: (RefusedScan & { readonly table: string })[] = [];
  readonly simultaneousScans: (readonly string[])[] = [];

  readonly dealerAt: CardReaderDealerPort['dealerAt'] = () =>
    this.dealer === undefined ? undefined : { person: this.dealer, context: { authority: { role: 'dealer' } } };
  readonly showRefusedScan: CardReaderDealerPort['showRefusedScan'] = (table, scan) =>
    void this.refusedScans.push({ table, ...scan });
  readonly showSimultaneousScans: CardReaderDealerPort['showSimultaneousScans'] = (_, { texts }) =>
    void this.simultaneousScans.push(texts);
}

/** Binds a new secret to a device before the floor starts. */
export async function enrolDevice(store: Store, key: Buffer, name: string, role: DeviceKind): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  await new SecretBindings(store, key).bind(hashSecret(secret), name, role);
  return secret;
}

const roleOf = { d1: 'dealer', s1: 'supervisor', m1: 'gaming-shift-manager' } as const;

/** Submits a command to a table in the name of a staff member. */
export async function commandBy(
  table: TableRuntime,
  person: keyof typeof roleOf,
  type: string,
  fields: object = {},
): Promise<void> {
  const payload = { type, actor: { person }, ...fields };
  const result = await table.submit(randomUUID(), payload, undefined, { authority: { role: roleOf[person] } });
  expect(result, type).toHaveProperty('entries');
}

export async function approveProposal(table: TableRuntime, person: keyof typeof roleOf = 's1'): Promise<void> {
  const { id: proposal, hash } = table.table.proposal!;
  await commandBy(table, person, 'Approve', { proposal, hash });
}

/** Brings in, counts, shuffles, cuts and verifies a shoe. */
export async function prepareLiveShoe(server: Server, id: string, shoe = 'L1'): Promise<TableRuntime> {
  const table = server.floor.tables.get(id)!;
  const { decks } = table.table.settings;
  const size = decks * (table.table.settings.game.startsWith('sands-elements') ? 65 : 52);
  await commandBy(table, 'd1', 'BringShoe', { shoe, seal: 'S1' });
  await commandBy(table, 'd1', 'CountCards', { cards: size });
  await commandBy(table, 'd1', 'ShuffleShoe', { method: 'by hand' });
  await commandBy(table, 'd1', 'CutShoe', { behind: 14 });
  await commandBy(table, 'd1', 'VerifyShoe');
  await approveProposal(table);
  return table;
}
