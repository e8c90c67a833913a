import { isObject } from '../../base/schema.ts';
import { refuse } from '../../base/refusal.ts';
import { payloadHash } from '../../store/commandRecord.ts';
import { type StoredPayload } from '../../store/store.ts';
import { asFinalRefusal } from './refusals.ts';

/**
 * Refusal of a command with a lone surrogate in its text. A lone surrogate is half of a UTF-16 pair and cannot be
 * stored.
 */
export const malformedTextRefusal = asFinalRefusal(
  refuse('bad-request', 'The id or a text of the command contains half a character. Send well-formed Unicode.'),
);

/** Refusal of a request that names a role. The role of an actor comes from the session, never from the request. */
export const roleInRequestRefusal = asFinalRefusal(
  refuse('bad-request', 'Give the actor and the second approver by their id only, without a role.'),
);

/** True when the actor or the second person of a request has more fields than an id, for example a role. */
export const hasRoleInRequest = ({ actor, second }: StoredPayload): boolean =>
  [actor, second].some((one) => isObject(one) && Object.keys(one).length > 1);

/** Hash of a request; undefined if the id or a text of the request has a lone surrogate. */
export function requestHashIfWellFormed(id: string, request: StoredPayload): string | undefined {
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
