import * as s from '../../base/schemas.ts';
import { type Schema } from '../../base/schema.ts';
import { type CommandName, tableCommands } from '../../table/schema/commands.ts';

// Table commands that staff clients may send. A command has the fields that the table declares, without the fields that
// the server adds.

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
 * Names of the table commands that staff send with the message `command`. Terminals or the system send the excluded
 * commands; staff send `OpenTable` with the message `open`.
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
