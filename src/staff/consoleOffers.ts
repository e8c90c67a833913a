import { systemNotAllowedRefusal, consoleTableRefusal } from './accounts.ts';
import { countWrongSecret } from './signIn.ts';
import { type StaffRegisterCommandOf } from './commands.ts';
import { type StaffDecision, staffEventStamp } from './decision.ts';
import { type StaffState } from './state.ts';
import { ownValue } from '../base/ownValue.ts';

// An administrator offers a console to another device; the device that gives the code of the offer becomes the
// console.

/** How long a console offer is valid, in milliseconds. */
export const consoleOfferMs = 600_000;

export function decideOfferConsoleEnrolment(
  command: StaffRegisterCommandOf<'OfferConsole'>,
  staff: StaffState,
): StaffDecision {
  const { kind, table, at } = command;
  const offer = `o${staff.given.offers + 1}`;
  return (
    systemNotAllowedRefusal(command, staff, false) ??
    consoleTableRefusal(command) ?? [
      { type: 'ConsoleOffered', ...staffEventStamp(command), offer, kind, table, until: at + consoleOfferMs },
    ]
  );
}

/**
 * Enrols the device that gave the code of an offer. A wrong code is recorded as an event; five wrong codes lock all
 * claims for a time.
 */
export function decideClaimConsoleEnrolment(
  command: StaffRegisterCommandOf<'ClaimConsole'>,
  staff: StaffState,
): StaffDecision {
  const { at } = command;
  const { claims } = staff;
  const failed = { type: 'ClaimFailed', ...staffEventStamp(command) } as const;
  if (claims.until !== null && at < claims.until) return [{ ...failed, reason: 'locked', ...claims }];
  const offer = command.offer === undefined ? undefined : ownValue(staff.offers, command.offer);
  if (offer === undefined || at > offer.until) return [{ ...failed, reason: 'wrong', ...countWrongSecret(claims, at) }];
  const console = `c${staff.given.consoles + 1}`;
  const { kind, table } = offer;
  return [{ type: 'ConsoleEnrolled', ...staffEventStamp(command), console, kind, table, offer: offer.offer }];
}
