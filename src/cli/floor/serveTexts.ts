import { type UnsignedEntryRange, unsignedEntryRangeText } from '../../checkpoint/checks.ts';
import { type FirstAdministratorCredentials } from '../../runtime/staff/initialStaff.ts';
import { defaultHost } from './serveOptions.ts';

// Texts that `punto serve` prints, and texts of its warnings.

/** Line with the address of the staff sign-in. No page for patrons links to this address, so it is printed. */
export const staffSignInText = (address: string, isDemo: boolean): string =>
  `Staff sign in at ${address}staff${isDemo ? ' (one click in this demo)' : ''}`;

/**
 * Line with the code of the one-click sign-in. It is printed for a demo that other machines can reach. Each start makes
 * a new code.
 */
export const demoCodeText = (code: string): string =>
  `Other machines can reach this demo: the one-click sign-in of staff needs the code ${code} until the server stops.`;

export const demoForwardedText = (code: string): string =>
  `A proxy forwards requests to this demo; for these requests the one-click sign-in of staff needs the code ${code}. Name the proxy with --proxy.`;

/**
 * Line with the number and password of the first administrator of a new property. The password is not stored and cannot
 * be shown again.
 */
export const firstPasswordText = ({ number, password }: FirstAdministratorCredentials): string =>
  `The first administrator is ${number}, with the password ${password}. The password must be changed at the first sign-in and is shown only this once.`;

export const noTlsText = (host: string): string =>
  `other machines can reach ${host} without TLS: anyone on the network can read and change everything, including the ` +
  `secrets of terminals; give --cert and --key-file, or listen at ${defaultHost} behind a proxy with TLS.`;

/**
 * Warning that the property file differs from the stored settings of a table. A demo applies the file; any other floor
 * continues with the stored settings. [READING 49]
 */
export const settingsDifferText = (table: string, fields: readonly string[], isDemo: boolean): string =>
  `the property file differs from the stored settings of table ${table} in ${fields.join(', ')}; ` +
  (isDemo ? 'the demo applies the file between rounds.' : 'the stored settings apply until two persons change them.');

export const unlistedTableText = (table: string): string =>
  `table ${table} is in the event log but not in the property file; the floor does not run this table, and its open stakes wait ` +
  'until the table is in the file again.';

export const unsignedEntriesText = (unsignedRange: UnsignedEntryRange): string =>
  `${unsignedEntryRangeText(unsignedRange)}: these entries were written in the last seconds before the floor ended, or by another program. This ` +
  'start has signed these entries, and the floor stream lists them.';

export const olderDemoMovedText = (data: string, moved: string): string =>
  `The demo data in ${data} was written by an earlier version; it is now in ${moved}, and a new demo starts.`;
