import { hash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { refuse } from '../../base/refusal.ts';
import { newShortCode, normalizeShortCode } from '../../runtime/staff/shortCode.ts';
import { isLoopbackHost } from '../http/clientAddress.ts';
import { hostNameOfHeader } from '../http/originCheck.ts';

type DemoSignInOptions = {
  /** Uniform integer from 0 to `limit` - 1, from a cryptographic source. */
  readonly randomBelow: (limit: number) => number;
  /** Address at which the server listens, and its other names. */
  readonly hostNames: readonly string[];
  readonly hasProxies: boolean;
  /**
   * Called with the code of the sign-in when the first request comes through a proxy, although the server listens only
   * for this machine.
   */
  readonly onForwarded: (code: string) => void;
};

/** Headers that a reverse proxy adds. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

/**
 * Guard of the one-click sign-in of a demo. This sign-in offers every role. So if other machines can reach the server,
 * directly or through a proxy, the sign-in needs a code that the server has printed. Otherwise a browser on this
 * machine needs no code.
 */
export class DemoSignInGuard {
  readonly code: string;
  /**
   * True if every request needs the code, because the server has an address, a name or a proxy through which other
   * machines can reach it.
   */
  readonly isCodeAlwaysNeeded: boolean;
  readonly #onForwarded: (code: string) => void;
  #hasReported = false;

  constructor({ randomBelow, hostNames, hasProxies, onForwarded }: DemoSignInOptions) {
    this.code = newShortCode(randomBelow);
    this.isCodeAlwaysNeeded = hasProxies || !hostNames.every(isLoopbackHost);
    this.#onForwarded = onForwarded;
  }

  /** True if this request needs the code. A proxy on this machine is recognized by its headers or the host name. */
  isCodeNeeded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    if (this.isCodeAlwaysNeeded) return true;
    const isForwarded =
      proxyHeaders.some((name) => headers[name] !== undefined) || !isLoopbackHost(hostNameOfHeader(headers.host) ?? '');
    if (isForwarded && !this.#hasReported) {
      this.#hasReported = true;
      this.#onForwarded(this.code);
    }
    return isForwarded;
  }

  /**
   * Gives the refusal for a wrong or missing code; undefined for the right code. The codes are compared in constant
   * time.
   */
  codeRefusal(code: string | undefined) {
    return timingSafeEqual(digestOf(code ?? ''), digestOf(this.code)) ? undefined : wrongDemoCodeRefusal;
  }
}

const digestOf = (code: string): Buffer => hash('sha256', normalizeShortCode(code), 'buffer');

const wrongDemoCodeRefusal = refuse<'wrong-demo-code'>(
  'wrong-demo-code',
  'The one-click sign-in needs the code that the server has printed; ask its operator and enter the code.',
);
