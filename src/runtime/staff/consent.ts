import { type Authority } from '../../staff/roleGrants.ts';

/** Approval by a second person who is not signed in, for one proposal and its hash. */
export type Consent = {
  readonly person: string;
  readonly number: string;
  readonly table: string;
  readonly proposal: string;
  readonly hash: string;
};
export type ConsentRequest = Omit<Consent, 'person'> & { readonly pin: string; readonly console: string | null };

/** Context of a staff command: the role of the actor, and the sequence of the staff stream that grants it. */
export type StaffContext = { readonly authority: Authority; readonly grant: number };
