import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, hash, time } from '../../base/commonSchemas.ts';
import { handSchema, tablePhaseSchema } from '../tableView.ts';
import { promptSchema } from './viewParts.ts';

const floorTableRowSchema = s.object('a table of the floor', {
  table: s.string,
  game: s.object('a game', { name: s.string, version: s.string }),
  bets: s.literals(['terminals', 'chips']),
  attended: s.boolean,
  phase: s.nullable(tablePhaseSchema),
  stopped: s.nullable(s.object('why it is stopped', { kind: s.string, by: s.nullable(s.string), since: time })),
  number: s.nullable(s.nonNegativeInteger),
  player: s.nullable(handSchema),
  banker: s.nullable(handSchema),
  slips: s.nonNegativeInteger,
  terminals: s.nonNegativeInteger,
  offline: s.nonNegativeInteger,
  shoe: s.nullable(s.object('a shoe', { out: s.nonNegativeInteger, size: s.nonNegativeInteger, locked: s.boolean })),
  deadline: s.nullable(time),
  roundsPerHour: s.nonNegativeInteger,
  turnover: amount,
  /** Win of the house in this gaming day. `amount` is in minor units without sign; `sign` is -1 for a loss. */
  win: s.object('the win of the house', { sign: s.literals([-1, 0, 1]), amount }),
  dealer: s.nullable(s.string),
});
export type FloorTableRow = Infer<typeof floorTableRowSchema>;

/** A task for staff. `table` is the table at which the task waits; null for a task at a terminal. */
const workItemSchema = s.object('a work item', {
  table: s.nullable(s.string),
  what: s.literals([
    'stopped',
    'interrupted',
    'referred',
    'fault',
    'proposal',
    'call',
    'shoe-locked',
    'sealed-shoe',
    'count-differs',
    'not-open',
    'hand-pay',
  ]),
  prompt: promptSchema,
  by: s.nullable(s.string),
  role: s.string,
  since: time,
  expires: s.optional(time),
  hash: s.optional(hash),
});
export type WorkItem = Infer<typeof workItemSchema>;

export const floorViewSchema = s.object('the floor', {
  tables: s.array(floorTableRowSchema, 'tables'),
  waiting: s.array(workItemSchema, 'work items'),
  /**
   * Start of the gaming day in which `voids` and `corrected` are counted. If the gaming days of the tables differ, this
   * is the earliest start.
   */
  since: time,
  voids: s.nonNegativeInteger,
  corrected: s.nonNegativeInteger,
  /** Time and hash of the last signed checkpoint; null before the first checkpoint. */
  signed: s.nullable(s.object('a checkpoint', { at: time, hash })),
});
export type FloorView = Infer<typeof floorViewSchema>;
