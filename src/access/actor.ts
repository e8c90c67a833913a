import { type ValueOf, either, named, object, oneOf, optional, paired } from '../base/schema.ts';
import { id, time } from '../base/commonSchemas.ts';
import { linePosts, sidePosts } from './roles.ts';

export const linePost = oneOf(linePosts);
export const post = oneOf([...linePosts, ...sidePosts]);

const inPost = object('a person with a post', {
  person: id,
  post,
  acting: optional(linePost),
  until: optional(time),
});

/** A person in a post, perhaps acting in another one until a stated time. */
export const person = named(
  'person',
  paired(inPost, 'a person with a post, and "until" with "acting"', ['acting', 'until']),
);
export type Person = ValueOf<typeof person>;

/** Who asks: a person, a patron at a terminal, or the system that runs an unattended table. */
export const who = named(
  'who',
  either(
    'a person with a post, a terminal or a system',
    // Most who ask are at a terminal.
    object('a terminal', { terminal: id }),
    object('a system', { system: id }),
    person,
  ),
);
/** Who asks or did something: a person at a post, a terminal, or the system itself. */
export type Who = ValueOf<typeof who>;

/** Whether two consents come from one source. */
export function areSame(one: Who, other: Who): boolean {
  if ('person' in one) return 'person' in other && one.person === other.person;
  if ('terminal' in one) return 'terminal' in other && one.terminal === other.terminal;
  return 'system' in other && one.system === other.system;
}
