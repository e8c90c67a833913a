import * as s from '../../base/schema.ts';
import { type Schema } from '../../base/schema.ts';
import { type CommandName, commands } from '../../table/schema/commands.ts';

// What staff may ask of a table: its own commands as they are declared there, without what only the server can bring.

/** Fields that the server brings, whoever asks. */
const brought: ReadonlySet<string> = new Set([
  'credit',
  'credits',
  'care',
  'slips',
  'second',
  'salt',
  'proof',
  'salts',
]);

/** What no person is asked for: terminals and the system itself do it. */
type Staffed = Exclude<CommandName, 'SetSlip' | 'CommitShoe' | 'ChooseTurn' | 'PostSettlement' | 'OpenTable'>;
const unstaffed: ReadonlySet<string> = new Set(['SetSlip', 'CommitShoe', 'ChooseTurn', 'PostSettlement', 'OpenTable']);

const asked = Object.fromEntries(
  Object.entries(commands)
    .filter(([name]) => !unstaffed.has(name))
    .map(([name, { fields }]) => [
      name,
      { fields: Object.fromEntries(Object.entries<Schema>(fields).filter(([field]) => !brought.has(field))) },
    ]),
);

/** A command of a table as staff ask it: its type and its fields. */
export type StaffCommand = { readonly type: Staffed; readonly [field: string]: unknown };
export const staffAct = s.taggedUnion(
  'type',
  'a command',
  s.variants('type', 'the command', asked, {}),
) as unknown as Schema<StaffCommand>;
