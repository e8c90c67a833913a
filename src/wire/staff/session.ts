import { id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schemas.ts';
import { pinLength } from '../../access/pin.ts';
import { roleSchema } from '../../access/actor.ts';
import { pitRoles } from '../../access/roles.ts';

/** Staff number as a person types it. The hyphen may be left out, and letters may be lower case. */
export const staffNumberSchema = s.stringMatching('a staff number such as D-214', /^[A-Za-z]{1,4}-?[0-9]{1,6}$/);
export const pinSchema = s.stringMatching('a PIN of six digits', new RegExp(`^[0-9]{${pinLength}}$`));

export const staffSessionSchema = s.object('a sign-in session', {
  person: id,
  number: s.string,
  role: roleSchema,
  acting: s.nullable(s.literals(pitRoles)),
  /** Time at which the acting role ends; null if there is no acting role. */
  until: s.nullable(time),
  since: time,
  /** Table of the console; null for a console or browser without a table. */
  table: s.nullable(s.string),
  /** True while the session is locked. The person unlocks it with PIN or password. */
  locked: s.boolean,
});
