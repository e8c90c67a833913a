import {
  type StaffBrowserState,
  type StaffHttpRequestBody,
  type StaffHttpRequestName,
} from '../wire/staff/signInRequests.ts';
import { type StaffSession } from '../wire/staff/messages.ts';

export type StaffHttpError = {
  readonly code: string;
  readonly message: string;
  readonly by: string | null;
  /** Time until which the staff number is blocked, in milliseconds since 1970. */
  readonly until?: number;
  /** Roles of the staff member. Set if one of them must be chosen for the sign-in. */
  readonly roles?: readonly string[];
};
export type StaffHttpSuccess = {
  readonly session?: StaffSession;
  readonly console?: string;
  /** One-time code with which another browser becomes a console. */
  readonly code?: string;
  /** Time at which the code expires, in milliseconds since 1970. */
  readonly until?: number;
};

export type FetchFunction = (
  address: string,
  request: {
    readonly method: string;
    readonly headers: { readonly [name: string]: string };
    readonly body?: string;
    readonly cache?: 'no-store';
  },
) => Promise<{ readonly ok: boolean; json(): Promise<unknown> }>;

/** Header that only pages of this server can send; it protects against cross-site requests. */
const header = { 'x-punto-staff': '1' } as const;

const unreachable: StaffHttpError = {
  code: 'connection-lost',
  message: 'The server cannot be reached. Try again in a moment.',
  by: null,
};

export const isStaffHttpError = (answer: object): answer is StaffHttpError => 'code' in answer;

/** HTTP client for sign-in and sign-out of staff; the browser keeps the cookies. The base URL ends with a slash. */
export class StaffSignInClient {
  readonly #fetch: FetchFunction;
  readonly #baseUrl: string;

  constructor(fetch: FetchFunction, baseUrl = '/') {
    this.#fetch = fetch;
    this.#baseUrl = baseUrl;
  }

  me(): Promise<StaffBrowserState | StaffHttpError> {
    return this.#request<StaffBrowserState>('me', { method: 'GET', headers: header, cache: 'no-store' });
  }

  ask<N extends StaffHttpRequestName>(
    name: N,
    body: StaffHttpRequestBody<N>,
  ): Promise<StaffHttpSuccess | StaffHttpError> {
    const headers = { ...header, 'content-type': 'application/json' };
    return this.#request<StaffHttpSuccess>(name, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      cache: 'no-store',
    });
  }

  async #request<Answer>(name: string, request: Parameters<FetchFunction>[1]): Promise<Answer | StaffHttpError> {
    try {
      const answer = await this.#fetch(`${this.#baseUrl}staff/${name}`, request);
      return (await answer.json()) as Answer | StaffHttpError;
    } catch {
      return unreachable;
    }
  }
}
