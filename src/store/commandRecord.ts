import { hash as digest } from 'node:crypto';
import { assert } from '../base/assert.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { type StoredPayload, type CommandRecord, type RecordedEvent } from './store.ts';

// Compact form of a stored payload: a field that has the same value in the first event of the command is left out, and
// `same` lists the names of these fields.

type CompactRequest = { readonly same: readonly string[]; readonly [field: string]: unknown };

export function compactPayload(payload: StoredPayload, event: RecordedEvent): StoredPayload {
  assert(!Object.hasOwn(payload, 'same'), 'no command has a field "same"');
  const same: string[] = [];
  const rest: { [field: string]: unknown } = {};
  for (const field of Object.keys(payload)) {
    // `type` means different things in a payload (command type) and in an event (event type).
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
 * The command as its decider takes it: payload, context and time. The roles in the context (`authority`,
 * `secondAuthority`) are moved into `actor` and `second`. The staff entries that granted these roles (`grant`,
 * `secondGrant`) are left out.
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
