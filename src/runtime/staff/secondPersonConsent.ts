import { type Authority } from '../../staff/roleGrants.ts';

/**
 * Approval of one proposal by a second person, who gives staff number and PIN instead of signing in. `hash` is the
 * hash of the approved proposal.
 */
export type SecondPersonConsent = {
  readonly person: string;
  readonly number: string;
  readonly table: string;
  readonly proposal: string;
  readonly hash: string;
};
/** Request to record a consent, with the PIN of the second person. `console` is null if the browser is not enrolled. */
export type SecondPersonConsentRequest = Omit<SecondPersonConsent, 'person'> & {
  readonly pin: string;
  readonly console: string | null;
};

/**
 * Context of a staff command. `authority` is the role of the actor; `grant` is the last sequence of the staff stream
 * when the role was looked up.
 */
export type StaffCommandContext = { readonly authority: Authority; readonly grant: number };
