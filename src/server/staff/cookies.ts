import { type IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

/**
 * Names of the cookies of a staff browser: `session` has the token of the sign-in session, `console` the key of the
 * console.
 */
const cookieNames = { session: 'punto-staff', console: 'punto-console' } as const;
type CookieName = keyof typeof cookieNames;

/** Age of the console cookie in seconds: 400 days, the longest that browsers allow. */
const maxAgeSeconds = 400 * 24 * 3600;

/**
 * Reads a staff cookie of a request. If the cookie is there twice, neither value is used, because another site may have
 * set one of them.
 */
export function readStaffCookie({ headers }: Pick<IncomingMessage, 'headers'>, name: CookieName): string | undefined {
  const header = headers.cookie ?? '';
  const isTwice = header.split(`${cookieNames[name]}=`).length > 2;
  return isTwice ? undefined : parseCookie(header)[cookieNames[name]];
}

/**
 * Formats the Set-Cookie header of a staff cookie, with HttpOnly and SameSite=Strict. If `value` is undefined, the
 * browser deletes the cookie.
 */
export const formatStaffSetCookieHeader = (name: CookieName, value: string | undefined, isSecure: boolean): string =>
  stringifySetCookie({
    name: cookieNames[name],
    value: value ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    ...(value === undefined ? { maxAge: 0 } : name === 'console' && { maxAge: maxAgeSeconds }),
  });
