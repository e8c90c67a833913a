import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { SecretBindings, type DeviceKind } from '../../src/runtime/terminals/secretBindings.ts';
import { type TableRuntime } from '../../src/runtime/tables/tableRuntime.ts';
import { type RefusedScan } from '../../src/runtime/ports/clusterPort.ts';
import { type CardReaderPort } from '../../src/server/patron/cardReaders.ts';
import { type Server } from '../../src/server/serverOptions.ts';
import { type Store } from '../../src/store/store.ts';
import { hashSecret } from '../../src/server/patron/secretRotation.ts';

// A live table of a server, and those who work there.

export const scanned = { dealing: 'scanned', attended: true, burn: 'first-card' } as const;

/** A pit in which a test says who deals, and keeps what was told. */
export class MadePit implements CardReaderPort {
  dealer: string | undefined = 'd1';
  readonly refused: (RefusedScan & { readonly table: string })[] = [];
  readonly together: (readonly string[])[] = [];

  readonly dealerAt: CardReaderPort['dealerAt'] = () =>
    this.dealer === undefined ? undefined : { person: this.dealer, context: { authority: { role: 'dealer' } } };
  readonly showRefusedScan: CardReaderPort['showRefusedScan'] = (table, scan) =>
    void this.refused.push({ table, ...scan });
  readonly showSimultaneousScans: CardReaderPort['showSimultaneousScans'] = (_, { texts }) =>
    void this.together.push(texts);
}

/** A key in a record, before its floor begins. */
export async function enrolled(store: Store, key: Buffer, name: string, role: DeviceKind): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  await new SecretBindings(store, key).bind(hashSecret(secret), name, role);
  return secret;
}

const posts = { d1: 'dealer', s1: 'supervisor', m1: 'gaming-shift-manager' } as const;

/** Asks something of a table in the name of a person. */
export async function by(
  table: TableRuntime,
  person: keyof typeof posts,
  type: string,
  fields: object = {},
): Promise<void> {
  const asked = { type, actor: { person }, ...fields };
  const answered = await table.submit(randomUUID(), asked, undefined, { authority: { role: posts[person] } });
  expect(answered, type).toHaveProperty('entries');
}

export async function approved(table: TableRuntime, person: keyof typeof posts = 's1'): Promise<void> {
  const { id: proposal, hash } = table.table.proposal!;
  await by(table, person, 'Approve', { proposal, hash });
}

/** A shoe that is brought, counted, shuffled, cut and verified. */
export async function shoeAt(server: Server, id: string, shoe = 'L1'): Promise<TableRuntime> {
  const table = server.floor.tables.get(id)!;
  const { decks } = table.table.settings;
  const size = decks * (table.table.settings.game.startsWith('sands-elements') ? 65 : 52);
  await by(table, 'd1', 'BringShoe', { shoe, seal: 'S1' });
  await by(table, 'd1', 'CountCards', { cards: size });
  await by(table, 'd1', 'ShuffleShoe', { method: 'by hand' });
  await by(table, 'd1', 'CutShoe', { behind: 14 });
  await by(table, 'd1', 'VerifyShoe');
  await approved(table);
  return table;
}
