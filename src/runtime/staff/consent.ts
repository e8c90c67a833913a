import { type Authority } from '../../staff/roleGrants.ts';

/** Somebody who consents to one proposal and its hash, and is not signed in. */
export type Consent = {
  readonly person: string;
  readonly number: string;
  readonly table: string;
  readonly proposal: string;
  readonly hash: string;
};
export type Consenting = Omit<Consent, 'person'> & { readonly pin: string; readonly console: string | null };

/** What is brought to the command of a person: the post, and the entry of the register by which it is held. */
export type BroughtFor = { readonly post: Authority; readonly held: number };
