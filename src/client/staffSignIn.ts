import { type StaffMe, type StaffRequest, type StaffRequestName } from '../wire/staff/signInRequests.ts';
import { type StaffSession } from '../wire/staff/messages.ts';

/** What the server says where something is not done. */
export type NotDone = {
  readonly code: string;
  readonly message: string;
  readonly by: string | null;
  /** Until when nobody is let in by this number. */
  readonly until?: number;
  /** The posts to choose from. */
  readonly posts?: readonly string[];
};
export type SignInDone = {
  readonly session?: StaffSession;
  readonly console?: string;
  /** By which another device becomes a console, until then. */
  readonly code?: string;
  readonly until?: number;
};

/** As much of `fetch` as it takes. */
export type Fetch = (
  address: string,
  how: {
    readonly method: string;
    readonly headers: { readonly [name: string]: string };
    readonly body?: string;
    readonly cache?: 'no-store';
  },
) => Promise<{ readonly ok: boolean; json(): Promise<unknown> }>;

/** What no page of another site can send. */
const header = { 'x-punto-staff': '1' } as const;

const unreached: NotDone = {
  code: 'link-lost',
  message: 'The server cannot be reached; try again in a moment.',
  by: null,
};

export const isNotDone = (answer: object): answer is NotDone => 'code' in answer;

/** Signing in and out by HTTP; the browser keeps the cookies. `at` is the address of the server, with a slash at its end. */
export class SignIn {
  readonly #fetch: Fetch;
  readonly #at: string;

  constructor(fetch: Fetch, at = '/') {
    this.#fetch = fetch;
    this.#at = at;
  }

  /** Where this browser stands: the console that it is, and who is signed in. */
  me(): Promise<StaffMe | NotDone> {
    return this.#ask<StaffMe>('me', { method: 'GET', headers: header, cache: 'no-store' });
  }

  ask<N extends StaffRequestName>(name: N, given: StaffRequest<N>): Promise<SignInDone | NotDone> {
    const headers = { ...header, 'content-type': 'application/json' };
    return this.#ask<SignInDone>(name, { method: 'POST', headers, body: JSON.stringify(given), cache: 'no-store' });
  }

  async #ask<Answer>(name: string, how: Parameters<Fetch>[1]): Promise<Answer | NotDone> {
    try {
      const answer = await this.#fetch(`${this.#at}staff/${name}`, how);
      return (await answer.json()) as Answer | NotDone;
    } catch {
      return unreached;
    }
  }
}
