import { type StoredPayload, type CommandRecord, type StoredEntry } from '../../store/store.ts';
import { type FinalRefusal } from './refusals.ts';

/** Error: the floor cannot start or close, because a stream has stopped after failed writes. */
export class StreamAbortedError extends Error {}

export type CommandResult = { readonly entries: readonly StoredEntry[] } | FinalRefusal;

/**
 * Context of a command: data that the runtime adds to the payload, such as the role of the actor or slips of an
 * earlier round.
 */
export type CommandContext = CommandRecord['context'];

export const emptyContext: CommandContext = {};

/** A submitted command that has no result yet. */
export type PendingCommand = {
  readonly id: string;
  /** Hash of the request. A resend with the same id must have the same hash. */
  readonly hash: string;
  readonly request: StoredPayload;
  readonly context: CommandContext;
  readonly at: number;
  readonly resolve: (result: CommandResult) => void;
  readonly result: Promise<CommandResult>;
};

/**
 * Creates a command without a result. `onResolved` is called at each call of `resolve`; only the first call sets the
 * result.
 */
export function createPendingCommand(
  id: string,
  hash: string,
  request: StoredPayload,
  at: number,
  context: CommandContext,
  onResolved: () => void = () => {},
): PendingCommand {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const resolveCommand = (result: CommandResult): void => {
    resolve(result);
    onResolved();
  };
  return { id, hash, request, context, at, resolve: resolveCommand, result: promise };
}

/**
 * True when the actor of the command is the system. While the stream is paused, commands of the system wait, and all
 * other commands are refused at once.
 */
export const isSystemCommand = ({ request }: PendingCommand): boolean => 'system' in request.actor;
