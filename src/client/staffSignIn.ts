import { type StaffBrowserState, type StaffHttpRequestBody, type StaffHttpRequestName } from '../wire/staff/signInRequests.ts';
import { type StaffSession } from '../wire/staff/messages.ts';

export type SignInError = {
  readonly code: string;
  readonly message: string;
  readonly by: string | null;
  /** The number is blocked until this time. */
  readonly until?: number;
  /** Roles to choose from. */
  readonly roles?: readonly string[];
};
export type SignInDone = {
  readonly session?: StaffSession;
  readonly console?: string;
  /** Code that makes another device a console, and its expiry. */
  readonly code?: string;
  readonly until?: number;
};

/** The part of `fetch` that is used. */
export type Fetch = (
  address: string,
  request: {
    readonly method: string;
    readonly headers: { readonly [name: string]: string };
    readonly body?: string;
    readonly cache?: 'no-store';
  },
) => Promise<{ readonly ok: boolean; json(): Promise<unknown> }>;

/** A page of another site cannot send this header. */
const header = { 'x-punto-staff': '1' } as const;

const unreachable: SignInError = {
  code: 'link-lost',
  message: 'The server cannot be reached; try again in a moment.',
  by: null,
};

export const isSignInError = (answer: object): answer is SignInError => 'code' in answer;

/** Sign-in and sign-out by HTTP; the browser keeps the cookies. The base URL ends with a slash. */
export class StaffSignIn {
  readonly #fetch: Fetch;
  readonly #baseUrl: string;

  constructor(fetch: Fetch, at = '/') {
    this.#fetch = fetch;
    this.#baseUrl = at;
  }

  /** Console and sign-in session of this browser. */
  me(): Promise<StaffBrowserState | SignInError> {
    return this.#request<StaffBrowserState>('me', { method: 'GET', headers: header, cache: 'no-store' });
  }

  ask<N extends StaffHttpRequestName>(name: N, body: StaffHttpRequestBody<N>): Promise<SignInDone | SignInError> {
    const headers = { ...header, 'content-type': 'application/json' };
    return this.#request<SignInDone>(name, { method: 'POST', headers, body: JSON.stringify(body), cache: 'no-store' });
  }

  async #request<Answer>(name: string, request: Parameters<Fetch>[1]): Promise<Answer | SignInError> {
    try {
      const answer = await this.#fetch(`${this.#baseUrl}staff/${name}`, request);
      return (await answer.json()) as Answer | SignInError;
    } catch {
      return unreachable;
    }
  }
}
