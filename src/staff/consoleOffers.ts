import { systemRefusal, consolePlaceRefusal } from './accounts.ts';
import { countWrongSecret } from './signIn.ts';
import { type StaffRegisterCommandOf } from './commands.ts';
import { type StaffDecision, staffStamp } from './decision.ts';
import { type StaffState } from './state.ts';
import { ownValue } from '../base/ownValue.ts';

// Remote console: an administrator offers it, and the device that gives the code becomes it.

/** How long an offer is valid, in milliseconds. */
export const offerMs = 600_000;

export function decideOfferConsole(command: StaffRegisterCommandOf<'OfferConsole'>, staff: StaffState): StaffDecision {
  const { kind, table, at } = command;
  const offer = `o${staff.given.offers + 1}`;
  return (
    systemRefusal(command, staff, false) ??
    consolePlaceRefusal(command) ?? [
      { type: 'ConsoleOffered', ...staffStamp(command), offer, kind, table, until: at + offerMs },
    ]
  );
}

/** Every attempt is an event; wrong codes lock all claims, like wrong secrets. */
export function decideClaimConsole(command: StaffRegisterCommandOf<'ClaimConsole'>, staff: StaffState): StaffDecision {
  const { at } = command;
  const { claims } = staff;
  const failed = { type: 'ClaimFailed', ...staffStamp(command) } as const;
  if (claims.until !== null && at < claims.until) return [{ ...failed, reason: 'locked', ...claims }];
  const offer = command.offer === undefined ? undefined : ownValue(staff.offers, command.offer);
  if (offer === undefined || at > offer.until) return [{ ...failed, reason: 'wrong', ...countWrongSecret(claims, at) }];
  const console = `c${staff.given.consoles + 1}`;
  const { kind, table } = offer;
  return [{ type: 'ConsoleEnrolled', ...staffStamp(command), console, kind, table, offer: offer.offer }];
}
