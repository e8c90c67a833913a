import { isObject } from '../../base/schema.ts';
import { refuse } from '../../base/refusal.ts';
import { payloadHash } from '../../store/commandRecord.ts';
import { type StoredPayload } from '../../store/store.ts';

/** Text with a lone surrogate cannot be stored. */
export const malformedText = {
  ...refuse('bad-request', 'The id or a text of the command has half of a character; send whole ones.'),
  by: null,
} as const;

/** The role of an actor comes from the session, never from the request. */
export const roleInRequest = {
  ...refuse('bad-request', 'The actor and the second approver are named by an id alone; leave the role out.'),
  by: null,
} as const;

export const namesRole = ({ actor, second }: StoredPayload): boolean =>
  [actor, second].some((one) => isObject(one) && Object.keys(one).length > 1);

/** Hash of a request; undefined if the id or a text in it has a lone surrogate. */
export function wellFormedHash(id: string, request: StoredPayload): string | undefined {
  if (!id.isWellFormed()) return undefined;
  try {
    return payloadHash(request);
  } catch (error) {
    if (isWellFormed(request)) throw error;
    return undefined;
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return !isObject(value) || Object.entries(value).every(([name, one]) => name.isWellFormed() && isWellFormed(one));
}
