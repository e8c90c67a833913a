import { hash as digest } from 'node:crypto';
import { assert } from '../base/assert.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { type StoredPayload, type CommandRecord, type RecordedEvent } from './store.ts';

// The first entry of a command stores its payload. Fields that equal a field of the event are not repeated but named in
// `same`.

type CompactRequest = { readonly same: readonly string[]; readonly [field: string]: unknown };

/** The payload without the fields that its first event repeats. */
export function compactPayload(payload: StoredPayload, event: RecordedEvent): StoredPayload {
  assert(!Object.hasOwn(payload, 'same'), 'no command has a field "same"');
  const same: string[] = [];
  const rest: { [field: string]: unknown } = {};
  for (const field of Object.keys(payload)) {
    // `type` is the one field of both that means different things.
    if (field !== 'type' && payload[field] === event[field]) same.push(field);
    else rest[field] = payload[field];
  }
  return { same: same.toSorted(), ...rest } as unknown as StoredPayload;
}

/** Inverse of `compactPayload`. */
export function expandPayload(compact: StoredPayload, event: RecordedEvent): StoredPayload {
  const { same, ...rest } = compact as unknown as CompactRequest;
  return { ...rest, ...Object.fromEntries(same.map((field) => [field, event[field]])) } as StoredPayload;
}

export const payloadHash = (payload: StoredPayload): string => `sha256:${digest('sha256', canonicalJson(payload))}`;

/**
 * The whole command: payload, context and time. The roles in the context complete the actors. The register entries that
 * prove those roles (`held`) are no part of the command.
 */
export function commandFromRecord(
  { request, context }: Pick<CommandRecord, 'request' | 'context'>,
  at: number,
): { readonly [field: string]: unknown } {
  const command = { ...request, ...context, at };
  if (!('authority' in command) && !('secondAuthority' in command)) return command;
  const {
    authority,
    grant: _grant,
    secondAuthority,
    secondGrant: _secondGrant,
    ...fields
  } = command as typeof command & { [field: string]: unknown };
  return {
    ...fields,
    actor: { ...request.actor, ...(authority as object) },
    ...(secondAuthority !== undefined && {
      second: { ...(request['second'] as object), ...(secondAuthority as object) },
    }),
  };
}
