import * as s from '../../base/schemas.ts';
import { type Schema } from '../../base/schema.ts';
import { type CommandName, tableCommands } from '../../table/schema/commands.ts';

// Table commands that staff clients may send. The table declares the fields of each command; the fields that the server
// adds are left out here.

/** Fields of a command that only the server fills in. */
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

/**
 * Names of the table commands that staff send with the message `command`. Of the excluded commands, staff send
 * `OpenTable` with the message `open`; terminals or the system send the others.
 */
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

export type StaffTableCommand = { readonly type: StaffCommandName; readonly [field: string]: unknown };
export const staffTableCommandSchema = s.taggedUnion(
  'type',
  'a command',
  s.variantSchemas('type', 'the command', staffCommandVariants, {}),
) as unknown as Schema<StaffTableCommand>;
