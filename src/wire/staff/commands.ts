import { type Kind, byTag, tagged } from '../../base/schema.ts';
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
      { fields: Object.fromEntries(Object.entries<Kind>(fields).filter(([field]) => !brought.has(field))) },
    ]),
);

/** A command of a table as staff ask it: its type and its fields. */
export type StaffAct = { readonly type: Staffed; readonly [field: string]: unknown };
export const staffAct = byTag(
  'type',
  'a command',
  tagged('type', 'the command', asked, {}),
) as unknown as Kind<StaffAct>;
