import { id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schemas.ts';
import { pinDigits } from '../../access/pin.ts';
import { roleSchema } from '../../access/actor.ts';
import { pitRoles } from '../../access/roles.ts';

/** Staff number as typed. */
export const staffNumberSchema = s.stringMatching(
  'the number of a person, such as D-214',
  /^[A-Za-z]{1,4}-?[0-9]{1,6}$/,
);
export const pinSchema = s.stringMatching('a PIN of six digits', new RegExp(`^[0-9]{${pinDigits}}$`));

export const staffSessionSchema = s.object('a session', {
  person: id,
  number: s.string,
  role: roleSchema,
  /** Acting role, if any, and its expiry. */
  acting: s.nullable(s.literals(pitRoles)),
  until: s.nullable(time),
  since: time,
  /** Table of the console, if any. */
  table: s.nullable(s.string),
  /** Locked until the PIN is given again. */
  locked: s.boolean,
});
