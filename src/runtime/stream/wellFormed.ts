import { isObject } from '../../base/schema.ts';
import { refuse } from '../../base/refusal.ts';
import { requestHash } from '../../store/commandRecord.ts';
import { type StoredRequest } from '../../store/store.ts';

/** What no record can hold: half of a pair that makes one character. */
export const brokenText = {
  ...refuse('bad-request', 'The id or a text of the command has half of a character; send whole ones.'),
  by: null,
} as const;

/** By which post somebody asks or consents is for the floor to know. */
export const postAsked = {
  ...refuse('bad-request', 'Whoever asks or consents is named by an id alone; leave the post out.'),
  by: null,
} as const;

export const asksPost = ({ who, second }: StoredRequest): boolean =>
  [who, second].some((one) => isObject(one) && Object.keys(one).length > 1);

/** The hash of what was asked; none where it, or the id, has half of a character. */
export function hashOfWhole(id: string, asked: StoredRequest): string | undefined {
  if (!id.isWellFormed()) return undefined;
  try {
    return requestHash(asked);
  } catch (error) {
    if (isWhole(asked)) throw error;
    return undefined;
  }
}

function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWhole);
  return !isObject(value) || Object.entries(value).every(([name, one]) => name.isWellFormed() && isWhole(one));
}
