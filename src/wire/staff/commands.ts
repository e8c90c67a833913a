import * as s from '../../base/schemas.ts';
import { type Schema } from '../../base/schema.ts';
import { type CommandName, tableCommands } from '../../table/schema/commands.ts';

// Table commands that staff may send: as declared by the table, without the fields of the context.

/** Fields that only the server fills. */
const contextFields: ReadonlySet<string> = new Set([
  'credit',
  'credits',
  'sessionLimits',
  'slips',
  'second',
  'salt',
  'proof',
  'salts',
]);

/** Commands of terminals and of the system. */
type StaffCommandName = Exclude<
  CommandName,
  'SetSlip' | 'CommitShoe' | 'ChooseCutPosition' | 'PostSettlement' | 'OpenTable'
>;
const systemCommands: ReadonlySet<string> = new Set([
  'SetSlip',
  'CommitShoe',
  'ChooseCutPosition',
  'PostSettlement',
  'OpenTable',
]);

const staffCommandVariants = Object.fromEntries(
  Object.entries(tableCommands)
    .filter(([name]) => !systemCommands.has(name))
    .map(([name, { fields }]) => [
      name,
      { fields: Object.fromEntries(Object.entries<Schema>(fields).filter(([field]) => !contextFields.has(field))) },
    ]),
);

export type StaffCommand = { readonly type: StaffCommandName; readonly [field: string]: unknown };
export const staffCommandSchema = s.taggedUnion(
  'type',
  'a command',
  s.variants('type', 'the command', staffCommandVariants, {}),
) as unknown as Schema<StaffCommand>;
