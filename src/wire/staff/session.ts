import { id, time } from '../../base/commonSchemas.ts';
import { flag, object, oneOf, orNull, text, textLike } from '../../base/schema.ts';
import { pinDigits } from '../../access/pin.ts';
import { linePosts, sidePosts } from '../../access/roles.ts';

/** What a person is known by on the floor, as it is typed. */
export const number = textLike('the number of a person, such as D-214', /^[A-Za-z]{1,4}-?[0-9]{1,6}$/);
export const pin = textLike('a PIN of six digits', new RegExp(`^[0-9]{${pinDigits}}$`));
export const post = oneOf([...linePosts, ...sidePosts]);

/** Who is signed in, as a screen tells it. */
export const staffSession = object('a session', {
  person: id,
  number: text,
  post,
  /** The post acted in, if another, and until when. */
  acting: orNull(oneOf(linePosts)),
  until: orNull(time),
  since: time,
  /** The table that the console stands at, where it is one. */
  table: orNull(text),
  /** Nobody does anything before the PIN is given again. */
  locked: flag,
});
