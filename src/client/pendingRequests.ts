import { type ClientRequest, type Protocol, type ServerReply } from './protocol.ts';

/** Unanswered is what was given up: whether it got there is in the record alone. */
export type ClientReply<R extends Protocol> =
  | (ServerReply<R> & { readonly id: string })
  | { readonly type: 'unanswered'; readonly id: string };

type Waiting<R extends Protocol> = {
  readonly ask: ClientRequest<R>;
  readonly promise: Promise<ClientReply<R>>;
  readonly resolve: (answer: ClientReply<R>) => void;
};

/** What was asked and not answered yet, in the order in which it was asked. */
export class PendingRequests<R extends Protocol> {
  readonly #waiting = new Map<string, Waiting<R>>();

  /** The answer to come; asked again with its id, it is the same one. */
  to(ask: ClientRequest<R>): Promise<ClientReply<R>> {
    const known = this.#waiting.get(ask.id);
    if (known) return known.promise;
    let resolve!: (answer: ClientReply<R>) => void;
    const promise = new Promise<ClientReply<R>>((given) => {
      resolve = given;
    });
    this.#waiting.set(ask.id, { ask, promise, resolve });
    return promise;
  }

  /** A second answer to the same id, as a resend may lead to, changes nothing. */
  hear(tell: ServerReply<R>): void {
    if (tell.id !== null) this.#settle({ ...tell, id: tell.id });
  }

  /** All that waits, to be said once more with its id. */
  get waiting(): readonly ClientRequest<R>[] {
    return Array.from(this.#waiting.values(), ({ ask }) => ask);
  }

  giveUp(id: string): void {
    this.#settle({ type: 'unanswered', id });
  }

  #settle(answer: ClientReply<R>): void {
    this.#waiting.get(answer.id)?.resolve(answer);
    this.#waiting.delete(answer.id);
  }
}
