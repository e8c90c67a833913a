import { type CommandOf } from '../schema/commands.ts';
import { type Table, isPlaying } from '../state.ts';
import { type TableDecision, refuseNotNow, tableEventStamp } from './decision.ts';

// Supervisor calls and notes. They change no round; their events name the round in play, if there is one.

const currentRound = (table: Table): { readonly round?: string } =>
  isPlaying(table) ? { round: table.round!.id } : {};

/** Calls a supervisor; a second call replaces the first. */
export const decideCallSupervisor = (command: CommandOf<'CallSupervisor'>, table: Table): TableDecision => [
  { type: 'SupervisorCalled', ...tableEventStamp(command), ...currentRound(table), reason: command.reason },
];

export function decideAnswerCall(command: CommandOf<'AnswerCall'>, table: Table): TableDecision {
  const { call } = table;
  return call === null
    ? refuseNotNow(table, null, 'no call for a supervisor is open, so there is nothing to answer')
    : [{ type: 'CallAnswered', ...tableEventStamp(command), ...currentRound(table), reason: call.reason }];
}

export const decideAddNote = (command: CommandOf<'AddNote'>, table: Table): TableDecision => [
  {
    type: 'NoteAdded',
    ...tableEventStamp(command),
    ...currentRound(table),
    text: command.text,
    to: command.to ?? 'record',
  },
];
