import { type Actor } from './actor.ts';
import { type Role, hasAuthority } from './roles.ts';

/**
 * `first` is the role that may act. If four eyes are required, `second` is the role that approves. With `anyOrder`, a
 * person of the second role may also act; then a person of the first role approves.
 */
export type ApprovalRule = { readonly first: Role; readonly second?: Role; readonly anyOrder?: true };

export const approvalRules = {
  'run the table': { first: 'dealer' },
  'void with no card out': { first: 'dealer' },
  'void with a card out': { first: 'dealer', second: 'supervisor' },
  'rule before settlement': { first: 'dealer', second: 'supervisor' },
  'enter the felt': { first: 'dealer', second: 'supervisor', anyOrder: true },
  'rule after settlement': { first: 'supervisor', second: 'gaming-shift-manager' },
  'burn a card': { first: 'dealer', second: 'supervisor' },
  'change the shoe': { first: 'dealer', second: 'supervisor' },
  refer: { first: 'dealer' },
  'answer a call': { first: 'supervisor' },
  'investigate a count': { first: 'pit-manager' },
  'decide a referral': { first: 'gaming-shift-manager' },
  'confirm what a clause computes': { first: 'supervisor' },
  'change the settings': { first: 'pit-manager', second: 'gaming-shift-manager' },
  'close the table': { first: 'pit-manager', second: 'gaming-shift-manager' },
  'settle a shortfall': { first: 'supervisor', second: 'gaming-shift-manager' },
  'pay by hand above the limit': { first: 'supervisor', second: 'pit-manager' },
} as const satisfies { readonly [name: string]: ApprovalRule };
export type ApprovalRuleName = keyof typeof approvalRules;

/** The role that approves what the proposer has proposed; undefined if no approval is required. */
export const approverRole = (
  { first, second, anyOrder }: ApprovalRule,
  proposer: Actor,
  at: number,
): Role | undefined =>
  anyOrder && second !== undefined && 'person' in proposer && hasAuthority(proposer, second, at) ? first : second;

/**
 * Time in milliseconds after which an unapproved proposal expires. The same time holds for proposals at a table and for
 * proposed hand-pays at a terminal.
 */
export const proposalMs = 120_000;
