import { type Role } from './roles.ts';

/** Which role may act and, where four eyes are required, which second role approves. */
export type ApprovalRule = { readonly first: Role; readonly second?: Role };

/** The approval rule of each kind of action, by the name of the action. */
export const approvalRules = {
  'run the table': { first: 'dealer' },
  'void with no card out': { first: 'dealer' },
  'void with a card out': { first: 'dealer', second: 'supervisor' },
  'rule before settlement': { first: 'dealer', second: 'supervisor' },
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
  'start software after a failed hash': { first: 'technician', second: 'auditor' },
} as const satisfies { readonly [name: string]: ApprovalRule };
export type ApprovalRuleName = keyof typeof approvalRules;
