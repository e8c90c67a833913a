import { type StoredPayload, type CommandRecord, type StoredEntry } from '../../store/store.ts';
import { type CommandRefusal } from './refusals.ts';

/** Error: a stream has stopped because the event store refuses writes, so that the floor cannot start or close. */
export class CannotRecordError extends Error {}

export type CommandResult = { readonly entries: readonly StoredEntry[] } | CommandRefusal;

/**
 * Context of a command: data that the runtime adds to the payload, such as the role of the actor or slips of an
 * earlier round.
 */
export type CommandContext = CommandRecord['context'];

export const noContext: CommandContext = {};

/** A submitted command that has no result yet. */
export type PendingCommand = {
  readonly id: string;
  /** Hash of the request. */
  readonly hash: string;
  readonly request: StoredPayload;
  readonly context: CommandContext;
  readonly at: number;
  readonly resolve: (result: CommandResult) => void;
  readonly result: Promise<CommandResult>;
};

export function createPendingCommand(
  id: string,
  hash: string,
  request: StoredPayload,
  at: number,
  context: CommandContext,
): PendingCommand {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  return { id, hash, request, context, at, resolve, result: promise };
}

/** True for a command of the system. Such commands wait while the stream is paused; all others are refused at once. */
export const isSystemCommand = ({ request }: PendingCommand): boolean => 'system' in request.actor;
