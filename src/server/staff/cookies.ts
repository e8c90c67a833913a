import { type IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** What a browser of staff keeps: the token of its session, and the key of the console that it is. */
const cookieNames = { session: 'punto-staff', console: 'punto-console' } as const;
type CookieName = keyof typeof cookieNames;

/** A console is enrolled once; browsers keep no cookie for longer than this, in seconds. */
const longest = 400 * 24 * 3600;

/** What a request brings; a cookie that comes twice was set by somebody else as well, and is none. */
export function cookieIn({ headers }: Pick<IncomingMessage, 'headers'>, name: CookieName): string | undefined {
  const said = headers.cookie ?? '';
  const isTwice = said.split(`${cookieNames[name]}=`).length > 2;
  return isTwice ? undefined : parseCookie(said)[cookieNames[name]];
}

/** A cookie that no script sees and no other site sends; without a value it is taken away. */
export const setCookie = (name: CookieName, value: string | undefined, isSecure: boolean): string =>
  stringifySetCookie({
    name: cookieNames[name],
    value: value ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    ...(value === undefined ? { maxAge: 0 } : name === 'console' && { maxAge: longest }),
  });
