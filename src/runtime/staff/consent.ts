import { type Authority } from '../../staff/roleGrants.ts';

/** Approval of one proposal by a second person, who is not signed in. The hash says what exactly was approved. */
export type Consent = {
  readonly person: string;
  readonly number: string;
  readonly table: string;
  readonly proposal: string;
  readonly hash: string;
};
/** Request to record a consent, with the PIN of the second person. `console` is null if the browser is not enrolled. */
export type ConsentRequest = Omit<Consent, 'person'> & { readonly pin: string; readonly console: string | null };

/** Context of a staff command: the role of the actor, and the sequence of the staff stream up to which it was read. */
export type StaffCommandContext = { readonly authority: Authority; readonly grant: number };
