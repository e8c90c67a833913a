import { type IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** Cookies of a staff browser: token of the sign-in session, and key of the console. */
const cookieNames = { session: 'punto-staff', console: 'punto-console' } as const;
type CookieName = keyof typeof cookieNames;

/** Browsers keep a cookie no longer than this. */
const maxAgeSeconds = 400 * 24 * 3600;

/** A cookie that occurs twice was also set by another site and is ignored. */
export function cookieIn({ headers }: Pick<IncomingMessage, 'headers'>, name: CookieName): string | undefined {
  const header = headers.cookie ?? '';
  const isTwice = header.split(`${cookieNames[name]}=`).length > 2;
  return isTwice ? undefined : parseCookie(header)[cookieNames[name]];
}

/** HttpOnly, SameSite=Strict. Without a value the cookie is deleted. */
export const setCookie = (name: CookieName, value: string | undefined, isSecure: boolean): string =>
  stringifySetCookie({
    name: cookieNames[name],
    value: value ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    ...(value === undefined ? { maxAge: 0 } : name === 'console' && { maxAge: maxAgeSeconds }),
  });
