import { hash as digest } from 'node:crypto';
import { assert } from '../base/assert.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { type StoredRequest, type CommandRecord, type RecordedEvent } from './store.ts';

// What was asked is kept in the first entry of its command. Most of it stands in the event as well: such fields are named
// there in `same` instead of being repeated.

type Short = { readonly same: readonly string[]; readonly [field: string]: unknown };

/** What was asked, as short as its first event allows. */
export function compactRequest(asked: StoredRequest, event: RecordedEvent): StoredRequest {
  assert(!Object.hasOwn(asked, 'same'), 'no command has a field "same"');
  const same: string[] = [];
  const rest: { [field: string]: unknown } = {};
  for (const field of Object.keys(asked)) {
    // `type` is the one field that both have and mean otherwise.
    if (field !== 'type' && asked[field] === event[field]) same.push(field);
    else rest[field] = asked[field];
  }
  return { same: same.toSorted(), ...rest } as unknown as StoredRequest;
}

/** What was asked, whole. */
export function expandRequest(short: StoredRequest, event: RecordedEvent): StoredRequest {
  const { same, ...rest } = short as unknown as Short;
  return { ...rest, ...Object.fromEntries(same.map((field) => [field, event[field]])) } as StoredRequest;
}

export const requestHash = (asked: StoredRequest): string => `sha256:${digest('sha256', canonicalJson(asked))}`;

/**
 * The whole command again: what was asked, what was brought to it, and when. Persons are in the posts that were brought; by
 * which entries of the register they are held is no part of the command.
 */
export function decodeCommand(
  { asked, brought }: Pick<CommandRecord, 'asked' | 'brought'>,
  at: number,
): { readonly [field: string]: unknown } {
  const command = { ...asked, ...brought, at };
  if (!('post' in command) && !('secondPost' in command)) return command;
  const {
    post,
    held: _held,
    secondPost,
    secondHeld: _secondHeld,
    ...fields
  } = command as typeof command & { [field: string]: unknown };
  return {
    ...fields,
    who: { ...asked.who, ...(post as object) },
    ...(secondPost !== undefined && { second: { ...(asked['second'] as object), ...(secondPost as object) } }),
  };
}
