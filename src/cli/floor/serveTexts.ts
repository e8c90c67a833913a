import { type UnsignedRange, unsignedRangeText } from '../../checkpoint/checks.ts';
import { type FirstPassword } from '../../runtime/staff/initialStaff.ts';
import { defaultHost } from './serveOptions.ts';

// What `punto serve` prints, and its warnings.

/** Printed, since no patron page links to the staff sign-in. */
export const staffText = (address: string, isDemo: boolean): string =>
  `Staff sign in at ${address}staff${isDemo ? ' (one click in this demo)' : ''}`;

/** The only credentials of a new property. They are not stored and cannot be shown again. */
export const firstSecretText = ({ number, password }: FirstPassword): string =>
  `The first administrator is ${number}, with the password ${password}, to be changed when it is first used. It is shown this once.`;

export const noTlsText = (host: string): string =>
  `others can reach ${host}, and there is no TLS: anyone on the network path can read and change everything, secrets of ` +
  `terminals included; give --cert and --key-file, or listen at ${defaultHost} behind a proxy with TLS.`;

/** A setting in the file that differs from the stored one is reported and not applied automatically. [READING 49] */
export const differingText = (table: string, fields: readonly string[], isDemo: boolean): string =>
  `the property file differs from the record of table ${table} in ${fields.join(', ')}; ` +
  (isDemo ? 'the demo takes it over between rounds.' : 'the record counts until two persons change the settings.');

export const unlistedText = (table: string): string =>
  `the table ${table} of the event log is not in the property file; it is not dealt, and its stakes stay ` +
  'until it is in the file again.';

export const unsignedText = (unsignedRange: UnsignedRange): string =>
  `${unsignedRangeText(unsignedRange)}: they were written in the last seconds before the floor ended, or by another program. They ` +
  'are signed from now on, and the floor stream names them.';

export const olderDemoText = (data: string, moved: string): string =>
  `The demo data in ${data} was written by an earlier version; it is now in ${moved}, and a new demo starts.`;
