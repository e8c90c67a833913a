import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The name in a Host header, without its port: undefined when there is none or it is not one. */
function nameIn(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/@\s[\]]+)(:\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase().replace(/^\[|\]$/g, '');
}

/**
 * Whether a request names this server: by an address, as localhost, or by a name it was told. Any other name leads here
 * only because somebody else's name server says so.
 */
export function isOwnHost({ headers }: IncomingMessage, names: readonly string[]): boolean {
  const name = nameIn(headers.host);
  return name !== undefined && (isIP(name) > 0 || ['localhost', ...names].some((own) => own.toLowerCase() === name));
}

/** Whether a page of this server asks, and not one of another site that a patron happens to have open. */
export const isOwnOrigin = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined &&
  headers.host !== undefined &&
  [`http://${headers.host}`, `https://${headers.host}`].includes(headers.origin);
