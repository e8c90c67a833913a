import { id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schema.ts';
import { pinDigits } from '../../access/pin.ts';
import { pitRoles, supportRoles } from '../../access/roles.ts';

/** What a person is known by on the floor, as it is typed. */
export const staffNumberSchema = s.stringMatching(
  'the number of a person, such as D-214',
  /^[A-Za-z]{1,4}-?[0-9]{1,6}$/,
);
export const pin = s.stringMatching('a PIN of six digits', new RegExp(`^[0-9]{${pinDigits}}$`));
export const post = s.literals([...pitRoles, ...supportRoles]);

/** Who is signed in, as a screen tells it. */
export const staffSession = s.object('a session', {
  person: id,
  number: s.string,
  post,
  /** The post acted in, if another, and until when. */
  acting: s.nullable(s.literals(pitRoles)),
  until: s.nullable(time),
  since: time,
  /** The table that the console stands at, where it is one. */
  table: s.nullable(s.string),
  /** Nobody does anything before the PIN is given again. */
  locked: s.boolean,
});
